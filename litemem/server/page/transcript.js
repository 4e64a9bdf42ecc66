// A linear log of a conversation.

import { el, fill, said } from "./dom.js";
import { get, part } from "./api.js";
import { count, when } from "./format.js";
import { to } from "./router.js";
import { empty, load, notice } from "./states.js";

export function show(root, route, signal) {
  const id = route.rest[0] ?? "";
  const body = el("div", {});
  const back = el("p", {}, el("a", { href: to("sessions") }, "All sessions"));
  fill(root, back, el("h1", {}, "Transcript ", el("bdi", {}, id)), body);
  load(body, signal, async () => get(`/session/${part(id)}/transcript`, { signal }), (found) => whole(found)).then(() => {
    const at = Date.parse(route.params.get("at") ?? "");
    const turn = [...body.querySelectorAll("time")].find((one) => Date.parse(one.dateTime) === at)?.closest(".turn");
    turn?.classList.add("marked");
    turn?.scrollIntoView({ block: "center" });
  });
}

function whole(found) {
  if (found.count === 0) return empty("This transcript is empty");
  return [
    el("p", { class: "quiet" }, `${count(found.count, "turn")}, oldest first.`),
    found.earlier && notice("Only the newest turns are shown; there are older ones in the file."),
    el("ol", { class: "turns" }, found.entries.map((entry) => el("li", {}, turnBox(entry)))),
  ];
}

/** One turn: who, when, what. */
export function turnBox(entry) {
  const actions = Array.isArray(entry.actions) ? entry.actions : [];
  return el(
    "div",
    { class: `turn ${entry.role === "user" ? "by-user" : ""}`.trim() },
    el("p", { class: "meta" }, el("strong", {}, String(entry.role ?? "?")), entry.ts && el("time", { datetime: entry.ts }, when(entry.ts))),
    said(String(entry.content ?? ""), "p"),
    actions.length > 0 &&
      el("details", {}, el("summary", {}, count(actions.length, "action")), el("pre", { dir: "auto" }, JSON.stringify(actions, null, 2))),
  );
}
