// A lesson: at each decision the first new line on what has happened, and the first on what is asked. Loaded for lessons only.

import { html, nothing } from "../vendor/lit.js";
import { fill, say, word } from "../core/words.js";

const OPENED = "match.decision-opened.1";
const KEPT = "tafelrunde.lesson";

/** Whether a line fits a moment. A prompt fits if the one that is asked is the same, or goes on behind a dot. */
export function fits(when, { prompt, legal, refused, events }) {
  return (
    (!when.prompt || `${prompt}.`.startsWith(`${when.prompt}.`)) &&
    (!when.legal || legal.some((command) => command.type === when.legal)) &&
    (!when.refused || refused.some((each) => each.code === when.refused)) &&
    (!when.event || events.some((event) => isIt(when, event)))
  );
}

const isIt = (when, event) =>
  event.type === when.event && Object.entries(when.fields).every(([name, value]) => event[name] === value);

/** The lines for a moment, after those that were heard. */
export function chosen(lines, heard, moment) {
  const fresh = lines.filter((line) => !heard.has(line.key) && fits(line.when, moment));
  const happened = fresh.find((line) => line.when.event);
  const asked = fresh.find((line) => !line.when.event);
  return [happened, asked].filter(Boolean);
}

/** The legal command that a line advises. */
export const advised = (lines, legal) =>
  lines
    .filter((line) => line.suggested)
    .map((line) => legal.find((command) => Object.entries(line.suggested).every(([name, value]) => command[name] === value)))
    .find(Boolean) ?? null;

/** What the learner can see now: the events since the question before. */
export function momentOf(view, items) {
  const own = items.flatMap(({ event }, at) => (event.type === OPENED && event.seats.includes(view.seat) ? [at] : []));
  const open = view.question ? own.findLastIndex((at) => items[at].event.decision === view.question.decision) : own.length;
  const since = own[open - 1] ?? -1;
  return {
    prompt: view.question ? view.waiting.prompt.key : "",
    legal: view.question?.legal ?? [],
    refused: view.question?.refused ?? [],
    events: items.slice(since + 1).map((item) => item.event),
  };
}

export class Lesson {
  static async of(/** @type {import("./table.js").TablePage} */ page) {
    const { client, facts } = page.store;
    return new Lesson(page, await client.get(`games/${facts.game}/lesson`));
  }

  /** @param {import("../contract").Got<`games/${string}/lesson`>} sheet */
  constructor(page, sheet) {
    this.page = page;
    this.sheet = sheet;
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    /** The lines that were shown before the present question. */
    this.heard = new Set(kept?.match === page.store.match ? kept.heard : []);
    this.decision = kept?.match === page.store.match ? kept.decision : null;
    this.lines = [];
    this.known = null;
  }

  /** Find the lines for what is shown; a question keeps its own, also when more of its events arrive. */
  find() {
    const { view, items, match } = this.page.store;
    if (this.page.stage.busy) return; // what is still on its way is explained once it is there
    const over = view.status === "over";
    if ((!view.question && !over) || (this.known?.view === view && this.known.items === items.length)) return;
    this.known = { view, items: items.length };
    const decision = view.question?.decision ?? "over";
    if (decision !== this.decision) {
      for (const line of this.lines) this.heard.add(line.key);
      this.decision = decision;
      this.lines = [];
      sessionStorage.setItem(KEPT, JSON.stringify({ match, heard: [...this.heard], decision }));
    }
    const found = chosen(this.sheet.lines, this.heard, momentOf(view, items));
    const ofKind = (happened) => [...this.lines, ...found].find((line) => Boolean(line.when.event) === happened);
    this.lines = [ofKind(true), ofKind(false)].filter(Boolean);
  }

  render() {
    const { store } = this.page;
    this.find();
    const { question } = store.view;
    const stale = !question && store.view.status === "running";
    const command = question ? advised(this.lines, question.legal) : null;
    return html`<section class="lesson ${stale ? "past" : ""}" aria-labelledby="lesson-title">
      <h2 id="lesson-title">${word("lesson")}</h2>
      <div role="status">
        ${this.lines.map((line) => html`<p>${say(line.text)}</p>`)}
        ${this.lines.length ? nothing : html`<p class="quiet">${stale ? word("lesson_wait") : word("lesson_free")}</p>`}
      </div>
      ${
        command
          ? html`<button class="advised-move" aria-disabled=${store.sending} @click=${() => this.page.give(command)}>
              ${fill(word("do_that"), { move: store.sheet.told(command, (seat) => store.name(seat), store.view.seat) })}
            </button>`
          : nothing
      }
    </section>`;
  }
}
