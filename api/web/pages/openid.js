// Signing in at a provider of OpenID Connect: the browser goes there and comes back to the page that signs in.

import { html, nothing } from "../vendor/lit.js";
import { fill, say, spoken } from "../core/words.js";
import { deviceLabel } from "./devices.js";

/** @import { Got, Shapes } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @import { Confirm } from "../table/confirm.js" */
/** @typedef {import("./sign-in.js").SignIn} SignIn */

const WORDS = {
  sign_in: { de: "Anmelden mit {name}", en: "Sign in with {name}" },
  note: {
    de: "Du meldest dich dort an und kommst zurück. Dieser Dienst erfährt weder deinen Namen noch deine Adresse; beim ersten Mal wirst du ein neuer Gast.",
    en: "You sign in there and come back. This service learns neither your name nor your address; the first time you become a new guest.",
  },
  denied: { de: "Du hast die Anmeldung bei {name} abgebrochen.", en: "You cancelled signing in at {name}." },
  failed: {
    de: "Bei {name} hat die Anmeldung nicht geklappt. Versuch es noch einmal.",
    en: "Signing in at {name} did not work. Try again.",
  },
  elsewhere: {
    de: "Diese Anmeldung hat nicht in diesem Fenster begonnen. Fang hier noch einmal an.",
    en: "This sign-in did not begin in this window. Start again here.",
  },
  link: { de: "Mit {name} verbinden", en: "Link with {name}" },
  link_note: {
    de: "Danach kannst du dich auf jedem Gerät mit {name} anmelden. Gespeichert wird nur eine Prüfzahl, weder Name noch Adresse.",
    en: "You can then sign in with {name} on any device. Only a check value is stored, neither a name nor an address.",
  },
  linked: { de: "Seit dem {day} kannst du dich mit {name} anmelden.", en: "Since {day} you can sign in with {name}." },
  unlink: { de: "Verbindung lösen", en: "Unlink" },
  unlink_sure: {
    de: "Die Verbindung mit {name} lösen? Damit kannst du dich dann nicht mehr anmelden. Geräte, die schon angemeldet sind, bleiben es.",
    en: "Unlink {name}? You can then no longer sign in with it. Devices that are signed in already stay so.",
  },
};
const own = (/** @type {keyof typeof WORDS} */ key, /** @type {Record<string, string>} */ values = {}) =>
  fill(say(WORDS[key]), values);

/** Where this tab keeps what ends an attempt, while it is at the provider: no other window can end it. */
const ATTEMPT = "tafelrunde.openid";

/** Leave for the provider. */
function leave(/** @type {Shapes["OpenIdBegun"]} */ { address, secret }, /** @type {boolean} */ links) {
  sessionStorage.setItem(ATTEMPT, JSON.stringify({ secret, links }));
  location.assign(address);
}

/** Return what this tab has kept, once. @returns {{secret: string, links: boolean} | null} */
function kept() {
  const found = JSON.parse(sessionStorage.getItem(ATTEMPT) ?? "null");
  sessionStorage.removeItem(ATTEMPT);
  return found;
}

/** Signing in, as a section of that page. */
export class OpenIdSignIn {
  constructor(/** @type {SignIn} */ page) {
    this.page = page;
    this.name = "";
    this.busy = false;
    /** @type {"denied" | "failed" | "elsewhere" | null} */
    this.said = null;
  }

  async load() {
    this.name = (await this.page.client.get("openid")).name;
    const back = this.page.back;
    if (back) await this.page.attempt(() => this.finish(new URLSearchParams(back)));
  }

  begin() {
    this.busy = true;
    this.said = null;
    this.page.changed();
    return this.page
      .attempt(async () => leave(await this.page.client.change("openid/attempts"), false))
      .finally(() => (this.busy = false));
  }

  /** Go on with what the provider has sent back, if this tab has begun it. */
  async finish(/** @type {URLSearchParams} */ back) {
    const { client } = this.page;
    const attempt = kept();
    const error = back.get("error");
    if (error) return void (this.said = error === "access_denied" ? "denied" : "failed");
    if (!attempt) return void (this.said = "elsewhere");
    const proof = { state: back.get("state") ?? "", code: back.get("code") ?? "", secret: attempt.secret };
    if (attempt.links) {
      await client.change("me/openid", proof);
      this.page.go("#/me");
    } else this.page.become(await client.change("openid/sign-ins", { ...proof, label: deviceLabel() }));
  }

  render() {
    const { name } = this;
    return html`<p>
        <button class="main" ?disabled=${this.busy} @click=${() => this.begin()}>${own("sign_in", { name })}</button>
      </p>
      <p class="quiet">${own("note")}</p>
      ${this.said ? html`<p class="notice" role="alert">${own(this.said, { name })}</p>` : nothing}`;
  }
}

/** The part of the reader's own page on who it is at the provider. */
export class OpenIdLink {
  /**
   * @param {Client} client
   * @param {Confirm} confirm
   * @param {(act: () => Promise<void>) => Promise<void>} attempt
   */
  constructor(client, confirm, attempt) {
    this.client = client;
    this.confirm = confirm;
    this.attempt = attempt;
    /** @type {Got<"me/openid"> | null} */
    this.link = null;
  }

  async load() {
    this.link = await this.client.get("me/openid");
  }

  begin() {
    return this.attempt(async () => leave(await this.client.change("me/openid/attempts"), true));
  }

  unlink() {
    return this.attempt(async () => {
      await this.client.change("me/openid", null, "DELETE");
      await this.load();
    });
  }

  render() {
    if (!this.link) return nothing;
    const { name, since_ms: since } = this.link;
    const ask = () => this.confirm.ask(own("unlink_sure", { name }), own("unlink"), () => this.unlink());
    return html`<h2>${own("sign_in", { name })}</h2>
      ${
        since === null
          ? html`<p>${own("link_note", { name })}</p>
              <p><button @click=${() => this.begin()}>${own("link", { name })}</button></p>`
          : html`<p>${own("linked", { name, day: new Date(since).toLocaleDateString(spoken()) })}</p>
              <p><button @click=${ask}>${own("unlink")}</button></p>`
      }`;
  }
}
