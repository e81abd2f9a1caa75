// Another device of the reader: the link that leads there, once; the devices that are there; and what such a link opens.

import { messageOf } from "../core/client.js";
import { clearDevice, earlierPlayers, signOutEarlier } from "../core/device.js";
import { html, nothing } from "../vendor/lit.js";
import { clock, fill, listed, say, spoken, word } from "../core/words.js";

/** @import { Got, Shapes } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @import { Confirm } from "../table/confirm.js" */

const WORDS = {
  code: { de: "Link für dein anderes Gerät", en: "Link for your other device" },
  devices: { de: "Meine Geräte", en: "My devices" },
  drop: { de: "Link zurückziehen", en: "Withdraw the link" },
  first: { de: "erstes Gerät", en: "first device" },
  here: { de: "dieses Gerät", en: "this device" },
  here_sure: {
    de: "Dieses Gerät abmelden? Du kannst hier dann nicht mehr als du spielen.",
    en: "Sign out this device? You can then no longer play as you here.",
  },
  note: {
    de: "Öffne den Link auf dem anderen Gerät, oder lies den QR-Code mit seiner Kamera. Er gilt einmal, bis {time}.",
    en: "Open the link on the other device, or scan the QR code with its camera. It works once, until {time}.",
  },
  once: {
    de: "Der Link gilt nur einmal. Danach spielst du hier mit demselben Konto wie auf deinem anderen Gerät.",
    en: "The link works only once. Then you play here as the same player as on your other device.",
  },
  show: { de: "Link und QR-Code zeigen", en: "Show link and QR code" },
  others: {
    de: "Du bist abgemeldet. Auf diesem Gerät ist aber noch {names} angemeldet: Wer es benutzt, kann so weiterspielen. Auch {names} abmelden?",
    en: "You are signed out. But {names} is still signed in on this device, and anyone who uses it can play on as {names}. Sign out {names} as well?",
  },
  others_all: { de: "Alle abmelden", en: "Sign out everyone" },
  since: { de: "seit {day}", en: "since {day}" },
  sign_out: { de: "Abmelden", en: "Sign out" },
  sign_out_sure: {
    de: "Das Gerät „{label}“ abmelden? Es kann dann nicht mehr als du spielen.",
    en: "Sign out the device “{label}”? It can then no longer play as you.",
  },
};

/** The part of the reader's own page on their devices. */
export class Devices {
  /**
   * @param {Client} client
   * @param {Confirm} confirm
   * @param {(act: () => Promise<void>) => Promise<void>} attempt
   * @param {(address: string) => void} go
   */
  constructor(client, confirm, attempt, go) {
    this.client = client;
    this.confirm = confirm;
    this.attempt = attempt;
    this.go = go;
    /** @type {Got<"me/tokens">["items"]} */
    this.tokens = [];
    /** @type {Shapes["DeviceCodeIssued"] | null} */
    this.made = null;
  }

  async load() {
    const { items } = await this.client.get("me/tokens");
    this.tokens = items.filter(({ scopes, match, grant }) => scopes.includes("create") && match === null && !grant);
  }

  make() {
    return this.attempt(async () => void (this.made = await this.client.change("me/device-codes")));
  }

  drop() {
    this.made = null;
    return this.attempt(async () => void (await this.client.change("me/device-codes", null, "DELETE")));
  }

  signOut(/** @type {string} */ token, /** @type {boolean} */ current) {
    return this.attempt(async () => {
      await this.client.change(`me/tokens/${token}`, null, "DELETE");
      if (!current) return this.load();
      this.client.signOut();
      const names = listed(earlierPlayers().map(({ name }) => name));
      if (!names) return this.leave();
      const all = () => this.attempt(() => signOutEarlier().then(() => this.leave()));
      return this.confirm.ask(fill(say(WORDS.others), { names }), say(WORDS.others_all), all, () => this.go("#/"));
    });
  }

  /** No one is signed in on this device any longer: forget what it has stored, and go to the lobby. */
  leave() {
    clearDevice();
    this.go("#/");
  }

  render() {
    const ask = (/** @type {string} */ label, /** @type {string} */ id, /** @type {boolean} */ current) => () => {
      const sure = current ? say(WORDS.here_sure) : fill(say(WORDS.sign_out_sure), { label });
      return this.confirm.ask(sure, say(WORDS.sign_out), () => this.signOut(id, current));
    };
    return html`<h2>${word("carry")}</h2>
      ${this.made ? this.link(this.made) : html`<p><button @click=${() => this.make()}>${say(WORDS.show)}</button></p>`}
      ${
        this.tokens.length > 1
          ? html`<h3>${say(WORDS.devices)}</h3>
              <ul class="people">
                ${this.tokens.map(({ id, label, created_ms: since, current }) => {
                  const called = label === "first" ? say(WORDS.first) : label;
                  const day = new Date(since).toLocaleDateString(spoken());
                  return html`<li class="person">
                    <span
                      >${called}${current ? html` <em>(${say(WORDS.here)})</em>` : nothing}
                      <span class="quiet">${fill(say(WORDS.since), { day })}</span></span
                    >
                    <button class="small" @click=${ask(called, id, current)}>${say(WORDS.sign_out)}</button>
                  </li>`;
                })}
              </ul>`
          : nothing
      }`;
  }

  link(/** @type {Shapes["DeviceCodeIssued"]} */ { link, qr, until_ms: until }) {
    return html`<p>${fill(say(WORDS.note), { time: clock(until) })}</p>
      <p><img class="qr" alt="" src=${`data:image/svg+xml,${encodeURIComponent(qr)}`} /></p>
      <p>
        <input
          class="device-link"
          type="text"
          readonly
          aria-label=${say(WORDS.code)}
          .value=${link}
          @focus=${(/** @type {{target: HTMLInputElement}} */ { target }) => target.select()}
        />
      </p>
      <p><button @click=${() => this.drop()}>${say(WORDS.drop)}</button></p>`;
  }
}

/** What this device is called in the list of devices: its system, as far as the browser says it. */
export function deviceLabel() {
  const known = ["iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux"];
  return known.find((each) => navigator.userAgent.includes(each)) ?? "device";
}

/** What stands at the address that leads to another device: nothing changes before the reader has agreed. */
export class Transfer {
  /**
   * @param {Client} client
   * @param {string} code
   * @param {() => void} changed
   * @param {(address: string) => void} go
   */
  constructor(client, code, changed, go) {
    this.client = client;
    this.code = code;
    this.changed = changed;
    this.go = go;
    /** @type {unknown} */
    this.error = null;
  }

  async take() {
    try {
      const { text } = await this.client.change("device-codes", { code: this.code, label: deviceLabel() });
      this.client.signIn(text);
      this.go("#/me");
    } catch (error) {
      this.error = error;
      this.changed();
    }
  }

  render() {
    if (this.error)
      return html`<p class="notice" role="alert">${messageOf(this.error)}</p>
        <p><a href="#/">${word("back")}</a></p>`;
    return html`<section class="me-page">
      <h1>${word("carry_here")}</h1>
      <p>${say(WORDS.once)}${this.client.token ? ` ${word("carry_replaces")}` : ""}</p>
      <p class="buttons">
        <button class="main" @click=${() => this.take()}>${word("carry_take")}</button>
        <a class="button" href="#/">${word("stay")}</a>
      </p>
    </section>`;
  }
}
