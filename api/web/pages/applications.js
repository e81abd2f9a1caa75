// The part of the reader's own page on applications of others: what each may do, and a button to end that.

import { html, nothing } from "../vendor/lit.js";
import { fill, say, spoken } from "../core/words.js";

/** @import { Got } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @import { Confirm } from "../table/confirm.js" */

const WORDS = {
  end: { de: "Beenden", en: "Revoke" },
  end_sure: {
    de: "„{name}“ nichts mehr erlauben? Die Anwendung kann dann nicht mehr für dich handeln.",
    en: "Allow “{name}” nothing any more? It can then no longer act for you.",
  },
  from: { de: "von {host}, seit {day}", en: "from {host}, since {day}" },
  here: { de: "einer Anwendung auf diesem Gerät ({place})", en: "an application on this device ({place})" },
  there: { de: "einem deiner Geräte ({place})", en: "one of your devices ({place})" },
  title: { de: "Anwendungen, die für mich handeln", en: "Applications that act for me" },
};

/** What each scope means to a player. @type {Record<string, {de: string, en: string}>} */
const SCOPES = {
  read: {
    de: "Alles sehen, was du siehst: deine Partien, deine Karten, deine Nachrichten",
    en: "See all that you see: your matches, your cards, your messages",
  },
  play: {
    de: "In deinem Namen Platz nehmen, spielen, reden und einladen",
    en: "Take seats, play, talk and invite in your name",
  },
  create: { de: "In deinem Namen Partien und Turniere eröffnen", en: "Open matches and tournaments in your name" },
};

/** Return what a scope means; one that is new is said as it is. */
export const scopeText = (/** @type {string} */ scope) => (Object.hasOwn(SCOPES, scope) ? say(SCOPES[scope]) : scope);

const LOCAL = new Set(["127.0.0.1", "[::1]", "::1", "localhost"]);

/** Return how an address to go back to is named: one of this device itself says nothing of who listens there. */
export function placeText(/** @type {string} */ address, /** @type {string} */ host) {
  const local = LOCAL.has(host) && URL.canParse(address);
  return local ? fill(say(WORDS.here), { place: new URL(address).host }) : host;
}

export class Applications {
  /**
   * @param {Client} client
   * @param {Confirm} confirm
   * @param {(act: () => Promise<void>) => Promise<void>} attempt
   */
  constructor(client, confirm, attempt) {
    this.client = client;
    this.confirm = confirm;
    this.attempt = attempt;
    /** @type {Got<"me/applications">["items"]} */
    this.items = [];
  }

  async load() {
    this.items = (await this.client.get("me/applications")).items;
  }

  end(/** @type {string} */ id) {
    return this.attempt(async () => {
      await this.client.change(`me/applications/${id}`, null, "DELETE");
      await this.load();
    });
  }

  render() {
    if (!this.items.length) return nothing;
    const ask = (/** @type {string} */ id, /** @type {string} */ name) => () =>
      this.confirm.ask(fill(say(WORDS.end_sure), { name }), say(WORDS.end), () => this.end(id));
    return html`<h2>${say(WORDS.title)}</h2>
      <ul class="people applications">
        ${this.items.map(({ id, name, host, scopes, since_ms: since }) => {
          const day = new Date(since).toLocaleDateString(spoken());
          const from = LOCAL.has(host) ? fill(say(WORDS.there), { place: host }) : host;
          return html`<li class="person">
            <span
              >${name} <span class="quiet">${fill(say(WORDS.from), { host: from, day })}</span>
              <span class="quiet">${scopes.map(scopeText).join("; ")}</span></span
            >
            <button class="small" @click=${ask(id, name)}>${say(WORDS.end)}</button>
          </li>`;
        })}
      </ul>`;
  }
}
