// Forget memories for good, after seeing what exactly will vanish.

import { announce, el, fill, said } from "./dom.js";
import { send } from "./api.js";
import { count } from "./format.js";
import { to } from "./router.js";
import { chip, details } from "./rows.js";
import { pickedIds, unpick } from "./selection.js";
import { empty, load, notice, trouble } from "./states.js";

export function show(root, route, signal) {
  const asked = (route.params.get("ids") ?? "").split(",").filter(Boolean);
  const ids = asked.length > 0 ? [...new Set(asked)] : pickedIds();
  const body = el("div", {});
  fill(root, el("h1", {}, "Forget"), body);
  if (ids.length === 0) {
    fill(
      body,
      empty(
        "Nothing is selected",
        el("p", {}, "Tick memories in the ", el("a", { href: to("search") }, "search"), " or the ", el("a", { href: to("timeline") }, "timeline"), ", or choose “Forget…” at one memory. Here you see what exactly will vanish before anything does."),
      ),
    );
    return;
  }
  load(body, signal, () => send("POST", "/memory/forget/preview", { ids }, { signal }), (found) => preview({ ids, found, body, signal }));
}

function preview(view) {
  const { found } = view;
  const lines = found.logs.reduce((sum, one) => sum + one.lines.length, 0);
  const box = el("input", { type: "checkbox", id: "transcripts" });
  const left = el("div", {});
  const showLeft = () => fill(left, leftIn(found, box.checked));
  box.addEventListener("change", showLeft);
  showLeft();
  const ask = el("button", { type: "button", class: "danger", onclick: () => confirm(view, box.checked, lines) }, "Forget for good…");
  return [
    notice("This is a preview; nothing was removed yet.", "info"),
    el("h2", {}, `Will vanish from the files and the index (${found.count})`),
    el("ol", { class: "rows" }, found.facts.map(doomed)),
    el("h2", {}, "Conversations"),
    lines === 0
      ? el("p", { class: "quiet" }, "The words stand in no conversation.")
      : el("div", { class: "card" }, el("label", { class: "choice" }, box, `Blank the words in ${count(lines, "line")} of ${count(found.logs.length, "log")} too`), el("ul", { class: "plain" }, found.logs.map(log))),
    left,
    el("p", { class: "actions" }, ask, el("a", { class: "button", href: to("search") }, "Cancel")),
  ];
}

function doomed(one) {
  return el(
    "li",
    { class: "row doomed" },
    el(
      "div",
      { class: "row-main" },
      said(one.memory.content, "p"),
      details(one.memory, one.current ? chip("current", "good") : chip("older version"), el("code", {}, `${one.path}:${one.line}`)),
    ),
  );
}

function log(one) {
  const shown = one.lines.slice(0, 20).join(", ");
  const more = one.lines.length > 20 ? `, and ${one.lines.length - 20} more` : "";
  return el("li", {}, el("code", {}, one.path), ` line ${shown}${more}`);
}

function leftIn(found, blanked) {
  const left = [...found.left, ...(blanked ? [] : found.logs.map((one) => one.path))];
  if (left.length === 0) return el("p", { class: "quiet" }, "No other file keeps the words.");
  return [
    el("h2", {}, "Files that keep the words"),
    el("p", { class: "quiet" }, "Edit these yourself where that matters."),
    el("ul", { class: "plain" }, left.map((path) => el("li", {}, el("code", {}, path)))),
  ];
}

function confirm(view, transcripts, lines) {
  const what = count(view.found.count, "version", "versions");
  const words = transcripts ? `, and blanks ${count(lines, "line")} of conversations` : "";
  const go = el("button", { type: "button", class: "danger", onclick: () => forget(view, transcripts, dialog, go) }, "Forget");
  const cancel = el("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Cancel");
  const dialog = el(
    "dialog",
    { "aria-labelledby": "sure" },
    el("h2", { id: "sure" }, "Forget for good?"),
    el("p", {}, `This removes ${what} of ${count(view.ids.length, "memory", "memories")}${words}. It can’t be undone.`),
    el("div", { class: "told" }),
    el("p", { class: "actions" }, cancel, go),
  );
  dialog.addEventListener("close", () => dialog.remove());
  view.signal.addEventListener("abort", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

async function forget(view, transcripts, dialog, button) {
  button.disabled = true;
  try {
    const gone = await send("POST", "/memory/forget", { ids: view.ids, transcripts });
    dialog.close();
    unpick([...view.ids, ...gone.forgotten]);
    if (view.signal.aborted) return;
    done(view, gone);
  } catch (error) {
    button.disabled = false;
    fill(dialog.querySelector(".told"), trouble(error));
  }
}

function done(view, gone) {
  const words = gone.erased_turns ? ` The words were blanked in ${count(gone.erased_turns, "turn")}.` : "";
  const told = `Forgotten: ${count(gone.count, "version")}.${words}`;
  const heading = el("h2", { tabindex: "-1" }, "Gone");
  fill(
    view.body,
    heading,
    notice(told, "good"),
    gone.still_in.length > 0 && [el("p", {}, "The words still stand in:"), el("ul", { class: "plain" }, gone.still_in.map((path) => el("li", {}, el("code", {}, path))))],
    el("p", { class: "actions" }, el("a", { class: "button", href: to("search") }, "Back to the search")),
  );
  heading.focus();
  announce(told);
}
