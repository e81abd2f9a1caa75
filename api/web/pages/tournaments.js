// Tournaments: those that can be joined, one's own, and a form to open another one.

import { messageOf } from "../core/client.js";
import { sheetOf } from "../core/sheet.js";
import { say, word } from "../core/words.js";
import { chosenOf, offersAt, strengthOf } from "./bot-choice.js";
import { drawingOf } from "../table/drawings.js";
import { html, keyed, nothing } from "../vendor/lit.js";
import { PACES, paces, select } from "./match-settings.js";
import { draw, fields } from "./options-form.js";
import { list, TEXTS as LISTED } from "./tournaments-listed.js";

/** @import { At, Got, Shapes } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @import { Sheet } from "../core/sheet.js" */
/** @import { Drawing } from "../drawing" */
/** @import { Choice } from "../page" */
/** @typedef {Shapes["TournamentFacts"]} Facts */
/** @typedef {Got<"games">["items"]} Games */
/** @typedef {{seats: number, kind: Facts["kind"], options: Record<string, Choice>, clock: import("../contract").MatchSettings["clock"], bots: number, bot: string, full: boolean, listed: boolean, name: string}} Wish */

export const TEXTS = {
  ...LISTED,
  none: { de: "Zurzeit ist kein Turnier für alle offen.", en: "None that everyone can join at the moment." },
  level: { de: "Welcher Bot", en: "Which bot" },
  mine: { de: "Deine Turniere", en: "Your tournaments" },
  listed: { de: "Für alle offen", en: "Open to all" },
  open: { de: "Ein Turnier eröffnen", en: "Open a tournament" },
  name: { de: "Name des Turniers", en: "Name of the tournament" },
  game: { de: "Spiel", en: "Game" },
  seats: { de: "Spieler an einem Tisch", en: "Players at a table" },
  kind: { de: "Wer auf wen trifft", en: "Who meets whom" },
  swiss: { de: "Schweizer System", en: "Swiss system" },
  "round-robin": { de: "Jeder gegen jeden", en: "Round robin" },
  bots: { de: "Bots von Anfang an", en: "Bots from the beginning" },
  full: { de: "Fehlende Plätze beim Start mit Bots füllen", en: "Fill missing seats with bots at the start" },
  for_all: { de: "Alle finden das Turnier hier, nicht nur mit dem Link", en: "Everyone finds it here, not only by its link" },
  go: { de: "Turnier eröffnen", en: "Open the tournament" },
  rules: {
    de: "Für 4 bis 64. Jede Runde beginnt von selbst, sobald alle Tische der vorigen fertig sind.",
    en: "For 4 to 64. Each round begins by itself as soon as all tables of the one before are done.",
  },
  your_table: { de: "An deinen Tisch", en: "To your table" },
};
const KINDS = /** @type {const} */ (["swiss", "round-robin"]);
const SLOW = PACES.find(({ pace }) => pace === "slow")?.clock ?? {};
/** How often lists are loaded again while they are looked at (milliseconds). */
const FRESH_MS = 15_000;

export class Tournaments {
  /**
   * @param {Client} client
   * @param {() => void} changed
   * @param {(address: string) => void} go
   */
  constructor(client, changed, go) {
    this.client = client;
    this.changed = changed;
    this.go = go;
    /** @type {Games | null} */
    this.games = null;
    /** @type {Facts[]} */
    this.listed = [];
    /** @type {Facts[]} */
    this.mine = [];
    /** The game that is chosen, and what the form says. @type {{sheet: Sheet, drawing: Drawing, wish: Wish} | null} */
    this.chosen = null;
    this.opening = false;
    this.player = "";
    /** @type {unknown} */
    this.error = null;
    this.timer = setInterval(() => document.hidden || this.lists().then(changed, () => {}), FRESH_MS);
  }

  close() {
    clearInterval(this.timer);
  }

  async load() {
    this.error = null;
    try {
      this.games = (await this.client.get("games")).items;
      await this.lists();
      if (!this.chosen && this.games.length) await this.choose(this.games[0].id);
    } catch (error) {
      this.error = error;
    }
    this.changed();
  }

  async lists() {
    const mine = (await this.client.own("me/tournaments"))?.items ?? [];
    const own = new Set(mine.map((each) => each.tournament));
    this.listed = (await this.client.get("tournaments")).items.filter((each) => !own.has(each.tournament));
    this.mine = mine;
  }

  async choose(/** @type {string} */ game) {
    const [sheet, drawing] = await Promise.all([sheetOf(this.client, game), drawingOf(game)]);
    const seats = Math.min(Math.max(sheet.min_seats, 2), sheet.max_seats);
    const bot = sheet.bots.includes("honest") ? "honest" : sheet.bots[0];
    const before = this.chosen?.wish;
    const { name = "", kind = "swiss", clock = SLOW, bots = 0, full = true, listed = false } = before ?? {};
    const options = /** @type {Record<string, Choice>} */ ({ ...drawing.needs?.(seats) });
    // the same wish as before: the form that is still shown goes on writing into it
    const wish = Object.assign(before ?? {}, { name, kind, clock, bots, full, listed, bot, seats, options });
    this.chosen = { sheet, drawing, wish };
    this.changed();
  }

  async begin(/** @type {Event} */ event) {
    event.preventDefault();
    if (!this.chosen || this.opening) return;
    const { sheet, wish } = this.chosen;
    this.opening = true;
    this.error = null;
    try {
      await this.client.signUp(this.player.trim());
      const { enter } = await import("../proof/entries.js");
      const { facts } = await this.client.change("tournaments", { ...bodyOf(sheet, wish), joins: false });
      try {
        await enter(this.client, facts.tournament);
      } catch (error) {
        await this.client.change(`tournaments/${facts.tournament}`, null, "DELETE").catch(() => {});
        throw error;
      }
      this.go(`#/tournaments/${facts.tournament}`);
    } catch (error) {
      this.error = error;
    }
    this.opening = false;
    this.changed();
  }

  render() {
    const { games, error } = this;
    const wrong = error ? html`<p class="notice" role="alert">${messageOf(error)}</p>` : nothing;
    if (!games) return error ? wrong : html`<p class="quiet">${word("loading")}</p>`;
    return html`<section class="tournaments-page">
      <p><a href="#/">${word("back")}</a></p>
      <h1>${say(TEXTS.title)}</h1>
      <p class="quiet">${say(TEXTS.rules)}</p>
      ${
        this.mine.length
          ? html`<h2>${say(TEXTS.mine)}</h2>
              ${list(this.mine, games)}`
          : nothing
      }
      <h2>${say(TEXTS.listed)}</h2>
      ${this.listed.length ? list(this.listed, games) : html`<p class="quiet">${say(TEXTS.none)}</p>`}
      <h2>${say(TEXTS.open)}</h2>
      ${this.chosen ? this.form(games, this.chosen) : nothing} ${wrong}
    </section>`;
  }

  /**
   * @param {Games} games
   * @param {NonNullable<Tournaments["chosen"]>} chosen
   */
  form(games, { sheet, drawing, wish }) {
    const change = (/** @type {Partial<Wish>} */ values) => {
      Object.assign(wish, values);
      this.changed();
    };
    const counts = Array.from({ length: sheet.max_seats - sheet.min_seats + 1 }, (_, more) => sheet.min_seats + more);
    const offers = offersAt(sheet, wish);
    wish.bot = chosenOf(offers, wish.bot);
    const level = offers.find((each) => each.bot === wish.bot);
    return html`<form class="wish" @submit=${(/** @type {Event} */ event) => this.begin(event)}>
      <div class="fields">
        <label
          >${say(TEXTS.name)}
          <input
            type="text"
            required
            maxlength="40"
            .value=${wish.name}
            @input=${(/** @type {At<HTMLInputElement>} */ { target }) => change({ name: target.value })}
        /></label>
        ${
          this.client.token
            ? nothing
            : html`<label
                >${word("your_name")}
                <input
                  type="text"
                  maxlength="40"
                  autocomplete="nickname"
                  @input=${(/** @type {At<HTMLInputElement>} */ { target }) => (this.player = target.value)}
              /></label>`
        }
        ${select(
          TEXTS.game,
          games.map((each) => [each.id, say(each.name)]),
          sheet.id,
          (game) => this.choose(game),
        )}
        ${select(
          TEXTS.seats,
          counts.map((each) => [each, String(each)]),
          wish.seats,
          (seats) => change({ seats, options: { ...wish.options, .../** @type {Wish["options"]} */ (drawing.needs?.(seats)) } }),
        )}
        ${select(
          TEXTS.kind,
          KINDS.map((each) => [each, say(TEXTS[each])]),
          wish.kind,
          (kind) => change({ kind }),
        )}
      </div>
      <div class="fields">${paces(wish, change)}</div>
      <div class="fields">
        ${select(
          TEXTS.bots,
          Array.from({ length: 17 }, (_, count) => [count, String(count)]),
          wish.bots,
          (bots) => change({ bots }),
        )}
        ${
          offers.length
            ? select(
                TEXTS.level,
                offers.map((each) => [each.bot, say(each.name)]),
                wish.bot,
                (bot) => change({ bot }),
                "cup-level",
              )
            : nothing
        }
        <p id="cup-level" class="quiet">${level ? strengthOf(sheet, level, wish.seats) : nothing}</p>
      </div>
      ${check(TEXTS.full, wish.full, (full) => change({ full }))}
      ${check(TEXTS.for_all, wish.listed, (listed) => change({ listed }))}
      <details>
        <summary>${word("options")}</summary>
        <div class="fields">
          ${keyed(
            sheet.id,
            fields(sheet, wish.seats)
              .filter(({ name }) => drawing.matters?.(name, wish.seats) ?? true)
              .map((field) =>
                draw(
                  sheet,
                  field,
                  wish.options[field.name],
                  (value) => change({ options: { ...wish.options, [field.name]: value } }),
                  (seat) => `${word("place")} ${seat + 1}`,
                ),
              ),
          )}
        </div>
      </details>
      <div class="buttons"><button class="main" ?disabled=${this.opening}>${say(TEXTS.go)}</button></div>
    </form>`;
  }
}

/** What is sent to open a tournament. */
const bodyOf = (/** @type {Sheet} */ sheet, /** @type {Wish} */ wish) => ({
  name: wish.name.trim(),
  game: sheet.id,
  seats: wish.seats,
  kind: wish.kind,
  options: /** @type {Shapes["TournamentRequest"]["options"]} */ (wish.options),
  clock: wish.clock,
  spectators: /** @type {const} */ ("public"),
  visibility: wish.listed ? /** @type {const} */ ("listed") : /** @type {const} */ ("unlisted"),
  bots: Array.from({ length: wish.bots }, () => wish.bot),
  fill: wish.full ? wish.bot : null,
});

/**
 * @param {{de: string, en: string}} label
 * @param {boolean} chosen
 * @param {(value: boolean) => void} changed
 */
const check = (label, chosen, changed) =>
  html`<label class="check"
    ><input
      type="checkbox"
      .checked=${chosen}
      @change=${(/** @type {At<HTMLInputElement>} */ { target }) => changed(target.checked)}
    />
    ${say(label)}</label
  >`;
