// Elements made of text. Nothing here, or anywhere in the page, parses HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element.
 *
 * Attributes: `onclick` and the like are listeners; true sets an empty attribute; false, null and
 * undefined set none. `href` may only lead to a view of this page. Children: nodes, text, lists of
 * them; null and false are left out.
 */
export function el(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Make an SVG element, as `el` does. */
export function svg(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    set(node, name, value);
  }
  append(node, children);
  return node;
}

function set(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function" && name.startsWith("on")) {
    node.addEventListener(name.slice(2), value);
  } else if (name.startsWith("on") || name === "style" || name === "srcdoc") {
    throw new TypeError(`${name} is never set from text`);
  } else if (name === "href" && !String(value).startsWith("#")) {
    throw new TypeError("a link leads to a view of this page");
  } else {
    node.setAttribute(name, value === true ? "" : String(value));
  }
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

/** Put these children in the place of those that a node has. */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

/** Text that somebody else wrote: its direction and its marks stay inside. */
export function said(text, tag = "span", attributes = {}) {
  return el(tag, { dir: "auto", ...attributes, class: `said ${attributes.class ?? ""}`.trim() }, text);
}

export function hiddenText(text) {
  return el("span", { class: "hidden-text" }, text);
}

/** Tell those who listen instead of look. */
export function announce(text) {
  document.getElementById("live").textContent = text;
}
