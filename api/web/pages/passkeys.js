// Passkeys: signing in by one, and those of the reader on their own page. What the browser asks and answers is WebAuthn.

import { html, nothing, ref } from "../vendor/lit.js";
import { fill, say, spoken } from "../core/words.js";
import { deviceLabel } from "./devices.js";

/** @import { At, Got } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @import { Confirm } from "../table/confirm.js" */
/** @typedef {import("./sign-in.js").SignIn} SignIn */

const WORDS = {
  title: { de: "Passkeys", en: "Passkeys" },
  note: {
    de: "Mit einem Passkey meldest du dich auf jedem Gerät an, ohne Namen und Passwort, auch wenn dieses hier verloren geht. Du bestätigst mit Finger, Gesicht oder PIN; der Dienst erfährt davon nichts.",
    en: "With a passkey you sign in on any device, without a name or a password, even if you lose this one. You confirm with your finger, face or PIN, of which the service learns nothing.",
  },
  label: { de: "Wie er heißen soll", en: "What to call it" },
  add: { de: "Passkey anlegen", en: "Add a passkey" },
  added: { de: "Der Passkey ist angelegt.", en: "The passkey has been added." },
  made: { de: "angelegt am {day}", en: "added on {day}" },
  used: { de: "zuletzt benutzt am {day}", en: "last used on {day}" },
  unused: { de: "noch nie benutzt", en: "never used" },
  rename: { de: "Umbenennen", en: "Rename" },
  renamed: { de: "Der Passkey heißt jetzt anders.", en: "The passkey has been renamed." },
  save: { de: "Speichern", en: "Save" },
  remove: { de: "Entfernen", en: "Remove" },
  remove_sure: {
    de: "Den Passkey „{label}“ entfernen? Damit kannst du dich dann nicht mehr anmelden. Geräte, die schon angemeldet sind, bleiben es.",
    en: "Remove the passkey “{label}”? You can then no longer sign in with it. Devices that are signed in already stay so.",
  },
  sign_in: { de: "Mit Passkey anmelden", en: "Sign in with a passkey" },
  sign_in_note: {
    de: "Dein Gerät fragt dich, mit welchem. Noch keinen? Leg auf einem Gerät, auf dem du schon spielst, im Profil einen an.",
    en: "Your device asks you which one. None yet? Add one in the profile, on a device on which you already play.",
  },
  none: {
    de: "Dieser Browser kann keine Passkeys, oder die Verbindung ist nicht verschlüsselt (https).",
    en: "This browser cannot use passkeys, or the connection is not encrypted (https).",
  },
  cancel: { de: "Abbrechen", en: "Cancel" },
  cancelled: {
    de: "Es hat sich nichts geändert: Du hast abgebrochen, oder auf diesem Gerät war kein Passkey.",
    en: "Nothing has changed: you cancelled, or there was no passkey on this device.",
  },
  known: { de: "Auf diesem Gerät hast du schon einen Passkey.", en: "You already have a passkey on this device." },
  refused: {
    de: "Der Browser lässt an dieser Adresse keine Passkeys zu.",
    en: "The browser allows no passkeys at this address.",
  },
};
/** @typedef {keyof typeof WORDS} Key */
const own = (/** @type {Key} */ key, /** @type {Record<string, string>} */ values = {}) => fill(say(WORDS[key]), values);

/** Whether this browser has passkeys at all; it has none without encryption. */
const can = () => Boolean(globalThis.PublicKeyCredential && navigator.credentials);

/** What the names of the browser's own errors mean to the reader. @type {Record<string, Key>} */
const ERRORS = { NotAllowedError: "cancelled", AbortError: "cancelled", InvalidStateError: "known" };

const bytes = (/** @type {string} */ text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));

const written = (/** @type {ArrayBuffer | null} */ raw) =>
  btoa(String.fromCharCode(...new Uint8Array(raw ?? [])))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Begin to write in a field that has just been drawn. */
const begin = (/** @type {Element | undefined} */ field) => {
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.select();
};

/** The keyboard stays where it is. */
const stay = () => {};

/** What was asked of the browser: one thing at a time, and what came of it is said in a line that stays, so that it is read out. */
class Asking {
  constructor(/** @type {() => void} */ changed) {
    this.changed = changed;
    this.busy = false;
    /** @type {Key | null} */
    this.said = null;
  }

  /** Do what asks the browser; errors that are not the browser's own are the caller's. */
  async ask(/** @type {() => Promise<Key | null>} */ act) {
    Object.assign(this, { busy: true, said: null });
    this.changed();
    try {
      this.said = await act();
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      this.said = ERRORS[error.name] ?? "refused";
    } finally {
      this.busy = false;
    }
  }

  render() {
    return html`<p aria-live="polite" class="quiet">${this.said ? own(this.said) : nothing}</p>`;
  }
}

/** Signing in, as a section of that page. */
export class PasskeySignIn {
  constructor(/** @type {SignIn} */ page) {
    this.page = page;
    this.asking = new Asking(page.changed);
  }

  signIn() {
    return this.page.attempt(() =>
      this.asking.ask(async () => {
        const { client } = this.page;
        const { challenge, rp_id: rpId } = await client.change("passkey-options");
        const publicKey = { challenge: bytes(challenge), rpId, userVerification: /** @type {const} */ ("preferred") };
        const found = /** @type {PublicKeyCredential | null} */ (await navigator.credentials.get({ publicKey }));
        if (!found) return "cancelled";
        const response = /** @type {AuthenticatorAssertionResponse} */ (found.response);
        const answer = {
          credential: written(found.rawId),
          client_data: written(response.clientDataJSON),
          authenticator_data: written(response.authenticatorData),
          signature: written(response.signature),
          user: written(response.userHandle),
          label: deviceLabel(),
        };
        this.page.become(await client.change("passkey-sign-ins", answer));
        return null;
      }),
    );
  }

  render() {
    if (!can()) return html`<p class="quiet">${own("none")}</p>`;
    return html`<p>
        <button class="main" ?disabled=${this.asking.busy} @click=${() => this.signIn()}>${own("sign_in")}</button>
      </p>
      <p class="quiet">${own("sign_in_note")}</p>
      ${this.asking.render()}`;
  }
}

/** The part of the reader's own page on their passkeys. */
export class Passkeys {
  /**
   * @param {Client} client
   * @param {Confirm} confirm
   * @param {(act: () => Promise<void>) => Promise<void>} attempt
   * @param {() => void} changed
   */
  constructor(client, confirm, attempt, changed) {
    this.client = client;
    this.confirm = confirm;
    this.attempt = attempt;
    this.changed = changed;
    this.asking = new Asking(changed);
    /** @type {Got<"me/passkeys">["items"]} */
    this.items = [];
    /** The passkey that gets another name. @type {string | null} */
    this.renaming = null;
    /** The one whose name was written last: the keyboard goes on from there. @type {string | null} */
    this.left = null;
  }

  /** Go on at the button that began to rename, which is drawn again. */
  goOn = (/** @type {Element | undefined} */ button) => {
    if (!(button instanceof HTMLElement)) return;
    this.left = null;
    button.focus();
  };

  async load() {
    this.items = (await this.client.get("me/passkeys")).items;
  }

  add(/** @type {At<HTMLFormElement>} */ event) {
    event.preventDefault();
    const label = String(new FormData(event.target).get("label"));
    return this.attempt(() =>
      this.asking.ask(async () => {
        const wanted = await this.client.change("me/passkey-options");
        /** @type {PublicKeyCredentialCreationOptions} */
        const publicKey = {
          challenge: bytes(wanted.challenge),
          rp: { id: wanted.rp_id, name: wanted.rp_name },
          user: { id: bytes(wanted.user), name: wanted.user_name, displayName: wanted.user_name },
          pubKeyCredParams: wanted.algorithms.map((alg) => ({ type: "public-key", alg })),
          excludeCredentials: wanted.exclude.map((id) => ({ type: "public-key", id: bytes(id) })),
          authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "preferred" },
        };
        const made = /** @type {PublicKeyCredential | null} */ (await navigator.credentials.create({ publicKey }));
        if (!made) return "cancelled";
        const response = /** @type {AuthenticatorAttestationResponse} */ (made.response);
        const [client_data, attestation] = [response.clientDataJSON, response.attestationObject].map(written);
        await this.client.change("me/passkeys", { label, client_data, attestation });
        await this.load();
        return "added";
      }),
    );
  }

  /** Write another name in place of that of a passkey, or no longer. */
  edit(/** @type {string | null} */ id) {
    this.left = this.renaming;
    this.renaming = id;
    this.changed();
  }

  rename(/** @type {At<HTMLFormElement>} */ event, /** @type {string} */ id) {
    event.preventDefault();
    const label = String(new FormData(event.target).get("label"));
    return this.attempt(async () => {
      await this.client.change(`me/passkeys/${id}`, { label }, "PATCH");
      await this.load();
      Object.assign(this.asking, { said: "renamed" });
      this.edit(null);
    });
  }

  remove(/** @type {string} */ id) {
    return this.attempt(async () => {
      await this.client.change(`me/passkeys/${id}`, null, "DELETE");
      await this.load();
    });
  }

  render() {
    return html`<h2>${own("title")}</h2>
      <p>${own("note")}</p>
      ${this.items.length ? this.list() : nothing} ${can() ? this.form() : html`<p class="quiet">${own("none")}</p>`}
      ${this.asking.render()}`;
  }

  list() {
    const on = (/** @type {number} */ moment) => ({ day: new Date(moment).toLocaleDateString(spoken()) });
    const ask = (/** @type {string} */ id, /** @type {string} */ label) => () =>
      this.confirm.ask(own("remove_sure", { label }), own("remove"), () => this.remove(id));
    return html`<ul class="people passkeys">
      ${this.items.map(({ id, label, made_ms: made, used_ms: used }) => {
        const when = `${own("made", on(made))}, ${used === null ? own("unused") : own("used", on(used))}`;
        if (id === this.renaming) return html`<li class="person">${this.other(id, label)}</li>`;
        return html`<li class="person">
          <span>${label} <span class="quiet">${when}</span></span>
          <button
            class="small"
            aria-label=${`${own("rename")}: ${label}`}
            ${ref(id === this.left ? this.goOn : stay)}
            @click=${() => this.edit(id)}
          >
            ${own("rename")}
          </button>
          <button class="small" aria-label=${`${own("remove")}: ${label}`} @click=${ask(id, label)}>${own("remove")}</button>
        </li>`;
      })}
    </ul>`;
  }

  /** What a passkey is to be called from now on; Escape leaves it as it is. */
  other(/** @type {string} */ id, /** @type {string} */ label) {
    const leave = (/** @type {KeyboardEvent} */ { key }) => key === "Escape" && this.edit(null);
    return html`<form
      class="by-link"
      @keydown=${leave}
      @submit=${(/** @type {At<HTMLFormElement>} */ event) => this.rename(event, id)}
    >
      <label>${own("label")} <input type="text" name="label" required maxlength="40" value=${label} ${ref(begin)} /></label
      ><button class="main">${own("save")}</button><button type="button" @click=${() => this.edit(null)}>${own("cancel")}</button>
    </form>`;
  }

  form() {
    return html`<form class="by-link" @submit=${(/** @type {At<HTMLFormElement>} */ event) => this.add(event)}>
      <label>${own("label")} <input type="text" name="label" required maxlength="40" value=${deviceLabel()} /></label
      ><button ?disabled=${this.asking.busy}>${own("add")}</button>
    </form>`;
  }
}
