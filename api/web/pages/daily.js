// The deal of the day: what it is, one's own try, and who did best.

import { html, nothing } from "../vendor/lit.js";
import { sheetOf } from "../core/sheet.js";
import { fill, say, spoken, word } from "../core/words.js";

/** Return what a try has come to, in a sentence; null without one. */
function state({ yours, ranked }) {
  if (!yours) return null;
  if (yours.status === "running") return word("daily_running");
  if (yours.place === null) return word("daily_unranked");
  return fill(word("daily_place"), { place: yours.place, count: ranked });
}

const clock = (at) => new Date(at).toLocaleTimeString(spoken(), { hour: "2-digit", minute: "2-digit" });

/** What the lobby says of the deal of a game. */
export class Card {
  /**
   * @param {import("../core/client.js").Client} client
   * @param {string} game
   */
  constructor(client, game) {
    this.client = client;
    this.game = game;
    /** @type {import("../contract").Got<`daily/${string}`> | null} */
    this.deal = null;
  }

  async load() {
    this.deal = await this.client.get(`daily/${this.game}`);
  }

  render() {
    if (!this.deal) return nothing;
    return html`<aside class="daily">
      <a class="button" href="#/daily/${this.game}">${word("daily")}</a>
      <span class="quiet">${state(this.deal) ?? word("daily_new")}</span>
    </aside>`;
  }
}

export class Daily {
  /**
   * @param {import("../core/client.js").Client} client
   * @param {string} game
   * @param {() => void} changed
   * @param {(address: string) => void} go
   */
  constructor(client, game, changed, go) {
    this.client = client;
    this.game = game;
    this.changed = changed;
    this.go = go;
    /** @type {import("../contract").Got<"games">["items"]} */
    this.games = [];
    /** @type {import("../core/sheet.js").Sheet | null} */
    this.sheet = null;
    /** @type {import("../contract").Got<`daily/${string}`> | null} */
    this.deal = null;
    /** @type {import("../contract").Got<`daily/${string}/ranking`> | null} */
    this.ranking = null;
    /** The day before is shown. */
    this.past = false;
    /** The reader's own id; null without a player. */
    this.me = null;
    this.error = null;
  }

  /** Do something, and say what went wrong. */
  async attempt(task) {
    this.error = null;
    await task().catch((error) => (this.error = error));
    this.changed();
  }

  load() {
    return this.attempt(async () => {
      this.games = (await this.client.get("games")).items;
      this.sheet = await sheetOf(this.client, this.game);
      if (this.client.token) this.me = (await this.client.get("me").catch(() => null))?.id ?? null;
      this.deal = await this.client.get(`daily/${this.game}`);
      this.ranking = await this.page(0);
    });
  }

  /** @returns {Promise<import("../contract").Got<`daily/${string}/ranking`>>} */
  page(start) {
    const day = this.past ? this.deal.yesterday.day : this.deal.today.day;
    return this.client.get(`daily/${this.game}/ranking?day=${day}&start=${start}`);
  }

  show(past) {
    this.past = past;
    return this.attempt(async () => (this.ranking = await this.page(0)));
  }

  more() {
    return this.attempt(async () => {
      const next = await this.page(this.ranking.next);
      this.ranking = { ...next, items: [...this.ranking.items, ...next.items] };
    });
  }

  play() {
    return this.attempt(async () => {
      await this.client.signUp("");
      this.go(`#/match/${(await this.client.change(`daily/${this.game}`)).match}`);
    });
  }

  render() {
    const wrong = this.error
      ? html`<p class="notice" role="alert">${say(this.error.problem?.message) || word("unreachable")}</p>`
      : nothing;
    if (!this.ranking || !this.sheet) return this.error ? wrong : html`<p class="quiet">${word("loading")}</p>`;
    return html`<section class="boards-page">
      <p><a href="#/">${word("back")}</a></p>
      <h1>${word("daily")}: ${say(this.sheet.name)}</h1>
      <nav class="tabs" aria-label=${word("games")}>
        ${this.games.map((each) => html`<a class="button" href="#/daily/${each.id}" aria-current=${each.id === this.game ? "page" : nothing}>${say(each.name)}</a>`)}
      </nav>
      ${this.today()}${wrong}
      ${
        this.deal.yesterday
          ? html`<div class="tabs" role="group" aria-label=${word("board")}>
              ${[false, true].map((past) => html`<button aria-pressed=${String(this.past === past)} @click=${() => this.show(past)}>${past ? word("yesterday") : word("today")}</button>`)}
            </div>`
          : nothing
      }
      ${this.ranking.items.length ? this.table() : html`<p class="quiet">${word("daily_empty")}</p>`}
      ${this.ranking.next === null ? nothing : html`<button @click=${() => this.more()}>${word("more")}</button>`}
      <p class="quiet">${word("daily_note")}</p>
      ${this.evidence()}
    </section>`;
  }

  /** What is played today, and one's own try. */
  today() {
    const { seats, bot, ends_ms, yours } = this.deal;
    const level = this.sheet.characters.find((each) => each.bot === bot);
    return html`<p>${fill(word("daily_about"), { seats, name: say(level?.name) || bot, time: clock(ends_ms) })}</p>
      ${yours ? html`<p role="status">${state(this.deal)}</p>` : nothing}
      ${
        yours
          ? html`<p><a class="button" href="#/match/${yours.match}">${word("daily_look")}</a></p>`
          : html`<div class="buttons"><button class="main" @click=${() => this.play()}>${word("daily_play")}</button></div>`
      }`;
  }

  table() {
    const { items, over } = this.ranking;
    const scored = items.some((each) => each.score !== null);
    const head = [
      "",
      word("name"),
      word("daily_rank"),
      ...(scored ? [word("points")] : []),
      word("decisions"),
      ...(over ? [""] : []),
    ];
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${word("board")}>
      <table class="boards">
        <thead>
          <tr>
            ${head.map((title) => html`<th scope="col">${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${items.map(
            (row) =>
              html`<tr class=${row.player === this.me ? "me" : nothing}>
                <td>${row.place}</td>
                <td>
                  ${row.guest ? word("guest") : row.name}${row.player === this.me ? html` <em>(${word("you")})</em>` : nothing}
                </td>
                <td>${row.rank}</td>
                ${scored ? html`<td>${row.score}</td>` : nothing}
                <td>${row.decisions}</td>
                ${over ? html`<td><a href="#/match/${row.match}">${word("daily_replay")}</a></td>` : nothing}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** What shows that all had the same cards, and that they were fixed the day before. */
  evidence() {
    const { yesterday, today, tomorrow } = this.deal;
    const rows = [yesterday, today, tomorrow].filter((each) => each !== null);
    return html`<details>
      <summary>${word("daily_proof")}</summary>
      <p class="quiet">${word("daily_proof_note")}</p>
      ${rows.map(
        (each) =>
          html`<p class="quiet digest">
            <strong>${each.day}</strong> ${word("daily_commitment")}
            <code>${each.commitment}</code>${each.secret ? html`, ${word("daily_secret")} <code>${each.secret}</code>` : nothing}
          </p>`,
      )}
    </details>`;
  }
}
