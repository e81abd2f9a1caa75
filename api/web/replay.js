// Replay: a feed line by line, each with the table as it was then.

import { html, nothing } from "./lit.js";
import { told } from "./log.js";
import { symbol } from "./symbols.js";
import { word } from "./words.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const PACE = 1200;
const LANDMARK = /\.(turn-begun|trick-won|trick-cleared|trick-taken|dealt|round-dealt|bids-shown|rules-shown)\./;

export class Replay {
  constructor(page, leave) {
    Object.assign(this, { page, leave, store: page.store, place: 0, view: null, views: new Map(), running: null });
    this.stops = this.lines();
  }

  /** The items that something is to be said of: what happens between them is seen at the next one. */
  lines() {
    const { items, sheet } = this.store;
    const people = (seat) => this.store.name(seat);
    return items.map((item) => ({ ...item, text: told(item.event, sheet, people) })).filter((item) => item.text !== null);
  }

  get last() {
    return this.stops.length - 1;
  }

  /** Go to the item with that number in the feed, or the next one after it. */
  find(n) {
    const place = this.stops.findIndex((item) => item.n >= n);
    return this.go(place < 0 ? this.last : place);
  }

  async go(place) {
    this.place = Math.min(Math.max(place, 0), this.last);
    this.page.changed();
    const { cursor } = this.stops[this.place];
    if (!this.views.has(cursor)) this.views.set(cursor, await this.store.client.get(`matches/${this.store.match}/view?at=${cursor}`));
    this.view = this.views.get(this.stops[this.place].cursor) ?? this.view;
    this.page.changed();
  }

  /** To the next end of a trick or beginning of a turn or a round, or to the one before. */
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

  render() {
    const { page, store } = this;
    const item = this.stops[this.place];
    const ctx = this.view?.table && page.drawing ? page.context(this.view, false) : null;
    const button = (sign, title, act, pressed = nothing) => html`<button aria-label=${title} title=${title} aria-pressed=${pressed} @click=${act}>${symbol(sign)}</button>`;
    return html`<section class="replay">
      <header class="replay-bar"><h2>${word("replay")}</h2><span class="quiet">${this.place + 1} / ${this.stops.length}</span><button @click=${() => this.close()}>${word("to_table")}</button></header>
      <p class="status" role="status">${item?.text}</p>
      <div class="scrub">
        ${button("first", word("trick_back"), () => this.jump(-1))}${button("step_back", "−1", () => this.go(this.place - 1))}
        <input type="range" aria-label=${word("log")} min="0" max=${this.last} .value=${String(this.place)} @input=${(event) => this.go(Number(event.target.value))} />
        ${button(this.running === null ? "run" : "pause", word("run"), () => this.run(), this.running !== null)}
        ${button("step_on", "+1", () => this.go(this.place + 1))}${button("end", word("trick_on"), () => this.jump(1))}
      </div>
      <div class="board ${store.facts.game}">${ctx ? html`${page.drawing.draw(ctx)}${this.view.seat === null ? nothing : html`<div class="tray">${page.drawing.own?.(ctx) ?? nothing}</div>`}` : nothing}</div>
    </section>`;
  }
}
