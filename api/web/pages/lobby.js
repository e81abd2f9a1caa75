// The lobby: the games, a table against computers or for friends, open tables, the player's own matches.

import { ApiError } from "../core/client.js";
import { drawingOf } from "../table/drawings.js";
import { html, keyed, nothing, ref } from "../vendor/lit.js";
import { draw, fields } from "./form.js";
import { picture } from "./pictures.js";
import { emblem } from "../core/symbols.js";
import { sheetOf } from "../core/sheet.js";
import { called } from "../core/store.js";
import { beginning, boxes, settingsOf } from "./wish.js";
import { say, word } from "../core/words.js";

export class Lobby {
  constructor(/** @type {import("../core/client.js").Client} */ client, changed, go) {
    this.client = client;
    this.changed = changed;
    this.go = go;
    /** @type {import("../contract").Got<"games">["items"]} */
    this.games = null;
    /** @type {import("../contract").Got<"matches">["items"]} */
    this.open = [];
    /** @type {import("../contract").Got<"me/matches">["items"]} */
    this.mine = [];
    /** @type {import("../core/sheet.js").Sheet} */
    this.chosen = null;
    this.drawing = null;
    /** @type {import("./daily.js").Card | null} */
    this.daily = null;
    this.wish = {};
    this.name = "";
    this.error = null;
    this.mistyped = false;
    /** What is retried, and the delay before the next attempt in milliseconds. */
    this.again = null;
    this.wait = AGAIN.first;
    this.later = null;
    this.timer = setInterval(() => document.hidden || !this.games || this.refresh(), FRESH_MS);
  }

  close() {
    clearInterval(this.timer);
    clearTimeout(this.later);
  }

  /** Show what went wrong. Temporary failures are retried with growing delays. */
  fail(error, again = null) {
    const passing = !(error instanceof ApiError) || error.problem.status === 429 || error.problem.status >= 500;
    this.calm(error);
    if (again && passing) {
      this.again = again;
      this.later = setTimeout(() => this.retry(), this.wait);
      this.wait = Math.min(2 * this.wait, AGAIN.most);
    }
    this.changed();
  }

  calm(error = null) {
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

  async choose(game) {
    try {
      [this.chosen, this.drawing] = await Promise.all([sheetOf(this.client, game), drawingOf(game)]);
    } catch (error) {
      return this.fail(error, () => this.choose(game));
    }
    this.calm();
    const seats = Math.min(Math.max(this.chosen.min_seats, 3), this.chosen.max_seats);
    this.wish = { ...beginning(), game, seats, bot: this.chosen.bots.includes("honest") ? "honest" : this.chosen.bots[0] };
    this.changed();
    return this.today(game);
  }

  /** Say what the deal of the day is worth to the reader, as soon as that is known; without an answer nothing is missing. */
  async today(game) {
    this.daily = null;
    const { Card } = await import("./daily.js");
    const card = new Card(this.client, game);
    await card.load().catch(() => {});
    if (this.chosen?.id === game) this.daily = card;
    this.changed();
  }

  /** A number of seats, with the options that the game requires for it. */
  seated(seats) {
    return { seats, options: { ...this.wish.options, ...this.drawing.needs?.(seats) } };
  }

  async begin(alone) {
    const { seats, bot } = this.wish;
    const bots = alone ? Array.from({ length: seats - 1 }, (_, place) => ({ seat: place + 1, bot })) : [];
    const body = { ...settingsOf(this.wish), bots, start: alone };
    try {
      await this.client.signUp(this.name.trim());
      const { open } = await import("../proof/keep.js");
      this.go(`#/match/${await open(this.client, body)}`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Open a game's lesson: a guided first match against computers. */
  async learn(game) {
    try {
      await this.client.signUp(this.name.trim());
      this.go(`#/match/${(await this.client.change(`games/${game}/lesson`)).match}`);
    } catch (error) {
      this.fail(error);
    }
  }

  async join(match) {
    try {
      await this.client.signUp(this.name.trim());
      const { sit } = await import("../proof/keep.js");
      await sit(this.client, match);
      this.go(`#/match/${match}`);
    } catch (error) {
      this.fail(error);
    }
  }

  render() {
    if (!this.games) return this.error ? this.wrong() : html`<p class="quiet">${word("loading")}</p>`;
    return html`<h1 class="spoken">Tafelrunde</h1>
      ${this.client.aside ? html`<p class="notice" role="status">${word("stale")}</p>` : nothing}
      ${this.mine.some((each) => each.your_turn) ? this.list("mine", this.mine, (each) => this.link(each)) : nothing}
      <section aria-labelledby="games">
        <h2 id="games">${word("games")}</h2>
        <div class="games">${this.games.map((game) => this.tile(game))}</div>
        ${this.chosen ? html`${keyed(this.chosen.id, this.form())}${this.daily?.render() ?? nothing}` : html`<p class="quiet">${word("choose_game")}</p>`}
        ${this.error ? this.wrong() : nothing}
      </section>
      ${this.client.token && !this.mine.some((each) => each.your_turn) ? this.list("mine", this.mine, (each) => this.link(each)) : nothing}
      ${this.list(
        "open",
        this.open.filter((each) => !this.isMine(each)),
        (each) => html`${this.line(each)} <button @click=${() => this.join(each.match)}>${word("join")}</button>`,
      )}
      ${this.byLink()}`;
  }

  isMine(match) {
    return this.mine.some((each) => each.match === match.match);
  }

  tile(game) {
    const chosen = this.chosen?.id === game.id;
    return html`<article class="tile ${chosen ? "chosen" : ""}" data-game=${game.id}>
      <button class="cover" aria-expanded=${chosen} @click=${() => this.choose(game.id)}>
        <span class="emblems">${picture(game.id) ?? emblem(game.id)}</span
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

  form() {
    const sheet = this.chosen;
    const change = (values) => {
      Object.assign(this.wish, values);
      this.changed();
    };
    const counts = Array.from({ length: sheet.max_seats - sheet.min_seats + 1 }, (_, more) => sheet.min_seats + more);
    const ranked = byStrength(sheet.characters);
    const level = sheet.characters.find((each) => each.bot === this.wish.bot);
    return html`<form id="wish" class="wish" ${ref(reveal)} @submit=${(e) => e.preventDefault()}>
      <h3>${say(sheet.name)}</h3>
      <div class="fields">
        <label
          >${word("seats_with_you")}
          <select @change=${(e) => change(this.seated(counts[e.target.selectedIndex]))}>
            ${counts.map((count) => html`<option ?selected=${count === this.wish.seats}>${count}</option>`)}
          </select></label
        >
        <label
          >${word("level")}
          <select aria-describedby="level" @change=${(e) => change({ bot: ranked[e.target.selectedIndex].bot })}>
            ${ranked.map((each) => html`<option ?selected=${each.bot === this.wish.bot}>${say(each.name)}${each.rating === null ? "" : ` (${each.rating})`}</option>`)}
          </select></label
        >
        <p id="level" class="quiet">${say(level?.style)}. ${level?.rating === null ? nothing : word("rating_note")}</p>
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
                  @input=${(e) => (this.name = e.target.value)}
              /></label>
            </div>`
      }
      ${boxes(this.wish, change)}
      <details>
        <summary>${word("options")}</summary>
        <div class="fields">
          ${fields(sheet, this.wish.seats).map((field) =>
            draw(
              sheet,
              field,
              this.wish.options[field.name],
              (value) => change({ options: { ...this.wish.options, [field.name]: value } }),
              (seat) => (seat ? `${word("place")} ${seat + 1}` : word("yourself")),
            ),
          )}
        </div>
      </details>
      <div class="buttons">
        <button class="main" @click=${() => this.begin(true)}>${word("play")}</button>
        <button @click=${() => this.begin(false)}>${word("friends")}</button>
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
    if (!(this.error instanceof ApiError)) return word("unreachable");
    const { message, detail, field } = this.error.problem ?? {};
    const option = this.chosen?.text(`${this.chosen.id}.option.${field?.split("/").pop()}`);
    return `${say(message) || word("error")} ${option ?? detail ?? ""}`;
  }

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

  line(match) {
    const game = this.games.find((each) => each.id === match.game);
    const people = match.chairs.map((chair) => called(chair, match.chairs) ?? word("empty")).join(", ");
    return html`<strong>${say(game?.name)}</strong> <span class="quiet">${people}</span>`;
  }

  link(match) {
    const state = match.your_turn
      ? html`<span class="badge">${word("turn")}</span>`
      : html`<span class="quiet"
          >${{ over: word("over"), open: word("waiting"), aborted: word("aborted") }[match.status] ?? word("others_turn")}</span
        >`;
    return html`<a href="#/match/${match.match}">${this.line(match)}</a> ${state}`;
  }

  /** Join by a link, or by the match id in it. */
  byLink() {
    const follow = (event) => {
      event.preventDefault();
      const found = /m[a-z2-7]{24}/.exec(event.target.elements.link.value);
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

/** Computers by strength, the weakest first; those that were not measured come last. */
const byStrength = (characters) =>
  [...characters].sort((one, other) => (one.rating ?? Infinity) - (other.rating ?? Infinity) || 0);

/** Interval in milliseconds at which open tables and the player's own matches are refreshed. */
const FRESH_MS = 15_000;

/** Delay before a retry: the first one, and the longest (milliseconds). */
const AGAIN = { first: 2_000, most: 30_000 };

/** On a small screen new content appears below the edge: scroll to it, or to its top if it is long. */
function reveal(found) {
  if (!found) return;
  requestAnimationFrame(() => found.scrollIntoView({ block: found.offsetHeight > innerHeight ? "start" : "nearest" }));
}
