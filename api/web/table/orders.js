// Standing orders: answers that the viewer gives in advance. They are shown beside the answers, and end with the match. On the
// service's own page a reload keeps them.

import { html, nothing } from "../vendor/lit.js";
import { word } from "../core/words.js";

/** What is kept of the orders, in the session of the browser. */
const kept = (/** @type {string} */ match, /** @type {number} */ seat) => `tafelrunde.orders.${match}.${seat}`;

export class Orders {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    this.store = page.store;
    /** The turn in which everything passes. @type {number | null} */
    this.turn = null;
    /** Whether everything passes in which the viewer is not involved. */
    this.passing = false;
    /** Whether the only card left is played by itself. */
    this.last = false;
    /** The decision that was answered by an order: once is enough. @type {number | null} */
    this.given = null;
    this.known = false;
  }

  /** Where the orders are kept; null on other sites' pages, and for a spectator. */
  get place() {
    const { client, match, view } = this.store;
    return client.keep && view.seat !== null ? kept(match, view.seat) : null;
  }

  /** Take over what was ordered before a reload. */
  recall() {
    this.known = true;
    const { turn = null, passing = false, last = false } = JSON.parse((this.place && sessionStorage.getItem(this.place)) ?? "{}");
    Object.assign(this, { turn, passing, last });
  }

  keep() {
    const { place, turn, passing, last } = this;
    if (!place) return;
    if (turn !== null || passing || last) sessionStorage.setItem(place, JSON.stringify({ turn, passing, last }));
    else sessionStorage.removeItem(place);
  }

  /** Nothing is ordered. */
  end() {
    Object.assign(this, { turn: null, passing: false, last: false });
    this.keep();
  }

  /** Answer the open question if a standing order says how. Events show whose turn it is, so they must have arrived first. */
  hear() {
    const { store } = this;
    const { question, status, cursor } = store.view;
    const { drawing } = this.page;
    if (!drawing) return;
    if (!this.known) this.recall();
    if (status !== "running") return this.end();
    if (store.items.at(-1)?.cursor !== cursor) return;
    if (this.turn !== null && drawing.turnOf?.(store.items) !== this.turn) {
      this.turn = null;
      this.keep();
    }
    if (!question || question.answered !== null || store.sending || question.decision === this.given) return;
    const command = this.command();
    if (!command) return;
    this.given = question.decision;
    store.give(command);
  }

  /** The view as the game's drawing reads it. */
  get view() {
    return /** @type {import("../drawing").Seen} */ (this.store.view);
  }

  /** The answer that is ordered, if there is one. */
  command() {
    const { view } = this;
    const { drawing } = this.page;
    const pass = drawing?.pass?.(view);
    if (pass && (this.turn !== null || (this.passing && drawing?.passesBy?.(view)))) return pass;
    return this.last ? (drawing?.lastCard?.(view) ?? null) : null;
  }

  /** Whether the viewer can pass in advance for the rest of this turn. */
  get mayPass() {
    const { drawing, store } = this.page;
    return Boolean(store.known?.view.question && drawing?.pass?.(this.view));
  }

  /** Pass for the rest of this turn, or no longer. */
  passTurn() {
    this.turn = this.turn === null ? (this.page.drawing?.turnOf?.(this.store.items) ?? null) : null;
    this.change();
  }

  change(/** @type {"passing" | "last" | null} */ name = null) {
    if (name) this[name] = !this[name];
    this.keep();
    this.hear();
    this.page.changed();
  }

  /** The switches, in a line that is there as long as the viewer plays. */
  render() {
    const { drawing, store } = this.page;
    const { view } = store;
    const { seats } = /** @type {{seats?: {out?: boolean}[]}} */ (view.table ?? {});
    const own = view.seat === null ? undefined : seats?.[view.seat];
    if (!drawing || view.status !== "running" || !own || own.out) return nothing;
    /** @type {(on: boolean, title: string, act: () => void, key?: unknown, disabled?: boolean) => unknown} */
    const one = (on, title, act, key = nothing, disabled = false) =>
      html`<button role="switch" aria-checked=${on} ?disabled=${disabled} @click=${act}>${key} ${title}</button>`;
    const passes = drawing.pass
      ? html`${one(this.turn !== null, word("pass_on"), () => this.passTurn(), html`<kbd>P</kbd>`, this.turn === null && !this.mayPass)}
        ${drawing.passesBy ? one(this.passing, word("pass_by"), () => this.change("passing")) : nothing}`
      : nothing;
    const last = drawing.lastCard ? one(this.last, word("last_card"), () => this.change("last")) : nothing;
    return passes === nothing && last === nothing
      ? nothing
      : html`<div class="orders" role="group" aria-label=${word("orders")}>${passes}${last}</div>`;
  }
}
