// One picture, as large as the window, closer and farther, moved by keys, wheel or hand.
import { $ } from "./dom.js";

const MOST = 24;
const STEP = 1.3;

export class Zoom {
  // other(step): shows the next or previous picture of the item.
  constructor(other) {
    this.other = other;
    this.dialog = $("zoom");
    this.image = $("zoom-img");
    this.reset();
    $("zoom-in").addEventListener("click", () => this.scale(STEP));
    $("zoom-out").addEventListener("click", () => this.scale(1 / STEP));
    $("zoom-fit").addEventListener("click", () => this.reset());
    $("zoom-other").addEventListener("click", () => this.other(1));
    $("zoom-close").addEventListener("click", () => this.close());
    const stage = $("stage");
    stage.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.scale(event.deltaY < 0 ? STEP : 1 / STEP);
    }, { passive: false });
    stage.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      stage.setPointerCapture(event.pointerId);
    });
    stage.addEventListener("pointermove", (event) => {
      if (stage.hasPointerCapture(event.pointerId)) this.move(event.movementX, event.movementY);
    });
  }

  get open() {
    return this.dialog.open;
  }

  show(url, text) {
    this.image.src = url;
    this.image.alt = text;
    $("zoom-words").textContent = text;
    this.reset();
    if (!this.dialog.open) this.dialog.showModal();
  }

  close() {
    this.dialog.close();
  }

  reset() {
    this.x = 0;
    this.y = 0;
    this.size = 1;
    this.draw();
  }

  scale(by) {
    const size = Math.min(MOST, Math.max(1, this.size * by));
    this.x *= size / this.size;
    this.y *= size / this.size;
    this.size = size;
    if (size === 1) this.x = this.y = 0;
    this.draw();
  }

  move(x, y) {
    const stage = $("stage").getBoundingClientRect();
    const far = (length) => (length * this.size) / 2;
    this.x = Math.max(-far(stage.width), Math.min(far(stage.width), this.x + x));
    this.y = Math.max(-far(stage.height), Math.min(far(stage.height), this.y + y));
    this.draw();
  }

  draw() {
    this.image.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.size})`;
    this.image.classList.toggle("near", this.size >= 5);
  }

  // Whether the key was one of ours.
  key(key) {
    const far = 80;
    const moves = { ArrowLeft: [far, 0], ArrowRight: [-far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] };
    if (moves[key]) this.move(...moves[key]);
    else if (key === "+" || key === "=") this.scale(STEP);
    else if (key === "-" || key === "_") this.scale(1 / STEP);
    else if (key === "0") this.reset();
    else if (key === "v") this.other(1);
    else if (key === "V") this.other(-1);
    else if (key === "z") this.close();
    else return false;
    return true;
  }
}
