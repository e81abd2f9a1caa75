// One tournament: who takes part, the standings, the rounds, and the way to one's own table.

import { avatar } from "../art/avatars.js";
import { BASE, messageOf, problemOf } from "../core/client.js";
import { sheetOf } from "../core/sheet.js";
import { fill, say, spoken, word } from "../core/words.js";
import { Confirm } from "../table/confirm.js";
import { isCopied } from "../table/share.js";
import { html, nothing } from "../vendor/lit.js";
import { board } from "./board.js";
import { TEXTS } from "./tournaments.js";
import { stateOf } from "./tournaments-listed.js";
import { unloaded } from "./dead-end.js";

/** @import { At, Got, Shapes } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @import { Sheet } from "../core/sheet.js" */
/** @import { KeptTournament } from "../record" */
/** @typedef {Got<`tournaments/${string}`>} Whole */
/** @typedef {Shapes["TournamentStanding"]} Row */
/** @typedef {Shapes["TournamentRound"]} Round */

const OWN = {
  join: { de: "Mitspielen", en: "Join" },
  leave: { de: "Doch nicht mitspielen", en: "Leave again" },
  withdraw: { de: "Aussteigen", en: "Withdraw" },
  withdraw_ask: {
    de: "Wenn du aussteigst, spielst du keine weitere Runde mehr. Eine Partie, die läuft, kannst du zu Ende spielen.",
    en: "If you withdraw, you play no further rounds. You can still finish a match that is running.",
  },
  start: { de: "Turnier starten", en: "Start the tournament" },
  cancel: { de: "Turnier absagen", en: "Call it off" },
  cancel_ask: {
    de: "Das Turnier endet dann für alle. Partien, die laufen, gehen weiter, zählen aber nicht mehr.",
    en: "The tournament then ends for everyone. Matches that are running go on, but no longer count.",
  },
  link: { de: "Link für deine Freunde", en: "Link for your friends" },
  copied: { de: "Link kopiert.", en: "Link copied." },
  bye: { de: "Du hast in dieser Runde frei.", en: "You have a bye in this round." },
  soon: { de: "Die nächste Runde beginnt gleich.", en: "The next round begins in a moment." },
  others: { de: "Dein Tisch ist fertig. An anderen wird noch gespielt.", en: "Your table is done. Others are still playing." },
  withdrawn: { de: "ausgestiegen", en: "withdrawn" },
  you_withdrew: { de: "Du bist ausgestiegen.", en: "You have withdrawn." },
  standings: { de: "Tabelle", en: "Standings" },
  entrants: { de: "Wer mitspielt", en: "Who takes part" },
  round: { de: "Runde {round}", en: "Round {round}" },
  rounds: { de: "Runden", en: "Rounds" },
  rest: { de: "Frei: {names}", en: "Bye: {names}" },
  points: { de: "Punkte", en: "Points" },
  buchholz: { de: "Buchholz", en: "Buchholz" },
  wins: { de: "Siege", en: "Wins" },
  played: { de: "Spiele", en: "Played" },
  table: { de: "Tisch {number}", en: "Table {number}" },
  no_result: { de: "ohne Ergebnis", en: "no result" },
  not_played: { de: "nicht gespielt: nur Bots", en: "not played: bots alone" },
  game_gone: {
    de: "Dieses Spiel gibt es hier nicht mehr. Deshalb geht das Turnier nicht weiter.",
    en: "This game is no longer here, so the tournament does not go on.",
  },
  draw: { de: "Auslosung prüfen", en: "Check the draw" },
  draw_note: {
    de: "Vor dem ersten Beitritt wurden zwei geheime Zahlen gezogen. Die eine lost alle Runden aus, aus der anderen kommen die Karten aller Partien. Diese Prüfsummen legen sie fest:",
    en: "Two secret numbers were drawn before anyone joined. One draws all rounds, from the other come the cards of all matches. These digests bind them:",
  },
  draw_commitment: { de: "Prüfsumme der Auslosung:", en: "Digest of the draw:" },
  draw_secret: { de: "Zahl der Auslosung:", en: "Number of the draw:" },
  deal_commitment: { de: "Prüfsumme der Karten:", en: "Digest of the cards:" },
  deal_secret: { de: "Zahl der Karten:", en: "Number of the cards:" },
  kept_note: {
    de: "Dieser Browser hat aufgehoben, was er vor deiner Zufallszahl bekommen hat. Mit der Datei und „tafelrunde verify --tournament“ lässt sich das ganze Turnier prüfen.",
    en: "This browser has kept what it received before your random number. With the file, “tafelrunde verify --tournament” checks the whole tournament.",
  },
  save: { de: "Beweise als Datei sichern", en: "Save the evidence as a file" },
};
/** What binds the draw and the cards, and what was bound, which is shown once the tournament is over. */
const DIGESTS = /** @type {const} */ (["draw_commitment", "draw_secret", "deal_commitment", "deal_secret"]);
/** How often a tournament is loaded again while it is looked at (milliseconds). */
const FRESH_MS = 4_000;

export class TournamentPage {
  /**
   * @param {Client} client
   * @param {string} id
   * @param {() => void} changed
   */
  constructor(client, id, changed) {
    this.client = client;
    this.id = id;
    this.changed = changed;
    this.confirm = new Confirm(changed);
    /** @type {Whole | null} */
    this.found = null;
    /** @type {Sheet | null} */
    this.sheet = null;
    /** Whether the service no longer has the game. */
    this.gone = false;
    /** The round that is shown; null: the newest. @type {Round | null} */
    this.older = null;
    /** What this browser has kept of it. @type {KeptTournament | null} */
    this.kept = null;
    this.player = "";
    this.copied = false;
    this.busy = false;
    /** @type {unknown} */
    this.error = null;
    this.timer = setInterval(() => document.hidden || this.refresh(), FRESH_MS);
  }

  close() {
    clearInterval(this.timer);
  }

  async load() {
    this.error = null;
    try {
      this.found = await this.client.get(`tournaments/${this.id}`);
      await this.recall();
      this.sheet = await sheetOf(this.client, this.found.facts.game).catch((error) => {
        this.gone = problemOf(error)?.status === 404;
        if (!this.gone) throw error;
        return null;
      });
    } catch (error) {
      this.error = error;
    }
    this.changed();
  }

  /** Load it again, unless it is over. A failed reload is repeated later. */
  async refresh() {
    if (problemOf(this.error)?.status === 404) return this.close();
    if (!this.found) return this.load();
    if (this.busy || !["open", "running"].includes(this.found.facts.stage)) return undefined;
    const found = await this.client.get(`tournaments/${this.id}`).catch(() => null);
    if (found && !this.busy) this.found = found;
    return this.changed();
  }

  /** Do something, once at a time, and show what follows. */
  async act(/** @type {() => Promise<Whole>} */ task) {
    if (this.busy) return;
    this.busy = true;
    this.error = null;
    this.changed();
    try {
      this.found = await task();
    } catch (error) {
      this.error = error;
    }
    this.busy = false;
    this.changed();
  }

  join() {
    return this.act(async () => {
      await this.client.signUp(this.player.trim());
      const { enter } = await import("../proof/entries.js");
      const joined = await enter(this.client, this.id);
      await this.recall();
      return joined;
    });
  }

  /** Load what this browser has kept of it. */
  async recall() {
    const { entryOf } = await import("../proof/entries.js");
    this.kept = this.client.keep ? entryOf(this.id) : null;
  }

  async save() {
    const { save } = await import("../proof/result.js");
    if (this.kept) save(this.kept, `${this.id}.tournament.json`);
  }

  leave() {
    return this.act(() => this.client.change(`tournaments/${this.id}/entries/me`, null, "DELETE"));
  }

  start() {
    return this.act(() => this.client.change(`tournaments/${this.id}/start`));
  }

  cancel() {
    return this.act(() => this.client.change(`tournaments/${this.id}`, null, "DELETE"));
  }

  async share() {
    this.copied = await isCopied(this.link);
    this.changed();
  }

  get link() {
    return `${new URL(`#/tournaments/${this.id}`, BASE)}`;
  }

  async show(/** @type {number} */ round) {
    const newest = this.found?.newest ?? null;
    this.older = null;
    if (newest && round !== newest.round)
      this.older = await this.client.get(`tournaments/${this.id}/rounds/${round}`).catch((error) => ((this.error = error), null));
    this.changed();
  }

  /** Who an entrant is. Computers of the same kind are numbered. */
  name(/** @type {Row} */ row) {
    if (!row.bot) return row.guest ? word("guest") : (row.name ?? word("gone"));
    const known = this.sheet?.characters.find((each) => each.bot === row.bot);
    const alike = (this.found?.standings ?? []).filter((each) => each.bot === row.bot).map((each) => each.entrant);
    const number = alike.length > 1 ? ` ${alike.sort((one, other) => one - other).indexOf(row.entrant) + 1}` : "";
    return `${known ? say(known.name) : row.bot}${number}`;
  }

  render() {
    const { found, sheet, error } = this;
    const wrong = error ? html`<p class="notice" role="alert">${messageOf(error)}</p>` : nothing;
    const back = html`<p><a href="#/tournaments">${say(TEXTS.all)}</a></p>`;
    if (found && this.gone)
      return html`${back}
        <h1>${found.facts.name}</h1>
        <p class="notice" role="status">${say(OWN.game_gone)}</p>`;
    if (!found || !sheet)
      return error
        ? unloaded(error)
        : html`${back}
            <p class="quiet">${word("loading")}</p>`;
    const { facts } = found;
    const shown = this.older ?? found.newest;
    return html`<section class="tournament-page">
      ${back}
      <h1>${facts.name}</h1>
      <p class="quiet">${say(sheet.name)} · ${say(TEXTS[facts.kind])} · ${facts.seats} ${word("seats")} · ${stateOf(facts)}</p>
      ${wrong} ${this.yours(found)} ${this.buttons(found)}
      <div class="two-parts">
        <section aria-labelledby="standings">
          <h2 id="standings">${say(facts.round ? OWN.standings : OWN.entrants)}</h2>
          ${facts.round ? this.standings(found) : this.entrants(found)}
        </section>
        ${shown ? this.round(found, shown) : nothing}
      </div>
      <details>
        <summary>${say(OWN.draw)}</summary>
        <p>${say(OWN.draw_note)}</p>
        ${DIGESTS.map((each) => (facts[each] ? html`<p class="digest">${say(OWN[each])} <code>${facts[each]}</code></p>` : nothing))}
        ${
          this.kept
            ? html`<p>${say(OWN.kept_note)}</p>
                <button class="evidence" @click=${() => this.save()}>${say(OWN.save)}</button>`
            : nothing
        }
      </details>
      ${this.confirm.render()}
    </section>`;
  }

  /** What the reader has to do now. */
  yours(/** @type {Whole} */ { facts, newest }) {
    if (facts.stage !== "running" || facts.entry === null) return nothing;
    const table = newest?.tables.find((each) => each.match !== null && each.match === facts.your_match);
    if (table && !table.over)
      return html`<p class="buttons"><a class="button main" href="#/match/${table.match}">${say(TEXTS.your_table)}</a></p>`;
    if (facts.withdrawn) return html`<p role="status">${say(OWN.you_withdrew)}</p>`;
    const rests = newest?.byes.includes(facts.entry);
    const text = !newest || newest.over ? OWN.soon : rests ? OWN.bye : table ? OWN.others : OWN.soon;
    return html`<p role="status">${say(text)}</p>`;
  }

  buttons(/** @type {Whole} */ { facts }) {
    const { busy } = this;
    const open = facts.stage === "open";
    const going = open || facts.stage === "running";
    const joins = open && facts.entry === null;
    return html`${
        joins && !this.client.token
          ? html`<p class="fields">
              <label
                >${word("your_name")}
                <input
                  type="text"
                  maxlength="40"
                  autocomplete="nickname"
                  @input=${(/** @type {At<HTMLInputElement>} */ { target }) => (this.player = target.value)}
              /></label>
            </p>`
          : nothing
      }
      <p class="buttons">
        ${joins ? html`<button class="main" ?disabled=${busy} @click=${() => this.join()}>${say(OWN.join)}</button>` : nothing}
        ${open && facts.organises ? html`<button class="main" ?disabled=${busy} @click=${() => this.start()}>${say(OWN.start)}</button>` : nothing}
        ${open ? html`<button @click=${() => this.share()}>${say(OWN.link)}</button>` : nothing}
        ${open && facts.entry !== null ? html`<button ?disabled=${busy} @click=${() => this.leave()}>${say(OWN.leave)}</button>` : nothing}
        ${
          facts.stage === "running" && facts.entry !== null && !facts.withdrawn
            ? html`<button @click=${() => this.confirm.ask(say(OWN.withdraw_ask), say(OWN.withdraw), () => this.leave())}>
                ${say(OWN.withdraw)}
              </button>`
            : nothing
        }
        ${going && facts.organises ? html`<button @click=${() => this.confirm.ask(say(OWN.cancel_ask), say(OWN.cancel), () => this.cancel())}>${say(OWN.cancel)}</button>` : nothing}
      </p>
      ${open ? html`<p class="digest" role="status">${this.copied ? say(OWN.copied) : html`<code>${this.link}</code>`}</p>` : nothing}`;
  }

  who(/** @type {Row} */ row) {
    const mine = row.entrant === this.found?.facts.entry;
    return html`<span class="entrant"
      >${row.avatar ? avatar(row.avatar) : nothing}<span>${this.name(row)}${mine ? html` <em>(${word("you")})</em>` : nothing}</span>${row.bot ? html` <span class="quiet">(${word("computer")})</span>` : nothing}${row.withdrawn ? html` <span class="quiet">(${say(OWN.withdrawn)})</span>` : nothing}</span
    >`;
  }

  entrants(/** @type {Whole} */ { standings }) {
    const rows = [...standings].sort((one, other) => one.entrant - other.entrant);
    return html`<ul class="matches">
      ${rows.map((row) => html`<li>${this.who(row)}</li>`)}
    </ul>`;
  }

  standings(/** @type {Whole} */ { facts, standings }) {
    const head = ["", word("name"), say(OWN.points), say(OWN.wins), say(OWN.buchholz), say(OWN.played)];
    const lines = standings.map((row) => ({
      mine: row.entrant === facts.entry,
      cells: [row.place, this.who(row), number(row.points), row.wins, number(row.buchholz), row.played],
    }));
    return board(say(OWN.standings), head, lines);
  }

  /**
   * @param {Whole} found
   * @param {Round} shown
   */
  round({ facts, standings }, shown) {
    const rows = new Map(standings.map((row) => [row.entrant, row]));
    const named = (/** @type {number} */ entrant) => {
      const row = rows.get(entrant);
      return row ? this.name(row) : "";
    };
    const names = (/** @type {Round["tables"][number]} */ { chairs }) =>
      chairs.map(
        (chair, seat) =>
          html`${seat ? " – " : nothing}<span class=${chair.points ? "won" : nothing}>${named(chair.entrant)}</span>`,
      );
    return html`<section aria-labelledby="round">
      <h2 id="round">${fill(say(OWN.round), { round: shown.round })}</h2>
      ${
        facts.round > 1
          ? html`<nav class="tabs" aria-label=${say(OWN.rounds)}>
              ${Array.from({ length: facts.round }, (_, before) => before + 1).map(
                (each) =>
                  html`<button
                    aria-pressed=${String(each === shown.round)}
                    aria-label=${fill(say(OWN.round), { round: each })}
                    @click=${() => this.show(each)}
                  >
                    ${each}
                  </button>`,
              )}
            </nav>`
          : nothing
      }
      <ul class="matches">
        ${shown.tables.map(
          (table, place) =>
            html`<li class=${table.match !== null && table.match === facts.your_match && !table.over ? "mine" : ""}>
              ${
                table.match === null
                  ? html`<span>${names(table)}</span>`
                  : html`<a
                      href="#/match/${table.match}"
                      aria-label="${fill(say(OWN.table), { number: place + 1 })}: ${table.chairs.map(({ entrant }) => named(entrant)).join(", ")}"
                      >${names(table)}</a
                    >`
              }
              <span class="quiet">${table.over ? result(table) : nothing}</span>
            </li>`,
        )}
      </ul>
      ${shown.byes.length ? html`<p class="quiet">${fill(say(OWN.rest), { names: shown.byes.map(named).join(", ") })}</p>` : nothing}
    </section>`;
  }
}

/** A number of points, as it is written in the language of the page. */
const number = (/** @type {number} */ value) => new Intl.NumberFormat(spoken(), { maximumFractionDigits: 2 }).format(value);

/** How a table ended, by seat. */
const result = (/** @type {Round["tables"][number]} */ { chairs, match }) =>
  chairs.some((chair) => chair.rank)
    ? chairs.map((chair) => number(chair.points ?? 0)).join(" : ")
    : say(match ? OWN.no_result : OWN.not_played);
