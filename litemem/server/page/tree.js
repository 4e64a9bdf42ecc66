// One session as a tree: branches in lanes, and where it was condensed.

import { announce, el, fill, hiddenText, said, svg } from "./dom.js";
import { get, part } from "./api.js";
import { count, when } from "./format.js";
import { to } from "./router.js";
import { chip } from "./rows.js";
import { empty, load, moreButton } from "./states.js";

const PAGE = 400;
const LANE = 16; // pixels between lanes
const MOST_LANES = 8; // deeper branches share the last one
const COLORS = 6;
const TOP = 22; // where a row's dot stands

export function show(root, route, signal) {
  const id = route.rest[0] ?? "";
  const heading = el("h1", {}, "Session");
  const body = el("div", {});
  fill(root, el("p", {}, el("a", { href: to("sessions") }, "All sessions")), heading, body);
  const page = async (offset) => get(`/sessions/${part(id)}/tree`, { params: { limit: PAGE, offset }, signal });
  load(body, signal, () => page(0), (found) => {
    fill(heading, "Session ", el("bdi", {}, found.name ?? id));
    return whole(found, page);
  }).then(() => mark(body, route.params.get("node")));
}

function mark(body, node) {
  const row = node && [...body.querySelectorAll("[data-node]")].find((one) => one.dataset.node === node);
  row?.classList.add("marked");
  row?.scrollIntoView({ block: "center" });
}

function whole(found, page) {
  if (found.total === 0) return empty("This session has no turns");
  const nodes = [...found.nodes];
  const list = el("ol", { class: "tree" });
  draw(list, nodes, 0, found.compactions);
  const more = async () => {
    const from = nodes.length;
    const next = await page(from).catch(() => null);
    if (next === null) {
      announce("That couldn’t be read; try again.");
      return true;
    }
    nodes.push(...next.nodes);
    draw(list, nodes, from, found.compactions);
    return nodes.length < next.total;
  };
  const branches = found.nodes.filter((one) => one.starts).length;
  return [
    el("p", { class: "quiet" }, `${count(found.total, "turn")}, ${count(branches, "branch", "branches")}, ${count(found.compactions.length, "compaction")}.`),
    compactions(found.compactions),
    list,
    nodes.length < found.total && moreButton("Show more turns", more),
  ];
}

function compactions(made) {
  if (made.length === 0) return null;
  const rows = made.map((one) =>
    el(
      "li",
      {},
      el("p", { class: "meta" }, el("time", { datetime: one.at }, when(one.at)), one.tokens_before && el("span", {}, `from ${count(one.tokens_before, "token")}`), one.pinned.length > 0 && el("span", {}, `${count(one.pinned.length, "turn")} kept besides`)),
      said(one.text, "p"),
    ),
  );
  return el("details", { class: "card" }, el("summary", {}, `What was condensed (${made.length})`), el("ol", { class: "plain" }, rows));
}

function draw(list, nodes, from, made) {
  const known = new Map(nodes.map((one, at) => [one.id, at]));
  const last = new Map(); // node -> place of its last child
  nodes.forEach((one, at) => one.parent !== null && known.has(one.parent) && last.set(one.parent, at));
  for (let at = from; at < nodes.length; at += 1) {
    list.append(...rowsOf(nodes[at], nodes, at, last, made));
  }
}

function rowsOf(node, nodes, at, last, made) {
  const cuts = made.filter((one) => one.first_kept === node.id);
  const ends = made.filter((one) => one.first_kept === null && one.leaf === node.id);
  const above = cuts.map((one) => cutRow(one, node, "Condensed up to here; what follows is kept as it was"));
  const below = ends.map((one) => cutRow(one, node, "Condensed up to here, all of it"));
  const goesOn = last.has(node.id);
  return [...above, nodeRow(node, nodes[at - 1], goesOn), ...below];
}

function lane(column) {
  return Math.min(column, MOST_LANES - 1);
}

function nodeRow(node, before, goesOn) {
  const branch = node.column === 0 ? "main path" : `branch, level ${node.column}`;
  return el(
    "li",
    { class: `node ${node.is_head ? "head" : ""}`.trim(), "data-node": node.id },
    rails(node, before, goesOn),
    el(
      "div",
      { class: "node-body" },
      el(
        "p",
        { class: "meta" },
        el("strong", {}, node.role),
        node.starts && node.column > 0 && chip("branch"),
        hiddenText(branch),
        node.label && el("span", { class: "chip label" }, "label ", el("bdi", {}, node.label)),
        node.is_head && chip("head", "good"),
        node.created_at && el("time", { datetime: node.created_at }, when(node.created_at)),
      ),
      said(node.text || "(nothing to show)", "p"),
    ),
  );
}

function cutRow(one, node, text) {
  return el("li", { class: "cut" }, rails({ ...node, cut: true }, node, true), el("p", {}, el("span", { class: "chip cut-chip" }, "compaction"), ` ${text}. `, el("time", { datetime: one.at }, when(one.at))));
}

/** The lines to the left of a row; they stretch with it. */
function rails(node, before, goesOn) {
  const own = lane(node.column);
  const width = (own + 1) * LANE;
  const x = (column) => column * LANE + LANE / 2;
  const line = (column, y1, y2) => svg("line", { class: `rail c${column % COLORS}`, x1: x(column), x2: x(column), y1, y2 });
  const parts = Array.from({ length: own }, (_, column) => line(column, 0, "100%"));
  const isRoot = node.starts && node.column === 0;
  if (node.cut) parts.push(line(own, 0, "100%"));
  else if (node.starts && own > 0 && lane(node.column - 1) < own) {
    const from = x(own - 1);
    parts.push(svg("path", { class: `rail c${own % COLORS}`, d: `M${from} 0 C${from} ${TOP * 0.7} ${x(own)} ${TOP * 0.3} ${x(own)} ${TOP}` }));
  } else if (!isRoot && before) parts.push(line(own, 0, TOP));
  if (goesOn && !node.cut) parts.push(line(own, TOP, "100%"));
  if (!node.cut) parts.push(svg("circle", { class: `dot c${own % COLORS}`, cx: x(own), cy: TOP, r: node.is_head ? 6 : 4.5 }));
  const box = el("div", { class: "rails", "aria-hidden": "true" }, svg("svg", { width, height: "100%" }, parts));
  box.style.width = `${width}px`; // the row sets the height, so the drawing lies over its box
  return box;
}
