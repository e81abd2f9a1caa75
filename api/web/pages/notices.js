// What the reader is notified about while no page is open: by push in this browser, and by mail.

import { html, nothing } from "../vendor/lit.js";
import { messageOf } from "../core/client.js";
import { registration } from "../core/offline.js";
import { fill, say, spoken } from "../core/words.js";

/** @import { At, Got, Sent } from "../contract" */
/** @typedef {Got<"me/notices">} Chosen */
/** @typedef {Chosen["occasions"][number]} Occasion */

const WORDS = {
  title: { de: "Bescheid geben", en: "Notify me" },
  note: {
    de: "Wenn du keine Seite von Tafelrunde offen hast, bekommst du Bescheid. In der Nachricht stehen nur das Spiel, der Tisch und die Zeit, die bleibt.",
    en: "While you have no page of Tafelrunde open, you get a notice. It says only the game, the table, and how much time is left.",
  },
  turn: { de: "Ich bin am Zug", en: "It is my turn" },
  invitation: { de: "Ein Platz wartet auf mich", en: "A seat waits for me" },
  round: { de: "Eine Turnierrunde beginnt", en: "The next round begins" },
  end: { de: "Eine Partie ist zu Ende", en: "A match is over" },
  here: { de: "In diesem Browser", en: "In this browser" },
  here_on: { de: "Dieser Browser gibt dir Bescheid.", en: "This browser notifies you." },
  here_add: { de: "Hier Bescheid geben", en: "Notify me here" },
  here_end: { de: "Hier nicht mehr", en: "Stop here" },
  here_denied: {
    de: "Der Browser erlaubt für diese Seite keine Mitteilungen. Das änderst du in seinen Einstellungen.",
    en: "The browser allows no notifications for this page. You can change that in its settings.",
  },
  here_never: {
    de: "Dieser Browser zeigt keine Mitteilungen. Auf iPhone und iPad: erst zum Home-Bildschirm hinzufügen.",
    en: "This browser shows no notifications. On iPhone and iPad, add the page to the home screen first.",
  },
  others: { de: "Andere Browser: {count}", en: "Other browsers: {count}" },
  others_end: { de: "Anderswo beenden", en: "End elsewhere" },
  mail: { de: "Per Mail", en: "By mail" },
  mail_on: { de: "Mails gehen an {address}.", en: "Mail goes to {address}." },
  mail_wait: {
    de: "An {address} ist ein Code unterwegs. Er gilt eine Stunde.",
    en: "A code is on its way to {address}. It is valid for one hour.",
  },
  mail_end: { de: "Adresse löschen", en: "Delete the address" },
  address: { de: "Mail-Adresse", en: "Mail address" },
  code: { de: "Code aus der Mail", en: "Code from the mail" },
  send: { de: "Code schicken", en: "Send a code" },
  confirm: { de: "Bestätigen", en: "Confirm" },
};
const own = (/** @type {keyof typeof WORDS} */ key) => say(WORDS[key]);
const OCCASIONS = /** @type {const} */ (["turn", "invitation", "round", "end"]);
/** Where the id of this browser is kept: the service does not tell addresses. */
const HERE = "tafelrunde.notices";

/** Subscribe again; null where the browser will not, which says that only by an error of its own. */
async function subscribed(/** @type {PushManager} */ manager, /** @type {string} */ applicationServerKey) {
  try {
    await (await manager.getSubscription())?.unsubscribe();
    return await manager.subscribe({ userVisibleOnly: true, applicationServerKey });
  } catch {
    return null;
  }
}

/** A section of the reader's own page. */
export class Notices {
  /**
   * @param {import("../core/client.js").Client} client
   * @param {() => void} changed
   */
  constructor(client, changed) {
    this.client = client;
    this.changed = changed;
    /** @type {Chosen | null} */
    this.chosen = null;
    /** @type {unknown} */
    this.error = null;
    /** Whether push messages can be had here: null until that is known. @type {boolean | null} */
    this.can = null;
    /** The id of this browser, if it has subscribed. @type {string | null} */
    this.here = null;
  }

  load() {
    return this.attempt(async () => {
      this.chosen = await this.client.get("me/notices");
      const manager = "Notification" in globalThis ? (await registration())?.pushManager : undefined;
      this.can = manager !== undefined;
      const subscription = await manager?.getSubscription().catch(() => null);
      const kept = localStorage.getItem(HERE);
      this.here = subscription && this.chosen.browsers.some(({ id }) => id === kept) ? kept : null;
    });
  }

  /** Do something with the service; what goes wrong is shown in the section. */
  async attempt(/** @type {() => Promise<void>} */ act) {
    this.error = null;
    await act().catch((error) => (this.error = error));
    this.changed();
  }

  /** Choose what to hear of. What is shown changes at once, so that the next tick goes on from there. */
  choose(/** @type {Occasion} */ occasion, /** @type {boolean} */ wanted) {
    const { chosen } = this;
    if (!chosen) return undefined;
    const occasions = OCCASIONS.filter((each) => (each === occasion ? wanted : chosen.occasions.includes(each)));
    const shown = (this.chosen = { ...chosen, occasions });
    return this.attempt(async () => {
      try {
        const now = await this.client.change("me/notices", { occasions }, "PUT");
        if (this.chosen === shown) this.chosen = now;
      } catch (error) {
        if (this.chosen === shown) this.chosen = chosen;
        throw error;
      }
    });
  }

  /** Ask the browser, and tell the service; only a click leads here. */
  add() {
    return this.attempt(async () => {
      if ((await Notification.requestPermission()) !== "granted") return;
      const manager = (await registration())?.pushManager;
      if (!manager) return;
      const { key } = await this.client.get("notices/push-key");
      const subscription = await subscribed(manager, key);
      this.can = subscription !== null;
      if (!subscription) return;
      const { endpoint = "", keys = {} } = subscription.toJSON();
      const told = { endpoint, keys: { p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" }, language: spoken() };
      const { id } = await this.client.change("me/notices/push", told);
      localStorage.setItem(HERE, id);
      await this.load();
    });
  }

  /** Have no more notices in some browsers. */
  end(/** @type {string[]} */ ids) {
    return this.attempt(async () => {
      for (const id of ids) await this.client.change(`me/notices/push/${id}`, null, "DELETE");
      if (this.here && ids.includes(this.here))
        await (await (await registration())?.pushManager.getSubscription())?.unsubscribe();
      await this.load();
    });
  }

  mail(/** @type {At<HTMLFormElement>} */ event) {
    event.preventDefault();
    const address = String(new FormData(event.target).get("address"));
    return this.attempt(async () => {
      this.chosen = await this.client.change("me/notices/mail", { address, language: spoken() }, "PUT");
    });
  }

  confirm(/** @type {At<HTMLFormElement>} */ event) {
    event.preventDefault();
    const code = String(new FormData(event.target).get("code")).trim();
    return this.attempt(async () => {
      this.chosen = await this.client.change("me/notices/mail/confirmation", { code });
    });
  }

  stop() {
    return this.attempt(async () => {
      await this.client.change("me/notices/mail", null, "DELETE");
      await this.load();
    });
  }

  render() {
    const { chosen } = this;
    if (!chosen && !this.error) return nothing;
    return html`<section class="notices">
      <h2>${own("title")}</h2>
      <p>${own("note")}</p>
      ${this.error ? html`<p class="notice" role="alert">${messageOf(this.error)}</p>` : nothing}
      ${chosen ? html`${this.occasions(chosen)}${this.browser(chosen)}${chosen.ways.includes("mail") ? this.byMail(chosen) : nothing}` : nothing}
    </section>`;
  }

  occasions(/** @type {Chosen} */ { occasions }) {
    return html`<ul class="plain">
      ${OCCASIONS.map(
        (each) =>
          html`<li>
            <label
              ><input
                type="checkbox"
                .checked=${occasions.includes(each)}
                @change=${(/** @type {At<HTMLInputElement>} */ { target }) => this.choose(each, target.checked)}
              />
              ${own(each)}</label
            >
          </li>`,
      )}
    </ul>`;
  }

  browser(/** @type {Chosen} */ { browsers }) {
    const others = browsers.map(({ id }) => id).filter((id) => id !== this.here);
    return html`<h3>${own("here")}</h3>
      ${this.state()}
      ${
        others.length
          ? html`<p>
              ${fill(own("others"), { count: others.length })}
              <button @click=${() => this.end(others)}>${own("others_end")}</button>
            </p>`
          : nothing
      }`;
  }

  state() {
    const { here } = this;
    if (here) return html`<p>${own("here_on")} <button @click=${() => this.end([here])}>${own("here_end")}</button></p>`;
    if (!this.can) return html`<p class="quiet">${own("here_never")}</p>`;
    if (Notification.permission === "denied") return html`<p class="quiet">${own("here_denied")}</p>`;
    return html`<p><button @click=${() => this.add()}>${own("here_add")}</button></p>`;
  }

  byMail(/** @type {Chosen} */ { mail }) {
    const end = html`<button @click=${() => this.stop()}>${own("mail_end")}</button>`;
    if (mail?.confirmed)
      return html`<h3>${own("mail")}</h3>
        <p>${fill(own("mail_on"), { address: mail.address })} ${end}</p>`;
    const waiting = mail
      ? html`<p role="status">${fill(own("mail_wait"), { address: mail.address })}</p>
          <form class="by-link" @submit=${(/** @type {At<HTMLFormElement>} */ event) => this.confirm(event)}>
            <label
              >${own("code")}
              <input
                type="text"
                name="code"
                required
                inputmode="numeric"
                autocomplete="one-time-code"
                pattern="[0-9]{8}" /></label
            ><button>${own("confirm")}</button> ${end}
          </form>`
      : nothing;
    return html`<h3>${own("mail")}</h3>
      ${waiting}
      <form class="by-link" @submit=${(/** @type {At<HTMLFormElement>} */ event) => this.mail(event)}>
        <label>${own("address")} <input type="email" name="address" required maxlength="254" autocomplete="email" /></label
        ><button>${own("send")}</button>
      </form>`;
  }
}
