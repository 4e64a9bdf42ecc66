// Memories that were picked to be forgotten, on any view; a bar shows how many.

import { announce, el, fill } from "./dom.js";
import { count } from "./format.js";
import { to } from "./router.js";

const MOST = 200; // the server takes no more at once
const PICKING = ["search", "timeline", "map"];
const picked = new Set(); // ids
let here = "search";

/** A box that picks one memory. */
export function pickBox(id, content) {
  const box = el("input", { type: "checkbox", "aria-label": `Select: ${content.slice(0, 80)}`, "data-pick": id });
  box.checked = picked.has(id);
  box.addEventListener("change", () => {
    if (!box.checked) picked.delete(id);
    else if (picked.size < MOST) picked.add(id);
    else announce(`No more than ${MOST} can be forgotten at once.`);
    box.checked = picked.has(id);
    show();
  });
  return el("label", { class: "pick" }, box);
}

export function unpick(ids) {
  for (const id of ids) picked.delete(id);
  show();
}

function clear() {
  const boxes = document.querySelectorAll("input[data-pick]");
  for (const box of boxes) box.checked = false;
  picked.clear();
  show();
  document.getElementById("main").focus({ preventScroll: true });
}

export function pickedIds() {
  return [...picked];
}

/** Show the bar where anything is picked, in the views where more could be. */
export function show(view = here) {
  here = view;
  const tray = document.getElementById("tray");
  if (picked.size === 0 || !PICKING.includes(view)) {
    fill(tray);
    return;
  }
  const ids = pickedIds().join(",");
  fill(
    tray,
    el(
      "section",
      { class: "tray", "aria-label": "Selected memories" },
      el("span", {}, `${count(picked.size, "memory", "memories")} selected`),
      el("a", { class: "button danger", href: to("forget", [], { ids }) }, "Preview forgetting"),
      el("button", { type: "button", onclick: clear }, "Clear"),
    ),
  );
}
