// A difference of lines as a person reads it.

import { el, hiddenText } from "./dom.js";
import { folded, lineDiff } from "./diff.js";
import { count } from "./format.js";

const SIGNS = { same: " ", less: "−", more: "+" };
const WORDS = { less: "Removed: ", more: "Added: " };

export function diffBox(before, after) {
  const lines = lineDiff(before, after);
  const sum = (kind) => lines.filter((line) => line.kind === kind).length;
  return el(
    "figure",
    { class: "diff" },
    el("figcaption", {}, `${count(sum("more"), "line")} added, ${count(sum("less"), "line")} removed`),
    el("ol", {}, folded(lines).map(row)),
  );
}

function row(line) {
  if (line.kind === "gap") return el("li", { class: "gap" }, `${count(line.count, "unchanged line")}`);
  return el(
    "li",
    { class: line.kind },
    el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[line.kind]),
    WORDS[line.kind] && hiddenText(WORDS[line.kind]),
    el("span", { class: "said", dir: "auto" }, line.text || "\u200b"),
  );
}
