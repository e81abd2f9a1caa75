// Replay: a feed line by line, each with the table as it was then.

import { Review } from "./advice.js";
import { html, nothing } from "../vendor/lit.js";
import { told } from "./log.js";
import { symbol } from "../core/symbols.js";
import { spoken, word } from "../core/words.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const PACE = 1200;
const PUBLIC = "public";
const ALL = "all";
const ROUND_DONE = /\.(round-scored|cards-laid-aside)\./;
const LANDMARK = /\.(turn-begun|trick-won|trick-cleared|trick-taken|dealt|round-dealt|bids-shown|rules-shown)\./;

export class Replay {
  /** *perspective*: whose view to show; a seat's number, "public", "all", or null for the viewer's own. */
  constructor(/** @type {import("./table.js").TablePage} */ page, leave, perspective = null) {
    this.page = page;
    this.leave = leave;
    this.perspective = perspective;
    this.store = page.store;
    this.place = 0;
    this.seen = [];
    this.shown = null;
    this.asked = null;
    this.error = null;
    this.views = new Map();
    this.running = null;
    this.wanted = null;
    this.lines = [];
    this.known = null;
    this.review = new Review(this);
  }

  /** The items that have a text: what happens between them is shown at the next one. More of them may still arrive. */
  get stops() {
    const { items, sheet } = this.store;
    const people = (seat) => this.store.name(seat);
    const known = `${items.length} ${spoken()}`;
    if (this.known === known) return this.lines;
    this.known = known;
    this.lines = items
      .map((item) => ({ ...item, text: told(item.event, sheet, people, this.store.view.seat) }))
      .filter((item) => item.text !== null);
    return this.lines;
  }

  get last() {
    return this.stops.length - 1;
  }

  /** Go to the item with that number in the feed, or the next one after it, as soon as it has arrived. */
  find(n) {
    const place = this.stops.findIndex((item) => item.n >= n);
    const whole = this.store.items.at(-1)?.cursor === this.store.view.cursor;
    this.wanted = place < 0 && !whole ? n : null;
    return this.wanted === null ? this.go(place < 0 ? this.last : place) : undefined;
  }

  async go(place) {
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
  move(before, view, was) {
    if (this.place !== was + 1 || !before?.table || !view.table) return;
    const { items } = this.store;
    const [from, to] = [was, this.place].map((place) => items.findIndex((item) => item.n === this.stops[place].n));
    this.page.stage.due = { kind: "replay", trick: null, view, before, items: items.slice(from + 1, to + 1) };
  }

  /** Views that could not be loaded now may load later. */
  fail(error) {
    this.views.clear();
    this.error = this.store.notice = error;
    this.page.changed();
  }

  /** The perspectives shown: the first draws the table, all of them show their hands. */
  eyes() {
    return this.perspective === ALL
      ? [PUBLIC, ...this.store.facts.chairs.map((chair) => String(chair.seat))]
      : [this.perspective];
  }

  /** The table at an item. A view covers a whole command, which may have cleared a trick that still lay there at the item. */
  async at(n, eyes) {
    const { items } = this.store;
    const drawing = await this.page.ready();
    const place = items.findIndex((item) => item.n === n);
    const after = await this.look(items[place].cursor, eyes);
    const end = items.findIndex((item) => item.cursor === after.cursor);
    const won = (from, to) => items.slice(from, to).filter(({ event }) => drawing.trickDone?.test(event.type)).length;
    if (!drawing.rested || !won(place, end + 1)) return after;
    let first = place;
    let before = after;
    while (first > 0 && before.cursor === after.cursor) before = await this.look(items[(first -= 1)].cursor, eyes);
    const trick = before.table && drawing.rested(before.table, after.table, items.slice(0, end + 1))?.[won(first + 1, place)];
    return trick ? { ...after, table: trick.table } : after;
  }

  look(cursor, eyes) {
    const key = `${cursor} ${eyes}`;
    const asked = eyes === null ? "" : `&perspective=${eyes}`;
    if (!this.views.has(key)) this.views.set(key, this.store.client.get(`matches/${this.store.match}/view?at=${cursor}${asked}`));
    return this.views.get(key);
  }

  see(perspective) {
    this.perspective = perspective;
    this.go(this.place);
  }

  /** Branch off a match from here, against computers. */
  async branch() {
    const { waiting, seat } = this.seen[0];
    const { store, page } = this;
    const mine = Number.isInteger(seat) ? seat : (store.view.seat ?? waiting.seats[0]);
    const made = await store.act("what-if", { decision: waiting.decision, seat: mine });
    if (made) page.links.go(made.match);
  }

  /** Jump to the next (or previous) end of a trick, or start of a turn or round. */
  jump(step) {
    let place = this.place + step;
    while (place > 0 && place < this.last && !LANDMARK.test(this.stops[place].event.type)) place += step;
    this.go(place);
  }

  run(on = this.running === null) {
    clearInterval(this.running);
    this.running = on ? setInterval(() => (this.place < this.last ? this.go(this.place + 1) : this.run(false)), PACE) : null;
    this.page.changed();
  }

  close() {
    clearInterval(this.running);
    this.review.items = null;
    this.leave();
  }

  press(event) {
    if (event.key === "Escape") return this.close();
    if (event.key === "[" || event.key === "]") return this.jump(event.key === "[" ? -1 : 1);
    if (event.key === " " && event.composedPath()[0].tagName !== "BUTTON") {
      event.preventDefault();
      return this.run();
    }
    if (event.key in STEPS) {
      event.preventDefault();
      this.go(Math.max(0, Math.min(this.last, this.place + STEPS[event.key])));
    }
    return undefined;
  }

  /** Choices after the match is over: the perspective, and playing on from here. */
  choices() {
    const { store, page } = this;
    if (store.view.status !== "over") return nothing;
    const seats = store.facts.chairs.map((chair) => [String(chair.seat), store.name(chair.seat)]);
    const own = store.view.seat === null ? PUBLIC : String(store.view.seat);
    const all = [[PUBLIC, word("public")], ...seats, [ALL, word("all_seats")]];
    return html`<label class="eyes"
        >${word("perspective")}
        <select @change=${(event) => this.see(all[event.target.selectedIndex][0])}>
          ${all.map(([eyes, name]) => html`<option ?selected=${eyes === (this.perspective ?? own)}>${name}</option>`)}
        </select></label
      >
      ${page.links && this.seen[0]?.waiting ? html`<button ?disabled=${store.sending} @click=${() => this.branch()}>${symbol("branch")}${word("branch")}</button>` : nothing}${this.review.offer()}`;
  }

  render() {
    const { page, store } = this;
    if (this.wanted !== null) this.find(this.wanted);
    const item = this.stops[this.place];
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
          @input=${(event) => this.go(Number(event.target.value))}
        />
        ${button(this.running === null ? "run" : "pause", word("run"), () => this.run(), this.running !== null)}
        ${button("step_on", "+1", () => this.go(this.place + 1))}${button("end", word("trick_on"), () => this.jump(1))}
      </div>
      <div class="board ${store.facts.game}" aria-busy=${this.shown === null || this.shown !== this.asked}>
        ${page.drawing ? this.table() : nothing}
      </div>
      ${item ? this.review.render(item.n, page.context(store.view, false)) : nothing}
    </section>`;
  }

  table() {
    const { drawing } = this.page;
    /** The last event in the views that are drawn; unknown while views of another place are still shown. */
    const event = (this.shown === this.asked ? this.stops[this.place]?.event : null) ?? {};
    const [ctx, ...others] = this.seen
      .filter((view) => view.table)
      .map((view) => this.page.context(view, false, event.card ?? null));
    if (!ctx) return nothing;
    const held = [ctx, ...others].filter((each) => each.view.seat !== null);
    const result = ROUND_DONE.test(event.type) && drawing.ended ? this.page.round(this.seen[0]) : nothing;
    return html`${result}${drawing.draw(ctx)}${held.map((each) => html`<div class="tray">${drawing.own?.(each) ?? nothing}</div>`)}`;
  }
}
