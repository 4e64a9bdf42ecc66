// How this page looks and listens, in this browser.

import { el, fill } from "./dom.js";
import { get } from "./api.js";
import { load } from "./states.js";
import { read, setTheme, theme, write } from "./theme.js";

const SLASH = "litemem-slash";

/** Whether `/` leads to the search. */
export function slashWorks() {
  return read(SLASH) !== "off";
}

export function show(root, _, signal) {
  const facts = el("section", {});
  fill(root, el("h1", {}, "Settings"), appearance(), keys(), el("h2", {}, "Whose memory"), facts);
  load(facts, signal, () => get("/memory/stats", { signal }), user);
}

function appearance() {
  const choices = [["system", "As the system has it"], ["light", "Light"], ["dark", "Dark"]];
  return el(
    "fieldset",
    {},
    el("legend", {}, "Theme"),
    choices.map(([name, label]) => {
      const box = el("input", { type: "radio", name: "theme", value: name, onchange: () => setTheme(name) });
      box.checked = theme() === name;
      return el("label", { class: "choice" }, box, label);
    }),
  );
}

function keys() {
  const box = el("input", { type: "checkbox" });
  box.checked = slashWorks();
  box.addEventListener("change", () => write(SLASH, box.checked ? "on" : "off"));
  return el(
    "fieldset",
    {},
    el("legend", {}, "Keyboard"),
    el("label", { class: "choice" }, box, el("span", {}, "The key ", el("kbd", {}, "/"), " leads to the search")),
    el("p", { class: "quiet" }, "In lists of results, the arrow keys, Home and End move; Enter opens."),
  );
}

function user(stats) {
  return [
    el("p", {}, "This page shows the memory of the user ", el("strong", {}, el("bdi", {}, stats.user_id)), "."),
    el("p", { class: "quiet" }, "Nothing leaves this machine. Settings are kept in this browser."),
  ];
}
