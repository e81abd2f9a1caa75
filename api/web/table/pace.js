// Pauses on the table: after a trick is won, and after a round ends. Later events are shown after the pause.

import { settings } from "../core/settings.js";

/**
 * Milliseconds that a trick and a result stay on the table, the largest part of a decision's time that this may take, and how
 * long to wait for the cards of a trick, which may arrive after the view that no longer has it (milliseconds).
 */
export const PACE = { trick: 1200, round: 6000, part: 0.25, late: 1000 };

/** Input this soon after a pause has ended by itself was meant for the previous picture (milliseconds). */
const GRACE = 300;

/** Maximum number of tricks shown one after the other if they end together; beyond that, only the last is shown. */
const MOST = 2;

/** The number of finished rounds in a view. */
const rounds = (/** @type {any} */ { table }) => table.rounds.length;

const NUMBERS = /^[\dp]$/;
const ON = new Set(["Enter", " ", "Escape", "ArrowRight"]);

export class Pace {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    this.store = page.store;
    /** The newest view that was checked for finished tricks and rounds. */
    this.seen = null;
    /** @type {import("../contract").Resting | null} */
    this.shown = null;
    /** @type {import("../contract").Resting[]} */
    this.next = [];
    this.timer = null;
    this.late = null;
    this.ended = -Infinity;
    this.pressed = false;
    document.addEventListener("visibilitychange", (this.turn = () => this.wait()));
  }

  close() {
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.turn);
  }

  /** Check the newest view for tricks and a round that have ended. */
  hear() {
    const { view, items } = this.store;
    const { seen } = this;
    const { drawing, replay } = this.page;
    if (view === seen) return;
    if (!seen?.table || !view.table || !drawing?.ended || replay || settings.text || view.status === "aborted")
      return this.skip();
    const tricks = drawing.rested?.(seen.table, view.table, items) ?? (this.isLate() ? [] : null);
    if (!tricks) return;
    Object.assign(this, { seen: view, late: null });
    const idle = { ...view, question: null, waiting: null };
    const found = tricks.slice(-MOST).map((each) => ({ kind: "trick", trick: each.trick, view: { ...idle, table: each.table } }));
    if (view.status === "running" && rounds(view) > rounds(seen)) found.push({ kind: "round", trick: null, view: idle });
    if (view.status === "over") this.next = this.next.filter(({ kind }) => kind === "trick");
    if (found.length) this.put(found);
  }

  /** Return whether the wait for the cards of a trick is over. Until then the picture stays. */
  isLate() {
    if (!this.page.drawing.rested) return true;
    this.late ??= performance.now();
    const left = this.late + PACE.late - performance.now();
    if (left > 0) setTimeout(this.page.changed, left);
    return left <= 0;
  }

  /** Queue pauses. Pauses that have not started are dropped if there is more than one of a kind. */
  put(found) {
    const all = [...this.next, ...found];
    const most = document.hidden ? 1 : MOST;
    this.next = [
      ...all.filter(({ kind }) => kind === "trick").slice(-most),
      ...all.filter(({ kind }) => kind === "round").slice(-1),
    ];
    if (document.hidden || !this.shown) this.advance();
  }

  /** Show the next pause, or the table as it is now. */
  advance() {
    this.shown = this.next.shift() ?? null;
    this.wait();
    this.page.changed();
  }

  /** A pause starts when it becomes visible. */
  wait() {
    clearTimeout(this.timer);
    if (!this.shown || document.hidden) return;
    const { turn_seconds: turn, reaction_seconds: reaction } = this.store.facts.clock;
    const time = Math.min(PACE[this.shown.kind], 1000 * PACE.part * Math.min(turn, reaction));
    this.timer = setTimeout(() => ((this.ended = performance.now()), this.advance()), time);
  }

  /** Show the table as it is now. */
  skip() {
    clearTimeout(this.timer);
    Object.assign(this, { seen: this.store.view, shown: null, next: [], late: null });
  }

  /** The view to draw: the paused one, or the newest. */
  get view() {
    if (this.shown) return this.shown.view;
    return this.late === null ? this.store.view : { ...this.seen, question: null, waiting: null };
  }

  get justEnded() {
    return performance.now() - this.ended < GRACE;
  }

  /** Pointer down on the board: the input refers to what is visible now. */
  down() {
    this.pressed = this.shown !== null;
  }

  /** A click on the board ends the pause, and does nothing else. */
  click(event) {
    if (!this.shown && !this.justEnded && !(this.pressed && event.detail)) return;
    event.stopPropagation();
    this.pressed = false;
    if (this.shown) this.advance();
  }

  /** Return whether a key was meant for the pause: it ends the pause, and does nothing else. */
  press(event) {
    const other = event.composedPath()[0].closest?.("button, a, summary");
    const numbered = NUMBERS.test(event.key);
    if (!numbered && (!ON.has(event.key) || (other && !other.closest(".board")))) return false;
    if (!this.shown) return numbered && this.justEnded;
    event.preventDefault();
    this.advance();
    return true;
  }
}
