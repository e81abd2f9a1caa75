// Leaderboards: how strong players and computers are in each game.

import { html, nothing } from "../vendor/lit.js";
import { sheetOf } from "../core/sheet.js";
import { say, word } from "../core/words.js";
import { board } from "./board.js";
import { unloaded } from "./dead-end.js";

/** @typedef {import("../contract").Got<`leaderboards/${string}`>} Board */
/** @typedef {Board["items"][number]} Row */

export class Leaderboards {
  /**
   * @param {import("../core/client.js").Client} client
   * @param {string} game
   * @param {() => void} changed
   */
  constructor(client, game, changed) {
    this.client = client;
    this.game = game;
    this.changed = changed;
    /** @type {import("../contract").Got<"games">["items"]} */
    this.games = [];
    /** @type {import("../core/sheet.js").Sheet | null} */
    this.sheet = null;
    /** @type {Row[]} */
    this.rows = [];
    /** @type {string | null} */
    this.cursor = null;
    /** @type {unknown} */
    this.error = null;
    /** Who is listed: one of the service's kinds, null for everyone. @type {string | null} */
    this.kind = null;
    /** The reader's own id; null without a player. @type {string | null} */
    this.me = null;
    this.timer = setInterval(() => document.hidden || (this.error ? this.load() : this.refresh()), FRESH_MS);
  }

  close() {
    clearInterval(this.timer);
  }

  async load() {
    this.rows = [];
    this.error = null;
    try {
      this.games = (await this.client.get("games")).items;
      this.sheet = await sheetOf(this.client, this.game);
      this.me = (await this.client.own("me").catch(() => null))?.id ?? null;
      Object.assign(this, await this.first(1));
      this.changed();
    } catch (error) {
      this.error = error;
      this.changed();
    }
  }

  /** @returns {Promise<Board>} */
  board(/** @type {string | null} */ from) {
    const asked = String(new URLSearchParams({ ...(this.kind && { kind: this.kind }), ...(from && { after: from }) }));
    return this.client.get(`leaderboards/${this.game}${asked && `?${asked}`}`);
  }

  /** Add the next rows, unless others are shown by the time they are there. */
  async more() {
    const { rows } = this;
    const board = await this.board(this.cursor).catch((/** @type {unknown} */ error) => ({ error }));
    if (this.rows !== rows) return;
    Object.assign(this, "error" in board ? board : { rows: [...rows, ...board.items], cursor: board.cursor });
    this.changed();
  }

  /** Reload as many rows as are shown, and swap them in at once. A failed reload is retried later, silently. */
  async refresh() {
    const { rows } = this;
    const asked = await this.first(rows.length).catch(() => null);
    if (!asked || this.rows !== rows) return;
    Object.assign(this, asked);
    this.changed();
  }

  /** Return the best *count* rows, or a few more. */
  async first(/** @type {number} */ count) {
    let board = await this.board(null);
    const rows = board.items;
    while (board.cursor && rows.length < count) {
      board = await this.board(board.cursor);
      rows.push(...board.items);
    }
    return { rows, cursor: board.cursor };
  }

  /** List one kind only, or everyone. */
  async show(/** @type {string | null} */ kind) {
    this.kind = kind;
    this.rows = [];
    const asked = await this.first(1).catch((error) => ({ error }));
    if (this.kind === kind) Object.assign(this, asked);
    this.changed();
  }

  /** The name of a player, which leads to its page. */
  linked(/** @type {Row} */ { player, name, guest }) {
    const called = guest ? word("guest") : (name ?? word("gone"));
    return player && name ? html`<a href="#/player/${player}">${called}</a>` : called;
  }

  name(/** @type {Row} */ row) {
    if (!row.bot)
      return html`${this.linked(row)}${row.player && row.player === this.me ? html` <em>(${word("you")})</em>` : nothing}${row.program ? html` <span class="quiet">(${word("program")})</span>` : nothing}`;
    const known = this.sheet?.characters.find((each) => each.bot === row.bot);
    return html`${known ? say(known.name) : row.bot} <span class="quiet">(${word("computer")})</span>`;
  }

  render() {
    if (this.error) return unloaded(this.error);
    if (!this.sheet) return html`<p class="quiet">${word("loading")}</p>`;
    return html`<section class="boards-page">
      <p><a href="#/">${word("back")}</a></p>
      <h1>${word("board")}: ${say(this.sheet.name)}</h1>
      <nav class="tabs" aria-label=${word("games")}>
        ${this.games.map((each) => html`<a class="button" href="#/boards/${each.id}" aria-current=${each.id === this.game ? "page" : nothing}>${say(each.name)}</a>`)}
      </nav>
      <div class="tabs" role="group" aria-label=${word("board_kinds")}>
        ${Object.entries(KINDS).map(([kind, title]) => html`<button aria-pressed=${String((this.kind ?? "all") === kind)} @click=${() => this.show(kind === "all" ? null : kind)}>${title()}</button>`)}
      </div>
      ${this.rows.length ? this.table() : html`<p class="quiet">${word("board_empty")}</p>`}
      ${this.cursor ? html`<button @click=${() => this.more()}>${word("more")}</button>` : nothing}
      <p class="quiet">${word("board_note")}</p>
    </section>`;
  }

  table() {
    const head = ["", word("name"), word("rating"), word("matches"), word("wins")];
    const lines = this.rows.map((row) => ({
      mine: Boolean(row.player) && row.player === this.me,
      cells: [
        row.place,
        this.name(row),
        html`${row.rating}${row.provisional ? html`<abbr title=${word("provisional")}>?</abbr>` : nothing}`,
        row.matches,
        row.wins,
      ],
    }));
    return board(word("board"), head, lines);
  }
}

/** The kinds of players that a board can list. */
const KINDS = {
  all: () => word("board_all"),
  people: () => word("board_people"),
  programs: () => word("board_programs"),
  bots: () => word("board_house"),
};

/** Interval in milliseconds at which a visible leaderboard is refreshed: a match may have ended anywhere. */
const FRESH_MS = 30_000;
