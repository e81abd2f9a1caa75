// Standing orders: answers that the viewer gives in advance. They are shown beside the answers, and end with the match.

import { html, nothing } from "../vendor/lit.js";
import { word } from "../core/words.js";

export class Orders {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    this.store = page.store;
    this.end();
  }

  /** Nothing is ordered. */
  end() {
    /** The turn in which everything passes. */
    this.turn = null;
    /** Whether everything passes in which the viewer is not involved. */
    this.passing = false;
    /** Whether the only card left is played by itself. */
    this.last = false;
    /** The decision that was answered by an order: once is enough. */
    this.given = null;
  }

  /** Answer the open question if a standing order says how. Events show whose turn it is, so they must have arrived first. */
  hear() {
    const { store } = this;
    const { question, status, cursor } = store.view;
    if (status !== "running") this.end();
    if (!question || question.answered !== null || store.sending || question.decision === this.given) return;
    if (store.items.at(-1)?.cursor !== cursor) return;
    const command = this.command();
    if (!command) return;
    this.given = question.decision;
    store.give(command);
  }

  /** The answer that is ordered, if there is one. */
  command() {
    const { drawing, store } = this.page;
    const { view } = store;
    if (this.turn !== null && drawing?.turnOf(store.items) !== this.turn) this.turn = null;
    if (this.turn !== null && drawing.pass(view)) return drawing.pass(view);
    if (this.passing && drawing?.passesBy?.(view)) return drawing.pass(view);
    return this.last ? (drawing?.lastCard?.(view) ?? null) : null;
  }

  /** Whether the viewer can pass in advance for the rest of this turn. */
  get mayPass() {
    const { drawing, store } = this.page;
    return Boolean(store.view?.question && drawing?.pass?.(store.view));
  }

  /** Pass for the rest of this turn, or no longer. */
  passTurn() {
    this.turn = this.turn === null ? this.page.drawing.turnOf(this.store.items) : null;
    this.change();
  }

  change(name = null) {
    if (name) this[name] = !this[name];
    this.hear();
    this.page.changed();
  }

  /** The switches, in a line that is there as long as the viewer plays. */
  render() {
    const { drawing, store } = this.page;
    const { view } = store;
    const own = /** @type {any} */ (view.table?.seats?.[view.seat]);
    if (view.status !== "running" || view.seat === null || !own || own.out) return nothing;
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
