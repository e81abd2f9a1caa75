// The lobby: the games, a table against computers or for friends, open tables, the player's own matches.

import { isPassing, messageOf, problemOf } from "../core/client.js";
import { drawingOf } from "../table/drawings.js";
import { html, keyed, nothing, ref } from "../vendor/lit.js";
import { draw, fields } from "./options-form.js";
import { picture } from "./pictures.js";
import { emblem } from "../core/symbols.js";
import { sheetOf } from "../core/sheet.js";
import { called } from "../core/store.js";
import { isFree, RESERVED } from "../table/waiting-room.js";
import { byStrength, checkboxes, defaults, settingsOf } from "./match-settings.js";
import { say, word } from "../core/words.js";

/** @import { DailyTeaser } from "./daily.js" */
/** @import { At, Got, MatchSettings } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @import { Sheet } from "../core/sheet.js" */
/** @import { Drawing } from "../drawing" */
/** @import { Choice } from "../page" */
/** @typedef {Got<"games">["items"][number]} Game */
/** @typedef {Got<"matches">["items"][number]} Match */
/** @typedef {MatchSettings & {bot: string, visible?: boolean}} Wish what the form says; *visible*: strangers may join a table for friends */
/** @typedef {At<HTMLSelectElement>} Chosen */

const FOR_STRANGERS = { de: "auch für Fremde, in der Übersicht", en: "for strangers as well, in the lobby" };

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
    /** The game that is chosen, and what its form says. @type {{sheet: Sheet, drawing: Drawing, wish: Wish} | null} */
    this.chosen = null;
    /** @type {DailyTeaser | null} */
    this.daily = null;
    /** The game that was asked for last. @type {string | null} */
    this.wanted = null;
    this.closed = false;
    this.entering = false;
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

  /** Reload the matches. A failed reload is retried later. */
  async refresh() {
    await this.matches().then(this.changed, () => {});
  }

  async matches() {
    this.open = (await this.client.get("matches?status=open")).items;
    this.mine = this.client.token ? (await this.client.get("me/matches")).items : [];
    this.mine.sort((one, other) => Number(other.your_turn ?? false) - Number(one.your_turn ?? false));
  }

  /** @returns {Promise<void>} */
  async load() {
    try {
      this.games = (await this.client.get("games")).items;
      await this.matches();
    } catch (error) {
      return this.fail(error, () => this.load());
    }
    this.calm();
    return this.changed();
  }

  /**
   * Show the form of a game, unless another one is wanted by the time it is there.
   * @returns {Promise<void>}
   */
  async choose(/** @type {string} */ game) {
    this.wanted = game;
    try {
      const [sheet, drawing] = await Promise.all([sheetOf(this.client, game), drawingOf(game)]);
      if (this.wanted !== game) return undefined;
      const seats = Math.min(Math.max(sheet.min_seats, 3), sheet.max_seats);
      const bot = sheet.bots.includes("honest") ? "honest" : sheet.bots[0];
      this.chosen = { sheet, drawing, wish: { ...defaults(game, seats), bot } };
    } catch (error) {
      return this.wanted === game ? this.fail(error, () => this.choose(game)) : undefined;
    }
    this.calm();
    this.changed();
    return this.today(game);
  }

  /** Say what the deal of the day is worth to the reader, as soon as that is known; without an answer nothing is missing. */
  async today(/** @type {string} */ game) {
    this.daily = null;
    const found = await teaserOf(this.client, game).catch(() => null);
    if (this.chosen?.sheet.id === game) this.daily = found;
    this.changed();
  }

  /** Go to the match that a player opens or joins, once at a time: a second click opens no second match. */
  async enter(/** @type {() => Promise<string>} */ task) {
    if (this.entering) return;
    this.entering = true;
    try {
      await this.client.signUp(this.name.trim());
      this.go(`#/match/${await task()}`);
    } catch (error) {
      this.fail(error);
    }
    this.entering = false;
  }

  begin(/** @type {Wish} */ wish, /** @type {boolean} */ alone) {
    const { seats, bot } = wish;
    const bots = alone ? Array.from({ length: seats - 1 }, (_, place) => ({ seat: place + 1, bot })) : [];
    const visibility = alone || wish.visible ? wish.visibility : "unlisted";
    const body = { ...settingsOf({ ...wish, visibility }), bots, start: alone };
    return this.enter(async () => {
      const { open } = await import("../proof/evidence.js");
      return open(this.client, body);
    });
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
    const { games, chosen } = this;
    if (!games) return this.error ? this.wrong() : html`<p class="quiet">${word("loading")}</p>`;
    return html`<h1 class="spoken">Tafelrunde</h1>
      ${this.client.refusedToken ? html`<p class="notice" role="status">${word("stale")}</p>` : nothing}
      ${this.mine.some((each) => each.your_turn) ? this.list("mine", this.mine, (each) => this.link(each)) : nothing}
      <section aria-labelledby="games">
        <h2 id="games">${word("games")}</h2>
        <div class="games">${games.map((game) => this.tile(game))}</div>
        ${chosen ? html`${keyed(chosen.sheet.id, this.form(chosen))}${this.daily?.render() ?? nothing}` : html`<p class="quiet">${word("choose_game")}</p>`}
        ${this.error ? this.wrong() : nothing}
      </section>
      ${this.client.token && !this.mine.some((each) => each.your_turn) ? this.list("mine", this.mine, (each) => this.link(each)) : nothing}
      ${this.list(
        "open",
        this.open.filter((each) => !this.isMine(each) && each.chairs.some(isFree)),
        (each) => html`${this.line(each)} <button @click=${() => this.join(each.match)}>${word("join")}</button>`,
      )}
      ${this.byLink()}`;
  }

  isMine(/** @type {Match} */ match) {
    return this.mine.some((each) => each.match === match.match);
  }

  tile(/** @type {Game} */ game) {
    const chosen = this.chosen?.sheet.id === game.id;
    return html`<article class="tile ${chosen ? "chosen" : ""}" data-game=${game.id}>
      <button class="cover" aria-expanded=${chosen} @click=${() => this.choose(game.id)}>
        <span class="emblems">${picture(game) ?? emblem(game.id)}</span
        ><strong>${say(game.name)}</strong>${game.about ? html`<span class="about">${say(game.about)}</span>` : nothing}<span
          class="quiet"
          >${game.min_seats}–${game.max_seats} ${word("seats")}</span
        >
      </button>
      <nav>
        ${
          game.lesson
            ? html`<button class="learn" aria-label="${say(game.name)}: ${word("learn")}" @click=${() => this.learn(game.id)}>
                ${word("learn")}
              </button>`
            : nothing
        }<a href="#/rules/${game.id}">${word("rules_short")}</a><a href="#/boards/${game.id}">${word("board_short")}</a>
      </nav>
    </article>`;
  }

  form(/** @type {NonNullable<Lobby["chosen"]>} */ { sheet, drawing, wish }) {
    const change = (/** @type {Partial<Wish>} */ values) => {
      Object.assign(wish, values);
      this.changed();
    };
    /** A number of seats, with the options that the game requires for it. */
    const seated = (/** @type {number} */ seats) => ({ seats, options: { ...wish.options, ...drawing.needs?.(seats) } });
    const counts = Array.from({ length: sheet.max_seats - sheet.min_seats + 1 }, (_, more) => sheet.min_seats + more);
    const ranked = byStrength(sheet.characters);
    const options = /** @type {Record<string, Choice>} */ (wish.options);
    const level = sheet.characters.find((each) => each.bot === wish.bot);
    return html`<form id="wish" class="wish" ${ref(reveal)} @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <h3>${say(sheet.name)}</h3>
      <div class="fields">
        <label
          >${word("seats_with_you")}
          <select @change=${(/** @type {Chosen} */ { target }) => change(seated(counts[target.selectedIndex]))}>
            ${counts.map((count) => html`<option ?selected=${count === wish.seats}>${count}</option>`)}
          </select></label
        >
        <label
          >${word("level")}
          <select
            aria-describedby="level"
            @change=${(/** @type {Chosen} */ { target }) => change({ bot: ranked[target.selectedIndex].bot })}
          >
            ${ranked.map((each) => html`<option ?selected=${each.bot === wish.bot}>${say(each.name)}${each.rating === null ? "" : ` (${each.rating})`}</option>`)}
          </select></label
        >
        <p id="level" class="quiet">
          ${level ? `${say(level.name)}: ${say(level.style)}.` : nothing}
          ${level?.rating === null ? nothing : word("rating_note")}
        </p>
      </div>
      ${
        this.client.token
          ? nothing
          : html`<div class="fields">
              <label
                >${word("your_name")}
                <input
                  type="text"
                  maxlength="40"
                  autocomplete="nickname"
                  .value=${this.name}
                  @input=${(/** @type {{target: HTMLInputElement}} */ { target }) => (this.name = target.value)}
              /></label>
            </div>`
      }
      ${checkboxes(wish, change)}
      <details>
        <summary>${word("options")}</summary>
        <div class="fields">
          ${fields(sheet, wish.seats).map((field) =>
            draw(
              sheet,
              field,
              options[field.name],
              (value) => change({ options: { ...options, [field.name]: value } }),
              (seat) => (seat ? `${word("place")} ${seat + 1}` : word("yourself")),
            ),
          )}
        </div>
      </details>
      <div class="buttons">
        <button class="main" @click=${() => this.begin(wish, true)}>${word("play")}</button>
        <button @click=${() => this.begin(wish, false)}>${word("friends")}</button>
        <label class="check"
          ><input
            type="checkbox"
            .checked=${wish.visible ?? false}
            @change=${(/** @type {{target: HTMLInputElement}} */ { target }) => change({ visible: target.checked })}
          />
          ${say(FOR_STRANGERS)}</label
        >
      </div>
    </form>`;
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
    const { message, detail, field } = problem;
    const sheet = this.chosen?.sheet;
    const option = sheet?.text(`${sheet.id}.option.${field?.split("/").pop()}`);
    return `${say(message) || word("error")} ${option ?? detail ?? ""}`;
  }

  /**
   * @param {"mine" | "open"} key
   * @param {Match[]} matches
   * @param {(match: Match) => unknown} row
   */
  list(key, matches, row) {
    return html`<section aria-labelledby=${key}>
      <h2 id=${key}>${word(key)}</h2>
      ${
        matches.length
          ? html`<ul class="matches">
              ${matches.map((each) => html`<li class=${each.your_turn && key === "mine" ? "mine" : ""}>${row(each)}</li>`)}
            </ul>`
          : html`<p class="quiet">${word("none")}</p>`
      }
    </section>`;
  }

  line(/** @type {Match} */ match) {
    const game = this.games?.find((each) => each.id === match.game);
    const people = match.chairs.map((chair) => called(chair, match.chairs) ?? word("empty")).join(", ");
    return html`<strong>${say(game?.name)}</strong> <span class="quiet">${people}</span>`;
  }

  link(/** @type {Match} */ match) {
    const asked = match.your_turn ? word("turn") : match.reserved_seat === null ? null : say(RESERVED);
    const state = asked ? html`<span class="badge">${asked}</span>` : html`<span class="quiet">${STATES[match.status]()}</span>`;
    return html`<a href="#/match/${match.match}">${this.line(match)}</a> ${state}`;
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

/** Load what is said of the deal of the day of a game. @type {(client: Client, game: string) => Promise<DailyTeaser>} */
async function teaserOf(client, game) {
  const { DailyTeaser } = await import("./daily.js");
  const teaser = new DailyTeaser(client, game);
  await teaser.load();
  return teaser;
}

/** What is said of a match in which the reader is not asked. */
const STATES = {
  open: () => word("waiting"),
  running: () => word("others_turn"),
  over: () => word("over"),
  aborted: () => word("aborted"),
};

/** Interval in milliseconds at which open tables and the player's own matches are refreshed. */
const FRESH_MS = 15_000;

/** Delay before a retry: the first one, and the longest (milliseconds). */
const AGAIN = { first: 2_000, most: 30_000 };

/** On a small screen new content appears below the edge: scroll to it, or to its top if it is long. */
function reveal(/** @type {Element | undefined} */ found) {
  if (!(found instanceof HTMLElement)) return;
  requestAnimationFrame(() => found.scrollIntoView({ block: found.offsetHeight > innerHeight ? "start" : "nearest" }));
}
