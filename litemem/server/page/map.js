// A map of memories: near each other where they mean alike, coloured by category.

import { announce, el, fill, said } from "./dom.js";
import { get } from "./api.js";
import { brief, count, when } from "./format.js";
import { Chart } from "./chart.js";
import { arrows, memoryLink } from "./rows.js";
import { pickBox } from "./selection.js";
import { empty, load } from "./states.js";

const COLORS = 7; // categories with a colour of their own; the rest share the last one
const LISTED = 60;

export function show(root, _, signal) {
  const body = el("div", {});
  fill(root, el("h1", {}, "Map"), el("p", { class: "quiet" }, "Memories that mean alike stand near each other. Duplicates lie on top of one another."), body);
  load(body, signal, () => get("/memory/map", { signal }), (found) => whole(found, signal));
}

function whole(found, signal) {
  if (found.count === 0) {
    return empty("Nothing to place yet", el("p", {}, "A memory appears here once it has a vector."));
  }
  const colors = colorsOf(found.points);
  const points = found.points.map((one) => ({ ...one, color: colors.get(one.category).color }));
  const hidden = new Set();
  const list = el("ol", { class: "rows points" });
  const told = el("p", { class: "quiet" });
  const tip = el("div", { class: "tip", hidden: true });
  const chart = new Chart({
    points,
    label: `Map of ${count(points.length, "memory", "memories")}. Arrow keys move, plus and minus zoom, 0 shows all; the list below has the memories in view.`,
    signal,
    onview: () => showList(),
    onpoint: (point, at) => showTip(tip, point, at),
    onopen: (point) => { location.hash = memoryLink(point.id); },
  });
  const shown = (one) => !hidden.has(one.category);
  function showList() {
    const inView = chart.inView().filter(shown);
    fill(told, `${count(inView.length, "memory", "memories")} in view${inView.length > LISTED ? `; the ${LISTED} nearest to the middle are listed` : ""}.`);
    fill(list, inView.slice(0, LISTED).map((one) => pointRow(one, chart)));
  }
  const legend = legendOf(colors, (category, visible) => {
    hidden[visible ? "delete" : "add"](category);
    chart.filter(shown);
    showList();
    announce(told.textContent);
  });
  showList();
  return [
    legend,
    el("div", { class: "map" }, chart.canvas, tip, buttons(chart)),
    found.count === found.most && el("p", { class: "quiet" }, `Only the newest ${found.most} are shown.`),
    el("h2", {}, "In view"),
    told,
    arrows(list),
  ];
}

/** Category -> its count and colour, the largest first. */
function colorsOf(points) {
  const counts = new Map();
  for (const one of points) counts.set(one.category, (counts.get(one.category) ?? 0) + 1);
  const order = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return new Map(order.map(([category, n], at) => [category, { n, color: Math.min(at, COLORS) }]));
}

function legendOf(colors, choose) {
  const boxes = [...colors].map(([category, { n, color }]) => {
    const box = el("input", { type: "checkbox" });
    box.checked = true;
    box.addEventListener("change", () => choose(category, box.checked));
    return el("label", { class: "choice" }, box, el("span", { class: `swatch k${color}`, "aria-hidden": "true" }), el("bdi", {}, category), ` (${n})`);
  });
  return el("fieldset", { class: "inline legend" }, el("legend", {}, "Categories"), boxes);
}

function buttons(chart) {
  const button = (name, sign, act) => el("button", { type: "button", "aria-label": name, title: name, onclick: act }, sign);
  return el(
    "div",
    { class: "map-buttons" },
    button("Zoom in", "+", () => chart.zoom(1.5)),
    button("Zoom out", "−", () => chart.zoom(1 / 1.5)),
    button("Show all", "⤢", () => chart.reset()),
  );
}

function showTip(tip, point, at) {
  tip.hidden = !point;
  if (!point) return;
  fill(tip, el("p", { class: "meta" }, el("bdi", {}, point.category), point.created_at && el("span", {}, when(point.created_at))), said(brief(point.text), "p"));
  tip.style.left = `${at.x}px`;
  tip.style.top = `${at.y}px`;
  tip.classList.toggle("leftward", at.x > at.width / 2);
  tip.classList.toggle("upward", at.y > at.height / 2);
}

function pointRow(one, chart) {
  const link = el(
    "a",
    { class: "row-link", href: memoryLink(one.id), onfocus: () => chart.point(one), onblur: () => chart.point(null) },
    el("span", { class: `swatch k${one.color}`, "aria-hidden": "true" }),
    said(one.text),
  );
  link.addEventListener("pointerenter", () => chart.point(one));
  link.addEventListener("pointerleave", () => chart.point(null));
  return el("li", { class: "row" }, el("div", { class: "row-main" }, link, el("p", { class: "meta" }, el("bdi", {}, one.category))), pickBox(one.id, one.text));
}
