// People: a player's page, the invitations in the lobby, and whom the reader follows, blocks or has played with.

import { avatar, avatarOf } from "../art/avatars.js";
import { html, nothing } from "../vendor/lit.js";
import { fill, listed, say, spoken, word } from "../core/words.js";
import { nameOf, peopleOf, personLine, plot } from "./person.js";
import { unloaded } from "./dead-end.js";

/** @import { Got, Shapes } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @typedef {Shapes["PersonFacts"]} Person */
/** @typedef {Shapes["InvitationFacts"]} Invitation */

const WORDS = {
  accept: { de: "Zum Tisch", en: "Go to the table" },
  block: { de: "Blockieren", en: "Block" },
  block_note: {
    de: "Einladungen zwischen euch kommen nicht mehr an, im Chat hört ihr einander nicht mehr, und ihr werdet nicht zusammen an einen Tisch gesetzt. {name} erfährt davon nichts.",
    en: "Invitations between you no longer arrive, you no longer hear each other in the chat, and you are not put at a table together. {name} does not learn of it.",
  },
  blocked: { de: "Blockiert", en: "Blocked" },
  decline: { de: "Ablehnen", en: "Decline" },
  follow: { de: "Folgen", en: "Follow" },
  followed: { de: "Du folgst", en: "You follow" },
  invitations: { de: "Einladungen", en: "Invitations" },
  invites: { de: "{name} lädt dich ein: {game}", en: "{name} invites you to {game}" },
  languages: { de: "Spricht {names}", en: "Speaks {names}" },
  matches: { de: "Beendete Partien", en: "Finished matches" },
  no_matches: { de: "Noch keine öffentliche Partie.", en: "No public match yet." },
  none_followed: {
    de: "Du folgst noch niemandem. Auf der Seite eines Spielers kannst du ihm folgen.",
    en: "You do not follow anyone yet. You can follow players on their pages.",
  },
  people: { de: "Leute", en: "People" },
  recent: { de: "Zuletzt mit dir am Tisch", en: "Recently at your tables" },
  unblock: { de: "Nicht mehr blockieren", en: "Unblock" },
  unfollow: { de: "Nicht mehr folgen", en: "Unfollow" },
};

/** The names of languages, as people write them. @type {(codes: readonly string[]) => string[]} */
export const languageNames = (codes) => {
  const names = new Intl.DisplayNames([spoken()], { type: "language" });
  return codes.map((code) => names.of(code) ?? code);
};

/** Whether the deployment has profiles, relations and invitations; asked once. @type {(client: Client) => Promise<boolean>} */
export function hasPeople(client) {
  const known = KNOWN.get(client.base) ?? client.get("games").then(({ features }) => features.includes("people"));
  KNOWN.set(client.base, known);
  known.catch(() => KNOWN.delete(client.base));
  return known;
}

/** @type {Map<string, Promise<boolean>>} */
const KNOWN = new Map();

/** The invitations of the reader, for the lobby. */
export class Invitations {
  /**
   * @param {Client} client
   * @param {() => void} changed
   * @param {(address: string) => void} go
   */
  constructor(client, changed, go) {
    this.client = client;
    this.changed = changed;
    this.go = go;
    /** @type {readonly Invitation[]} */
    this.items = [];
    /** @type {Got<"games">["items"]} */
    this.games = [];
  }

  /** Load them; a lobby loads again now and then. */
  async load(/** @type {Got<"games">["items"]} */ games) {
    const invitations = await this.client.own("me/invitations");
    if (!invitations) return;
    Object.assign(this, { games, items: invitations.items });
    this.changed();
  }

  async decline(/** @type {string} */ match) {
    this.items = this.items.filter((each) => each.match !== match);
    this.changed();
    await this.client.change(`me/invitations/${match}`, null, "DELETE").catch(() => this.load(this.games));
  }

  close() {}

  render() {
    if (!this.items.length) return nothing;
    const game = (/** @type {string} */ id) => say(this.games.find((each) => each.id === id)?.name) || id;
    return html`<section class="invitations">
      <h2>${say(WORDS.invitations)}</h2>
      <ul class="people">
        ${this.items.map(
          ({ match, game: id, other }) =>
            html`<li class="person">
              ${avatar(other.avatar ?? avatarOf(other.player))}
              <span>${fill(say(WORDS.invites), { name: nameOf(other), game: game(id) })}</span>
              <button class="main" @click=${() => this.go(`#/match/${match}`)}>${say(WORDS.accept)}</button>
              <button @click=${() => this.decline(match)}>${say(WORDS.decline)}</button>
            </li>`,
        )}
      </ul>
    </section>`;
  }
}

/** Whom the reader follows, blocks and has played with, for the page of their own player. */
export class Relations {
  /**
   * @param {Client} client
   * @param {() => void} changed
   */
  constructor(client, changed) {
    this.client = client;
    this.changed = changed;
    /** @type {{followed: readonly Person[], blocked: readonly Person[], recent: readonly Person[]} | null} */
    this.lists = null;
  }

  async load() {
    const [followed, blocked, recent] = await Promise.all([
      peopleOf(this.client, "followed"),
      peopleOf(this.client, "blocked"),
      this.client.get("me/recent-players"),
    ]);
    this.lists = { followed, blocked, recent: recent.items };
    this.changed();
  }

  async undo(/** @type {"followed" | "blocked"} */ relation, /** @type {string} */ player) {
    await this.client.change(`me/${relation}/${player}`, null, "DELETE");
    await this.load();
  }

  render() {
    if (!this.lists) return nothing;
    const { followed, blocked, recent } = this.lists;
    const undo =
      (/** @type {"followed" | "blocked"} */ relation, /** @type {{de: string, en: string}} */ title) =>
      (/** @type {Person} */ each) =>
        personLine(each, html`<button class="small" @click=${() => this.undo(relation, each.player)}>${say(title)}</button>`);
    return html`<h2>${say(WORDS.people)}</h2>
      <h3>${say(WORDS.followed)}</h3>
      ${
        followed.length
          ? html`<ul class="people">
              ${followed.map(undo("followed", WORDS.unfollow))}
            </ul>`
          : html`<p class="quiet">${say(WORDS.none_followed)}</p>`
      }
      ${
        recent.length
          ? html`<h3>${say(WORDS.recent)}</h3>
              <ul class="people">
                ${recent.map((each) => personLine(each))}
              </ul>`
          : nothing
      }
      ${
        blocked.length
          ? html`<h3>${say(WORDS.blocked)}</h3>
              <ul class="people">
                ${blocked.map(undo("blocked", WORDS.unblock))}
              </ul>`
          : nothing
      }`;
  }
}

/** The public page of a player. */
export class PlayerPage {
  /**
   * @param {Client} client
   * @param {string} id
   * @param {() => void} changed
   */
  constructor(client, id, changed) {
    this.client = client;
    this.id = id;
    this.changed = changed;
    /** @type {Got<`players/${string}`> | null} */
    this.player = null;
    /** @type {Got<`players/${string}/ratings`>["items"]} */
    this.histories = [];
    /** @type {Got<`players/${string}/matches`>["items"]} */
    this.matches = [];
    /** @type {string | null} */
    this.cursor = null;
    /** @type {Got<"games">["items"]} */
    this.games = [];
    /** What the reader has decided about the player; null without a player, and on the reader's own page. @type {{followed: boolean, blocked: boolean} | null} */
    this.mine = null;
    /** @type {unknown} */
    this.error = null;
  }

  load() {
    return this.attempt(async () => {
      const { client, id } = this;
      const games = await client.get("games");
      this.games = games.items;
      this.player = await client.get(`players/${id}`);
      if (games.features.includes("ratings")) this.histories = (await client.get(`players/${id}/ratings`)).items;
      if (games.features.includes("people")) {
        Object.assign(this, { matches: [], cursor: null });
        await this.more();
        await this.decided();
      }
    });
  }

  async attempt(/** @type {() => Promise<void>} */ act) {
    this.error = null;
    await act().catch((error) => (this.error = error));
    this.changed();
  }

  async more() {
    const after = this.cursor ? `&after=${this.cursor}` : "";
    const page = await this.client.get(`players/${this.id}/matches?limit=20${after}`);
    Object.assign(this, { matches: [...this.matches, ...page.items], cursor: page.cursor });
  }

  /** Look what the reader has decided about the player. */
  async decided() {
    const { client, id } = this;
    const me = await client.own("me");
    if (!me || me.id === id) return;
    const [followed, blocked] = await Promise.all([peopleOf(client, "followed"), peopleOf(client, "blocked")]);
    const has = (/** @type {readonly Person[]} */ people) => people.some(({ player }) => player === id);
    this.mine = { followed: has(followed), blocked: has(blocked) };
  }

  decide(/** @type {"followed" | "blocked"} */ relation, /** @type {boolean} */ on) {
    return this.attempt(async () => {
      await this.client.change(`me/${relation}/${this.id}`, null, on ? "PUT" : "DELETE");
      await this.decided();
    });
  }

  render() {
    if (this.error) return unloaded(this.error);
    const { player } = this;
    if (!player) return html`<p class="quiet">${word("loading")}</p>`;
    const languages = player.languages ?? [];
    return html`<section class="player-page">
      <p><a href="#/">${word("back")}</a></p>
      <h1 class="person">${avatar(player.avatar ?? avatarOf(player.id))} ${nameOf(player)}</h1>
      ${player.bot ? html`<p class="quiet">${word("program")}</p>` : nothing}
      ${languages.length ? html`<p>${fill(say(WORDS.languages), { names: listed(languageNames(languages)) })}</p>` : nothing}
      ${this.relation()} ${ratingsOf(player.ratings, this.histories, this.games)} ${this.played()}
    </section>`;
  }

  relation() {
    if (!this.mine || !this.player) return nothing;
    const { followed, blocked } = this.mine;
    return html`<p class="buttons">
        ${blocked ? nothing : html`<button aria-pressed=${String(followed)} @click=${() => this.decide("followed", !followed)}>${say(followed ? WORDS.unfollow : WORDS.follow)}</button>`}
        <button aria-pressed=${String(blocked)} @click=${() => this.decide("blocked", !blocked)}>
          ${say(blocked ? WORDS.unblock : WORDS.block)}
        </button>
      </p>
      ${blocked ? html`<p class="quiet">${fill(say(WORDS.block_note), { name: nameOf(this.player) })}</p>` : nothing}`;
  }

  played() {
    const called = (/** @type {string} */ id) => say(this.games.find((each) => each.id === id)?.name) || id;
    return html`<h2>${say(WORDS.matches)}</h2>
      ${
        this.matches.length
          ? html`<ul>
              ${this.matches.map(
                (each) =>
                  html`<li>
                    <a href="#/match/${each.match}"
                      >${called(each.game)}
                      <time class="quiet" datetime=${new Date(each.opened_ms).toISOString()}
                        >${new Date(each.opened_ms).toLocaleDateString(spoken())}</time
                      ></a
                    >
                  </li>`,
              )}
            </ul>`
          : html`<p class="quiet">${say(WORDS.no_matches)}</p>`
      }
      ${this.cursor ? html`<button @click=${() => this.attempt(() => this.more())}>${word("more")}</button>` : nothing}`;
  }
}

/**
 * A player's ratings by game, each with its line over time.
 * @type {(ratings: Got<"me">["ratings"], histories: Got<`players/${string}/ratings`>["items"], games: Got<"games">["items"]) => unknown}
 */
export function ratingsOf(ratings, histories, games) {
  if (!ratings.length) return nothing;
  return html`<h2>${word("rating")}</h2>
    <ul class="rated">
      ${ratings.map(
        (each) =>
          html`<li>
            <a href="#/boards/${each.game}">${say(games.find(({ id }) => id === each.game)?.name) || each.game}</a>:
            <strong>${each.rating}</strong>${each.provisional ? html`<abbr title=${word("provisional")}>?</abbr>` : nothing}
            ${plot(histories.find(({ game }) => game === each.game)?.points ?? [])}
          </li>`,
      )}
    </ul>`;
}
