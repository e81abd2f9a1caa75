// What rests on the table: a trick that was won, and the result of a round. What has happened since is shown after that.

import { settings } from "./settings.js";

/**
 * Milliseconds that a trick and a result rest, the part of a decision's time that this may take at most, and the milliseconds
 * to wait for the cards of a trick, which may come after the view in which it is gone.
 */
export const PACE = { trick: 1200, round: 6000, part: 0.25, late: 1000 };

/** Input that comes so soon after a rest has ended by itself was meant for the picture before. */
const GRACE = 300;

/** How many tricks rest one after the other if they end at once; of more only the last is seen. */
const MOST = 2;

/** How many rounds are over in a view. */
const rounds = (/** @type {any} */ { table }) => table.rounds.length;

const NUMBERS = /^[\dp]$/;
const ON = new Set(["Enter", " ", "Escape", "ArrowRight"]);

export class Pace {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    this.store = page.store;
    /** The newest view that was looked through for what ended in it. */
    this.seen = null;
    /** @type {import("./contract").Resting | null} */
    this.shown = null;
    /** @type {import("./contract").Resting[]} */
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

  /** Look through the newest view for the tricks and the round that ended. */
  hear() {
    const { view, items } = this.store;
    const { seen } = this;
    const { drawing, replay } = this.page;
    if (view === seen) return;
    if (!seen?.table || !view.table || !drawing?.ended || replay || settings.text || view.status === "aborted") return this.skip();
    const tricks = drawing.rested?.(seen.table, view.table, items) ?? (this.isLate() ? [] : null);
    if (!tricks) return;
    Object.assign(this, { seen: view, late: null });
    const idle = { ...view, question: null, waiting: null };
    const found = tricks.slice(-MOST).map((each) => ({ kind: "trick", trick: each.trick, view: { ...idle, table: each.table } }));
    if (view.status === "running" && rounds(view) > rounds(seen)) found.push({ kind: "round", trick: null, view: idle });
    if (view.status === "over") this.next = this.next.filter(({ kind }) => kind === "trick");
    if (found.length) this.put(found);
  }

  /** Return whether the cards of a trick have been waited for long enough. Until then the picture stays. */
  isLate() {
    if (!this.page.drawing.rested) return true;
    this.late ??= performance.now();
    const left = this.late + PACE.late - performance.now();
    if (left > 0) setTimeout(this.page.changed, left);
    return left <= 0;
  }

  /** Let this rest next. What was to rest before it, and was not begun, is passed over if there is more than one of a kind. */
  put(found) {
    const all = [...this.next, ...found];
    const most = document.hidden ? 1 : MOST;
    this.next = [...all.filter(({ kind }) => kind === "trick").slice(-most), ...all.filter(({ kind }) => kind === "round").slice(-1)];
    if (document.hidden || !this.shown) this.advance();
  }

  /** Show what rests next, or the table as it is now. */
  advance() {
    this.shown = this.next.shift() ?? null;
    this.wait();
    this.page.changed();
  }

  /** A rest begins when it can be seen. */
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

  /** The view to be drawn: what rests, or the newest one. */
  get view() {
    if (this.shown) return this.shown.view;
    return this.late === null ? this.store.view : { ...this.seen, question: null, waiting: null };
  }

  get justEnded() {
    return performance.now() - this.ended < GRACE;
  }

  /** The pointer goes down on the board: what it was meant for is what is seen now. */
  down() {
    this.pressed = this.shown !== null;
  }

  /** A click on the board goes on, and does nothing else. */
  click(event) {
    if (!this.shown && !this.justEnded && !(this.pressed && event.detail)) return;
    event.stopPropagation();
    this.pressed = false;
    if (this.shown) this.advance();
  }

  /** Return whether a key was meant for what rests: it goes on, and does nothing else. */
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
