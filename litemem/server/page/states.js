// What stands where nothing is there yet: loading, nothing, trouble.

import { announce, el, fill } from "./dom.js";

const PATIENCE_MS = 200;

/** What there is to see when there is nothing. */
export function empty(title, ...more) {
  return el("div", { class: "empty" }, el("p", { class: "empty-title" }, title), more);
}

export function notice(text, kind = "info", ...more) {
  return el("div", { class: `notice ${kind}`, role: kind === "bad" ? "alert" : null }, el("p", {}, text), more);
}

/** Say what went wrong, with a way to try again. */
export function trouble(error, again) {
  const button = again && el("button", { type: "button", onclick: again }, "Try again");
  return notice(sentence(error.message), "bad", button);
}

/** A server's message as a sentence. */
export function sentence(text) {
  const told = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(told) ? told : `${told}.`;
}

/**
 * Fill a root with what a request brings; meanwhile it says that it's loading, and on trouble why.
 *
 * @returns {Promise<boolean>} whether it was shown.
 */
export async function load(root, signal, ask, show) {
  const again = () => load(root, signal, ask, show);
  root.setAttribute("aria-busy", "true");
  const waiting = setTimeout(() => fill(root, el("p", { class: "quiet loading" }, "Loading…")), PATIENCE_MS);
  try {
    const found = await ask();
    if (signal.aborted) return false;
    clearTimeout(waiting);
    fill(root, show(found));
    return true;
  } catch (error) {
    if (signal.aborted || error.name === "AbortError") return false;
    clearTimeout(waiting);
    if (!("status" in error)) console.error(error);
    fill(root, trouble(error, again));
    return false;
  } finally {
    clearTimeout(waiting);
    root.removeAttribute("aria-busy");
  }
}

/** A button that brings the next page into a list; `more` returns whether there is another. */
export function moreButton(label, more) {
  const button = el("button", { type: "button", class: "more", onclick: press }, label);
  async function press() {
    button.disabled = true;
    const another = await more();
    button.disabled = false;
    if (!another) {
      announce("That is all.");
      button.remove();
    }
  }
  return button;
}
