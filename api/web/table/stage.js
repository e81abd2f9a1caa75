// The queue between what the store knows and what the table shows: each position of the feed is shown in its turn, with what
// moves on the way there. A finished trick and the result of a round rest; later events are shown after the pause.

import { sleep } from "../core/client.js";
import { settings } from "../core/settings.js";
import { hasTable } from "./drawings.js";
import { Flight } from "./flight.js";

/** @import { TablePage } from "./table.js" */
/** @import { Step, View } from "../contract" */
/** @import { Item, Seen } from "../drawing" */

/**
 * Milliseconds that a trick and a result stay on the table, the largest part of a decision's time that this may take, how long
 * to wait for the cards of a trick, which may arrive after the view that no longer has it, and how long for what moves only.
 */
export const PACE = { trick: 1200, round: 6000, part: 0.25, late: 1000, items: 250 };

/**
 * Milliseconds that one motion takes, the rest between two of them, and the factor for pauses.
 * @type {Record<string, {motion: number, rest: number, pause: number}>}
 */
export const SPEEDS = {
  slow: { motion: 250, rest: 200, pause: 1.5 },
  normal: { motion: 200, rest: 60, pause: 1 },
  fast: { motion: 150, rest: 0, pause: 0.5 },
  off: { motion: 0, rest: 0, pause: 1 },
};

/** Items that are shown one by one; if there are more of them, only the table as it is now is shown. */
export const CATCH_UP = 12;

/** Input this soon after a pause has ended by itself was meant for the previous picture (milliseconds). */
const GRACE = 300;

/** Maximum number of tricks shown one after the other if they end together; beyond that, only the last is shown. */
const MOST = 2;

/** A motion is given up this long after its time, where no frames are drawn (milliseconds). */
const OVERDUE = 500;

/** The number of finished rounds in a view. */
const rounds = (/** @type {Seen} */ { table }) => ("rounds" in table ? table.rounds.length : 0);

/** The number of commands behind some items: what one command caused has happened at the same time. */
const commands = (/** @type {Item[]} */ items) => new Set(items.map((item) => item.at_ms)).size;

/** What a pointer has pressed on: a pause, or a picture that was still to be followed by others. */
const REST = "rest";
const MOTION = "motion";

const NUMBERS = /^[\dp]$/;
const ON = new Set(["Enter", " ", "Escape", "ArrowRight"]);

export class Stage {
  constructor(/** @type {TablePage} */ page) {
    this.page = page;
    this.store = page.store;
    /** The newest view that is shown, or will be. @type {View | null} */
    this.seen = null;
    /** @type {Step | null} */
    this.current = null;
    /** @type {Step[]} */
    this.next = [];
    /**
     * The step whose motion begins with the next drawing.
     * @type {Step | null}
     */
    this.due = null;
    this.flight = new Flight();
    this.asking = false;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** Since when something has been waited for. @type {number | null} */
    this.late = null;
    this.ended = -Infinity;
    /** @type {typeof REST | typeof MOTION | null} */
    this.pressed = null;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    document.addEventListener("visibilitychange", (this.turn = () => this.wait()));
  }

  close() {
    clearTimeout(this.timer);
    this.flight.end();
    Object.assign(this, { seen: null, current: null, due: null, next: [] });
    document.removeEventListener("visibilitychange", this.turn);
  }

  /** How fast things move; without motion the pauses stay. */
  get speed() {
    return SPEEDS[settings.speed] ?? SPEEDS.normal;
  }

  /** Whether things move at all. */
  get moves() {
    return this.speed.motion > 0 && !this.calm.matches && !document.hidden && Boolean(this.page.drawing?.motions);
  }

  /** The trick, or the result of a round, that rests now. */
  get shown() {
    return this.current?.kind === "move" ? null : this.current;
  }

  /** Whether something is still to be shown before the table as it is now. */
  get busy() {
    return this.current !== null || this.next.length > 0 || this.asking || this.late !== null;
  }

  /** Take over what the store knows. */
  hear() {
    const { view, items } = this.store;
    const { seen } = this;
    const { drawing, replay } = this.page;
    if (view === seen || this.asking) return;
    if (!seen || !hasTable(seen) || !hasTable(view)) return this.skip();
    // What comes after the end, as that someone wants to play again, moves nothing on the table.
    const after = seen.status === "over";
    if (!drawing || replay || settings.text || after || view.status === "aborted") return this.skip();
    if (view.cursor === seen.cursor) {
      this.seen = view;
      return;
    }
    const gap = between(items, seen, view);
    if (!gap && this.moves && !this.isLate(PACE.items)) return;
    if (gap && this.moves && gap.length <= CATCH_UP && commands(gap) > 1) this.ask(seen, view, gap);
    else this.add([seen, view]);
  }

  /**
   * Ask for the views after each command between two views that are known, and show them all.
   * @param {Seen} seen
   * @param {Seen} view
   * @param {Item[]} gap
   */
  async ask(seen, view, gap) {
    this.asking = true;
    const views = this.store.between(seen.cursor, gap.length);
    /** @type {View[]} */
    const known = await Promise.race([views, sleep(PACE.late).then(() => [])]).catch(() => []);
    const ends = new Set(gap.filter((item, place) => item.at_ms !== gap[place + 1]?.at_ms).map((item) => item.cursor));
    this.asking = false;
    if (this.seen !== seen) return;
    this.add([seen, ...known.filter(hasTable).filter((each) => each.cursor !== view.cursor && ends.has(each.cursor)), view]);
    this.hear();
  }

  /** Queue what happened between views that follow each other. */
  add(/** @type {Seen[]} */ views) {
    /** @type {Step[]} */
    const found = [];
    for (const [place, after] of views.entries()) {
      if (place === 0) continue;
      const steps = this.steps(views[place - 1], after);
      if (!steps) return;
      found.push(...steps);
    }
    const [newest] = views.slice(-1);
    Object.assign(this, { seen: newest, late: null });
    if (found.length) this.put(found);
    else this.page.changed();
  }

  /**
   * What is to be shown from one view to the next; null while the cards of a trick have not arrived.
   * @param {Seen} before
   * @param {Seen} after
   */
  steps(before, after) {
    const { drawing } = this.page;
    if (!drawing) return [];
    const { items: all } = this.store;
    const tricks = drawing.rested?.(before.table, after.table, all) ?? (!drawing.rested || this.isLate(PACE.late) ? [] : null);
    if (!tricks) return null;
    /** @type {Seen} */
    const idle = { ...after, question: null, waiting: null };
    const gap = between(all, before, after) ?? [];
    const parts = split(gap.length > CATCH_UP ? [] : gap, drawing.trickDone, tricks.length);
    let last = before;
    /** @type {Step[]} */
    const found = tricks.map(({ trick, table }, place) => {
      /** @type {Seen} */
      const view = { ...idle, table };
      const step = { kind: /** @type {const} */ ("trick"), trick, view, before: last, items: this.moves ? parts[place] : [] };
      last = view;
      return step;
    });
    if (["running", "over"].includes(after.status) && rounds(after) > rounds(before))
      found.push({ kind: "round", trick: null, view: idle, before: last, items: [] });
    const remaining = parts[parts.length - 1];
    if (this.moves && remaining.length) found.push({ kind: "move", trick: null, view: after, before: last, items: remaining });
    return found;
  }

  /** Return whether the wait for what has not arrived is over. Until then the picture stays. */
  isLate(/** @type {number} */ most) {
    this.late ??= performance.now();
    const left = this.late + most - performance.now();
    if (left > 0) setTimeout(() => this.seen && this.page.hear(), Math.min(left, 2 ** 31 - 1));
    return left <= 0;
  }

  /** Queue steps. Pauses that have not started are dropped if there are several of a kind; motions, if there are too many, or no one sees them. */
  put(/** @type {Step[]} */ found) {
    const all = [...this.next, ...found];
    const moves = all.filter(({ kind }) => kind === "move").length;
    const most = document.hidden ? 1 : MOST;
    const rests = new Set([
      ...all.filter(({ kind }) => kind === "trick").slice(-most),
      ...all.filter(({ kind }) => kind === "round").slice(-1),
    ]);
    const moving = this.moves && moves <= CATCH_UP;
    this.next = all.filter((each) => rests.has(each) || (moving && each.kind === "move"));
    if (!moving) this.next = this.next.map((each) => ({ ...each, items: [] }));
    if (document.hidden || !this.current || (!moving && !this.shown)) this.advance();
  }

  /** Show the next step, or the table as it is now. */
  advance() {
    this.flight.end();
    this.due = this.current = this.next.shift() ?? null;
    this.wait();
    if (this.current) this.page.sounds(this.current.items, this.current.kind === "trick");
    this.page.changed();
  }

  /** A pause starts when it becomes visible. */
  wait() {
    clearTimeout(this.timer);
    const { current } = this;
    if (!current) return;
    if (current.kind === "move") {
      const time = document.hidden ? 0 : OVERDUE + current.items.length * this.speed.motion;
      this.timer = setTimeout(() => this.advance(), time);
      return;
    }
    if (document.hidden) return;
    const { turn_seconds: turn, reaction_seconds: reaction } = this.store.facts.clock;
    const pause = current.kind === "round" ? PACE.round : PACE.trick;
    const time = Math.min(pause * this.speed.pause, 1000 * PACE.part * Math.min(turn ?? Infinity, reaction ?? Infinity));
    this.timer = setTimeout(() => ((this.ended = performance.now()), this.advance()), time);
  }

  /** Draw; what has just been put on the stage moves from where it was. */
  draw(/** @type {ParentNode} */ root, /** @type {() => void} */ draw) {
    const { due } = this;
    this.due = null;
    if (!due || !this.moves) {
      draw();
      if (due?.kind === "move") this.advance();
      return;
    }
    const motions = due.items.map((item) => this.page.drawing?.motions?.(item, due.before, due.view) ?? []);
    this.flight.begin(
      root,
      motions.filter((each) => each.length),
      draw,
      this.next.length > 2 ? SPEEDS.fast.motion : this.speed.motion,
    );
    if (due.kind === "move") this.goOn(due);
  }

  /** Show what comes next once all has moved. */
  async goOn(/** @type {Step} */ step) {
    const moved = await this.flight.landed();
    if (moved && this.next.length && this.speed.rest) await sleep(this.speed.rest);
    if (this.current === step) this.advance();
  }

  /** End all motion: what is shown next is the next pause, or the table as it is now. */
  finish() {
    this.next = this.next.filter(({ kind }) => kind !== "move");
    if (this.current?.kind === "move") this.advance();
    else this.flight.end();
  }

  /** Show the table as it is now. */
  skip() {
    clearTimeout(this.timer);
    this.flight.end();
    Object.assign(this, { seen: this.store.view, current: null, due: null, next: [], late: null });
  }

  /**
   * The view to draw: the one whose turn it is, or the newest. Only the newest asks.
   * @returns {View}
   */
  get view() {
    const { view } = this.store;
    if (this.shown) return this.shown.view;
    const drawn = this.current?.view ?? this.seen ?? view;
    return drawn.cursor === view.cursor ? view : { ...drawn, question: null };
  }

  get justEnded() {
    return performance.now() - this.ended < GRACE;
  }

  /** Whether what is drawn is older than what is known, because of motion alone. */
  get isBehind() {
    return this.current?.kind === "move" && this.current.view.cursor !== this.store.view.cursor;
  }

  /** Pointer down on the board: the input refers to what is visible now. */
  down() {
    this.pressed = this.shown ? REST : this.isBehind ? MOTION : null;
    if (this.pressed === MOTION) this.finish();
  }

  /** A click on the board ends the pause, and does nothing else. */
  click(/** @type {MouseEvent} */ event) {
    if (event.target instanceof Element && event.target.closest(".orders")) return;
    const pressed = event.detail ? this.pressed : null;
    this.pressed = null;
    if (!this.shown && !this.justEnded && !pressed) return;
    event.stopPropagation();
    if (this.shown && pressed !== MOTION) this.advance();
  }

  /** Return whether a key was meant for the pause: it ends the pause, and does nothing else. */
  press(/** @type {KeyboardEvent} */ event) {
    const [target] = event.composedPath();
    const other = target instanceof Element ? target.closest("button, a, summary") : null;
    const numbered = NUMBERS.test(event.key);
    if (!numbered && (!ON.has(event.key) || (other && !other.closest(".board")))) return false;
    if (this.isBehind) return (this.finish(), true);
    if (!this.shown) return numbered && this.justEnded;
    event.preventDefault();
    this.advance();
    return true;
  }
}

/**
 * The items after one view up to another; null while the last of them has not arrived.
 * @type {(items: Item[], before: View, after: View) => Item[] | null}
 */
function between(items, before, after) {
  const end = items.findLastIndex((item) => item.cursor === after.cursor);
  if (end < 0) return null;
  const begin = items.findLastIndex((item) => item.cursor === before.cursor);
  return items.slice(begin + 1, end + 1);
}

/**
 * Cut items before the ends of their last *count* tricks: the cards of each, and what came after the last.
 * @type {(items: Item[], done: RegExp | undefined, count: number) => Item[][]}
 */
function split(items, done, count) {
  const ends = count ? items.flatMap((item, place) => (done?.test(item.event.type) ? [place] : [])).slice(-count) : [];
  /** @type {Item[][]} */
  const parts = Array.from({ length: count - ends.length }, () => []);
  let begin = 0;
  for (const end of ends) {
    parts.push(items.slice(begin, end));
    begin = end;
  }
  return [...parts, items.slice(begin)];
}
