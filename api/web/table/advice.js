// What the search bot makes of decisions: hints for the viewer's own, and a review of a finished match. Neither knows more than the deciding seat.

import { html, nothing } from "../vendor/lit.js";
import { isSame } from "../core/store.js";
import { fill, word } from "../core/words.js";

/** @typedef {import("../drawing").Ctx} Ctx */
/** @typedef {import("../contract").Command} Command */
/** @typedef {import("../contract").Shapes["MoveAdvice"]} Move */
/** @typedef {import("../contract").Shapes["ReviewedDecision"]} Reviewed */

/** Number of moves shown, and of the costliest moves listed. */
const SHOWN = 4;
const WORST = 5;
/** A move that loses at least this much counts as costly. */
const SMALL = 0.02;

/** @type {(worth: number) => string} */
export const hundredths = (worth) => String(Math.round(100 * worth));

/** The best moves with their values; the move that was played is marked, and always shown. */
/** @type {(moves: Move[], ctx: Ctx, played?: Command | null) => unknown} */
export function ranking(moves, ctx, played = null) {
  const shown = moves.filter((move, place) => place < SHOWN || isSame(move.command, played));
  return html`<ol class="advised">
    ${shown.map(
      (move) =>
        html`<li class=${isSame(move.command, played) ? "played" : ""}>
          <b>${move.worlds ? hundredths(move.worth) : "–"}</b> ${ctx.sheet.told(move.command, ctx.name)}
        </li>`,
    )}
  </ol>`;
}

/** What speaks for the best move, in words. */
/** @type {(why: import("../contract").Shapes["Why"], ctx: Ctx) => string} */
export const reason = ({ key, arguments: given }, ctx) => ctx.sheet.sentence(key, given, ctx.name);

export class Hints {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    /** @type {import("../contract").Got<`matches/${string}/hint`> | null} */
    this.found = null;
    this.asking = false;
  }

  get offered() {
    const { facts, view } = this.page.store;
    return facts.hints && view.question !== null && view.question.legal.length > 1;
  }

  async ask() {
    const { store, changed } = this.page;
    if (!this.offered || this.asking) return;
    this.asking = true;
    changed();
    try {
      this.found = await store.client.get(`matches/${store.match}/hint`);
    } catch (error) {
      store.fail(error);
    }
    this.asking = false;
    changed();
  }

  /** Whether one of these commands is the recommended one. */
  recommends(/** @type {{decision: number} | null} */ question, /** @type {Command[]} */ commands) {
    if (!question || !this.offered || this.found?.decision !== question.decision) return false;
    const [best] = this.found.moves;
    return commands.some((command) => isSame(command, best.command));
  }

  /** The mark of the recommended command, if it is one of these. */
  star(/** @type {{decision: number} | null} */ question, /** @type {Command[]} */ commands) {
    return this.recommends(question, commands)
      ? html`<span class="star"><span aria-hidden="true">★</span><span class="spoken">${word("recommended")}: </span></span>`
      : nothing;
  }

  render(/** @type {Ctx} */ ctx) {
    if (!this.offered || !ctx.question) return nothing;
    if (this.found?.decision !== ctx.question.decision)
      return html`<button class="ask" aria-disabled=${this.asking} @click=${() => this.ask()}>
        <kbd>H</kbd> ${word("hint")}
      </button>`;
    return html`<section class="advice" role="status">
      <h3>${word("hint")}</h3>
      <p class="why">${this.found.why ? reason(this.found.why, ctx) : word("advice_even")}</p>
      ${ranking(this.found.moves, ctx)}
      <p class="quiet">${word("advice_note")}</p>
    </section>`;
  }
}

export class Review {
  constructor(/** @type {import("./replay.js").Replay} */ replay) {
    this.replay = replay;
    this.store = replay.store;
    /** @type {Reviewed[] | null} */
    this.items = null;
    this.whole = false;
  }

  /** Load the whole review, page by page; each page is shown as it arrives. */
  async load() {
    const { page } = this.replay;
    this.items = [];
    this.store.notice = null;
    try {
      for (let after = /** @type {number | null} */ (0); after !== null && this.items;) {
        page.changed();
        const part = await this.store.client.get(`matches/${this.store.match}/review?limit=5&after=${after}`);
        this.items?.push(...part.items);
        after = part.next;
      }
      this.whole = true;
    } catch (error) {
      this.store.fail(error);
      if (!this.items?.length) this.items = null;
    }
    page.changed();
  }

  /** Position in the feed at which a decision was opened. */
  opened(/** @type {number} */ decision) {
    return this.store.items.find(({ event }) => event.type === OPENED && event.decision === decision)?.n ?? 0;
  }

  /** The decision that was open before an item. */
  before(/** @type {number} */ n) {
    const found = this.store.items.findLast((item) => item.n < n && item.event.type === OPENED);
    return found && "decision" in found.event ? found.event.decision : null;
  }

  offer() {
    return this.items || !this.replay.page.links ? nothing : html`<button @click=${() => this.load()}>${word("review")}</button>`;
  }

  /** What to show at an item: the decision that was answered there, and the costliest moves of the match. */
  render(/** @type {number} */ n, /** @type {Ctx} */ ctx) {
    if (!this.items) return nothing;
    const here = this.items.filter((item) => item.decision === this.before(n));
    return html`<section class="advice" role="status">
      ${here.map((item) => this.line(item, ctx))}
      ${this.whole ? nothing : html`<p class="quiet">${fill(word("review_so_far"), { count: this.items.length })}</p>`}
      <p class="quiet">${word("advice_note")}</p>
      ${this.worst(this.items, ctx)}
    </section>`;
  }

  line(/** @type {Reviewed} */ item, /** @type {Ctx} */ ctx) {
    return html`<h3>${ctx.name(item.seat)}: ${ctx.sheet.told(item.played, ctx.name)} <span class="quiet">${cost(item)}</span></h3>
      ${ranking(item.moves, ctx, item.played)}`;
  }

  worst(/** @type {Reviewed[]} */ items, /** @type {Ctx} */ ctx) {
    const dear = items.filter((item) => lossOf(item) >= SMALL).sort((one, other) => lossOf(other) - lossOf(one));
    if (!dear.length) return nothing;
    return html`<details>
      <summary>${word("costly")}</summary>
      <ol class="dear">
        ${dear.slice(0, WORST).map(
          (item) =>
            html`<li>
              <button @click=${() => this.replay.find(this.opened(item.decision) + 1)}>
                ${ctx.name(item.seat)}: ${ctx.sheet.told(item.played, ctx.name)} ${cost(item)}
              </button>
            </li>`,
        )}
      </ol>
    </details>`;
  }
}

const OPENED = "match.decision-opened.1";
/** A move that was not compared has cost nothing. */
/** @type {(item: Reviewed) => number} */
const lossOf = ({ loss }) => loss ?? 0;
/** @type {(item: Reviewed) => string} */
const cost = (item) => (lossOf(item) >= SMALL ? `−${hundredths(lossOf(item))}` : "");
