// Focus: when a redraw removes the focused element, focus moves to its replacement or neighbour; failing that, to the status.

const CAN = "a[href], button:enabled, input:enabled, select:enabled, summary, [tabindex]";

/** Keeps the focus below *root*. */
export class Focus {
  constructor(root) {
    this.root = root;
    this.held = null;
    this.places = [];
    this.drawing = false;
    root.addEventListener("focusout", ({ target }) => {
      if (!this.drawing && !target.disabled) this.held = null;
    });
  }

  get active() {
    const found = this.root.getRootNode().activeElement;
    return this.root.contains(found) && found !== this.root ? found : null;
  }

  /** Draw, and restore the focus. */
  keep(draw) {
    if (this.active) this.note(this.active);
    this.drawing = true;
    draw();
    this.drawing = false;
    if (this.held && (!this.active || this.active.disabled)) this.near()?.focus({ preventScroll: true });
  }

  /** Remember the focused element and its place among the elements around it. */
  note(held) {
    this.held = held;
    this.places = [];
    for (let box = held.parentNode; box && box !== this.root.parentNode; box = box.parentNode) {
      this.places.push([box, [...box.querySelectorAll(CAN)].indexOf(held)]);
    }
  }

  /** Return the element to focus: the same one, its neighbour, or the status if only the page itself is left. */
  near() {
    if (this.held.isConnected && !this.held.disabled) return this.held;
    for (const [box, place] of this.places) {
      const there = box.isConnected ? [...box.querySelectorAll(CAN)].filter((each) => each.checkVisibility()) : [];
      const status = there.find((each) => each.matches(".status"));
      if (status || there.length) return status ?? there[Math.max(0, Math.min(place, there.length - 1))];
    }
    return null;
  }
}
