// Dark or light, as the system has it or as it was chosen here.

const KEY = "litemem-theme";
const THEMES = ["system", "light", "dark"];

export function theme() {
  const kept = read(KEY);
  return THEMES.includes(kept) ? kept : "system";
}

export function setTheme(name) {
  write(KEY, name);
  apply();
  dispatchEvent(new Event("themechange"));
}

/** Show the theme that was chosen. */
export function apply() {
  const chosen = theme();
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

/** Read a setting of this page; null where there is none, or the browser keeps none. */
export function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It holds until the page is closed.
  }
}
