// Play now: seek others who want the same, and sit down at a table with them.

import { messageOf } from "../core/client.js";
import { html, nothing } from "../vendor/lit.js";
import { lasting } from "../core/clock.js";
import { sheetOf } from "../core/sheet.js";
import { noteFills } from "../table/free-seats.js";
import { PACES, select, timeOf } from "./match-settings.js";
import { offersAt, strengthOf } from "./bot-choice.js";
import { fill, say, word } from "../core/words.js";

/** @import { Got } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @typedef {"blitz" | "quick" | "normal" | "slow" | "days"} Pace */
/** @typedef {{game: string, seats: number, pace: Pace, patience_seconds: number, bot?: string | null}} Wish what is sought; *bot*: who takes free seats, null for a middling one */
/** @typedef {Got<"games">["items"][number]} Game */
/** @typedef {Got<"quick-matches">["items"][number]} Sought */

const WORDS = {
  title: { de: "Gleich spielen", en: "Play now" },
  about: {
    de: "Wir suchen Mitspieler für dich. Kommt niemand mehr, spielen Bots mit.",
    en: "We look for players for you. If no one else comes, bots join in.",
  },
  game: { de: "Spiel", en: "Game" },
  level: { de: "Bots, falls welche mitspielen", en: "Bots, if any join" },
  middling: { de: "Mittelstark", en: "Middling" },
  pace: { de: "Tempo", en: "Pace" },
  seats: { de: "Spieler", en: "Players" },
  wait: { de: "Höchstens warten", en: "Wait at most" },
  seek: { de: "Mitspieler suchen", en: "Find players" },
  seeking: { de: "Suche …", en: "Looking …" },
  sought: {
    de: "Wartet schon: {game}, {pace}, {seekers} von {seats}",
    en: "Already waiting: {game}, {pace}, {seekers} of {seats}",
  },
};
/** The paces of quick matches. */
const OFFERED = PACES.filter(({ pace }) => pace !== "weeks");
/** For how many seconds one may wait. */
const PATIENCE = [15, 30, 60, 180, 600, 1800];
const USUAL = { seats: 3, pace: /** @type {Pace} */ ("quick"), patience_seconds: 30 };
/** What was sought last in this browser. */
const LAST = "tafelrunde.sought";
/** Interval in milliseconds at which it is looked who waits. */
const FRESH_MS = 10_000;

export class PlayNow {
  /**
   * @param {Client} client
   * @param {() => void} changed
   * @param {(address: string) => void} go
   */
  constructor(client, changed, go) {
    this.client = client;
    this.changed = changed;
    this.go = go;
    /** @type {Game[]} */
    this.games = [];
    /** @type {Sought[]} */
    this.sought = [];
    /** @type {Wish | null} */
    this.wish = null;
    this.seeking = false;
    /** The bots of a game, once they were asked for. @type {{game: string, sheet: import("../core/sheet.js").Sheet} | null} */
    this.bots = null;
    /** @type {unknown} */
    this.error = null;
    this.timer = setInterval(() => document.hidden || this.refresh(), FRESH_MS);
  }

  close() {
    clearInterval(this.timer);
  }

  async load(/** @type {Game[]} */ games) {
    this.games = games;
    this.wish ??= this.last();
    await this.refresh();
  }

  /** Look who waits; without an answer nothing is missing. */
  async refresh() {
    this.sought = await this.client.get("quick-matches").then(
      ({ items }) => items,
      () => [],
    );
    this.changed();
  }

  /** What was sought last, as far as it can be sought now. @returns {Wish} */
  last() {
    /** @type {Partial<Wish>} */
    let kept = {};
    try {
      kept = JSON.parse(localStorage.getItem(LAST) ?? "{}") ?? {};
    } catch {
      // Nothing that can be read is kept.
    }
    const game = this.games.find(({ id }) => id === kept.game) ?? this.games[0];
    const pace = OFFERED.some((each) => each.pace === kept.pace) ? kept.pace : USUAL.pace;
    const wish = { ...USUAL, ...kept, pace: pace ?? USUAL.pace, game: game?.id ?? "" };
    return { ...wish, bot: null, seats: within(game, wish.seats) };
  }

  /** List the bots of the chosen game: only who wants to choose one waits for that. */
  async level() {
    const game = this.wish?.game ?? "";
    if (this.bots?.game === game) return;
    this.bots = { game, sheet: await sheetOf(this.client, game) };
    this.changed();
  }

  change(/** @type {Partial<Wish>} */ values) {
    if (!this.wish) return;
    const other = values.game !== undefined && values.game !== this.wish.game;
    Object.assign(this.wish, other ? { bot: null } : {}, values);
    if (other && this.bots) this.level().catch(() => {});
    this.wish.seats = within(
      this.games.find(({ id }) => id === this.wish?.game),
      this.wish.seats,
    );
    const offers = this.bots?.game === this.wish.game ? offersAt(this.bots.sheet, this.wish) : [];
    const { bot } = this.wish;
    if (offers.length && !offers.some((each) => each.bot === bot)) this.wish.bot = null; // at that table the level is none
    this.changed();
  }

  /** Seek a match and sit down there; a second click seeks nothing more. */
  async seek(/** @type {Wish} */ wish) {
    if (this.seeking) return;
    Object.assign(this, { seeking: true, error: null });
    this.changed();
    try {
      localStorage.setItem(LAST, JSON.stringify(wish));
      await this.client.signUp();
      this.go(`#/match/${await find(this.client, wish)}`);
    } catch (error) {
      this.error = error;
    }
    this.seeking = false;
    this.changed();
  }

  render() {
    const { wish } = this;
    if (!wish?.game) return nothing;
    const game = this.games.find(({ id }) => id === wish.game);
    const counts = Array.from(
      { length: (game?.max_seats ?? 0) - (game?.min_seats ?? 0) + 1 },
      (_, more) => (game?.min_seats ?? 0) + more,
    );
    const pace = OFFERED.find((each) => each.pace === wish.pace);
    return html`<section class="play-now" aria-labelledby="play-now">
      <h2 id="play-now">${say(WORDS.title)}</h2>
      <p class="quiet">${say(WORDS.about)}</p>
      <div class="fields">
        ${select(
          WORDS.game,
          this.games.map(({ id, name }) => [id, say(name)]),
          wish.game,
          (game) => this.change({ game }),
        )}
        ${select(
          WORDS.seats,
          counts.map((count) => [count, String(count)]),
          wish.seats,
          (seats) => this.change({ seats }),
        )}
        ${select(
          WORDS.pace,
          OFFERED.map(({ pace, name }) => [/** @type {Pace} */ (pace), say(name)]),
          wish.pace,
          (pace) => this.change({ pace }),
        )}
        ${select(
          WORDS.wait,
          PATIENCE.map((seconds) => [seconds, lasting(seconds)]),
          wish.patience_seconds,
          (seconds) => this.change({ patience_seconds: seconds }),
        )}
      </div>
      <p class="quiet">${timeOf(pace?.clock)}</p>
      ${this.levels(wish)}
      <div class="buttons">
        <button ?disabled=${this.seeking} @click=${() => this.seek(wish)}>
          ${say(this.seeking ? WORDS.seeking : WORDS.seek)}
        </button>
      </div>
      ${this.sought.map((each) => this.waiting(each, wish))}
      ${this.error ? html`<p class="notice" role="alert">${messageOf(this.error)}</p>` : nothing}
    </section>`;
  }

  /** How strong the bots are that take free seats. @type {(wish: Wish) => unknown} */
  levels(wish) {
    const sheet = this.bots?.game === wish.game ? this.bots.sheet : null;
    const offers = sheet ? offersAt(sheet, wish) : [];
    const chosen = offers.find((each) => each.bot === wish.bot);
    return html`<details class="levels" @toggle=${() => this.level().catch(() => {})}>
      <summary>${say(WORDS.level)}</summary>
      ${select(
        WORDS.level,
        [["", say(WORDS.middling)], ...offers.map((each) => /** @type {[string, string]} */ ([each.bot, say(each.name)]))],
        wish.bot ?? "",
        (bot) => this.change({ bot: bot || null }),
        "quick-level",
      )}
      <p id="quick-level" class="quiet">${sheet && chosen ? strengthOf(sheet, chosen, wish.seats) : nothing}</p>
    </details>`;
  }

  /** What others wait for, with a way to join them. */
  waiting(/** @type {Sought} */ { game, seats, pace, seekers }, /** @type {Wish} */ wish) {
    const found = this.games.find(({ id }) => id === game);
    const named = OFFERED.find((each) => each.pace === pace);
    const text = fill(say(WORDS.sought), { game: say(found?.name), pace: say(named?.name), seekers, seats });
    return html`<p class="sought">
      ${text}
      <button
        ?disabled=${this.seeking}
        @click=${() => this.seek({ ...wish, game, seats, pace, bot: game === wish.game ? wish.bot : null })}
      >
        ${word("join")}
      </button>
    </p>`;
  }
}

/** A number of seats as near to a wished one as the game allows. */
const within = (/** @type {Game | undefined} */ game, /** @type {number} */ seats) =>
  Math.min(Math.max(seats, game?.min_seats ?? seats), game?.max_seats ?? seats);

/**
 * Get a place, and take the seat that is kept with a nonce that is drawn now; one that was lost meanwhile is sought once more.
 * @param {Client} client
 * @param {Wish} wish
 */
async function find(client, wish) {
  const { sit } = await import("../proof/evidence.js");
  for (let again = true; ; again = false) {
    const place = await client.change("quick-matches", wish);
    try {
      if (!place.seated) await sit(client, place.match);
      noteFills(place.match, place.fills_ms);
      return place.match;
    } catch (error) {
      if (!again) throw error;
    }
  }
}
