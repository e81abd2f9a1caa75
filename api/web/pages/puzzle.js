// The puzzle of the day: a decision as a seat saw it, one answer, and the solution. Loaded when it is asked for.

import { html, nothing } from "../vendor/lit.js";
import { messageOf, problemOf } from "../core/client.js";
import { hundredths } from "../table/advice.js";
import { drawingOf } from "../table/drawings.js";
import { settings } from "../core/settings.js";
import { sheetOf } from "../core/sheet.js";
import { BOTS, isSame } from "../core/store.js";
import { clock, fill, say, word } from "../core/words.js";
import { reason } from "./dead-end.js";

/** @import { Got } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @import { Sheet } from "../core/sheet.js" */
/** @import { Ctx, Drawing, OwnCtx, Seen } from "../drawing" */
/** @typedef {Got<"puzzles/today">} Puzzle */
/** @typedef {NonNullable<Puzzle["yours"]>} Solution */
/** @typedef {Puzzle["legal"][number]} Command */

/** Its words come with it, as few readers need them on their first view. */
const WORDS = {
  about: {
    de: "Aus einer Partie, die zu Ende ist: Du siehst, was dieser Platz in diesem Moment sehen konnte. Eine Antwort ist klar besser als die anderen.",
    en: "From a match that is over: you see what this seat could see at that moment. One answer is clearly better than the others.",
  },
  best: { de: "Am besten: {best} – gewinnt {chance}-mal von 100.", en: "Best: {best} – wins {chance} times in 100." },
  bots: { de: "In dieser Partie haben Bots gespielt.", en: "Bots played this match." },
  count: {
    de: "{right} von {answered} haben es gefunden. Von deinen letzten Rätseln hast du {own} von {tried} gelöst.",
    en: "{right} of {answered} found it. Of your latest puzzles you solved {own} of {tried}.",
  },
  note: {
    de: "Die Zahlen sind Schätzungen: So oft gewinnt die Suche des Coachs von hier aus. Sie weiß nicht mehr als dieser Platz.",
    en: "The numbers are estimates: how often the coach's search wins from here. It knows no more than this seat.",
  },
  look: { de: "Zur Partie", en: "To the match" },
  none: {
    de: "Für dieses Spiel gibt es im Moment kein Rätsel. Schau später noch einmal nach: Vielleicht kommt heute noch eins, sonst morgen.",
    en: "There is no puzzle for this game right now. Look again later: there may still be one today, or else tomorrow.",
  },
  over: {
    de: "Dieses Rätsel war von gestern. Lade das von heute.",
    en: "This was yesterday's puzzle. Load today's.",
  },
  played: { de: "In der Partie gespielt: {played}.", en: "Played in the match: {played}." },
  practise: { de: "Von hier aus üben", en: "Practise from here" },
  question: { de: "Du bist {seat}. Was ist die beste Antwort?", en: "You are {seat}. What is the best answer?" },
  reload: { de: "Rätsel von heute laden", en: "Load today's puzzle" },
  right: { de: "Gefunden!", en: "Found!" },
  till: { de: "Ein Versuch, bis {time} Uhr. Für alle dasselbe.", en: "One try, until {time}. The same for everyone." },
  wrong: { de: "Leider nicht.", en: "Not this time." },
  yours: { de: "Deine Antwort: {own}.", en: "Your answer: {own}." },
};

/** Seats of a puzzle are called as computers are at a table. */
const seatName = (/** @type {number} */ seat) => BOTS[seat];

export class PuzzlePage {
  /**
   * @param {Client} client
   * @param {string} game
   * @param {() => void} changed
   * @param {(address: string) => void} go
   */
  constructor(client, game, changed, go) {
    this.client = client;
    this.game = game;
    this.changed = changed;
    this.go = go;
    /** @type {Sheet | null} */
    this.sheet = null;
    /** @type {Drawing | null} */
    this.drawing = null;
    /** @type {Puzzle | null} */
    this.puzzle = null;
    /** @type {unknown} */
    this.error = null;
    this.busy = false;
  }

  /** Do something, once at a time, and say what went wrong. */
  async attempt(/** @type {() => Promise<void>} */ task) {
    if (this.busy) return;
    this.busy = true;
    this.error = null;
    this.changed();
    await task().catch((/** @type {unknown} */ error) => (this.error = error));
    this.busy = false;
    this.changed();
  }

  load() {
    return this.attempt(async () => {
      this.puzzle = null;
      [this.sheet, this.drawing] = await Promise.all([sheetOf(this.client, this.game), drawingOf(this.game)]);
      this.puzzle = await this.client.get(`puzzles/today?game=${this.game}`);
    });
  }

  answer(/** @type {Puzzle} */ { game, day }, /** @type {Command} */ command) {
    return this.attempt(async () => {
      await this.client.signUp("");
      this.puzzle = await this.client.change("puzzles/today", { game, day, command });
    });
  }

  /** Take the match up again from this decision, as the seat that had it. */
  practise(/** @type {Puzzle} */ { seat }, /** @type {Solution} */ { match, decision }) {
    return this.attempt(async () => {
      this.go(`#/match/${(await this.client.change(`matches/${match}/what-if`, { decision, seat })).match}`);
    });
  }

  render() {
    const { sheet, drawing, puzzle } = this;
    return html`<section class="puzzle-page">
      <p><a href="#/">${word("back")}</a></p>
      <h1>${word("puzzle")}${sheet ? html`: ${say(sheet.name)}` : nothing}</h1>
      ${puzzle && sheet && drawing ? this.content(puzzle, sheet, drawing) : nothing}
      ${this.error ? this.wrong() : puzzle ? nothing : html`<p class="quiet">${word("loading")}</p>`}
    </section>`;
  }

  wrong() {
    const type = problemOf(this.error)?.type;
    if (type === "urn:tafelrunde:problem:no-puzzle") return html`<p class="notice" role="status">${say(WORDS.none)}</p>`;
    if (type === "urn:tafelrunde:problem:puzzle-over")
      return html`<p class="notice" role="alert">${say(WORDS.over)}</p>
        <button @click=${() => this.load()}>${say(WORDS.reload)}</button>`;
    return html`<p class="notice" role="alert">${this.puzzle ? messageOf(this.error) : reason(this.error)}</p>`;
  }

  /**
   * @param {Puzzle} puzzle
   * @param {Sheet} sheet
   * @param {Drawing} drawing
   */
  content(puzzle, sheet, drawing) {
    const ctx = this.context(puzzle, sheet);
    const { prompt, seat, yours } = puzzle;
    return html`<p>${say(WORDS.about)} ${puzzle.bots ? say(WORDS.bots) : nothing}</p>
      ${
        settings.text
          ? html`<pre tabindex="0">${(drawing.text?.(ctx) ?? []).join("\n")}</pre>`
          : html`<div class="board ${this.game}">
              ${drawing.draw(ctx)}
              <div class="tray">${drawing.own?.(/** @type {OwnCtx} */ (ctx)) ?? nothing}</div>
            </div>`
      }
      <p>
        <strong>${fill(say(WORDS.question), { seat: seatName(seat) })}</strong>
        ${sheet.sentence(prompt.key, prompt.arguments, seatName, seat)}
      </p>
      ${yours ? this.solution(puzzle, yours, sheet) : this.choices(puzzle, sheet)}`;
  }

  choices(/** @type {Puzzle} */ puzzle, /** @type {Sheet} */ sheet) {
    return html`<div class="choices">
        ${puzzle.legal.map(
          (command) =>
            html`<button aria-disabled=${String(this.busy)} @click=${() => this.answer(puzzle, command)}>
              ${sheet.told(command, seatName)}
            </button>`,
        )}
      </div>
      <p class="quiet">${fill(say(WORDS.till), { time: clock(puzzle.ends_ms) })}</p>`;
  }

  solution(/** @type {Puzzle} */ puzzle, /** @type {Solution} */ yours, /** @type {Sheet} */ sheet) {
    const { moves, why } = yours;
    const told = (/** @type {Command} */ command) => sheet.told(command, seatName);
    const [best] = moves;
    return html`<div class="verdict ${yours.right ? "found" : ""}" role="status">
        <p>
          <strong>${say(yours.right ? WORDS.right : WORDS.wrong)}</strong>
          ${fill(say(WORDS.best), { best: told(best.command), chance: hundredths(best.worth) })}
        </p>
        ${why ? html`<p class="why">${sheet.sentence(why.key, why.arguments, seatName, puzzle.seat)}</p>` : nothing}
        ${yours.right ? nothing : html`<p>${fill(say(WORDS.yours), { own: told(yours.command) })}</p>`}
        <ol class="advised">
          ${moves.map(
            (move) =>
              html`<li class=${isSame(move.command, yours.command) ? "played" : ""}>
                <b>${hundredths(move.worth)}</b> ${told(move.command)}
              </li>`,
          )}
        </ol>
        <p>${fill(say(WORDS.played), { played: told(yours.played) })}</p>
      </div>
      <div class="buttons">
        <button class="main" @click=${() => this.practise(puzzle, yours)}>${say(WORDS.practise)}</button>
        <a class="button" href="#/match/${yours.match}">${say(WORDS.look)}</a>
      </div>
      <p>
        ${fill(say(WORDS.count), {
          right: puzzle.all.right,
          answered: puzzle.all.answered,
          own: puzzle.own.right,
          tried: puzzle.own.answered,
        })}
      </p>
      <p class="quiet">${say(WORDS.note)}</p>`;
  }

  /**
   * What the drawing of the game receives: the view as it was, without a question, names or anything that could be done.
   * @param {Puzzle} puzzle
   * @param {Sheet} sheet
   * @returns {Ctx}
   */
  context({ game, seat, view: table }, sheet) {
    const view = {
      ...{ match: "", game, cursor: "0-00000000", status: "running", seat, chairs: [], table },
      ...{ waiting: null, question: null, placings: null, correction: null, rematch: null },
    };
    const idle = () => {};
    return {
      view: /** @type {Seen} */ (view),
      table,
      you: seat,
      sheet,
      newest: null,
      opened: new Map(),
      chair: () => undefined,
      name: seatName,
      time: () => null,
      away: () => null,
      question: null,
      picked: new Set(),
      key: () => nothing,
      star: () => nothing,
      label: (command) => sheet.told(command, seatName),
      named: (command) => sheet.told(command, seatName),
      give: idle,
      pick: idle,
      refusal: () => "",
      explain: idle,
    };
  }
}
