// Why a hit came: what found it, and the parts of its score.

import { el, svg } from "./dom.js";
import { count } from "./format.js";

const NAMES = {
  vector: "Meaning",
  keyword: "Words",
  speaker: "Speaker asked for",
  date: "Date asked for",
  time: "Time asked for",
  neighbours: "Found among neighbours",
  thread: "Same conversation",
  not_assistant: "Said by a person",
  better_neighbour: "Near a better hit",
  thread_best: "Conversation’s best",
  importance: "Importance",
  recency: "Recent",
};
const MATCHED = { keyword: "words", vector: "meaning", neighbour: "neighbour" };
const GROUPS = { vector: "meaning", keyword: "words" };

/** A line that says why, which opens into the parts of the score. */
export function why(hit) {
  const parts = Object.entries(hit.parts).filter(([, value]) => Math.abs(value) >= 0.0005);
  parts.sort(([, a], [, b]) => b - a);
  const by = hit.matched.map((one) => MATCHED[one] ?? one).join(", ") || "no match of its own";
  return el(
    "details",
    { class: "why" },
    el("summary", {}, bar(parts), el("span", {}, `Score ${hit.score.toFixed(2)} · by ${by}`)),
    table(parts, hit),
  );
}

function bar(parts) {
  const positive = parts.filter(([, value]) => value > 0);
  const whole = positive.reduce((sum, [, value]) => sum + value, 0) || 1;
  let x = 0;
  return svg(
    "svg",
    { class: "bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
    positive.map(([name, value]) => {
      const width = (value / whole) * 100;
      const piece = svg("rect", { x, y: 0, width, height: 6, class: `part ${GROUPS[name] ?? "other"}` });
      x += width;
      return piece;
    }),
  );
}

function table(parts, hit) {
  const most = Math.max(...parts.map(([, value]) => Math.abs(value)), 0.01);
  const row = ([name, value]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, NAMES[name] ?? name),
      el("td", { class: "number" }, value.toFixed(3)),
      el("td", { class: "gauge" }, gauge(Math.abs(value) / most, value < 0 ? "less" : (GROUPS[name] ?? "other"))),
    );
  const caption = `${count(parts.length, "part")} of the score ${hit.score.toFixed(3)}`;
  const like = hit.similarity === null ? "It has no vector that was compared." : `Similarity of meaning: ${hit.similarity.toFixed(2)}.`;
  return [el("table", {}, el("caption", {}, caption), el("tbody", {}, parts.map(row))), el("p", { class: "quiet" }, like)];
}

/** A bar whose length is a share of its room. */
export function gauge(share, kind = "") {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return svg(
    "svg",
    { class: "bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { x: 0, y: 0, width, height: 6, class: `part ${kind}` }),
  );
}
