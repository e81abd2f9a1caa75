// Focus: when a redraw removes the focused element, focus moves to its replacement or neighbour; failing that, to the status.

/** @typedef {HTMLElement & {disabled?: boolean}} Control */

const CAN = "a[href], button:enabled, input:enabled, select:enabled, summary, [tabindex]";

/** Keeps the focus below *root*. */
export class Focus {
  constructor(/** @type {HTMLElement | ShadowRoot} */ root) {
    this.root = root;
    /** @type {Control | null} */
    this.held = null;
    /** @type {[ParentNode, number][]} */
    this.places = [];
    this.drawing = false;
    root.addEventListener("focusout", ({ target }) => {
      if (!this.drawing && !(/** @type {Control} */ (target).disabled)) this.held = null;
    });
  }

  get active() {
    const found = /** @type {Document | ShadowRoot} */ (this.root.getRootNode()).activeElement;
    return this.root.contains(found) && found !== this.root ? /** @type {Control} */ (found) : null;
  }

  /** Draw, and restore the focus. */
  keep(/** @type {() => void} */ draw) {
    if (this.active) this.note(this.active);
    this.drawing = true;
    draw();
    this.drawing = false;
    if (this.held && (!this.active || this.active.disabled)) this.near()?.focus({ preventScroll: true });
  }

  /** Remember the focused element and its place among the elements around it. */
  note(/** @type {Control} */ held) {
    this.held = held;
    this.places = [];
    for (let box = held.parentNode; box && box !== this.root.parentNode; box = box.parentNode) {
      this.places.push([box, [...box.querySelectorAll(CAN)].indexOf(held)]);
    }
  }

  /** Return the element to focus: the same one, its neighbour, or the status if only the page itself is left. */
  /** @returns {HTMLElement | null} */
  near() {
    if (this.held?.isConnected && !this.held.disabled) return this.held;
    for (const [box, place] of this.places) {
      const there = box.isConnected
        ? [.../** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(CAN))].filter((each) => each.checkVisibility())
        : [];
      const status = there.find((each) => each.matches(".status"));
      if (status || there.length) return status ?? there[Math.max(0, Math.min(place, there.length - 1))];
    }
    return null;
  }
}
