// Memories by the day on which they were said.

import { announce, el, fill } from "./dom.js";
import { get } from "./api.js";
import { count, day, month } from "./format.js";
import { gauge } from "./parts.js";
import { to } from "./router.js";
import { arrows, memoryRow } from "./rows.js";
import { empty, load, moreButton } from "./states.js";

const OPEN = 5; // days that are open at first
const DAYS = 60; // shown at once
const PAGE = 100;

export function show(root, route, signal) {
  const body = el("div", {});
  fill(root, el("h1", {}, "Timeline"), body);
  load(body, signal, () => get("/memory/days", { signal }), (found) => whole(found, route.params.get("day"), signal));
}

function whole(found, asked, signal) {
  if (found.count === 0) return empty("No memories yet", el("p", {}, "Each memory appears here on its day."));
  const days = found.days;
  const most = Math.max(...days.map((one) => one.count));
  const list = el("div", {});
  let at = asked ? Math.max(0, days.findIndex((one) => one.date <= asked)) : 0;
  let last = "";
  function more() {
    const next = days.slice(at, at + DAYS);
    for (const [index, one] of next.entries()) {
      const of = one.date.slice(0, 7);
      if (of !== last) list.append(el("h2", { class: "month" }, month(one.date)));
      last = of;
      list.append(section(one, most, at + index < OPEN || one.date === asked, signal));
    }
    at += next.length;
    return at < days.length;
  }
  more();
  return [
    el("p", { class: "quiet" }, `${count(found.total, "memory", "memories")} on ${count(found.count, "day")}.`),
    jump(days),
    asked && el("p", {}, el("a", { href: to("timeline") }, "From the newest day")),
    list,
    at < days.length && moreButton("Show earlier days", more),
  ];
}

function jump(days) {
  const box = el("input", { type: "date", id: "jump", min: days.at(-1).date, max: days[0].date });
  const go = (event) => {
    event.preventDefault();
    if (box.value) location.hash = to("timeline", [], { day: box.value });
  };
  return el(
    "form",
    { class: "jump", onsubmit: go },
    el("label", { for: "jump" }, "Go to a day "),
    box,
    el("button", { type: "submit" }, "Go"),
  );
}

function section(one, most, open, signal) {
  const body = el("div", { class: "day-body", id: `day-${one.date}`, hidden: true });
  const button = el(
    "button",
    { type: "button", class: "day", "aria-expanded": "false", "aria-controls": body.id, onclick: toggle },
    el("span", { class: "day-name" }, day(one.date)),
    el("span", { class: "day-count" }, count(one.count, "memory", "memories")),
    gauge(one.count / most, "meaning"),
  );
  let begun = false;
  function toggle() {
    const opens = body.hidden;
    body.hidden = !opens;
    button.setAttribute("aria-expanded", String(opens));
    if (opens && !begun) {
      begun = true;
      fillDay(body, one, signal);
    }
  }
  if (open) toggle();
  return el("section", {}, el("h3", {}, button), body);
}

function fillDay(body, one, signal) {
  let offset = 0;
  const page = () => get(`/memory/day/${one.date}`, { params: { limit: PAGE, offset }, signal });
  return load(body, signal, page, (found) => {
    if (found.count === 0) return empty("Nothing is left of this day");
    const list = arrows(el("ol", { class: "rows" }, found.memories.map((fact) => memoryRow(fact))));
    const more = async () => {
      offset += PAGE;
      const next = await page().catch(() => null);
      if (next === null) {
        offset -= PAGE;
        announce("That couldn’t be read; try again.");
        return true;
      }
      list.append(...next.memories.map((fact) => memoryRow(fact)));
      return offset + next.count < next.total;
    };
    return [list, found.count < found.total && moreButton("Show more of this day", more)];
  });
}
