// One memory: what it says now, what it said before, where it was said, what is near to it.

import { el, fill, said } from "./dom.js";
import { get, part } from "./api.js";
import { brief, count, percent, when } from "./format.js";
import { gauge } from "./parts.js";
import { to } from "./router.js";
import { arrows, chip, details, memoryLink } from "./rows.js";
import { load, notice } from "./states.js";
import { turnBox } from "./transcript.js";

export function show(root, route, signal) {
  const id = route.rest[0] ?? "";
  const body = el("div", {});
  fill(root, el("h1", {}, "Memory"), body);
  load(body, signal, async () => get(`/memory/${part(id)}`, { signal }), (found) => whole(found, id));
}

function whole(found, asked) {
  const fact = found.memory;
  return [
    asked !== fact.id && notice("You asked for an older version; this is the newest."),
    el(
      "article",
      { class: "card" },
      said(fact.content, "p", { class: "big" }),
      facts(found),
      el(
        "p",
        { class: "actions" },
        el("a", { class: "button danger", href: to("forget", [], { ids: fact.id }) }, "Forget…"),
        el("a", { class: "button", href: to("search", [], { q: brief(fact.content, 120) }) }, "Search for this"),
      ),
    ),
    history(found),
    source(found),
    similar(found.similar),
  ];
}

function facts(found) {
  const { memory: fact, source: place } = found;
  const used = found.access_count ? `${count(found.access_count, "time")}, last ${when(found.last_access)}` : "never";
  const rows = [
    ["Category", chip(fact.category, "category")],
    ["Said", el("time", { datetime: fact.created_at }, when(fact.created_at))],
    ["Importance", el("span", { class: "with-gauge" }, percent(fact.importance), gauge(fact.importance, "meaning"))],
    ["Tags", fact.tags.length > 0 && fact.tags.map((tag) => el("bdi", { class: "tag" }, `#${tag} `))],
    ["Said by", fact.speaker && el("bdi", {}, fact.speaker)],
    ["Chat", fact.chat_id && el("bdi", {}, fact.chat_id)],
    ["Confirmed", found.confirmed > 0 && count(found.confirmed, "more time")],
    ["Recalled", used],
    ["Kept in", el("code", {}, `${place.path}, line ${place.line}`)],
    ["Id", el("code", {}, fact.id)],
    ["More", Object.keys(fact.metadata).length > 0 && el("pre", { dir: "auto" }, JSON.stringify(fact.metadata, null, 2))],
  ];
  return el("dl", { class: "facts" }, rows.filter(([, value]) => value).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

function history(found) {
  const versions = found.history.toReversed();
  if (versions.length < 2) return section("History", el("p", { class: "quiet" }, "It was never replaced."));
  const rows = versions.map((fact, at) =>
    el(
      "li",
      { class: at === 0 ? "version now" : "version" },
      el("p", { class: "meta" }, el("time", { datetime: fact.created_at }, when(fact.created_at)), at === 0 ? chip("now", "good") : chip("replaced")),
      said(fact.content, "p"),
    ),
  );
  return section("History", el("p", { class: "quiet" }, `${count(versions.length, "version")}, newest first.`), el("ol", { class: "versions" }, rows));
}

function source(found) {
  const { turn, source: place } = found;
  if (turn) {
    const link = to("transcript", turn.session_id, { at: turn.entry.ts });
    return section(
      "Where it was said",
      turnBox(turn.entry),
      el("p", {}, el("a", { href: link }, "Open the conversation ", el("bdi", {}, turn.session_id))),
    );
  }
  const told = place.session_id
    ? ["In session ", el("bdi", {}, place.session_id), `; that turn is no longer there.`]
    : "It was written down by itself, not taken from a conversation.";
  return section("Where it was said", el("p", { class: "quiet" }, told));
}

function similar(near) {
  if (near.length === 0) return section("Similar memories", el("p", { class: "quiet" }, "None is near to it in meaning."));
  const rows = near.map(({ memory: fact, similarity }) =>
    el(
      "li",
      { class: "row" },
      el(
        "div",
        { class: "row-main" },
        el("a", { class: "row-link", href: memoryLink(fact.id) }, said(fact.content)),
        details(fact, el("span", { class: "with-gauge" }, `similar ${similarity.toFixed(2)}`, gauge(similarity, "meaning"))),
      ),
    ),
  );
  return section("Similar memories", arrows(el("ol", { class: "rows" }, rows)));
}

function section(title, ...children) {
  return el("section", {}, el("h2", {}, title), children);
}
