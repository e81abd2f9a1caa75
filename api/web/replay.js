// Replay: one's own feed, item by item, each with the table as it was then.

import { html, nothing } from "./lit.js";
import { word } from "./words.js";

export class Replay {
  constructor(store, changed, leave) {
    Object.assign(this, { store, changed, leave, place: 0, view: null, views: new Map() });
  }

  get last() {
    return this.store.items.length - 1;
  }

  async go(place) {
    this.place = Math.min(Math.max(place, 0), this.last);
    const { cursor } = this.store.items[this.place];
    if (!this.views.has(cursor)) this.views.set(cursor, await this.store.client.get(`matches/${this.store.match}/view?at=${cursor}`));
    this.view = this.views.get(this.store.items[this.place].cursor) ?? this.view;
    this.changed();
  }

  press(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      event.preventDefault();
      this.go(Math.max(0, Math.min(this.last, this.place + steps[event.key])));
    }
  }

  render(page) {
    const { store } = this;
    const item = store.items[this.place];
    const people = (seat) => store.name(seat);
    return html`<section class="replay" @keydown=${(event) => this.press(event)}>
      <header class="bar"><button @click=${this.leave}>${word("back")}</button><h1>${word("replay")}</h1><span>${this.place + 1} / ${store.items.length}</span></header>
      <p class="status" role="status">${item ? store.sheet.told(item.event, people) : nothing}</p>
      <div class="scrub">
        <button @click=${() => this.go(0)} aria-label=${word("begin")}>⏮</button>
        <button @click=${() => this.go(this.place - 1)} aria-label="−1">◀</button>
        <input type="range" aria-label=${word("log")} min="0" max=${this.last} .value=${String(this.place)} @input=${(event) => this.go(Number(event.target.value))} />
        <button @click=${() => this.go(this.place + 1)} aria-label="+1">▶</button>
        <button @click=${() => this.go(this.last)} aria-label=${word("end")}>⏭</button>
      </div>
      <div class="board ${store.facts.game}">${this.view?.table && page.drawing ? page.drawing.draw(page.context(this.view, false)) : nothing}</div>
    </section>`;
  }
}
