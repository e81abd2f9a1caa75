// The end of a match: who won, the viewer's result, and the cards that were still hidden.

import { html, nothing } from "../vendor/lit.js";
import { symbol } from "../core/symbols.js";
import { fill, listed, word } from "../core/words.js";

/** @typedef {import("../contract").Shapes["Placing"]} Placing */

export class Ending {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    this.store = page.store;
    /** @type {import("./audit.js").Audit | null} */
    this.audit = null;
    /**
     * The hands that were hidden until now, by seat.
     * @type {import("../drawing").Ctx["opened"]}
     */
    this.opened = new Map();
    this.asked = false;
    /** @type {import("./coach.js").Coach | null} */
    this.coach = null;
  }

  /** Say what the viewer could have done better. */
  ask() {
    return this.page.attempt(async () => {
      const { Coach } = await import("./coach.js");
      this.coach ??= new Coach(this.page);
    });
  }

  /** Check the match. */
  check() {
    return this.page.attempt(async () => {
      const { Audit } = await import("./audit.js");
      this.audit ??= new Audit(this.store, this.page.changed);
      await this.audit.run();
    });
  }

  better() {
    if (this.store.sealed) return html`<p class="quiet">${word("daily_sealed")}</p>`;
    if (this.coach) return this.coach.render();
    const { seat, status } = this.store.view;
    if (seat === null || status !== "over") return nothing;
    return html`<p><button class="better" @click=${() => this.ask()}>${word("coach")}</button></p>`;
  }

  /** Nothing is secret any more: fetch the cards that the drawing can show. */
  async open() {
    const { store, page } = this;
    const { table, status } = store.view;
    if (this.asked || this.store.sealed || !page.drawing || !table || status !== "over") return;
    this.asked = true;
    const seats = page.drawing.hidden?.(table) ?? [];
    const look = (/** @type {number} */ seat) => store.client.get(`matches/${store.match}/view?perspective=${seat}`);
    const views = await Promise.all(seats.map(look)).catch(() => []);
    views.forEach((view, place) => view.table && this.opened.set(seats[place], view.table.hand));
    if (views.length) page.changed();
  }

  get placings() {
    return this.store.view.placings ?? [];
  }

  headline() {
    const { seat, table } = this.store.view;
    const { placings } = this;
    const by = this.by();
    const how = by ? fill(word("won_by"), { how: by }) : "";
    const own = placings.find((each) => each.seat === seat);
    const winners = placings.filter((each) => each.rank === 1);
    const names = listed(winners.filter((each) => each !== own).map((each) => this.store.name(each.seat)));
    if (own?.rank === 1) return fill(names ? word("won_with") : word("won_you"), { names, how });
    const won = fill(winners.length > 1 ? word("won_many") : word("won_one"), { names, how });
    if (own && !this.ranked()) return table && this.page.drawing?.out?.(table, own.seat) ? `${won} ${word("you_out")}` : won;
    return own
      ? `${won} ${fill(word("placed"), { place: word("ordinals").split(" ")[own.rank - 1] })}${behind(winners[0], own)}.`
      : won;
  }

  /** By what the match was won, where the game has several ways. */
  by() {
    const { table } = this.store.view;
    return (table && this.page.drawing?.wonBy?.(table, this.store.sheet)) || null;
  }

  /** A place that all losers share is none: a match may have a winner and no second. */
  ranked() {
    const lost = this.placings.filter((each) => each.rank > 1);
    if (this.by()) return false;
    return lost.length === 1 ? lost[0].score !== null : new Set(lost.map((each) => each.rank)).size > 1;
  }

  render() {
    const ranked = this.ranked();
    const placings = [...this.placings].sort((one, other) => one.rank - other.rank);
    return html`<section class="result" part="result" aria-label=${word("result")}>
      <h2>${this.headline()}</h2>
      ${this.page.away?.wasAway(this.page) ?? nothing}
      <ol>
        ${placings.map(
          (each) =>
            html`<li value=${each.rank} class=${each.rank === 1 || ranked ? "" : "unranked"}>
              ${each.rank === 1 ? "♛ " : nothing}${this.store.name(each.seat)}${each.seat === this.store.view.seat ? html` <em>(${word("you")})</em>` : nothing}
              ${each.score === null ? nothing : html`<span class="quiet">${each.score} ${word("points")}</span>`}
            </li>`,
        )}
      </ol>
      <footer class="buttons" part="controls">${this.page.controls.render()}</footer>
      ${this.better()}
      ${this.store.sealed ? nothing : (this.audit?.render() ?? html`<button class="lesser" @click=${() => this.check()}>${symbol("shield")}${word("audit")}</button>`)}
    </section>`;
  }
}

/**
 * By how many points a seat trails the winner, in games decided by points.
 * @type {(winner: Placing, own: Placing) => string}
 */
function behind(winner, own) {
  const count = (winner.score ?? 0) - (own.score ?? 0);
  return count > 0 ? fill(count === 1 ? word("behind_one") : word("behind"), { count }) : "";
}
