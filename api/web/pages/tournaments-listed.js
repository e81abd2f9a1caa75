// Lists of tournaments, and what the lobby says of them.

import { html, nothing } from "../vendor/lit.js";
import { fill, say } from "../core/words.js";

/** @import { Got, Shapes } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @typedef {Shapes["TournamentFacts"]} Facts */
/** @typedef {Got<"games">["items"]} Games */

export const TEXTS = {
  title: { de: "Turniere", en: "Tournaments" },
  all: { de: "Alle Turniere", en: "All tournaments" },
  state_open: { de: "{count} dabei, noch nicht begonnen", en: "joined: {count}, not begun yet" },
  state_running: { de: "Runde {round} von {rounds}", en: "round {round} of {rounds}" },
  state_over: { de: "beendet", en: "over" },
  state_cancelled: { de: "abgesagt", en: "called off" },
};

/** Where a tournament stands, in a few words. */
export const stateOf = (/** @type {Facts} */ { stage, entrants, round, rounds }) =>
  fill(say(TEXTS[`state_${stage}`]), { count: entrants, round, rounds: rounds ?? "" });

/** A list of tournaments, each with a link to it. */
export const list = (/** @type {Facts[]} */ items, /** @type {Games} */ games) =>
  html`<ul class="matches">
    ${items.map(
      (each) =>
        html`<li class=${each.your_match && each.stage === "running" ? "mine" : ""}>
          <a href="#/tournaments/${each.tournament}"
            ><strong>${each.name}</strong> <span class="quiet">${say(games.find((game) => game.id === each.game)?.name)}</span></a
          >
          <span class="quiet">${stateOf(each)}</span>
        </li>`,
    )}
  </ul>`;

/** What the lobby says of tournaments: the reader's own that go on, and a link to all. */
export class TournamentsTeaser {
  /**
   * @param {Client} client
   * @param {() => void} changed
   */
  constructor(client, changed) {
    this.client = client;
    this.changed = changed;
    /** @type {Games} */
    this.games = [];
    /** @type {Facts[]} */
    this.mine = [];
  }

  async load(/** @type {Games} */ games) {
    this.games = games;
    const mine = await this.client.own("me/tournaments");
    this.mine = (mine?.items ?? []).filter((each) => each.stage === "open" || each.stage === "running");
    this.changed();
  }

  close() {}

  render() {
    return html`<section aria-labelledby="tournaments">
      <h2 id="tournaments">${say(TEXTS.title)}</h2>
      ${this.mine.length ? list(this.mine, this.games) : nothing}
      <p><a href="#/tournaments">${say(TEXTS.all)}</a></p>
    </section>`;
  }
}
