// Search as you type.

import { announce, el, fill, said } from "./dom.js";
import { get } from "./api.js";
import { brief, count } from "./format.js";
import { marked } from "./highlight.js";
import { why } from "./parts.js";
import { note, to } from "./router.js";
import { arrows, details, memoryLink, memoryRow } from "./rows.js";
import { pickBox } from "./selection.js";
import { empty, moreButton, notice, trouble } from "./states.js";

const PAUSE_MS = 150;
const PAGE = 20;
const MODES = [["hybrid", "Meaning and words"], ["semantic", "Meaning"], ["keyword", "Words"]];
const KINDS = [["fact", "Facts"], ["block", "Blocks"], ["turn", "Transcripts"], ["node", "Sessions"]];

export function show(root, route, signal) {
  const asked = {
    q: route.params.get("q") ?? "",
    mode: route.params.get("mode") ?? "hybrid",
    kinds: new Set((route.params.get("kinds") ?? "fact").split(",")),
  };
  const results = el("div", { class: "results" });
  const box = queryBox(asked.q);
  const state = { asked, results, box, signal, running: new AbortController(), timer: 0 };
  signal.addEventListener("abort", () => stop(state));
  box.addEventListener("input", () => later(state));
  box.addEventListener("keydown", (event) => onKey(event, results));
  fill(root, el("h1", {}, "Search"), form(state), results);
  box.focus();
  run(state);
}

function queryBox(value) {
  const box = el("input", {
    type: "search",
    id: "query",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 2000,
    placeholder: "What do you want to find?",
    "aria-label": "Search your memory",
  });
  box.value = value;
  return box;
}

function form(state) {
  const { asked } = state;
  const mode = el(
    "select",
    { id: "mode", onchange: (event) => { asked.mode = event.target.value; run(state); } },
    MODES.map(([name, label]) => el("option", { value: name, selected: name === asked.mode }, label)),
  );
  const kinds = KINDS.map(([name, label]) => {
    const box = el("input", { type: "checkbox", value: name });
    box.checked = asked.kinds.has(name);
    box.addEventListener("change", () => {
      asked.kinds[box.checked ? "add" : "delete"](name);
      run(state);
    });
    return el("label", { class: "choice" }, box, label);
  });
  return el(
    "form",
    { role: "search", class: "search", onsubmit: (event) => { event.preventDefault(); run(state); } },
    state.box,
    el(
      "div",
      { class: "filters" },
      el("label", { class: "choice" }, "By ", mode),
      el("fieldset", { class: "inline" }, el("legend", { class: "hidden-text" }, "What to search"), kinds),
    ),
  );
}

function onKey(event, results) {
  if (event.key !== "ArrowDown") return;
  const first = results.querySelector("a.row-link");
  if (!first) return;
  event.preventDefault();
  first.focus();
}

function stop(state) {
  clearTimeout(state.timer);
  state.running.abort();
}

function later(state) {
  clearTimeout(state.timer);
  state.timer = setTimeout(() => run(state), PAUSE_MS);
}

/** Ask anew; what was asked before no longer counts. */
async function run(state) {
  stop(state);
  if (state.signal.aborted) return;
  const running = (state.running = new AbortController());
  const { asked, results } = state;
  asked.q = state.box.value;
  const kinds = [...asked.kinds].join(",");
  note(to("search", [], { q: asked.q, mode: asked.mode === "hybrid" ? "" : asked.mode, kinds: kinds === "fact" ? "" : kinds }));
  if (asked.kinds.size === 0) {
    fill(results, empty("Nothing to search in", el("p", {}, "Choose at least one kind above.")));
    return;
  }
  results.setAttribute("aria-busy", "true");
  try {
    const shown = asked.q.trim() ? await found(asked, running.signal) : await newest(running.signal);
    if (!running.signal.aborted) fill(results, shown);
  } catch (error) {
    if (running.signal.aborted) return;
    if (!("status" in error)) console.error(error);
    fill(results, trouble(error, () => run(state)));
  } finally {
    if (!running.signal.aborted) results.removeAttribute("aria-busy");
  }
}

async function newest(signal) {
  const { memories, total } = await get("/memory/archival", { params: { limit: PAGE }, signal });
  announce("");
  if (total === 0) {
    return empty(
      "No memories yet",
      el("p", {}, "Write the first one: ", el("code", {}, 'litemem remember "Prefers green tea"')),
    );
  }
  const list = el("ol", { class: "rows" }, memories.map((fact) => memoryRow(fact)));
  return [
    el("h2", {}, "Newest"),
    el("p", { class: "quiet" }, `${count(total, "memory", "memories")} in all.`),
    arrows(list, document.getElementById("query")),
  ];
}

async function found(asked, signal) {
  const params = { query: asked.q, mode: asked.mode, kinds: [...asked.kinds].join(","), limit: PAGE };
  const page = (offset) => get("/memory/search", { params: { ...params, offset }, signal });
  const first = await page(0);
  const full = first.count === PAGE;
  announce(first.count === 0 ? "Nothing found." : `${full ? "At least " : ""}${count(first.count, "result")}.`);
  const hint = first.note && notice(lacking(first.note));
  if (first.count === 0) return [hint, empty("Nothing found", el("p", {}, "Try other words, or more kinds."))];
  const row = (hit) => hitRow(hit, asked.q);
  const list = el("ol", { class: "rows" }, first.results.map(row));
  let offset = PAGE;
  const more = async () => {
    const next = await page(offset).catch(() => ({ results: [], count: 0 }));
    offset += PAGE;
    const rows = next.results.map(row);
    list.append(...rows);
    rows[0]?.querySelector("a.row-link").focus();
    announce(`${count(next.count, "more result")}.`);
    return next.count === PAGE;
  };
  return [
    hint,
    el("p", { class: "quiet" }, `${count(first.count, "result")}${full ? ", and more" : ""}`),
    arrows(list, document.getElementById("query")),
    full && moreButton("Show more", more),
  ];
}

/** What an answer lacks, in words. */
function lacking(told) {
  if (told.startsWith("vectors")) return `Vectors are still being made (${told.slice(8)}), so more may match by meaning soon.`;
  if (told === "keyword only") return "Found by words alone: no model can be used. “Health” says why.";
  return `The answer is incomplete: ${told}.`;
}

function hitRow(hit, question) {
  const isFact = hit.kind === "fact";
  const text = isFact && hit.content.length <= 400 ? hit.content : hit.snippet;
  return el(
    "li",
    { class: "row" },
    el(
      "div",
      { class: "row-main" },
      el("a", { class: "row-link", href: place(hit) }, said(marked(text, question))),
      isFact ? details(hit) : whereabouts(hit),
      why(hit),
    ),
    isFact && pickBox(hit.id, hit.content),
  );
}

const NAMES = { block: "Block", turn: "Transcript", node: "Session" };

function whereabouts(hit) {
  return el(
    "p",
    { class: "meta" },
    el("span", { class: "chip" }, NAMES[hit.kind] ?? hit.kind),
    el("bdi", {}, brief(hit.source.session_id ?? hit.source.path, 60)),
    hit.speaker && el("bdi", {}, hit.speaker),
  );
}

/** Where a hit can be seen. */
function place(hit) {
  const name = hit.source.path.split("/").at(-1).replace(/\.(md|jsonl)$/, "");
  if (hit.kind === "fact") return memoryLink(hit.id);
  if (hit.kind === "turn") return to("transcript", name, { at: hit.source.timestamp });
  if (hit.kind === "node") return to("session", name, { node: hit.id });
  return to("blocks", name === "MEMORY" ? "facts" : name);
}
