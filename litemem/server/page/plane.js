// Which part of a plane (-1..1 both ways) a window of some size shows.

const EDGE = 0.08; // room around all points, as a share of the window
const MOST_ZOOM = 200;

export class Plane {
  #x = 0; // what stands in the middle
  #y = 0;
  #zoom = 1;
  #width = 1;
  #height = 1;

  /** Note the window's size in pixels; returns whether it's another one. */
  resize(width, height) {
    const changed = width !== this.#width || height !== this.#height;
    this.#width = width || 1;
    this.#height = height || 1;
    return changed;
  }

  get width() {
    return this.#width;
  }

  get height() {
    return this.#height;
  }

  /** Return what turns a point into its pixel; it holds until the plane moves. */
  pixels() {
    const [x, y, across, up] = [this.#x, this.#y, this.#across, this.#up];
    const [middle, centre] = [this.#width / 2, this.#height / 2];
    return (one) => [middle + (one.x - x) * across, centre - (one.y - y) * up];
  }

  /** Zoom around a pixel, else around the middle. */
  zoom(times, at = { x: this.#width / 2, y: this.#height / 2 }) {
    const [right, down] = [at.x - this.#width / 2, at.y - this.#height / 2];
    const [x, y] = [this.#x + right / this.#across, this.#y - down / this.#up];
    this.#zoom = Math.max(1, Math.min(MOST_ZOOM, this.#zoom * times));
    this.#x = x - right / this.#across;
    this.#y = y + down / this.#up;
    this.#keepInside();
  }

  /** Move by pixels. */
  shift(right, down) {
    this.#x += right / this.#across;
    this.#y -= down / this.#up;
    this.#keepInside();
  }

  reset() {
    [this.#x, this.#y, this.#zoom] = [0, 0, 1];
  }

  /** Return those of the points that are in view, nearest to the middle first. */
  inView(points) {
    const half = 1 / this.#zoom / (1 - EDGE);
    const far = (one) => Math.hypot(one.x - this.#x, one.y - this.#y);
    return points
      .filter((one) => Math.abs(one.x - this.#x) <= half && Math.abs(one.y - this.#y) <= half)
      .sort((a, b) => far(a) - far(b));
  }

  get #across() {
    return (this.#width * (1 - EDGE) * this.#zoom) / 2;
  }

  get #up() {
    return (this.#height * (1 - EDGE) * this.#zoom) / 2;
  }

  #keepInside() {
    const most = 1 - 1 / this.#zoom;
    this.#x = Math.max(-most, Math.min(most, this.#x));
    this.#y = Math.max(-most, Math.min(most, this.#y));
  }
}
