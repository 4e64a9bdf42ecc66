// Points on a canvas that can be moved and zoomed.

import { el } from "./dom.js";

const EDGE = 0.08; // room around all points, as a share
const NEAR = 12; // pixels within which a point is meant
const STEP = 60; // pixels that an arrow key moves
const MOST_ZOOM = 200;

export class Chart {
  #points;
  #shown;
  #told;
  #view = { x: 0, y: 0, zoom: 1 };
  #active = null;
  #drag = null;
  #frame = 0;
  #signal;

  /**
   * @param {{points: object[], label: string, signal: AbortSignal, onview: Function,
   *   onpoint: Function, onopen: Function}} told points have x and y (-1..1) and color (a number);
   *   `onview` is called when other points are in view, `onpoint` with the one that is meant, or
   *   null, and where it stands.
   */
  constructor(told) {
    this.#told = told;
    this.#points = told.points;
    this.#shown = told.points;
    this.#signal = told.signal;
    this.canvas = el("canvas", { class: "chart", tabindex: "0", role: "application", "aria-roledescription": "map", "aria-label": told.label });
    this.#listen();
    new ResizeObserver(() => this.#later()).observe(this.canvas);
  }

  filter(shown) {
    this.#shown = this.#points.filter(shown);
    this.#later();
  }

  /** Zoom around a place of the canvas, else around its middle. */
  zoom(times, at = { x: this.#width / 2, y: this.#height / 2 }) {
    const before = this.#place(at);
    this.#view.zoom = Math.max(1, Math.min(MOST_ZOOM, this.#view.zoom * times));
    const after = this.#place(at);
    this.#view.x += before.x - after.x;
    this.#view.y += before.y - after.y;
    this.#moved();
  }

  reset() {
    this.#view = { x: 0, y: 0, zoom: 1 };
    this.#moved();
  }

  /** Mark a point, or none. */
  point(one) {
    if (one === this.#active) return;
    this.#active = one;
    this.#told.onpoint(one, one && { ...this.#pixel(one), width: this.#width, height: this.#height });
    this.#later();
  }

  /** The points in view, nearest to its middle first. */
  inView() {
    const half = 1 / this.#view.zoom / (1 - EDGE);
    const far = (one) => Math.hypot(one.x - this.#view.x, one.y - this.#view.y);
    return this.#points
      .filter((one) => Math.abs(one.x - this.#view.x) <= half && Math.abs(one.y - this.#view.y) <= half)
      .sort((a, b) => far(a) - far(b));
  }

  get #width() {
    return this.canvas.clientWidth || 1;
  }

  get #height() {
    return this.canvas.clientHeight || 1;
  }

  get #scale() {
    const room = (1 - EDGE) / 2;
    return { x: this.#width * room * this.#view.zoom, y: this.#height * room * this.#view.zoom };
  }

  #pixel(one) {
    const scale = this.#scale;
    return { x: this.#width / 2 + (one.x - this.#view.x) * scale.x, y: this.#height / 2 - (one.y - this.#view.y) * scale.y };
  }

  #place(at) {
    const scale = this.#scale;
    return { x: this.#view.x + (at.x - this.#width / 2) / scale.x, y: this.#view.y - (at.y - this.#height / 2) / scale.y };
  }

  #moved() {
    const most = 1 - 1 / this.#view.zoom;
    this.#view.x = Math.max(-most, Math.min(most, this.#view.x));
    this.#view.y = Math.max(-most, Math.min(most, this.#view.y));
    this.point(null);
    this.#later();
    this.#told.onview();
  }

  #listen() {
    const on = (name, act, options = {}) => this.canvas.addEventListener(name, act, { signal: this.#signal, ...options });
    on("pointerdown", (event) => this.#down(event));
    on("pointermove", (event) => this.#move(event));
    on("pointerup", (event) => this.#up(event));
    on("pointercancel", () => { this.#drag = null; });
    on("pointerleave", () => this.point(null));
    on("wheel", (event) => this.#wheel(event), { passive: false });
    on("keydown", (event) => this.#key(event));
    addEventListener("themechange", () => this.#later(), { signal: this.#signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#later(), { signal: this.#signal });
  }

  #at(event) {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #near(at) {
    let best = null;
    let least = NEAR;
    for (const one of this.#shown) {
      const { x, y } = this.#pixel(one);
      const far = Math.hypot(x - at.x, y - at.y);
      if (far < least) [best, least] = [one, far];
    }
    return best;
  }

  #down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.#drag = { at: this.#at(event), moved: false };
  }

  #move(event) {
    const at = this.#at(event);
    const drag = this.#drag;
    if (!drag) {
      this.point(this.#near(at));
      return;
    }
    if (!drag.moved && Math.hypot(at.x - drag.at.x, at.y - drag.at.y) < 4) return;
    this.#shift(drag.at.x - at.x, drag.at.y - at.y);
    this.#drag = { at, moved: true };
  }

  #up(event) {
    const drag = this.#drag;
    this.#drag = null;
    const one = drag && !drag.moved && this.#near(this.#at(event));
    if (one) this.#told.onopen(one);
  }

  #wheel(event) {
    if (!event.ctrlKey && document.activeElement !== this.canvas) return; // the page scrolls
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 300), this.#at(event));
  }

  #shift(x, y) {
    const scale = this.#scale;
    this.#view.x += x / scale.x;
    this.#view.y -= y / scale.y;
    this.#moved();
  }

  #key(event) {
    const acts = {
      ArrowLeft: () => this.#shift(-STEP, 0),
      ArrowRight: () => this.#shift(STEP, 0),
      ArrowUp: () => this.#shift(0, -STEP),
      ArrowDown: () => this.#shift(0, STEP),
      "+": () => this.zoom(1.5),
      "=": () => this.zoom(1.5),
      "-": () => this.zoom(1 / 1.5),
      0: () => this.reset(),
    };
    const act = acts[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  }

  #later() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    const dots = devicePixelRatio || 1;
    const [width, height] = [this.#width, this.#height];
    this.canvas.width = Math.round(width * dots);
    this.canvas.height = Math.round(height * dots);
    const pen = this.canvas.getContext("2d");
    const style = getComputedStyle(this.canvas);
    const color = (n) => style.getPropertyValue(`--k${n}`);
    pen.scale(dots, dots);
    pen.clearRect(0, 0, width, height);
    const size = this.#shown.length > 1500 ? 3 : 5;
    pen.globalAlpha = 0.85;
    for (const one of this.#shown) {
      const { x, y } = this.#pixel(one);
      if (x < -size || y < -size || x > width + size || y > height + size) continue;
      pen.fillStyle = color(one.color);
      pen.beginPath();
      pen.arc(x, y, size, 0, 7);
      pen.fill();
    }
    pen.globalAlpha = 1;
    if (this.#active) this.#ring(pen, style);
  }

  #ring(pen, style) {
    const { x, y } = this.#pixel(this.#active);
    pen.strokeStyle = style.color;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(x, y, 9, 0, 7);
    pen.stroke();
  }
}
