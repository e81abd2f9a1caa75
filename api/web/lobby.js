// The lobby: the games, a table against computers or for friends, open tables, one's own matches.

import { html, nothing } from "./lit.js";
import { draw, fields } from "./form.js";
import { sheetOf } from "./sheet.js";
import { emblem } from "./symbols.js";
import { say, word } from "./words.js";

export class Lobby {
  constructor(client, changed, go) {
    Object.assign(this, { client, changed, go, games: null, open: [], mine: [], chosen: null, wish: {}, error: null });
  }

  async load() {
    try {
      this.games = (await this.client.get("games")).items;
      this.open = (await this.client.get("matches?status=open")).items;
      this.mine = this.client.token ? (await this.client.get("me/matches")).items : [];
      this.mine.sort((one, other) => Number(other.your_turn ?? false) - Number(one.your_turn ?? false));
    } catch (error) {
      if (error.problem?.status === 401) this.client.forget();
      this.error = error;
    }
    this.changed();
  }

  async choose(game) {
    this.chosen = await sheetOf(this.client, game);
    const seats = Math.min(Math.max(this.chosen.min_seats, 3), this.chosen.max_seats);
    this.wish = { seats, bot: this.chosen.bots.includes("honest") ? "honest" : this.chosen.bots[0], options: {} };
    this.changed();
    document.getElementById("wish")?.scrollIntoView({ behavior: "smooth", block: "nearest" });
  }

  async begin(alone) {
    const { seats, bot, options } = this.wish;
    const bots = alone ? Array.from({ length: seats - 1 }, (_, place) => ({ seat: place + 1, bot })) : [];
    const body = { game: this.chosen.id, seats, options, bots, start: alone, spectators: "public", clock: CLOCK };
    try {
      await this.client.signUp();
      this.go(`#/match/${(await this.client.change("matches", body)).match}`);
    } catch (error) {
      this.error = error;
      this.changed();
    }
  }

  async join(match) {
    try {
      await this.client.signUp();
      await this.client.change(`matches/${match}/seats`, {});
      this.go(`#/match/${match}`);
    } catch (error) {
      this.error = error;
      this.changed();
    }
  }

  render() {
    if (!this.games) return html`<p class="quiet">${this.error ? word("unreachable") : word("loading")}</p>`;
    return html`
      <section aria-labelledby="games">
        <h2 id="games">${word("games")}</h2>
        <div class="games">${this.games.map((game) => this.tile(game))}</div>
        ${this.chosen ? this.form() : nothing}
        ${this.error ? html`<p class="notice" role="alert">${say(this.error.problem?.message) || word("error")} ${this.error.problem?.detail ?? ""}</p>` : nothing}
      </section>
      ${this.client.token ? this.list("mine", this.mine, (each) => this.link(each)) : nothing}
      ${this.list("open", this.open, (each) => html`${this.line(each)} <button @click=${() => this.join(each.match)}>${word("join")}</button>`)}`;
  }

  tile(game) {
    const chosen = this.chosen?.id === game.id;
    return html`<article class="tile ${chosen ? "chosen" : ""}" data-game=${game.id}>
      <button class="cover" aria-expanded=${chosen} @click=${() => this.choose(game.id)}>
        ${emblem(game.id)}<strong>${say(game.name)}</strong><span>${game.min_seats}–${game.max_seats} ${word("seats")}</span>
      </button>
      <a href="#/rules/${game.id}">${word("rules")}</a>
    </article>`;
  }

  form() {
    const sheet = this.chosen;
    const change = (values) => {
      Object.assign(this.wish, values);
      this.changed();
    };
    const counts = Array.from({ length: sheet.max_seats - sheet.min_seats + 1 }, (_, more) => sheet.min_seats + more);
    const shown = fields(sheet, this.wish.seats);
    return html`<form id="wish" class="wish" @submit=${(e) => e.preventDefault()}>
      <h3>${say(sheet.name)}</h3>
      <label>${word("seats")}
        <select @change=${(e) => change({ seats: counts[e.target.selectedIndex] })}>
          ${counts.map((count) => html`<option ?selected=${count === this.wish.seats}>${count}</option>`)}
        </select></label>
      <label>${word("level")}
        <select @change=${(e) => change({ bot: sheet.bots[e.target.selectedIndex] })}>
          ${sheet.bots.map((bot) => html`<option ?selected=${bot === this.wish.bot}>${bot}</option>`)}
        </select></label>
      <details><summary>${word("options")}</summary>
        ${shown.map((field) =>
          draw(sheet, field, this.wish.options[field.name], (value) => change({ options: { ...this.wish.options, [field.name]: value } }), (seat) => `${word("place")} ${seat + 1}`),
        )}
      </details>
      <div class="buttons">
        <button class="main" @click=${() => this.begin(true)}>${word("play")}</button>
        <button @click=${() => this.begin(false)}>${word("friends")}</button>
      </div>
    </form>`;
  }

  list(key, matches, row) {
    return html`<section aria-labelledby=${key}><h2 id=${key}>${word(key)}</h2>
      ${matches.length ? html`<ul class="matches">${matches.map((each) => html`<li>${row(each)}</li>`)}</ul>` : html`<p class="quiet">${word("none")}</p>`}
    </section>`;
  }

  line(match) {
    const game = this.games.find((each) => each.id === match.game);
    const people = match.chairs.map((chair) => chair.name ?? chair.bot ?? word("empty")).join(", ");
    return html`<strong>${say(game?.name)}</strong> <span class="quiet">${people}</span>`;
  }

  link(match) {
    const mark = match.your_turn ? html`<span class="badge">${word("turn")}</span>` : nothing;
    return html`<a href="#/match/${match.match}">${this.line(match)}</a> ${mark} <span class="quiet">${match.status === "over" ? word("over") : ""}</span>`;
  }
}

const CLOCK = { turn_seconds: 600, reaction_seconds: 120 };
