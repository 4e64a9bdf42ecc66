// Points on a canvas that can be moved and zoomed.

import { el } from "./dom.js";
import { Plane } from "./plane.js";

const NEAR = 12; // pixels within which a point is meant
const STEP = 60; // pixels that an arrow key moves
const SLACK = 4; // pixels that a click may move
const COLORS = 8;

export class Chart {
  #points;
  #shown;
  #told;
  #plane = new Plane();
  #active = null;
  #drag = null;
  #frame = 0;

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
    this.canvas = el("canvas", { class: "chart", tabindex: "0", role: "application", "aria-roledescription": "map", "aria-label": told.label });
    this.#listen(told.signal);
  }

  filter(shown) {
    this.#shown = this.#points.filter(shown);
    this.#later();
  }

  /** Zoom around a place of the canvas, else around its middle. */
  zoom(times, at) {
    this.#plane.zoom(times, at);
    this.#moved();
  }

  reset() {
    this.#plane.reset();
    this.#moved();
  }

  /** Mark a point, or none. */
  point(one) {
    if (one === this.#active) return;
    this.#active = one;
    const [x, y] = one ? this.#plane.pixels()(one) : [0, 0];
    this.#told.onpoint(one, { x, y, width: this.#plane.width, height: this.#plane.height });
    this.#later();
  }

  /** The points in view, nearest to its middle first. */
  inView() {
    return this.#plane.inView(this.#points);
  }

  #moved() {
    this.point(null);
    this.#later();
    this.#told.onview();
  }

  #listen(signal) {
    const on = (name, act, options = {}) => this.canvas.addEventListener(name, act, { signal, ...options });
    on("pointerdown", (event) => this.#down(event));
    on("pointermove", (event) => this.#move(event));
    on("pointerup", (event) => this.#up(event));
    on("pointercancel", () => { this.#drag = null; });
    on("pointerleave", () => this.point(null));
    on("wheel", (event) => this.#wheel(event), { passive: false });
    on("keydown", (event) => this.#key(event));
    addEventListener("themechange", () => this.#later(), { signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#later(), { signal });
    new ResizeObserver(() => this.#resized()).observe(this.canvas);
  }

  #resized() {
    if (this.#plane.resize(this.canvas.clientWidth, this.canvas.clientHeight)) this.point(null);
    this.#later();
  }

  #at(event) {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left - this.canvas.clientLeft, y: event.clientY - box.top - this.canvas.clientTop };
  }

  #near(at) {
    const pixel = this.#plane.pixels();
    let best = null;
    let least = NEAR;
    for (const one of this.#shown) {
      const [x, y] = pixel(one);
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
    if (!drag.moved && Math.hypot(at.x - drag.at.x, at.y - drag.at.y) < SLACK) return;
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

  #shift(right, down) {
    this.#plane.shift(right, down);
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
    const { width, height } = this.#plane;
    this.canvas.width = Math.round(width * dots);
    this.canvas.height = Math.round(height * dots);
    const pen = this.canvas.getContext("2d");
    const style = getComputedStyle(this.canvas);
    pen.scale(dots, dots);
    const pixel = this.#plane.pixels();
    const size = this.#shown.length > 1500 ? 3 : 5;
    const colors = Array.from({ length: COLORS }, (_, n) => style.getPropertyValue(`--k${n}`));
    pen.globalAlpha = 0.85;
    for (const one of this.#shown) {
      const [x, y] = pixel(one);
      if (x < -size || y < -size || x > width + size || y > height + size) continue;
      pen.fillStyle = colors[one.color];
      pen.beginPath();
      pen.arc(x, y, size, 0, 7);
      pen.fill();
    }
    if (this.#active) ring(pen, style.color, pixel(this.#active));
  }
}

function ring(pen, color, [x, y]) {
  pen.globalAlpha = 1;
  pen.strokeStyle = color;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(x, y, 9, 0, 7);
  pen.stroke();
}
