// Focus: when a redraw removes, disables or hides the focused element, focus moves to its replacement or neighbour; failing that, to
// the status. A player at the keyboard sees where it goes: what was in sight stays there.

/** @typedef {HTMLElement & {disabled?: boolean}} Control */

const CAN = "a[href], button:enabled, input:enabled, select:enabled, summary, [tabindex]";

/** Whether an element can keep the focus: a browser takes it, a frame later, from what is disabled or not displayed. */
const keeps = (/** @type {Control} */ each) => !each.disabled && each.checkVisibility();

/** Whether an element is within the window. */
function inSight(/** @type {Control} */ each) {
  const { top, bottom } = each.getBoundingClientRect();
  const middle = (top + bottom) / 2;
  return middle >= 0 && middle <= innerHeight;
}

/** @type {Record<string, (place: number, count: number) => number>} */
const WAYS = {
  ArrowLeft: (place) => place - 1,
  ArrowUp: (place) => place - 1,
  ArrowRight: (place) => place + 1,
  ArrowDown: (place) => place + 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The keys that lead back, from behind the last one if none has the focus. */
const BACK = new Set(["ArrowLeft", "ArrowUp"]);

/**
 * Go by arrows among the buttons of a list, which is one stop of Tab; from the list itself to its first or last one.
 * @type {(event: KeyboardEvent) => void}
 */
export function rove(event) {
  const list = /** @type {HTMLElement} */ (event.currentTarget);
  const way = WAYS[event.key];
  const buttons = [...list.querySelectorAll("button")].filter((each) => each.checkVisibility());
  if (!way || !buttons.length || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = buttons.findIndex((each) => each === event.target);
  const begin = BACK.has(event.key) ? buttons.length : -1;
  const place = way(at < 0 ? begin : at, buttons.length);
  event.preventDefault();
  buttons[Math.max(0, Math.min(place, buttons.length - 1))].focus();
}

/** Keeps the focus below *root*. */
export class Focus {
  constructor(/** @type {HTMLElement | ShadowRoot} */ root) {
    this.root = root;
    /** @type {Control | null} */
    this.held = null;
    /** @type {[ParentNode, number][]} */
    this.places = [];
    this.drawing = false;
    /** The card of a hand that has the focus in place of what was answered. @type {HTMLElement | null} */
    this.lent = null;
    root.addEventListener("focusout", ({ target }) => {
      if (!this.drawing && keeps(/** @type {Control} */ (target))) this.held = null;
    });
  }

  get active() {
    const found = /** @type {Document | ShadowRoot} */ (this.root.getRootNode()).activeElement;
    return this.root.contains(found) && found !== this.root ? /** @type {Control} */ (found) : null;
  }

  /** Draw, and restore the focus. */
  keep(/** @type {() => void} */ draw) {
    const { active } = this;
    if (active) this.note(active);
    const seen = active?.matches(":focus-visible") && inSight(active);
    this.drawing = true;
    draw();
    this.drawing = false;
    const lost = this.held && !(this.active && keeps(this.active));
    if (lost) this.lend(this.near());
    else if (this.lent) this.lend(this.lent === active ? this.playable() : null);
    if (seen) this.show(Boolean(lost));
  }

  /** Scroll to the focused element if it is out of sight, or is *another* one than before: it may lie below the status. */
  show(/** @type {boolean} */ another) {
    const { active } = this;
    const stop = active && active.tabIndex >= 0 ? active : null; // the page itself and the status are no stops of Tab
    if (stop && (another || !inSight(stop))) stop.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  /** Focus an element. One of the hand has it until another card can be played, or the player goes on. */
  lend(/** @type {HTMLElement | null} */ found) {
    found?.focus({ preventScroll: true });
    this.lent = found?.closest("ul.hand") && found.ariaDisabled === "true" ? found : null;
  }

  /**
   * The first card that can be played, where the focus waits for one; the same as before while there is none.
   * @returns {HTMLElement | null}
   */
  playable() {
    return this.lent?.closest("ul.hand")?.querySelector('button[aria-disabled="false"]') ?? this.lent;
  }

  /** Remember the focused element and its place among the elements around it. */
  note(/** @type {Control} */ held) {
    this.held = held;
    this.places = [];
    for (let box = held.parentNode; box && box !== this.root.parentNode; box = box.parentNode) {
      this.places.push([box, [...box.querySelectorAll(CAN)].indexOf(held)]);
    }
  }

  /**
   * Return the element to focus: the same one; the hand, if answers beside it are gone; its neighbour, or the status if only the page itself is left.
   * @returns {HTMLElement | null}
   */
  near() {
    if (this.held && keeps(this.held)) return this.held;
    const [tray] = this.places.map(([box]) => box).filter((box) => box instanceof Element && box.matches(".tray"));
    /** @type {NodeListOf<HTMLElement> | undefined} */
    const cards = this.held?.closest(".hand") ? undefined : tray?.querySelectorAll('ul.hand button[tabindex="0"]');
    const card = [...(cards ?? [])].find((each) => each.checkVisibility());
    if (card) return card;
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
