// Replay: a feed line by line, each with the table as it was then.

import { Review } from "./review.js";
import { sleep } from "../core/client.js";
import { html, nothing } from "../vendor/lit.js";
import { contextOf } from "./context.js";
import { hasTable, isSeated } from "./drawings.js";
import { told } from "./log.js";
import { roundResult } from "./round-result.js";
import { symbol } from "../core/symbols.js";
import { spoken, word } from "../core/words.js";

/** @import { TablePage } from "./table.js" */
/** @import { At, Notice, View } from "../contract" */
/** @import { Item } from "../drawing" */

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const PACE = 1200;
const PUBLIC = "public";
const ALL = "all";
const ROUND_DONE = /\.(round-scored|cards-laid-aside)\./;
const LANDMARK = /\.(turn-begun|trick-won|trick-cleared|trick-taken|dealt|round-dealt|bids-shown|rules-shown)\./;

/** @typedef {Item & {text: string}} Stop an item that has a text */

export class Replay {
  /** *perspective*: whose view to show; a seat's number, "public", "all", or null for the viewer's own. */
  constructor(/** @type {TablePage} */ page, /** @type {() => void} */ leave, /** @type {string | null} */ perspective = null) {
    this.page = page;
    this.leave = leave;
    this.perspective = perspective;
    this.store = page.store;
    this.place = 0;
    /** What is shown, from each perspective. @type {View[]} */
    this.seen = [];
    /** @type {string | null} */
    this.shown = null;
    /** @type {string | null} */
    this.asked = null;
    /** @type {Notice | null} */
    this.error = null;
    /** @type {Map<string, Promise<View>>} */
    this.views = new Map();
    /** @type {number | null} */
    this.running = null;
    /** @type {number | null} */
    this.wanted = null;
    /** @type {Stop[]} */
    this.lines = [];
    /** @type {string | null} */
    this.known = null;
    this.review = new Review(this);
  }

  /** The items that have a text: what happens between them is shown at the next one. More of them may still arrive. */
  get stops() {
    const { items, sheet } = this.store;
    const people = (/** @type {number} */ seat) => this.store.name(seat);
    const known = `${items.length} ${spoken()}`;
    if (this.known === known) return this.lines;
    this.known = known;
    this.lines = items.flatMap((item) => {
      const text = told(item.event, sheet, people, this.store.view.seat);
      return text === null ? [] : [{ ...item, text }];
    });
    return this.lines;
  }

  get last() {
    return this.stops.length - 1;
  }

  /** Go to the item with that number in the feed, or the next one after it, as soon as it has arrived. */
  find(/** @type {number} */ n) {
    const place = this.stops.findIndex((item) => item.n >= n);
    const whole = this.store.items.at(-1)?.cursor === this.store.view.cursor;
    this.wanted = place < 0 && !whole ? n : null;
    return this.wanted === null ? this.go(place < 0 ? this.last : place) : undefined;
  }

  async go(/** @type {number} */ place) {
    if (this.last < 0) return;
    const [was, before] = [this.place, this.seen[0]];
    this.place = Math.min(Math.max(place, 0), this.last);
    const { n } = this.stops[this.place];
    const shown = `${n} ${this.perspective}`;
    this.asked = shown;
    this.page.changed();
    const seen = await Promise.all(this.eyes().map((eyes) => this.at(n, eyes))).catch((error) => this.fail(error));
    if (!seen || shown !== this.asked) return;
    if (this.store.notice === this.error) this.store.notice = null;
    this.move(before, seen[0], was);
    Object.assign(this, { seen, shown });
    this.page.links?.lead?.(this.store.match, { n, perspective: this.perspective });
    this.page.changed();
  }

  /** One step on, things move as they do during play. */
  move(/** @type {View | undefined} */ before, /** @type {View} */ view, /** @type {number} */ was) {
    if (this.place !== was + 1 || !before || !hasTable(before) || !hasTable(view)) return;
    const { items } = this.store;
    const [from, to] = [was, this.place].map((place) => items.findIndex((item) => item.n === this.stops[place].n));
    this.page.stage.due = { kind: "replay", trick: null, view, before, items: items.slice(from + 1, to + 1) };
  }

  /** Views that could not be loaded now may load later. */
  fail(/** @type {unknown} */ error) {
    this.views.clear();
    this.store.fail(error);
    this.error = this.store.notice;
    this.page.changed();
  }

  /**
   * The perspectives shown: the first draws the table, all of them show their hands.
   * @returns {(string | null)[]}
   */
  eyes() {
    return this.perspective === ALL
      ? [PUBLIC, ...this.store.facts.chairs.map((chair) => String(chair.seat))]
      : [this.perspective];
  }

  /** The table at an item. A view covers a whole command, which may have cleared a trick that still lay there at the item. */
  async at(/** @type {number} */ n, /** @type {string | null} */ eyes) {
    const { items } = this.store;
    const drawing = await this.page.ready();
    const place = items.findIndex((item) => item.n === n);
    const after = await this.look(items[place].cursor, eyes);
    const end = items.findIndex((item) => item.cursor === after.cursor);
    const won = (/** @type {number} */ from, /** @type {number} */ to) =>
      items.slice(from, to).filter(({ event }) => drawing.trickDone?.test(event.type)).length;
    if (!drawing.rested || !won(place, end + 1)) return after;
    let first = place;
    let before = after;
    while (first > 0 && before.cursor === after.cursor) before = await this.look(items[(first -= 1)].cursor, eyes);
    if (!hasTable(before) || !hasTable(after)) return after;
    const trick = drawing.rested(before.table, after.table, items.slice(0, end + 1))?.[won(first + 1, place)];
    return trick ? { ...after, table: trick.table } : after;
  }

  look(/** @type {string} */ cursor, /** @type {string | null} */ eyes) {
    const key = `${cursor} ${eyes}`;
    const asked = eyes === null ? "" : `&perspective=${eyes}`;
    const found = this.views.get(key) ?? this.store.client.get(`matches/${this.store.match}/view?at=${cursor}${asked}`);
    this.views.set(key, found);
    return found;
  }

  see(/** @type {string} */ perspective) {
    this.perspective = perspective;
    this.go(this.place);
  }

  /** Branch off a match from here, against computers. */
  async branch() {
    const { waiting, seat } = this.seen[0];
    const { store, page } = this;
    if (!waiting) return;
    const mine = seat ?? store.view.seat ?? waiting.seats[0];
    const made = await store.act("what-if", { decision: waiting.decision, seat: mine });
    if (made && !store.stop.signal.aborted) page.links?.go(made.match);
  }

  /** Jump to the next (or previous) end of a trick, or start of a turn or round. */
  jump(/** @type {number} */ step) {
    let place = this.place + step;
    while (place > 0 && place < this.last && !LANDMARK.test(this.stops[place].event.type)) place += step;
    this.go(place);
  }

  run(on = this.running === null) {
    this.running = on ? performance.now() : null;
    if (this.running !== null) this.follow(this.running);
    this.page.changed();
  }

  /** Go on step by step at the stage's speed, each once all has moved, until it ends or *run* is over. */
  async follow(/** @type {number} */ run) {
    const { stage } = this.page;
    while (this.running === run && this.place < this.last) {
      await sleep(PACE * stage.speed.pause);
      await stage.flight.landed();
      if (this.running === run) await this.go(this.place + 1);
    }
    if (this.running === run) this.run(false);
  }

  /** What is still on its way changes nothing any more. */
  end() {
    this.running = this.asked = null;
    this.review.end();
  }

  close() {
    this.end();
    this.leave();
  }

  press(/** @type {KeyboardEvent} */ event) {
    if (event.key === "Escape") return this.close();
    if (event.key === "[" || event.key === "]") return this.jump(event.key === "[" ? -1 : 1);
    if (event.key === " " && !(event.composedPath()[0] instanceof HTMLButtonElement)) {
      event.preventDefault();
      return this.run();
    }
    if (event.key in STEPS) {
      event.preventDefault();
      this.go(Math.max(0, Math.min(this.last, this.place + STEPS[event.key])));
    }
    return undefined;
  }

  /** Choices after the match is over, and with it the day of a deal: the perspective, and playing on from here. */
  choices() {
    const { store, page } = this;
    if (store.view.status !== "over" || store.sealed) return nothing;
    const seats = store.facts.chairs.map((chair) => [String(chair.seat), store.name(chair.seat)]);
    const own = store.view.seat === null ? PUBLIC : String(store.view.seat);
    const all = [[PUBLIC, word("public")], ...seats, [ALL, word("all_seats")]];
    return html`<label class="eyes"
        >${word("perspective")}
        <select @change=${(/** @type {At<HTMLSelectElement>} */ event) => this.see(all[event.target.selectedIndex][0])}>
          ${all.map(([eyes, name]) => html`<option ?selected=${eyes === (this.perspective ?? own)}>${name}</option>`)}
        </select></label
      >
      ${page.links && this.seen[0]?.waiting ? html`<button ?disabled=${store.sending} @click=${() => this.branch()}>${symbol("branch")}${word("branch")}</button>` : nothing}${this.review.offer()}`;
  }

  render() {
    const { page, store } = this;
    if (this.wanted !== null) this.find(this.wanted);
    const item = this.stops[this.place];
    /** @type {(sign: string, title: string, act: () => void, pressed?: boolean | null) => unknown} */
    const button = (sign, title, act, pressed = null) =>
      html`<button aria-label=${title} title=${title} aria-pressed=${pressed ?? nothing} @click=${act}>${symbol(sign)}</button>`;
    return html`<section class="replay">
      <header class="replay-bar">
        <h2>${word("replay")}</h2>
        <span class="quiet">${this.place + 1} / ${this.stops.length}</span>${this.choices()}<button @click=${() => this.close()}>
          ${word("to_table")}
        </button>
      </header>
      <p class="status" role="status">${item?.text}</p>
      <div class="scrub">
        ${button("first", word("trick_back"), () => this.jump(-1))}${button("step_back", "−1", () => this.go(this.place - 1))}
        <input
          type="range"
          aria-label=${word("log")}
          min="0"
          max=${this.last}
          .value=${String(this.place)}
          @input=${(/** @type {At<HTMLInputElement>} */ event) => this.go(Number(event.target.value))}
        />
        ${button(this.running === null ? "run" : "pause", word("run"), () => this.run(), this.running !== null)}
        ${button("step_on", "+1", () => this.go(this.place + 1))}${button("end", word("trick_on"), () => this.jump(1))}
      </div>
      <div class="board ${store.facts.game}" aria-busy=${this.shown === null || this.shown !== this.asked}>
        ${page.drawing ? this.table() : nothing}
      </div>
      ${item && hasTable(store.view) ? this.review.render(item.n, contextOf(page, store.view, false)) : nothing}
    </section>`;
  }

  table() {
    const { drawing } = this.page;
    const [first] = this.seen;
    if (!drawing || !first) return nothing;
    /** The last event in the views that are drawn; unknown while views of another place are still shown. */
    const event = this.shown === this.asked ? this.stops[this.place]?.event : null;
    const card = event && "card" in event ? event.card : null;
    const drawn = this.seen.filter(hasTable).map((view) => contextOf(this.page, view, false, card));
    if (!drawn.length) return nothing;
    const result = event && ROUND_DONE.test(event.type) && hasTable(first) ? roundResult(this.page, first) : nothing;
    return html`${result}${drawing.draw(drawn[0])}${drawn.filter(isSeated).map((each) => html`<div class="tray">${drawing.own?.(each) ?? nothing}</div>`)}`;
  }
}
