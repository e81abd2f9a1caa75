// A lesson: at each decision the first new line on what has happened, and the first on what is asked. Loaded for lessons only. On the
// service's own page a reload goes on where it was.

import { html, nothing } from "../vendor/lit.js";
import { offersAt } from "../pages/bot-choice.js";
import { defaults } from "../pages/match-settings.js";
import { lessons } from "./lesson-progress.js";
import { fill, say, word } from "../core/words.js";

/** @import { TablePage } from "./table.js" */
/** @import { Command, Got, Shapes, View } from "../contract" */
/** @import { Item } from "../drawing" */

const OPENED = "match.decision-opened.1";
const REAL = { de: "Verstanden! Jetzt richtig spielen", en: "I have got it: play a real match" };
const KEPT = "tafelrunde.lesson";

/** @typedef {Shapes["LessonLine"]} Line */
/** @typedef {{prompt: string, legal: Command[], refused: {code: string}[], events: Item["event"][]}} Moment */

/**
 * Whether a line fits a moment. A prompt fits if the one that is asked is the same, or goes on behind a dot.
 * @type {(when: Line["when"], moment: Moment) => boolean}
 */
export function fits({ legal: possible, ...when }, { prompt, legal, refused, events }) {
  return (
    (!when.prompt || `${prompt}.`.startsWith(`${when.prompt}.`)) &&
    (!possible || legal.some((command) => has(command, possible))) &&
    (!when.refused || refused.some((each) => each.code === when.refused)) &&
    (!when.event || events.some((event) => event.type === when.event && has(event, when.fields)))
  );
}

/**
 * Whether all these fields of an event or a command have these values.
 * @type {(thing: object, fields: Record<string, unknown>) => boolean}
 */
const has = (thing, fields) => Object.entries(fields).every(([name, value]) => Reflect.get(thing, name) === value);

/**
 * The lines for a moment, after those that were heard.
 * @type {(lines: Line[], heard: Set<string>, moment: Moment) => Line[]}
 */
export function chosen(lines, heard, moment) {
  const fresh = lines.filter((line) => !heard.has(line.key) && fits(line.when, moment));
  const happened = fresh.find((line) => line.when.event);
  const asked = fresh.find((line) => !line.when.event);
  return [happened, asked].filter((line) => line !== undefined);
}

/**
 * The legal command that a line advises.
 * @type {(lines: Line[], legal: Command[]) => Command | null}
 */
export const advised = (lines, legal) =>
  lines
    .flatMap(({ suggested }) => (suggested ? [legal.find((command) => has(command, suggested))] : []))
    .find((command) => command !== undefined) ?? null;

/**
 * What the learner can see now: the events since the question before.
 * @type {(view: View, items: Item[]) => Moment}
 */
export function momentOf(view, items) {
  const own = items.flatMap(({ event }, at) =>
    event.type === OPENED && view.seat !== null && event.seats.includes(view.seat) ? [{ at, decision: event.decision }] : [],
  );
  const open = view.question ? own.findLastIndex(({ decision }) => decision === view.question?.decision) : own.length;
  const since = own[open - 1]?.at ?? -1;
  return {
    prompt: (view.question && view.waiting?.prompt.key) ?? "",
    legal: view.question?.legal ?? [],
    refused: view.question?.refused ?? [],
    events: items.slice(since + 1).map((item) => item.event),
  };
}

export class Lesson {
  static async of(/** @type {TablePage} */ page) {
    const { client, facts } = page.store;
    return new Lesson(page, await client.get(`games/${facts.game}/lesson`));
  }

  constructor(/** @type {TablePage} */ page, /** @type {Got<`games/${string}/lesson`>} */ sheet) {
    this.page = page;
    this.sheet = sheet;
    const { client, match } = page.store;
    const kept = JSON.parse((client.keep && sessionStorage.getItem(KEPT)) || "null");
    /** The lines that were shown before the present question. */
    this.heard = new Set(kept?.match === match ? kept.heard : []);
    this.decision = kept?.match === match ? kept.decision : null;
    /** @type {Line[]} */
    this.lines = [];
    /** @type {{view: View, items: number} | null} */
    this.known = null;
    /** Whether its sentences were said, or the match is over: from then on there is a way out into a real match. */
    this.done = kept?.match === match && Boolean(kept.done);
    /** The lines that the learner has folded on a phone, where they lie above the table. */
    this.folded = "";
  }

  /** The keys of the lines. */
  get told() {
    return this.lines.map(({ key }) => key).join();
  }

  fold() {
    this.folded = this.folded === this.told ? "" : this.told;
    this.page.changed();
  }

  /** Find the lines for what is shown; a question keeps its own, also when more of its events arrive. */
  find() {
    const { client, view, items, match } = this.page.store;
    if (this.page.stage.busy) return; // what is still on its way is explained once it is there
    const over = view.status === "over";
    if ((!view.question && !over) || (this.known?.view === view && this.known.items === items.length)) return;
    this.known = { view, items: items.length };
    const decision = view.question?.decision ?? "over";
    if (decision !== this.decision) {
      for (const line of this.lines) this.heard.add(line.key);
      this.decision = decision;
      this.lines = [];
    }
    const found = chosen(this.sheet.lines, this.heard, momentOf(view, items));
    const ofKind = (/** @type {boolean} */ happened) =>
      [...this.lines, ...found].find((line) => Boolean(line.when.event) === happened);
    this.lines = [ofKind(true), ofKind(false)].filter((line) => line !== undefined);
    this.done ||= over || (!this.lines.length && this.heard.size > 0);
    if (client.keep) this.keep(match, decision);
  }

  /** Keep how far the lesson came: in this tab where to go on, and in this browser for the lobby. */
  keep(/** @type {string} */ match, /** @type {number | string} */ decision) {
    const { heard, done } = this;
    sessionStorage.setItem(KEPT, JSON.stringify({ match, heard: [...heard], decision, done }));
    const said = new Set([...heard, ...this.lines.map(({ key }) => key)]).size;
    lessons.keep(this.page.store.facts.game, { said, count: this.sheet.lines.length, done });
  }

  /** Open a real match of this game, with as many seats, against the gentlest bots. */
  play() {
    const { store, links } = this.page;
    return this.page.attempt(async () => {
      const { open } = await import("../proof/evidence.js");
      const { game, seats } = store.facts;
      const [{ bot }] = offersAt(store.sheet, store.facts);
      const bots = Array.from({ length: seats - 1 }, (_, place) => ({ seat: place + 1, bot }));
      links?.go(await open(store.client, { ...defaults(game, seats), options: store.facts.options, bots, start: true }));
    });
  }

  /** The button that leads into a real match; at the end it stands where other matches are played again. */
  wayOut(main = "") {
    if (!this.done || !this.page.links) return nothing;
    return html`<button class="real ${main}" @click=${() => this.play()}>${say(REAL)}</button>`;
  }

  render() {
    const { store, stage } = this.page;
    this.find();
    const question = stage.busy ? null : store.view.question; // one that is not on the table yet is not answered here
    const stale = !question && (stage.busy || store.view.status === "running");
    const choice = question?.legal.length === 1 ? word("lesson_only") : word("lesson_free");
    const command = question ? advised(this.lines, question.legal) : null;
    const told = this.lines.length > 0;
    const open = told && this.folded !== this.told;
    return html`<section
      class="lesson ${stale ? "past" : ""} ${told ? "" : "free"} ${this.done ? "done" : ""} ${open ? "" : "folded"}"
      aria-labelledby="lesson-title"
    >
      <div class="lesson-card">
        <h2 id="lesson-title">${word("lesson")}</h2>
        <button class="fold" aria-expanded=${open} @click=${() => this.fold()}>
          <span>${word("lesson")}</span> <span aria-hidden="true">${open ? "✕" : "▾"}</span>
        </button>
        <div role="status">
          ${this.lines.map((line) => html`<p>${say(line.text)}</p>`)}
          ${told ? nothing : html`<p class="quiet">${stale ? word("lesson_wait") : choice}</p>`}
        </div>
        ${
          command
            ? html`<button class="advised-move" aria-disabled=${store.sending} @click=${() => this.page.give(command)}>
                ${fill(word("do_that"), { move: store.sheet.told(command, (seat) => store.name(seat), store.view.seat) })}
              </button>`
            : nothing
        }${store.view.status === "over" ? nothing : this.wayOut()}
      </div>
    </section>`;
  }
}
