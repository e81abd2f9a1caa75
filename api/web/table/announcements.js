// What is heard of events: the live region for screen readers, and sounds.

import { html, repeat } from "../vendor/lit.js";
import { shown, told } from "./log.js";
import { said } from "./status.js";
import { word } from "../core/words.js";

/** @typedef {import("../drawing").Item} Item */

/** How many items are there at first, and how many lines at most: more than come at once, as what is moved would be said again. */
const FIRST = 5;
const MOST = 40;

/**
 * What is heard of events; a trick is said by the game's drawing.
 * @type {["coins" | "claim" | "card", RegExp][]}
 */
const SOUNDS = [
  ["coins", /\.(coins-taken|coins-stolen)\./],
  ["claim", /\.(action-declared|action-blocked|claim-challenged)\./],
  ["card", /\.(card-played|card-discarded|cards-drawn|influence-lost|dealt|round-dealt)\./],
];

/**
 * The sound of the newest of some items that has one; null for none.
 * @type {(items: Item[]) => "coins" | "claim" | "card" | null}
 */
export const soundOf = (items) =>
  items.map(({ event }) => SOUNDS.find(([, kind]) => kind.test(event.type))?.[0] ?? null).findLast((found) => found !== null) ??
  null;

/** Who is to move is said with the question. */
const TURN = /\.turn-begun\./;

/** The live region of a table; what people say has its own. It says what the stage shows, in that order: events, why a trick was taken, what is asked. */
export class News {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    /** @type {{n: number, text: string}[]} */
    this.lines = [];
    /** How many items have been heard. @type {number | null} */
    this.heard = null;
    /** The ends of tricks that were said while they rested. */
    this.rested = 0;
    /** What was said last of what the table waits for. */
    this.asked = "";
    this.n = 0;
  }

  /** Say something, unless that was said just now. */
  say(/** @type {string} */ text) {
    if (text === this.lines.at(-1)?.text) return;
    this.lines = [...this.lines, { n: (this.n += 1), text }].slice(-MOST);
  }

  /** Say what an event tells; of the end of a trick that has rested, everything is said. */
  tell(/** @type {Item} */ { event }) {
    const { store, drawing } = this.page;
    if (TURN.test(event.type)) return;
    if (this.rested && drawing?.trickDone?.test(event.type)) {
      this.rested -= 1;
      return;
    }
    const text = told(event, store.sheet, (seat) => store.name(seat), store.view.seat);
    if (text) this.say(text);
  }

  /** Say what has come onto the stage. */
  hear() {
    const { stage, store } = this.page;
    if (this.heard === null && !store.items.some(({ cursor }) => cursor === store.view.cursor)) return;
    const items = onStage(this.page);
    const from = Math.min(this.heard ?? Math.max(0, items.length - FIRST), store.items.length);
    items.slice(from).forEach((item) => this.tell(item));
    this.heard = Math.max(from, items.length);
    if (stage.busy && !stage.shown) return;
    const text = said(this.page);
    const asked = `${stage.shown ? stage.shown.view.cursor : stage.view.waiting?.decision} ${stage.shown?.kind} ${text}`;
    if (asked === this.asked) return;
    this.asked = asked;
    if (stage.shown?.kind === "trick") this.rested += 1;
    this.say(text);
  }

  render() {
    this.hear();
    return html`<div class="spoken" role="log" aria-label=${word("news")}>
      ${repeat(
        this.lines,
        ({ n }) => n,
        ({ text }) => html`<p>${text}</p>`,
      )}
    </div>`;
  }
}

/**
 * The items up to what the table shows.
 * @type {(page: import("./table.js").TablePage) => Item[]}
 */
function onStage(page) {
  const { stage, store } = page;
  if (stage.shown) return shown(page);
  const cursor = (stage.current?.view ?? stage.seen)?.cursor;
  const end = store.items.findLastIndex((item) => item.cursor === cursor);
  return end < 0 ? store.items : store.items.slice(0, end + 1);
}
