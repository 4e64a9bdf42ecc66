// Sessions with branches, and transcripts.

import { announce, el, fill, said } from "./dom.js";
import { get } from "./api.js";
import { bytes, count, when } from "./format.js";
import { to } from "./router.js";
import { arrows, chip } from "./rows.js";
import { empty, load, moreButton } from "./states.js";

const PAGE = 50;

export function show(root, route, signal) {
  const archived = route.params.get("archived") === "1";
  const body = el("div", {});
  const box = el("input", { type: "checkbox" });
  box.checked = archived;
  box.addEventListener("change", () => {
    location.hash = to("sessions", [], { archived: box.checked ? "1" : "" });
  });
  fill(root, el("h1", {}, "Sessions"), el("label", { class: "choice" }, box, "Show archived ones too"), body);
  const page = (offset) => get("/sessions", { params: { archived, limit: PAGE, offset }, signal });
  load(body, signal, () => page(0), (found) => whole(found, page));
}

function whole(found, page) {
  if (found.total === 0 && found.total_transcripts === 0) {
    return empty("No sessions yet", el("p", {}, "Conversations that an agent keeps here appear with their branches."));
  }
  const sessions = arrows(el("ol", { class: "rows" }, found.sessions.map(sessionRow)));
  const transcripts = arrows(el("ol", { class: "rows" }, found.transcripts.map(transcriptRow)));
  let offset = 0;
  const more = async () => {
    const next = await page(offset + PAGE).catch(() => null);
    if (next === null) {
      announce("That couldn’t be read; try again.");
      return true;
    }
    offset += PAGE;
    sessions.append(...next.sessions.map(sessionRow));
    transcripts.append(...next.transcripts.map(transcriptRow));
    return offset + PAGE < Math.max(found.total, found.total_transcripts);
  };
  return [
    el("h2", {}, `Branching sessions (${found.total})`),
    found.total === 0 ? el("p", { class: "quiet" }, "There is none.") : sessions,
    el("h2", {}, `Transcripts (${found.total_transcripts})`),
    found.total_transcripts === 0 ? el("p", { class: "quiet" }, "There is none.") : transcripts,
    PAGE < Math.max(found.total, found.total_transcripts) && moreButton("Show more", more),
  ];
}

function sessionRow(one) {
  const words = one.name ?? (one.first_words || one.id);
  return el(
    "li",
    { class: "row" },
    el(
      "div",
      { class: "row-main" },
      el("a", { class: "row-link", href: to("session", one.id) }, said(words)),
      one.name && one.first_words && said(one.first_words, "p", { class: "quiet" }),
      el(
        "p",
        { class: "meta" },
        one.archived && chip("archived"),
        el("span", {}, count(one.nodes, "turn")),
        el("time", { datetime: one.last_at }, when(one.last_at)),
        el("span", {}, bytes(one.size_bytes)),
        el("bdi", { class: "code" }, one.id),
      ),
    ),
  );
}

function transcriptRow(id) {
  return el("li", { class: "row" }, el("a", { class: "row-link", href: to("transcript", id) }, said(id)));
}
