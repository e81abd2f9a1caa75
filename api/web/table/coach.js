// What the viewer could have done better in a finished match: the chance of winning as a line, and the costliest decisions as puzzles. Loaded when it is asked for.

import { html, nothing, svg } from "../vendor/lit.js";
import { hundredths, ranking, reason } from "./advice.js";
import { chances, coaching } from "./coaching.js";
import { contextOf } from "./context.js";
import { isSeated } from "./drawings.js";
import { settings } from "../core/settings.js";
import { isSame } from "../core/store.js";
import { fill, say, word } from "../core/words.js";

/** @import { Coaching, Point, Puzzle } from "./coaching.js" */
/** @import { TablePage } from "./table.js" */
/** @import { Command } from "../contract" */
/** @import { Ctx, Seen, Table } from "../drawing" */

const AXES = {
  de: "Siege in 100 gedachten Partien, von deiner ersten Entscheidung bis zur letzten:",
  en: "Wins in 100 imagined matches, from your first decision to the last:",
};

/** A move that is worth this much less than the best one is as good. */
const CLOSE = 0.02;
const WIDTH = 300;
const HEIGHT = 80;
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const OPENED = "match.decision-opened.1";

export class Coach {
  constructor(/** @type {TablePage} */ page) {
    this.page = page;
    this.store = page.store;
    /** @type {Coaching | null} */
    this.found = null;
    this.failed = false;
    this.point = 0;
    this.place = 0;
    /** The viewer's answers to the puzzles, by their places. @type {Map<number, Command>} */
    this.answers = new Map();
    this.load();
  }

  /** Ask for the coaching, and look again until it is whole. */
  async load() {
    const { store, page } = this;
    const { seat } = store.view;
    if (seat === null) return;
    this.failed = false;
    try {
      for await (const found of coaching(store, seat)) {
        Object.assign(this, { found, point: found.line.length - 1 });
        page.changed();
      }
      this.failed = !this.found?.whole;
    } catch (error) {
      this.failed = true;
      store.fail(error);
    }
    page.changed();
  }

  render() {
    return html`<section class="coach" aria-label=${word("coach")}>
      <h3>${word("coach")}</h3>
      ${this.found?.whole ? this.content(this.found) : this.failed ? this.late() : this.busy()}
    </section>`;
  }

  busy() {
    return html`<p role="status">${fill(word("coach_busy"), { count: this.found?.line.length ?? 0 })}</p>`;
  }

  late() {
    return html`<p role="status">${word("coach_late")}</p>
      <button @click=${() => this.load()}>${word("coach_again")}</button>`;
  }

  content(/** @type {Coaching} */ { line, puzzles }) {
    return html`${line.length ? this.line(line) : nothing}
      ${puzzles.length ? this.puzzle(puzzles[this.place], puzzles.length) : html`<p>${word("coach_none")}</p>`}
      <p class="quiet">${word("coach_note")}</p>`;
  }

  // The line

  line(/** @type {Point[]} */ line) {
    const at = line[this.point];
    return html`<figure>
      <p class="quiet axes">${say(AXES)}</p>
      ${settings.text ? html`<pre tabindex="0">${line.map((each, place) => chances(each, place)).join("\n")}</pre>` : this.drawn(line)}
      <figcaption aria-live="polite">
        ${chances(at, this.point)}
        ${settings.text ? nothing : html`<button @click=${() => this.look(at.decision)}>${word("coach_there")}</button>`}
      </figcaption>
    </figure>`;
  }

  drawn(/** @type {Point[]} */ line) {
    const across = (/** @type {number} */ place) => (line.length > 1 ? (WIDTH * place) / (line.length - 1) : WIDTH / 2);
    const down = (/** @type {number} */ share) => HEIGHT * (1 - share);
    const corners = line.map((each, place) => `${across(place)},${down(each.chance)}`).join(" ");
    const half = down(0.5);
    return html`<svg
      class="chances"
      viewBox="-24 -8 ${WIDTH + 32} ${HEIGHT + 16}"
      role="listbox"
      aria-orientation="horizontal"
      aria-label=${this.outline(line)}
      @keydown=${(/** @type {KeyboardEvent} */ event) => this.press(event)}
    >
      <line class="half" x1="0" x2=${WIDTH} y1=${half} y2=${half} />
      ${[1, 0.5, 0].map((share) => svg`<text class="axis" x="-4" y=${down(share) + 3}>${hundredths(share)}</text>`)}
      <polyline points=${corners} />
      ${line.map(
        (each, place) =>
          svg`<circle role="option" aria-selected=${String(place === this.point)} aria-label=${chances(each, place)}
            tabindex=${place === this.point ? 0 : -1} class=${this.isCostly(each) ? "costly" : ""} cx=${across(place)} cy=${down(each.chance)}
            r=${place === this.point ? 6 : 3.5} @click=${() => this.show(place)} />`,
      )}
    </svg>`;
  }

  isCostly(/** @type {Point} */ { version }) {
    return this.found?.puzzles.some((puzzle) => puzzle.version === version);
  }

  /** The line in words. */
  outline(/** @type {Point[]} */ line) {
    const chances = line.map(({ chance }) => chance);
    const [first, last] = [chances[0], chances[chances.length - 1]].map(hundredths);
    const [lowest, highest] = [Math.min(...chances), Math.max(...chances)].map(hundredths);
    return fill(word("coach_outline"), { first, last, lowest, highest, count: line.length });
  }

  show(/** @type {number} */ place) {
    this.point = Math.min(Math.max(place, 0), (this.found?.line.length ?? 1) - 1);
    this.page.changed();
  }

  /** The arrow keys go along the line, and the focus with them. */
  press(/** @type {KeyboardEvent} */ event) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const chart = /** @type {SVGElement} */ (event.currentTarget);
    this.show(this.point + step);
    requestAnimationFrame(() => /** @type {SVGElement | null} */ (chart.querySelector("[tabindex='0']"))?.focus());
  }

  /** The table as it was at a decision. */
  look(/** @type {number} */ decision) {
    const opened = this.store.items.find(({ event }) => event.type === OPENED && event.decision === decision);
    this.page.startReplay(opened?.n ?? 0);
  }

  // Puzzles

  /**
   * Return what a drawing receives: the view as it was, without a question, and the others' hands once it is answered.
   * @returns {Ctx}
   */
  context(/** @type {Puzzle} */ puzzle, /** @type {boolean} */ isOpen) {
    /** @type {Seen} */
    const view = { ...this.store.view, status: "running", question: null, waiting: null, table: puzzle.view };
    /** @type {Ctx["opened"]} */
    const opened = new Map();
    // The contract does not say of which game these cards are: they are of this one.
    for (const { seat, hand } of isOpen ? puzzle.held : []) opened.set(seat, /** @type {Table["hand"]} */ (hand));
    return { ...contextOf(this.page, view, false, null), opened };
  }

  puzzle(/** @type {Puzzle} */ puzzle, /** @type {number} */ count) {
    const answer = this.answers.get(this.place);
    const ctx = this.context(puzzle, answer !== undefined);
    const { drawing } = this.page;
    const picture = settings.text
      ? html`<pre tabindex="0">${(drawing?.text?.(ctx) ?? []).join("\n")}</pre>`
      : html`<div class="board ${this.store.facts.game}">
          ${drawing?.draw(ctx)}
          <div class="tray">${isSeated(ctx) ? drawing?.own?.(ctx) : nothing}</div>
        </div>`;
    return html`<div class="puzzle">
      <h4>${fill(word("coach_puzzle"), { place: this.place + 1, count })}</h4>
      ${picture}
      <p><strong>${word("coach_find")}</strong> ${this.asked(puzzle)}</p>
      ${answer === undefined ? this.choices(puzzle, ctx) : this.verdict(puzzle, answer, ctx)}
      ${count > 1 ? this.others(count) : nothing}
    </div>`;
  }

  asked(/** @type {Puzzle} */ { prompt, view }) {
    return this.store.sheet.sentence(prompt.key, prompt.arguments, (seat) => this.store.name(seat), view.seat);
  }

  choices(/** @type {Puzzle} */ { legal }, /** @type {Ctx} */ ctx) {
    return html`<div class="choices">
      ${legal.map((command) => html`<button @click=${() => this.answer(command)}>${ctx.sheet.told(command, ctx.name)}</button>`)}
    </div>`;
  }

  answer(/** @type {Command} */ command) {
    this.answers.set(this.place, command);
    this.page.changed();
  }

  /** Whether it was found, what else there was, and what no one but the others could know then. */
  verdict(/** @type {Puzzle} */ { moves, played, held, why }, /** @type {Command} */ answer, /** @type {Ctx} */ ctx) {
    const [best] = moves;
    const tried = moves.find((move) => isSame(move.command, answer));
    const found = isSame(best.command, answer) || (tried && best.worth - tried.worth < CLOSE);
    const told = (/** @type {Command} */ command) => ctx.sheet.told(command, ctx.name);
    const given = { better: told(best.command), best: hundredths(best.worth), own: tried ? hundredths(tried.worth) : "–" };
    const again = found ? nothing : html`<button @click=${() => this.again()}>${word("coach_again")}</button>`;
    const hands = held.filter(({ hand }) => hand.length);
    return html`<div class="verdict ${found ? "found" : ""}" role="status">
      <p><strong>${fill(found ? word("coach_right") : tried ? word("coach_wrong") : word("coach_untried"), given)}</strong></p>
      ${why ? html`<p class="why">${reason(why, ctx)}</p>` : nothing} ${ranking(moves, ctx, played)}
      <p>${fill(word("coach_played"), { played: told(played) })}</p>
      ${
        hands.length
          ? html`<h5>${word("coach_held")}</h5>
              <ul>
                ${hands.map(({ seat, hand }) => html`<li>${ctx.name(seat)}: ${hand.map((card) => ctx.sheet.term("card", card)).join(", ")}</li>`)}
              </ul>`
          : nothing
      }
      ${again}
    </div>`;
  }

  again() {
    this.answers.delete(this.place);
    this.page.changed();
  }

  others(/** @type {number} */ count) {
    const go = (/** @type {number} */ step) => {
      this.place = (this.place + step + count) % count;
      this.page.changed();
    };
    return html`<div class="buttons">
      <button @click=${() => go(-1)}>${word("coach_before")}</button>
      <button @click=${() => go(1)}>${word("coach_next")}</button>
    </div>`;
  }
}
