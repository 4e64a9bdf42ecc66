// What `litemem doctor` says, and how much there is.

import { el, fill } from "./dom.js";
import { get } from "./api.js";
import { bytes, count, percent } from "./format.js";
import { gauge } from "./parts.js";
import { load, notice } from "./states.js";

export function show(root, _, signal) {
  const body = el("div", {});
  const ask = async () => {
    const [health, stats] = await Promise.all([get("/health", { signal }), get("/memory/stats", { signal })]);
    return { health, stats };
  };
  const check = () => load(body, signal, ask, whole);
  fill(root, el("h1", {}, "Health"), body, el("p", { class: "actions" }, el("button", { type: "button", onclick: check }, "Check again")));
  check();
}

function whole({ health, stats }) {
  return [
    health.well ? notice("All is well.", "good") : notice("Something needs a look.", "bad"),
    problems(health.problems),
    list("Notes", health.notes),
    list("Files that aren’t read as memory", health.ignored, "code"),
    el("h2", {}, "What there is"),
    figures(health, stats),
    categories(stats.by_category),
  ];
}

function problems(found) {
  if (found.length === 0) return null;
  const row = (one) =>
    el("tr", {}, el("td", {}, el("code", {}, one.line ? `${one.path}:${one.line}` : one.path)), el("td", { dir: "auto" }, one.reason));
  return el(
    "div",
    { class: "wide" },
    el(
      "table",
      {},
      el("caption", {}, count(found.length, "problem")),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Where"), el("th", { scope: "col" }, "What"))),
      el("tbody", {}, found.map(row)),
    ),
  );
}

function list(title, lines, tag = "span") {
  if (lines.length === 0) return null;
  return [el("h2", {}, title), el("ul", { class: "plain" }, lines.map((line) => el("li", {}, el(tag, { dir: "auto" }, line))))];
}

function figures(health, stats) {
  const share = health.rows ? health.vectors / health.rows : 1;
  const kinds = stats.by_kind;
  const rows = [
    ["Memories", `${stats.total_memories.toLocaleString()} (and ${count(stats.superseded, "older version")})`],
    ["Ever recalled", stats.used.toLocaleString()],
    ["Daily logs", stats.logs.toLocaleString()],
    ["In the index", ["fact", "block", "turn", "node"].filter((kind) => kinds[kind]).map((kind) => count(kinds[kind], kind)).join(", ") || "nothing"],
    ["Vectors", el("span", { class: "with-gauge" }, `${health.vectors} of ${health.rows} rows (${percent(share)})`, gauge(share, "meaning"))],
    ["Size of the index", bytes(stats.index_bytes)],
    ["Model", el("code", {}, health.model)],
    ["Time zone", health.time_zone],
    ["User", el("bdi", {}, health.user_id)],
    ["Version", health.version],
  ];
  return el("dl", { class: "facts card" }, rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

function categories(counts) {
  const found = Object.entries(counts).sort(([, a], [, b]) => b - a);
  if (found.length === 0) return null;
  const most = found[0][1];
  return [
    el("h2", {}, "Categories"),
    el(
      "table",
      { class: "counts" },
      el("caption", { class: "hidden-text" }, "Memories by category"),
      el("tbody", {}, found.map(([name, n]) => el("tr", {}, el("th", { scope: "row" }, el("bdi", {}, name)), el("td", { class: "number" }, n.toLocaleString()), el("td", { class: "gauge" }, gauge(n / most, "meaning"))))),
    ),
  ];
}
