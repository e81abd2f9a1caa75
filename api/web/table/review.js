// What the search bot makes of the decisions of a finished match: a review. It knows no more than each deciding seat.

import { html, nothing } from "../vendor/lit.js";
import { fill, word } from "../core/words.js";
import { hundredths, ranking } from "./advice.js";

/** @typedef {import("../drawing").Ctx} Ctx */
/** @typedef {import("../contract").Shapes["ReviewedDecision"]} Reviewed */

/** How many of the costliest moves are listed. */
const WORST = 5;
/** A move that loses at least this much counts as costly. */
const SMALL = 0.02;

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
