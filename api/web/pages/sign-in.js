// Signing in: the ways that the deployment has, and what becomes of the player who was here before.

import { messageOf } from "../core/client.js";
import { earlierPlayers, endToken, signOutEarlier, storeEarlier } from "../core/device.js";
import { html, nothing } from "../vendor/lit.js";
import { fill, listed, say, word } from "../core/words.js";
import { Confirm } from "../table/confirm.js";
import { OpenIdSignIn } from "./openid.js";
import { PasskeySignIn } from "./passkeys.js";

/** @import { Got, Shapes } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @import { Before } from "../core/device.js" */
/** @typedef {Shapes["PlayerIssued"]} Issued */
/**
 * A way to sign in, as a section of the page. Whom it leads to, it hands to `become` of the page; what may fail, to `attempt`.
 * @typedef {{load?: () => Promise<void>, render: () => unknown}} Way
 */

const WORDS = {
  title: { de: "Anmelden", en: "Sign in" },
  none: { de: "Hier gibt es keine Anmeldung.", en: "There is no way to sign in here." },
  now: {
    de: "Auf diesem Gerät spielst du als {name}. Bevor sich das ändert, wirst du gefragt.",
    en: "On this device you play as {name}. You are asked before that changes.",
  },
  ask: {
    de: "Du bist jetzt als {other} angemeldet, und auf diesem Gerät spielt noch {name}. Soll das Gerät von jetzt an {other} gehören? {name} geht nicht verloren: Auf der Seite „Anmelden“ kannst du zurück.",
    en: "You have signed in as {other}, and this device still belongs to {name}. Shall it belong to {other} from now on? {name} is not lost: the page “Sign in” leads back.",
  },
  take: { de: "Als {other} spielen", en: "Play as {other}" },
  back: { de: "Zurück zu {name}", en: "Back to {name}" },
  forget: { de: "{names} abmelden", en: "Sign out {names}" },
  back_note: {
    de: "Vorher hat auf diesem Gerät {name} gespielt. Gehst du zurück, wird das Gerät bei dir abgemeldet.",
    en: "Before you signed in, {name} played on this device. If you go back, the device is signed out.",
  },
};
const own = (/** @type {keyof typeof WORDS} */ key, /** @type {Record<string, string>} */ values = {}) =>
  fill(say(WORDS[key]), values);

/** What makes each way, by the feature that a deployment has for it. @type {Record<string, (page: SignIn) => Way>} */
const WAYS = { passkeys: (page) => new PasskeySignIn(page), openid: (page) => new OpenIdSignIn(page) };
/** Whether one can sign in where there are these features. */
export const canSignIn = (/** @type {readonly string[]} */ features) => Object.keys(WAYS).some((each) => features.includes(each));

const named = (/** @type {{guest: boolean, name: string}} */ player) => (player.guest ? word("guest") : player.name);

export class SignIn {
  /**
   * @param {Client} client
   * @param {() => void} changed
   * @param {(address: string) => void} go
   * @param {string} back what the address had behind a question mark: with that a browser comes back from another service
   */
  constructor(client, changed, go, back = "") {
    this.client = client;
    this.changed = changed;
    this.go = go;
    this.back = back;
    this.confirm = new Confirm(changed);
    /** @type {Way[]} */
    this.ways = [];
    /** Who plays in this browser. @type {Got<"me"> | null} */
    this.player = null;
    /** @type {Before[]} */
    this.before = earlierPlayers();
    this.ready = false;
    /** @type {unknown} */
    this.error = null;
  }

  load() {
    return this.attempt(async () => {
      const { client } = this;
      const { features } = await client.get("games");
      this.player = await client.own("me");
      this.ways = Object.entries(WAYS).flatMap(([feature, made]) => (features.includes(feature) ? [made(this)] : []));
      await Promise.all(this.ways.map((way) => way.load?.()));
      this.ready = true;
    });
  }

  /** Do something with the service; what goes wrong is shown on the page. */
  async attempt(/** @type {() => Promise<void>} */ act) {
    this.error = null;
    await act().catch((error) => (this.error = error));
    this.changed();
  }

  /** Be the player that the reader has signed in as; if another one plays here, the reader is asked first. */
  become(/** @type {Issued} */ issued) {
    const { player } = this;
    if (!player || player.id === issued.player.id) return this.take(issued);
    const names = { name: named(player), other: named(issued.player) };
    const stay = () => this.attempt(() => endToken(issued.text, issued.token.id));
    return this.confirm.ask(own("ask", names), own("take", names), () => this.take(issued), stay);
  }

  take(/** @type {Issued} */ { player, token, text }) {
    const { client, player: was } = this;
    if (client.token && was && was.id !== player.id)
      this.remember([...this.before, { text: client.token, name: named(was), by: token.id }]);
    client.signIn(text);
    this.go("#/me");
  }

  remember(/** @type {Before[]} */ before) {
    this.before = before;
    storeEarlier(before);
  }

  /** Be the player again who was here before; this device is signed out of the other one. */
  goBack(/** @type {Before} */ { text, by }) {
    return this.attempt(async () => {
      if (this.client.token) await endToken(this.client.token, by);
      this.remember(this.before.slice(0, -1));
      this.client.signIn(text);
      this.go("#/me");
    });
  }

  /** Sign out the earlier players of this device, and keep the current one. */
  forget() {
    return this.attempt(async () => {
      await signOutEarlier();
      this.before = [];
    });
  }

  render() {
    return html`<section class="me-page">
      <p><a href="#/">${word("back")}</a></p>
      <h1>${own("title")}</h1>
      ${this.confirm.render()} ${this.error ? html`<p class="notice" role="alert">${messageOf(this.error)}</p>` : nothing}
      ${this.ready ? this.parts() : this.error ? nothing : html`<p class="quiet">${word("loading")}</p>`}
    </section>`;
  }

  parts() {
    const { player } = this;
    const before = this.before.at(-1);
    return html`${player ? html`<p>${own("now", { name: named(player) })}</p>` : nothing}
    ${this.ways.length ? this.ways.map((way) => way.render()) : html`<p>${own("none")}</p>`}
    ${
      before
        ? html`<p>${own("back_note", before)}</p>
            <p class="buttons">
              <button @click=${() => this.goBack(before)}>${own("back", before)}</button>
              <button @click=${() => this.forget()}>
                ${own("forget", { names: listed(this.before.map(({ name }) => name)) })}
              </button>
            </p>`
        : nothing
    }`;
  }
}
