// What the coach finds about the moves of a finished match, beside the replay: of one seat at a time.

import { html, nothing } from "../vendor/lit.js";
import { fill, word } from "../core/words.js";
import { hundredths, ranking, reason } from "./advice.js";
import { chances, coaching } from "./coaching.js";

/** @import { Coaching, Puzzle } from "./coaching.js" */
/** @import { Replay } from "./replay.js" */
/** @import { Ctx } from "../drawing" */

export class Review {
  constructor(/** @type {Replay} */ replay) {
    this.replay = replay;
    this.store = replay.store;
    /** What there is about each seat that was asked about. @type {Map<number, Coaching | null>} */
    this.found = new Map();
  }

  /** The seat whose moves are shown: the one whose eyes one sees with, or the viewer's own. */
  get seat() {
    const eyes = parseInt(this.replay.perspective ?? "", 10);
    return Number.isNaN(eyes) ? this.store.view.seat : eyes;
  }

  /** Ask for the coaching on that seat; what there is of it is shown as it arrives. */
  async load() {
    const { store, seat, found } = this;
    const { page } = this.replay;
    if (seat === null) return;
    found.set(seat, null);
    store.notice = null;
    page.changed();
    try {
      for await (const part of coaching(store, seat)) {
        if (!found.has(seat)) return;
        found.set(seat, part);
        page.changed();
      }
    } catch (error) {
      store.fail(error);
    }
    if (!found.get(seat)?.whole) found.delete(seat);
    page.changed();
  }

  /** The replay has ended: nothing more is asked for. */
  end() {
    this.found.clear();
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

  /** Only who has a token may ask the coach. */
  offer() {
    const { seat } = this;
    if (seat === null || this.found.has(seat) || !this.replay.page.links || !this.store.client.token) return nothing;
    return html`<button @click=${() => this.load()}>${word("review")}</button>`;
  }

  /** What to show at an item: the decision that was answered there, and the costliest moves of the seat. */
  render(/** @type {number} */ n, /** @type {Ctx} */ ctx) {
    const { seat } = this;
    if (seat === null || !this.found.has(seat)) return nothing;
    const { line, puzzles, whole } = this.found.get(seat) ?? { line: [], puzzles: [], whole: false };
    const place = line.findIndex(({ decision }) => decision === this.before(n));
    return html`<section class="advice" role="status">
      ${
        place < 0
          ? nothing
          : html`<h3>${ctx.name(seat)}</h3>
              <p>${chances(line[place], place)}</p>`
      }
      ${puzzles.filter(({ decision }) => decision === line[place]?.decision).map((puzzle) => this.puzzle(puzzle, ctx))}
      ${whole ? nothing : html`<p class="quiet">${fill(word("review_so_far"), { count: line.length })}</p>`}
      <p class="quiet">${word("advice_note")}</p>
      ${this.worst(puzzles, ctx)}
    </section>`;
  }

  puzzle(/** @type {Puzzle} */ { played, loss, moves, why }, /** @type {Ctx} */ ctx) {
    return html`<h4>${ctx.sheet.told(played, ctx.name)} <span class="quiet">${cost(loss)}</span></h4>
      ${why ? html`<p class="why">${reason(why, ctx)}</p>` : nothing} ${ranking(moves, ctx, played)}`;
  }

  worst(/** @type {Puzzle[]} */ puzzles, /** @type {Ctx} */ ctx) {
    if (!puzzles.length) return nothing;
    return html`<details>
      <summary>${word("costly")}</summary>
      <ol class="dear">
        ${puzzles.map(
          ({ decision, played, loss }) =>
            html`<li>
              <button @click=${() => this.replay.find(this.opened(decision) + 1)}>
                ${ctx.sheet.told(played, ctx.name)} ${cost(loss)}
              </button>
            </li>`,
        )}
      </ol>
    </details>`;
  }
}

const OPENED = "match.decision-opened.1";
/** @type {(loss: number) => string} */
const cost = (loss) => `−${hundredths(loss)}`;
