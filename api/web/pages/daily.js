// The deal of the day: what it is, one's own try, and who did best.

import { html, nothing } from "../vendor/lit.js";
import { messageOf } from "../core/client.js";
import { board } from "./board.js";
import { sheetOf } from "../core/sheet.js";
import { stateOf } from "./today.js";
import { clock, fill, say, word } from "../core/words.js";
import { unloaded } from "./dead-end.js";

/** @import { Got } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @import { Sheet } from "../core/sheet.js" */
/** @typedef {Got<`daily/${string}`>} Deal */
/** @typedef {Got<`daily/${string}/ranking`>} Ranking */

/** Its words come with it, as few readers need them on their first view. */
const WORDS = {
  about: {
    de: "Heute zu {seats}, gegen {name}. Die Karten und die Gegner sind für alle gleich. Du hast einen Versuch, bis {time} Uhr.",
    en: "Today with {seats} seats, against {name}. Cards and opponents are the same for everyone. You have one try, until {time}.",
  },
  commitment: { de: "festgelegt als", en: "fixed as" },
  empty: { de: "Noch hat niemand diese Partie beendet.", en: "No one has finished this deal yet." },
  look: { de: "Zur Partie", en: "To the match" },
  note: {
    de: "Es zählt der Platz am Tisch, dann die Punkte; wer gewinnt, steht mit weniger Entscheidungen weiter oben. Für die Wertung zählt diese Partie nicht.",
    en: "The place at the table counts, then points; among winners, fewer decisions. This match does not count for ratings.",
  },
  play: { de: "Partie des Tages spielen", en: "Play the deal of the day" },
  proof: { de: "Woran man sieht, dass alle dieselben Karten haben", en: "What shows that all have the same cards" },
  proof_note: {
    de: "Schon am Tag davor steht hier ein Fingerabdruck des Geheimnisses, aus dem alle Karten kommen. Ist der Tag vorbei, wird es aufgedeckt.",
    en: "A fingerprint of the secret that all cards come from stands here a day before. When the day is over, the secret is revealed.",
  },
  rank: { de: "Am Tisch", en: "At the table" },
  replay: { de: "Nachspielen", en: "Replay" },
  secret: { de: "aufgedeckt:", en: "revealed:" },
};

const own = (/** @type {keyof typeof WORDS} */ key) => say(WORDS[key]);

export class Daily {
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
    /** @type {Got<"games">["items"]} */
    this.games = [];
    /** @type {Sheet | null} */
    this.sheet = null;
    /** @type {Deal | null} */
    this.deal = null;
    /** @type {Ranking | null} */
    this.ranking = null;
    /** The day before is shown. */
    this.past = false;
    /** The reader's own id; null without a player. @type {string | null} */
    this.me = null;
    /** @type {unknown} */
    this.error = null;
  }

  /** Do something, and say what went wrong. */
  async attempt(/** @type {() => Promise<void>} */ task) {
    this.error = null;
    await task().catch((error) => (this.error = error));
    this.changed();
  }

  load() {
    return this.attempt(async () => {
      this.games = (await this.client.get("games")).items;
      this.sheet = await sheetOf(this.client, this.game);
      this.me = (await this.client.own("me").catch(() => null))?.id ?? null;
      const deal = await this.client.get(`daily/${this.game}`);
      this.deal = deal;
      this.ranking = await this.page(deal, 0);
    });
  }

  /**
   * Return the ranking from a place on, of the day that is shown.
   * @returns {Promise<Ranking>}
   */
  page(/** @type {Deal} */ { today, yesterday }, /** @type {number} */ start) {
    const { day } = (this.past && yesterday) || today;
    return this.client.get(`daily/${this.game}/ranking?day=${day}&after=${start}`);
  }

  /** Show the ranking of the day before, or of today; of two that were asked for, the last. */
  show(/** @type {Deal} */ deal, /** @type {boolean} */ past) {
    this.past = past;
    return this.attempt(async () => {
      const ranking = await this.page(deal, 0);
      if (this.past === past) this.ranking = ranking;
    });
  }

  /** Add the next lines, unless another ranking is shown by the time they are there. */
  more(/** @type {Deal} */ deal, /** @type {Ranking} */ ranking) {
    return this.attempt(async () => {
      const more = await this.page(deal, ranking.cursor ?? 0);
      if (this.ranking === ranking) this.ranking = { ...more, items: [...ranking.items, ...more.items] };
    });
  }

  play() {
    return this.attempt(async () => {
      await this.client.signUp("");
      this.go(`#/match/${(await this.client.change(`daily/${this.game}`)).match}`);
    });
  }

  render() {
    const wrong = this.error ? html`<p class="notice" role="alert">${messageOf(this.error)}</p>` : nothing;
    const { deal, ranking, sheet } = this;
    if (!deal || !ranking || !sheet) return this.error ? unloaded(this.error) : html`<p class="quiet">${word("loading")}</p>`;
    return html`<section class="boards-page">
      <p><a href="#/">${word("back")}</a></p>
      <h1>${word("daily")}: ${say(sheet.name)}</h1>
      <nav class="tabs" aria-label=${word("games")}>
        ${this.games.map((each) => html`<a class="button" href="#/daily/${each.id}" aria-current=${each.id === this.game ? "page" : nothing}>${say(each.name)}</a>`)}
      </nav>
      ${this.today(deal, sheet)}${wrong}
      ${
        deal.yesterday
          ? html`<div class="tabs" role="group" aria-label=${word("board")}>
              ${[false, true].map((past) => html`<button aria-pressed=${String(this.past === past)} @click=${() => this.show(deal, past)}>${past ? word("yesterday") : word("today")}</button>`)}
            </div>`
          : nothing
      }
      ${ranking.items.length ? this.table(ranking) : html`<p class="quiet">${own("empty")}</p>`}
      ${ranking.cursor === null ? nothing : html`<button @click=${() => this.more(deal, ranking)}>${word("more")}</button>`}
      <p class="quiet">${own("note")}</p>
      ${this.evidence(deal)}
    </section>`;
  }

  /** What is played today, and one's own try. */
  today(/** @type {Deal} */ deal, /** @type {Sheet} */ sheet) {
    const { seats, bot, ends_ms, yours } = deal;
    const level = sheet.characters.find((each) => each.bot === bot);
    return html`<p>${fill(own("about"), { seats, name: say(level?.name) || bot, time: clock(ends_ms) })}</p>
      ${yours ? html`<p role="status">${stateOf(deal)}</p>` : nothing}
      ${
        yours
          ? html`<p><a class="button" href="#/match/${yours.match}">${own("look")}</a></p>`
          : html`<div class="buttons"><button class="main" @click=${() => this.play()}>${own("play")}</button></div>`
      }`;
  }

  table(/** @type {Ranking} */ { items, over }) {
    const scored = items.some((each) => each.score !== null);
    const head = ["", word("name"), own("rank"), ...(scored ? [word("points")] : []), word("decisions"), ...(over ? [""] : [])];
    const lines = items.map((row) => {
      const mine = row.player === this.me;
      const name = html`${row.guest ? word("guest") : row.name}${mine ? html` <em>(${word("you")})</em>` : nothing}`;
      const replay = html`<a href="#/match/${row.match}">${own("replay")}</a>`;
      return {
        mine,
        cells: [row.place, name, row.rank, ...(scored ? [row.score] : []), row.decisions, ...(over ? [replay] : [])],
      };
    });
    return board(word("board"), head, lines);
  }

  /** What shows that all had the same cards, and that they were fixed the day before. */
  evidence(/** @type {Deal} */ { yesterday, today, tomorrow }) {
    const rows = [yesterday, today, tomorrow].filter((each) => each !== null);
    return html`<details>
      <summary>${own("proof")}</summary>
      <p class="quiet">${own("proof_note")}</p>
      ${rows.map(
        (each) =>
          html`<p class="quiet digest">
            <strong>${each.day}</strong> ${own("commitment")}
            <code>${each.commitment}</code>${each.secret ? html`, ${own("secret")} <code>${each.secret}</code>` : nothing}
          </p>`,
      )}
    </details>`;
  }
}
