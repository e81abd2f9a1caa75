// The end of a match: who won, the viewer's result, and the cards that were still hidden.

import { html, nothing, ref } from "../vendor/lit.js";
import { settings } from "../core/settings.js";
import { symbol } from "../core/symbols.js";
import { fill, listed, word } from "../core/words.js";

/** @typedef {import("../contract").Shapes["Placing"]} Placing */

/** How long a score counts up (milliseconds). */
const COUNTING = 900;

export class Ending {
  /**
   * *witnessed*: the match has ended before the viewer's eyes; then the result comes line by line, and scores count up.
   * @param {import("./table.js").TablePage} page
   * @param {boolean} witnessed
   */
  constructor(page, witnessed = false) {
    this.page = page;
    this.witnessed = witnessed;
    /** What draws the score of a seat, each once. @type {Map<string, (found: Element | undefined) => void>} */
    this.counters = new Map();
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
    import("../core/recall.js").then(({ remember }) => remember(store.client, store.match)).catch(() => {});
    const seats = page.drawing.hidden?.(table) ?? [];
    const look = (/** @type {number} */ seat) => store.client.get(`matches/${store.match}/view?perspective=${seat}`);
    const views = await Promise.all(seats.map(look)).catch(() => []);
    views.forEach((view, place) => view.table && this.opened.set(seats[place], view.table.hand));
    if (views.length) page.changed();
  }

  /** Whether something moves at the end. */
  get moves() {
    return this.witnessed && !settings.isStill && !this.page.stage.calm.matches && !document.hidden;
  }

  /** A score, which counts up if the end is seen. */
  score(/** @type {Placing} */ { seat, score }) {
    const key = `${seat} ${score}`;
    const to = score ?? 0;
    const put = this.moves ? counted : (/** @type {Element} */ place) => void (place.textContent = `${to}`);
    const drawn = this.counters.get(key) ?? ((/** @type {Element | undefined} */ found) => found && put(found, to));
    this.counters.set(key, drawn);
    return html`<span class="quiet"><b ${ref(drawn)}></b> ${word("points")}</span>`;
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
    return html`<section class="result ${this.witnessed ? "witnessed" : ""}" part="result" aria-label=${word("result")}>
      <h2>${this.headline()}</h2>
      ${this.page.away?.wasAway(this.page) ?? nothing}
      <ol>
        ${placings.map(
          (each) =>
            html`<li value=${each.rank} class="${each.rank === 1 ? "winner" : ""} ${each.rank === 1 || ranked ? "" : "unranked"}">
              ${each.rank === 1 ? "♛ " : nothing}${this.store.name(each.seat)}${each.seat === this.store.view.seat ? html` <em>(${word("you")})</em>` : nothing}
              ${each.score === null ? nothing : this.score(each)}
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

/** Let a number count up to its value; where no frames are drawn it is there at the end. @type {(place: Element, to: number) => void} */
function counted(place, to) {
  const from = performance.now();
  const say = (/** @type {number} */ part) => void (place.textContent = `${Math.round(to * (1 - (1 - part) ** 3))}`);
  const draw = () => {
    const part = Math.min((performance.now() - from) / COUNTING, 1);
    say(part);
    if (part < 1 && place.isConnected) requestAnimationFrame(draw);
  };
  say(0);
  requestAnimationFrame(draw);
  setTimeout(say, COUNTING, 1);
}
