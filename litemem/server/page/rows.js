// A memory as one row of a list, as it looks in every view.

import { el, said } from "./dom.js";
import { percent, when } from "./format.js";
import { to } from "./router.js";
import { pickBox } from "./selection.js";

export function memoryLink(id) {
  return to("memory", id);
}

export function chip(text, kind = "") {
  return el("bdi", { class: `chip ${kind}`.trim() }, text);
}

/** Category, time, importance and tags, on one line. */
export function details(fact, ...more) {
  return el(
    "p",
    { class: "meta" },
    chip(fact.category, "category"),
    fact.created_at && el("time", { datetime: fact.created_at }, when(fact.created_at)),
    fact.importance !== 0.5 && el("span", {}, `importance ${percent(fact.importance)}`),
    fact.speaker && el("span", {}, "said by ", el("bdi", {}, fact.speaker)),
    fact.chat_id && el("span", {}, "chat ", el("bdi", {}, fact.chat_id)),
    fact.tags.map((tag) => el("bdi", { class: "tag" }, `#${tag}`)),
    more,
  );
}

/** A row that leads to a memory and can be picked. */
export function memoryRow(fact, ...more) {
  return el(
    "li",
    { class: "row" },
    el(
      "div",
      { class: "row-main" },
      el("a", { class: "row-link", href: memoryLink(fact.id) }, said(fact.content)),
      details(fact),
      more,
    ),
    pickBox(fact.id, fact.content),
  );
}

/** Let the arrow keys move between the links of a list. */
export function arrows(list, before) {
  list.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a.row-link")];
    const at = links.indexOf(event.target);
    if (at < 0) return;
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 };
    if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = steps[event.key] < 0 ? before : links[steps[event.key]];
    next?.focus();
  });
  return list;
}
