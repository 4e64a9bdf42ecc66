// The core blocks in an editor; what changes is shown before it's saved.

import { announce, el, fill } from "./dom.js";
import { get, send } from "./api.js";
import { diffBox } from "./changes.js";
import { count } from "./format.js";
import { to } from "./router.js";
import { load, notice, trouble } from "./states.js";

const LABELS = { persona: "Persona", user: "User", facts: "Facts", context: "Context" };
const ABOUT = {
  persona: "Who the assistant is, and how it answers.",
  user: "What it always knows about the person.",
  facts: "Curated long-term memory; the file MEMORY.md.",
  context: "What matters right now.",
};
const drafts = new Map(); // label -> text that isn't saved

addEventListener("beforeunload", (event) => {
  if (drafts.size > 0) event.preventDefault();
});

export function show(root, route, signal) {
  const label = Object.hasOwn(LABELS, route.rest[0] ?? "") ? route.rest[0] : "persona";
  const tabs = Object.entries(LABELS).map(([name, title]) =>
    el("a", { href: to("blocks", name), "aria-current": name === label ? "page" : null }, title),
  );
  const body = el("div", {});
  fill(
    root,
    el("h1", {}, "Blocks"),
    el("nav", { class: "tabs", "aria-label": "Blocks" }, tabs),
    el("h2", {}, LABELS[label]),
    el("p", { class: "quiet" }, ABOUT[label]),
    body,
  );
  load(body, signal, () => get(`/blocks/${label}`, { signal }), (block) => editor({ label, block, body, signal }));
}

/** A text area has no CR; a file that ends all its lines with CR LF keeps them. */
function ending(text) {
  return /\r\n/.test(text) && !/(^|[^\r])\n/.test(text) ? "\r\n" : "\n";
}

function plain(text) {
  return text.replace(/\r\n?/g, "\n");
}

function editor(view) {
  const { label, block } = view;
  view.before = plain(block.content);
  view.text = el("textarea", { id: "block", rows: 14, spellcheck: "true", dir: "auto", "aria-label": `Text of the block ${LABELS[label]}` });
  view.text.value = drafts.get(label) ?? view.before;
  view.size = el("span", { class: "quiet" });
  view.review = el("button", { type: "button", class: "primary", onclick: () => review(view) }, "Review changes");
  view.undo = el("button", { type: "button", onclick: () => { view.text.value = view.before; typed(view); view.text.focus(); } }, "Discard changes");
  view.below = el("div", { class: "below" });
  view.text.addEventListener("input", () => typed(view));
  const restored = drafts.has(label) && drafts.get(label) !== view.before;
  typed(view);
  return [
    restored && notice("Your changes from before are still here; they aren’t saved."),
    inherited(block),
    view.text,
    el("p", { class: "actions" }, view.review, view.undo, view.size),
    view.below,
  ];
}

function inherited(block) {
  if (block.source === null) return el("p", { class: "quiet" }, "It isn’t set yet.");
  const own = !block.source.startsWith("global/");
  return el("p", { class: "quiet" }, own ? "Kept in " : "Shared by all users; saving makes a copy of your own. Kept in ", el("code", {}, block.source), ".");
}

function typed(view) {
  const now = view.text.value;
  const changed = now !== view.before;
  if (changed) drafts.set(view.label, now);
  else drafts.delete(view.label);
  view.review.disabled = !changed;
  view.undo.disabled = !changed;
  fill(view.size, count(now.length, "character"));
  fill(view.below);
}

function review(view, title = "What will change") {
  const heading = el("h3", { tabindex: "-1" }, title);
  const save = el("button", { type: "button", class: "primary", onclick: () => store(view, save) }, "Save");
  const back = el("button", { type: "button", onclick: () => { fill(view.below); view.text.focus(); } }, "Keep editing");
  fill(view.below, heading, diffBox(view.before, view.text.value), el("p", { class: "actions" }, save, back));
  heading.focus();
}

async function store(view, button) {
  const content = view.text.value.replaceAll("\n", ending(view.block.content));
  button.disabled = true;
  try {
    await send("PUT", "/memory/core", { label: view.label, content, revision: view.block.revision });
    drafts.delete(view.label);
    const now = await get(`/blocks/${view.label}`);
    if (view.signal.aborted) return;
    view.block = now;
    fill(view.body, notice("Saved.", "good"), editor(view));
    announce("Saved.");
    view.text.focus();
  } catch (error) {
    if (view.signal.aborted) return;
    button.disabled = false;
    if (error.status === 409) await conflict(view);
    else view.below.prepend(trouble(error));
  }
}

/** Somebody else saved meanwhile: show theirs, and let the person choose. */
async function conflict(view) {
  let theirs;
  try {
    theirs = await get(`/blocks/${view.label}`, { signal: view.signal });
  } catch (error) {
    view.below.prepend(trouble(error));
    return;
  }
  const mine = () => {
    view.block = theirs;
    view.before = plain(theirs.content);
    typed(view);
    review(view, "What will change in the newest text");
  };
  const take = () => {
    drafts.delete(view.label);
    view.block = theirs;
    fill(view.body, editor(view));
    announce("The newest text is shown.");
    view.text.focus();
  };
  const heading = el("h3", { tabindex: "-1" }, "It changed meanwhile");
  fill(
    view.below,
    heading,
    notice("Somebody saved this block since you opened it. Nothing of yours was written.", "bad"),
    el("h4", {}, "What they changed"),
    diffBox(view.before, plain(theirs.content)),
    el(
      "p",
      { class: "actions" },
      el("button", { type: "button", class: "primary", onclick: mine }, "Compare mine with theirs"),
      el("button", { type: "button", onclick: take }, "Take theirs, drop mine"),
    ),
  );
  heading.focus();
}
