// An application of others asks to act for the reader: who asks, for what, and where the reader goes back to.

import { messageOf } from "../core/client.js";
import { html, nothing } from "../vendor/lit.js";
import { fill, say, word } from "../core/words.js";
import { placeText, scopeText } from "./applications.js";
import { canSignIn } from "./sign-in.js";

/** @import { At, Got } from "../contract" */
/** @import { Client } from "../core/client.js" */

const WORDS = {
  allow: { de: "Erlauben", en: "Allow" },
  as: { de: "Du entscheidest als {name}.", en: "You decide as {name}." },
  asks: { de: "Die Anwendung nennt sich „{name}“ und möchte:", en: "The application calls itself “{name}”, and wants to:" },
  back: {
    de: "Danach geht es zurück zu {host}. Erlaube es nur, wenn du von dort kommst: Den Namen sucht sich jede Anwendung selbst aus.",
    en: "Afterwards you go back to {host}. Allow it only if you have come from there: every application chooses its own name.",
  },
  first: { de: "Dafür brauchst du zuerst einen Namen hier.", en: "For that you first need a name here." },
  go: { de: "Zurück zu {host}", en: "Back to {host}" },
  guest: { de: "Weiter", en: "Go on" },
  lasts: {
    de: "Das gilt, bis du es auf deiner Seite beendest, oder die Anwendung sich 90 Tage nicht meldet.",
    en: "This lasts until you end it on your own page, or until the application has not called for 90 days.",
  },
  refuse: { de: "Ablehnen", en: "Refuse" },
  sign_in: { de: "Ich habe schon einen Namen hier", en: "I already have a name here" },
  title: { de: "Darf diese Anwendung für dich handeln?", en: "May this application act for you?" },
  wrong: { de: "Die Anwendung fragt nicht so, wie sie soll.", en: "The application does not ask as it should." },
};

/** What the contract takes of what an application sends. */
const KNOWN = "client_id redirect_uri response_type scope state code_challenge code_challenge_method".split(" ");
const TOKEN = "tafelrunde.token";

export class Consent {
  /**
   * @param {Client} client
   * @param {string} asked what the application has sent the reader with, as a query
   * @param {() => void} changed
   * @param {(address: string) => void} leave goes to another site
   */
  constructor(client, asked, changed, leave = (address) => location.replace(address)) {
    this.client = client;
    this.changed = changed;
    this.leave = leave;
    const sent = new URLSearchParams(asked);
    /** @type {Record<string, string>} */
    this.asked = Object.fromEntries(KNOWN.map((name) => [name, sent.get(name) ?? ""]).filter(([, value]) => value));
    /** @type {Got<"oauth/authorization"> | null} */
    this.sheet = null;
    /** @type {Got<"me"> | null} */
    this.player = null;
    this.signIn = false;
    this.decided = false;
    /** @type {unknown} */
    this.error = null;
    /** The reader may sign in beside this page. */
    this.hear = (/** @type {StorageEvent} */ { key, newValue }) => {
      if (key === TOKEN && newValue) this.arrive(newValue);
    };
    addEventListener("storage", this.hear);
  }

  close() {
    removeEventListener("storage", this.hear);
  }

  arrive(/** @type {string} */ token) {
    this.client.signIn(token);
    return this.load();
  }

  load() {
    return this.attempt(async () => {
      const { client } = this;
      const query = /** @type {"oauth/authorization"} */ (`oauth/authorization?${new URLSearchParams(this.asked)}`);
      const [sheet, { features }, player] = await Promise.all([client.get(query), client.get("games"), client.own("me")]);
      Object.assign(this, { sheet, player, signIn: canSignIn(features) });
    });
  }

  /** Do something with the service; what goes wrong is shown on the page. */
  async attempt(/** @type {() => Promise<void>} */ act) {
    this.error = null;
    await act().catch((error) => (this.error = error));
    this.changed();
  }

  /** Make a player for the reader, who stays on this page. */
  join(/** @type {At<HTMLFormElement>} */ event) {
    event.preventDefault();
    const name = String(new FormData(event.target).get("name"));
    return this.attempt(async () => {
      await this.client.signUp(name);
      this.player = await this.client.own("me");
    });
  }

  decide(/** @type {boolean} */ allowed) {
    if (this.decided) return undefined;
    this.decided = true;
    return this.attempt(async () => {
      try {
        const body = /** @type {any} */ ({ ...this.asked, allowed });
        const { redirect } = await this.client.change("oauth/authorization", body);
        this.leave(redirect);
      } catch (error) {
        this.decided = false;
        throw error;
      }
    });
  }

  render() {
    if (this.error)
      return html`<p class="notice" role="alert">${messageOf(this.error)}</p>
        <p><a href="#/">${word("back")}</a></p>`;
    if (!this.sheet) return html`<p class="quiet">${word("loading")}</p>`;
    return html`<section class="me-page consent">
      <h1>${say(WORDS.title)}</h1>
      ${this.sheet.refused ? this.wrong(this.sheet.refused, this.place) : this.question(this.sheet)}
    </section>`;
  }

  /** Where the reader goes back to. */
  get place() {
    return placeText(this.asked.redirect_uri ?? "", this.sheet?.host ?? "");
  }

  /** An application that asks wrongly learns of it only if the reader wants to go back to it. */
  wrong(/** @type {string} */ address, /** @type {string} */ place) {
    return html`<p class="notice" role="alert">${say(WORDS.wrong)}</p>
      <p class="buttons">
        <button @click=${() => this.leave(address)}>${fill(say(WORDS.go), { host: place })}</button>
        <a class="button" href="#/">${word("stay")}</a>
      </p>`;
  }

  question(/** @type {Got<"oauth/authorization">} */ { name, scopes }) {
    return html`<p>${fill(say(WORDS.asks), { name })}</p>
      <ul class="scopes">
        ${scopes.map((scope) => html`<li>${scopeText(scope)}</li>`)}
      </ul>
      <p class="host">${fill(say(WORDS.back), { host: this.place })}</p>
      <p class="quiet">${say(WORDS.lasts)}</p>
      ${this.player ? this.buttons(this.player) : this.newcomer()}`;
  }

  buttons(/** @type {Got<"me">} */ { guest, name }) {
    return html`<p class="quiet">${fill(say(WORDS.as), { name: guest ? word("guest") : name })}</p>
      <p class="buttons">
        <button class="main" ?disabled=${this.decided} @click=${() => this.decide(true)}>${say(WORDS.allow)}</button>
        <button ?disabled=${this.decided} @click=${() => this.decide(false)}>${say(WORDS.refuse)}</button>
      </p>`;
  }

  newcomer() {
    return html`<p>${say(WORDS.first)}</p>
      <form class="by-link" @submit=${(/** @type {At<HTMLFormElement>} */ event) => this.join(event)}>
        <label>${word("name")} <input type="text" name="name" required maxlength="40" /></label
        ><button class="main">${say(WORDS.guest)}</button>
      </form>
      ${this.signIn ? html`<p><a href="#/sign-in" target="_blank" rel="noopener">${say(WORDS.sign_in)}</a></p>` : nothing}`;
  }
}
