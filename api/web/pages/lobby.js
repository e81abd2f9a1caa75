// The lobby: the games, a table against computers or for friends, open tables, the player's own matches.

import { isPassing, messageOf, problemOf, sleep } from "../core/client.js";
import { html, keyed, nothing, ref } from "../vendor/lit.js";
import { Lists } from "./listed.js";
import { loadPictures, picture } from "./pictures.js";
import { emblem } from "../core/symbols.js";
import { sheetOf } from "../core/sheet.js";
import { isFree } from "../table/free-seats.js";
import { lessons } from "../table/lesson-progress.js";
import { settingsOf } from "./match-settings.js";
import { reveal } from "./reveal.js";
import { Today } from "./today.js";
import { form, gentle, required, usual } from "./wish.js";
import { fill, say, word } from "../core/words.js";

/** @import { At, Got, MatchSettings } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @import { Sheet } from "../core/sheet.js" */
/** @import { Drawing } from "../drawing" */
/** @import { Page } from "../page" */
/** @typedef {Got<"games">["items"][number]} Game */
/** @typedef {Got<"matches">["items"][number]} Match */
/** @typedef {MatchSettings & {bot: string, visible?: boolean}} Wish what the form says; *visible*: strangers may join a table for friends */
/** @typedef {Omit<Page, "load"> & {load(games: Game[]): Promise<unknown>}} Part a part of the lobby that belongs to a feature, loaded with all games; it draws a section, or nothing */

const WORDS = {
  choose: { de: "Freunde, Optionen", en: "Friends, options" },
  done: { de: "Tutorial geschafft", en: "tutorial done" },
  heard: { de: "{said} von {count}", en: "{said} of {count}" },
  play: { de: "Spielen", en: "Play" },
};

export class Lobby {
  /**
   * @param {Client} client
   * @param {() => void} changed
   * @param {(address: string) => void} go
   */
  constructor(client, changed, go) {
    this.client = client;
    this.changed = changed;
    this.go = go;
    /** @type {Game[] | null} */
    this.games = null;
    /** @type {Match[]} */
    this.open = [];
    /** @type {Match[]} */
    this.mine = [];
    /** Matches that can be watched. @type {Match[]} */
    this.watched = [];
    /** The parts of the service that another deployment may lack. @type {Set<string>} */
    this.features = new Set();
    this.today = new Today(client);
    /** The parts that belong to features, by their place. @type {Map<string, Part>} */
    this.parts = new Map();
    /** The game whose options are shown, and what its form says. @type {{sheet: Sheet, drawing: Drawing | null, wish: Wish} | null} */
    this.chosen = null;
    /** The game that was asked for last. @type {string | null} */
    this.wanted = null;
    this.closed = false;
    this.entering = false;
    /** The game that is being started. @type {string | null} */
    this.starting = null;
    this.name = "";
    /** @type {unknown} */
    this.error = null;
    this.mistyped = false;
    /** What is retried, and the delay before the next attempt in milliseconds. @type {(() => unknown) | null} */
    this.again = null;
    this.wait = AGAIN.first;
    /** @type {number | undefined} */
    this.later = undefined;
    this.timer = setInterval(() => document.hidden || !this.games || this.refresh(), FRESH_MS);
  }

  close() {
    this.closed = true;
    clearInterval(this.timer);
    clearTimeout(this.later);
    for (const part of this.parts.values()) part.close?.();
  }

  /** Show what went wrong. Temporary failures are retried with growing delays. */
  fail(/** @type {unknown} */ error, /** @type {(() => unknown) | null} */ again = null) {
    this.calm(error);
    if (again && isPassing(error) && !this.closed) {
      this.again = again;
      this.later = setTimeout(() => this.retry(), this.wait);
      this.wait = Math.min(2 * this.wait, AGAIN.most);
    }
    this.changed();
  }

  calm(/** @type {unknown} */ error = null) {
    clearTimeout(this.later);
    Object.assign(this, { error, again: null });
    if (!error) this.wait = AGAIN.first;
  }

  retry() {
    const { again } = this;
    clearTimeout(this.later);
    this.again = null;
    this.changed();
    return again?.();
  }

  /** Reload what changes by itself; the part for quick matches does so on its own. A failed reload is retried later. */
  async refresh() {
    const { games } = this;
    const parts = games ? [...this.parts].filter(([place]) => place !== "quick").map(([, part]) => part.load(games)) : [];
    await Promise.allSettled([this.matches(), ...parts]);
    this.changed();
  }

  async matches() {
    const { client } = this;
    const [open, watched, mine] = await Promise.all([
      client.get("matches?status=open"),
      client.get("matches?watchable=true&limit=20"),
      client.own("me/matches"),
    ]);
    Object.assign(this, { open: open.items, watched: watched.items, mine: mine?.items ?? [] });
  }

  /**
   * Load all that is shown at first, so that nothing of it moves the rest.
   * @returns {Promise<void>}
   */
  async load() {
    try {
      const { items, features } = await this.client.get("games");
      this.features = new Set(features);
      await Promise.all([
        this.matches(),
        this.plug(items),
        loadPictures(items),
        features.includes("daily") ? this.today.load().catch(() => {}) : null,
      ]);
      this.games = items;
    } catch (error) {
      return this.fail(error, () => this.load());
    }
    this.calm();
    return this.changed();
  }

  /** Load the parts of the features that there are; one that cannot be loaded is left out, and none is waited for long. */
  async plug(/** @type {Game[]} */ games) {
    const wanted = PARTS.filter(({ feature, own }) => this.features.has(feature) && (this.client.token || !own));
    const plugged = wanted.map(async ({ place, made }) => {
      const part = this.parts.get(place) ?? (await made(this.client, this.changed, this.go));
      await part.load(games);
      const before = this.parts.get(place);
      if (before !== part) before?.close?.();
      if (this.closed) part.close?.();
      else this.parts.set(place, part);
    });
    await Promise.race([Promise.allSettled(plugged), sleep(LATE_MS)]);
  }

  /**
   * Show the options of a game, unless others are wanted by the time they are there.
   * @param {string} game
   * @returns {Promise<void>}
   */
  async choose(game) {
    this.wanted = game;
    try {
      const sheet = await sheetOf(this.client, game);
      if (this.wanted !== game) return undefined;
      this.chosen = { sheet, drawing: null, wish: usual(sheet) };
    } catch (error) {
      return this.wanted === game ? this.fail(error, () => this.choose(game)) : undefined;
    }
    this.calm();
    return this.changed();
  }

  /** Fold the options of a game, or show them. */
  fold(/** @type {string} */ game) {
    if (this.chosen?.sheet.id !== game) return this.choose(game);
    Object.assign(this, { chosen: null, wanted: null });
    return this.changed();
  }

  /** Go to the match that a player opens or joins, once at a time: a second click opens no second match. */
  async enter(/** @type {() => Promise<string>} */ task, /** @type {string | null} */ game = null) {
    if (this.entering) return;
    Object.assign(this, { entering: true, starting: game });
    this.changed();
    try {
      await this.client.signUp(this.name.trim());
      this.go(`#/match/${await task()}`);
    } catch (error) {
      this.fail(error);
    }
    Object.assign(this, { entering: false, starting: null });
    this.changed();
  }

  begin(/** @type {Wish} */ wish, /** @type {boolean} */ alone) {
    return this.enter(() => this.make(wish, alone));
  }

  /** Open the match that a form asks for; *alone*: against bots, at once. */
  async make(/** @type {Wish} */ wish, /** @type {boolean} */ alone) {
    const { seats, bot } = wish;
    const bots = alone ? Array.from({ length: seats - 1 }, (_, place) => ({ seat: place + 1, bot })) : [];
    const visibility = alone || wish.visible ? wish.visibility : "unlisted";
    const [{ open }, options] = await Promise.all([import("../proof/evidence.js"), required(wish)]);
    return open(this.client, { ...settingsOf({ ...wish, visibility, options }), bots, start: alone });
  }

  /** Start a match of a game at once, with nothing to choose: against gentle bots. */
  play(/** @type {string} */ game) {
    return this.enter(async () => this.make(gentle(await sheetOf(this.client, game)), true), game);
  }

  /** Open a game's lesson: a guided first match against computers. */
  learn(/** @type {string} */ game) {
    return this.enter(async () => (await this.client.change(`games/${game}/lesson`)).match);
  }

  join(/** @type {string} */ match) {
    return this.enter(async () => {
      const { sit } = await import("../proof/evidence.js");
      await sit(this.client, match);
      return match;
    });
  }

  render() {
    const { games } = this;
    if (!games) return this.error ? this.wrong() : html`<p class="quiet">${word("loading")}</p>`;
    const lists = new Lists(games);
    const open = this.open.filter((each) => !this.isMine(each) && each.chairs.some(isFree));
    const watched = this.watched.filter((each) => !this.isMine(each));
    return html`<h1 class="spoken">Tafelrunde</h1>
      <div class="lobby">
        <div class="lobby-main">${lists.own(this.mine)} ${this.part("invitations")} ${this.choice(games)}</div>
        <div class="lobby-side">
          ${this.today.render(games)} ${this.part("quick")} ${lists.open(open, (match) => this.join(match))}
          ${lists.watched(watched)} ${this.part("tournaments")} ${this.byLink()} ${lists.past(this.mine)}
        </div>
      </div>`;
  }

  part(/** @type {string} */ place) {
    return this.parts.get(place)?.render() ?? nothing;
  }

  /** The games, each followed by its options if those are shown. */
  choice(/** @type {Game[]} */ games) {
    const { chosen } = this;
    const options = (/** @type {Game} */ { id }) =>
      chosen?.sheet.id === id ? keyed(id, html`<div class="options">${form(this, chosen)}${this.today.of(id)}</div>`) : nothing;
    return html`<section class="choice" aria-labelledby="games">
      <h2 id="games">${word("games")}</h2>
      <div class="games">${games.map((game) => html`${this.tile(game)}${options(game)}`)}</div>
      ${this.error ? this.wrong() : nothing}
    </section>`;
  }

  isMine(/** @type {Match} */ match) {
    return this.mine.some((each) => each.match === match.match);
  }

  /** A game: one tap on it starts a match, one opens its lesson, and one its options. */
  tile(/** @type {Game} */ game) {
    const chosen = this.chosen?.sheet.id === game.id;
    const named = (/** @type {string} */ text) => `${say(game.name)}: ${text}`;
    return html`<article class="tile ${chosen ? "chosen" : ""}" data-game=${game.id}>
      <div class="cover" @click=${() => this.play(game.id)}>
        <span class="emblems">${picture(game) ?? emblem(game.id)}</span>
        <h3>${say(game.name)}</h3>
        ${game.about ? html`<p class="about">${say(game.about)}</p>` : nothing}
        <span class="quiet">${game.min_seats}–${game.max_seats} ${word("seats")}</span>
      </div>
      <div class="ways">
        <button
          class="main start"
          aria-label=${named(say(WORDS.play))}
          ?disabled=${this.entering}
          @click=${() => this.play(game.id)}
        >
          ${this.starting === game.id ? word("loading") : say(WORDS.play)}</button
        >${game.lesson ? this.tutorial(game) : nothing}<button
          class="choose"
          aria-label=${named(say(WORDS.choose))}
          aria-expanded=${chosen}
          @click=${() => this.fold(game.id)}
        >
          ${say(WORDS.choose)}
        </button>
      </div>
      <nav><a href="#/rules/${game.id}">${word("rules_short")}</a><a href="#/boards/${game.id}">${word("board_short")}</a></nav>
    </article>`;
  }

  /** The button of a game's lesson, with how far the reader came in it. */
  tutorial(/** @type {Game} */ game) {
    const { said = 0, count = 0, done = false } = lessons.of(game.id);
    const far = done ? say(WORDS.done) : said ? fill(say(WORDS.heard), { said, count }) : "";
    const label = [`${say(game.name)}: ${word("learn")}`, ...(far ? [far] : [])].join(", ");
    return html`<button class="learn" aria-label=${label} @click=${() => this.learn(game.id)}>
      ${word("learn")}
      ${done ? html`<span class="done">✓</span>` : far ? html`<span class="quiet">${said}/${count}</span>` : nothing}
    </button>`;
  }

  wrong() {
    return html`<p class="notice" role="alert" ${ref(reveal)}>
      ${this.trouble()} ${this.again ? html`<button @click=${() => this.retry()}>${word("try_again")}</button>` : nothing}
    </p>`;
  }

  /** What went wrong; an option that conflicts with the others is named. */
  trouble() {
    const problem = problemOf(this.error);
    if (!problem) return messageOf(this.error);
    const { message, field } = problem;
    const sheet = this.chosen?.sheet;
    const option = sheet?.text(`${sheet.id}.option.${field?.split("/").pop()}`);
    return `${say(message) || word("error")} ${option ?? ""}`;
  }

  /** Join by a link, or by the match id in it. */
  byLink() {
    const follow = (/** @type {At<HTMLFormElement>} */ event) => {
      event.preventDefault();
      const found = /m[a-z2-7]{24}/.exec(event.target.link.value);
      this.mistyped = !found;
      this.changed();
      if (found) this.go(`#/match/${found[0]}`);
    };
    return html`<section>
      <h2>${word("by_link")}</h2>
      <form class="by-link" @submit=${follow}>
        <label
          ><span class="spoken">${word("by_link")}</span
          ><input name="link" type="text" placeholder="https://…" autocomplete="off"
        /></label>
        <button>${word("open_link")}</button>
      </form>
      ${this.mistyped ? html`<p class="notice" role="alert">${word("no_match")}</p>` : nothing}
    </section>`;
  }
}

/** Interval in milliseconds at which open tables and the player's own matches are refreshed. */
const FRESH_MS = 15_000;

/** How long the lobby waits for the parts of features (milliseconds). */
const LATE_MS = 1_000;

/** Delay before a retry: the first one, and the longest (milliseconds). */
const AGAIN = { first: 2_000, most: 30_000 };

/**
 * The parts of the lobby that belong to features, and where they stand; those that are the reader's *own* are for players only.
 * @type {{feature: string, place: string, own?: boolean, made: (client: Client, changed: () => void, go: (address: string) => void) => Promise<Part>}[]}
 */
const PARTS = [
  {
    feature: "tournaments",
    place: "tournaments",
    made: async (client, changed) => new (await import("./tournaments-listed.js")).TournamentsTeaser(client, changed),
  },
  {
    feature: "people",
    place: "invitations",
    own: true,
    made: async (client, changed, go) => new (await import("./people.js")).Invitations(client, changed, go),
  },
  {
    feature: "quick",
    place: "quick",
    made: async (...given) => new (await import("./quick.js")).PlayNow(...given),
  },
];
