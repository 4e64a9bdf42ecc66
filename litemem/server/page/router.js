// Which view is shown: `#/name/part?key=value`.

import { announce } from "./dom.js";

/** Read a hash into its view's name, what follows it, and its parameters. */
export function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [name = "", ...rest] = path.split("/");
  return { name: name || "search", rest: rest.map(decoded), params: new URLSearchParams(query) };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Write a hash. Parameters that are null or empty are left out. */
export function to(name, rest = [], params = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== "") query.set(key, String(value));
  }
  const path = [name, ...[rest].flat().map(encodeURIComponent)].join("/");
  return `#/${path}${query.size ? `?${query}` : ""}`;
}

/** Note in the address what a view shows, without showing it anew. */
export function note(hash) {
  history.replaceState(null, "", hash);
}

/**
 * Show views as the address changes.
 *
 * @param {Record<string, {title: string, show: Function}>} views by name; each gets a root, the
 *   route, and a signal that ends when it's left.
 * @param {(name: string) => void} shown called after each change.
 */
export function start(views, main, shown) {
  let leave = new AbortController();
  let first = true;

  function change() {
    if (!location.hash.startsWith("#/") && location.hash !== "") return; // such as #main
    leave.abort();
    leave = new AbortController();
    const hash = location.hash;
    const route = parse(hash);
    const view = Object.hasOwn(views, route.name) ? views[route.name] : views.search;
    main.replaceChildren();
    announce("");
    document.title = `${view.title} · litemem`;
    view.show(main, route, leave.signal);
    main.dataset.route = hash;
    shown(route.name);
    if (!first) arrive(main);
    first = false;
  }

  addEventListener("hashchange", change);
  change();
}

/** Let the keyboard go on at the new view's heading. */
function arrive(main) {
  scrollTo(0, 0);
  if (main.contains(document.activeElement)) return; // the view chose for itself
  const heading = main.querySelector("h1") ?? main;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
