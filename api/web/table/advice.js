// What the search bot makes of the viewer's own decisions: hints. It knows no more than the deciding seat.

import { html, nothing } from "../vendor/lit.js";
import { isSame } from "../core/store.js";
import { word } from "../core/words.js";

/** @import { TablePage } from "./table.js" */
/** @import { Command, Got, Shapes } from "../contract" */
/** @import { Ctx } from "../drawing" */
/** @typedef {Shapes["MoveAdvice"]} Move */

/** Number of moves shown. */
const SHOWN = 4;

/** @type {(worth: number) => string} */
export const hundredths = (worth) => String(Math.round(100 * worth));

/**
 * The best moves with their values; the move that was played is marked, and always shown.
 * @type {(moves: Move[], ctx: Ctx, played?: Command | null) => unknown}
 */
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

/**
 * What speaks for the best move, in words.
 * @type {(why: Shapes["Why"], ctx: Ctx) => string}
 */
export const reason = ({ key, arguments: given }, ctx) => ctx.sheet.sentence(key, given, ctx.name);

export class Hints {
  constructor(/** @type {TablePage} */ page) {
    this.page = page;
    /** @type {Got<`matches/${string}/hint`> | null} */
    this.found = null;
    this.asking = false;
  }

  get offered() {
    const { facts, view } = this.page.store;
    return facts.hints && view.question !== null && view.question.legal.length > 1;
  }

  async ask() {
    const { store, changed } = this.page;
    if (!this.offered || this.asking || this.found?.decision === store.view.question?.decision) return;
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

  /** Among the answers: the button, and below it what was found, unless that has its place beside the felt. */
  render(/** @type {Ctx} */ ctx, beside = false) {
    if (!this.offered || !ctx.question) return nothing;
    const known = this.found?.decision === ctx.question.decision;
    if (known && !beside) return this.advice(ctx);
    return html`<button class="ask" aria-disabled=${this.asking || known} @click=${() => this.ask()}>
      <kbd>H</kbd> ${word("hint")}
    </button>`;
  }

  /** What was found for the open question. */
  advice(/** @type {Ctx} */ ctx) {
    if (!this.offered || !this.found || this.found.decision !== ctx.question?.decision) return nothing;
    return html`<section class="advice" role="status">
      <h3>${word("hint")}</h3>
      <p class="why">${this.found.why ? reason(this.found.why, ctx) : word("advice_even")}</p>
      ${ranking(this.found.moves, ctx)}
      <p class="quiet">${word("advice_note")}</p>
    </section>`;
  }
}
