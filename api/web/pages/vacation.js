// The reader's vacation, for which slow matches wait: until when, how many days of the year are left, and its end.

import { html, nothing } from "../vendor/lit.js";
import { messageOf } from "../core/client.js";
import { serverNow } from "../core/clock.js";
import { fill, say, spoken } from "../core/words.js";

/** @import { At, Got } from "../contract" */

const WORDS = {
  title: { de: "Urlaub", en: "Vacation" },
  note: {
    de: "Partien mit mindestens einem Tag Bedenkzeit je Zug warten auf dich. Die anderen sehen, dass du weg bist.",
    en: "Matches with a day or more for every move wait for you. The others see that you are away.",
  },
  left: { de: "Tage, die dir dieses Jahr bleiben: {count}", en: "Days that you have left this year: {count}" },
  away: { de: "Du bist im Urlaub bis {day}.", en: "You are on vacation until {day}." },
  until: { de: "Letzter Tag", en: "Last day" },
  begin: { de: "In Urlaub gehen", en: "Go on vacation" },
  change: { de: "Bis dahin", en: "Change it" },
  end: { de: "Urlaub beenden", en: "End the vacation" },
};
const own = (/** @type {keyof typeof WORDS} */ key) => say(WORDS[key]);
const DAY_MS = 86_400_000;

/** A day as in the field of a form. @type {(at: number) => string} */
const field = (at) => {
  const day = new Date(at);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
};

/** When a day of a form is over, where the reader is. */
const endOf = (/** @type {string} */ day) => {
  const [year, month, date] = day.split("-").map(Number);
  return new Date(year, month - 1, date + 1).getTime();
};

/** The last day of a vacation, in words. */
export const dayOf = (/** @type {number} */ until) =>
  new Date(until - 1).toLocaleDateString(spoken(), { day: "numeric", month: "long", year: "numeric" });

/** A section of the reader's own page. */
export class Vacation {
  /**
   * @param {import("../core/client.js").Client} client
   * @param {() => void} changed
   */
  constructor(client, changed) {
    this.client = client;
    this.changed = changed;
    /** @type {Got<"me/vacation"> | null} */
    this.found = null;
    /** @type {unknown} */
    this.error = null;
  }

  load() {
    return this.attempt(() => this.client.get("me/vacation"));
  }

  /** Ask the service, and show what it says; what goes wrong is shown in the section. */
  async attempt(/** @type {() => Promise<Got<"me/vacation">>} */ ask) {
    this.error = null;
    try {
      this.found = await ask();
    } catch (error) {
      this.error = error;
    }
    this.changed();
  }

  begin(/** @type {At<HTMLFormElement>} */ event) {
    event.preventDefault();
    const day = String(new FormData(event.target).get("until"));
    return this.attempt(() => this.client.change("me/vacation", { until_ms: endOf(day) }, "PUT"));
  }

  end() {
    return this.attempt(() => this.client.change("me/vacation", null, "DELETE"));
  }

  render() {
    const { found } = this;
    return html`<section class="vacation">
      <h2>${own("title")}</h2>
      <p>${own("note")}</p>
      ${this.error ? html`<p class="notice" role="alert">${messageOf(this.error)}</p>` : nothing}
      ${found ? this.form(found) : nothing}
    </section>`;
  }

  /** The days that can be chosen end with the last one that is wholly covered. @type {(found: Got<"me/vacation">) => unknown} */
  form({ until_ms: until, days_left: left }) {
    const now = serverNow();
    const last = Math.max(until ?? now, now) + left * DAY_MS;
    const choice =
      until !== null || left > 0
        ? html`<form class="by-link" @submit=${(/** @type {At<HTMLFormElement>} */ event) => this.begin(event)}>
            <label
              >${own("until")}
              <input
                type="date"
                name="until"
                required
                min=${field(now)}
                max=${field(last - DAY_MS)}
                .value=${until === null ? "" : field(until - 1)} /></label
            ><button>${own(until === null ? "begin" : "change")}</button>
          </form>`
        : nothing;
    return html`${
        until === null
          ? nothing
          : html`<p role="status">
              ${fill(own("away"), { day: dayOf(until) })} <button @click=${() => this.end()}>${own("end")}</button>
            </p>`
      }
      <p class="quiet">${fill(own("left"), { count: left })}</p>
      ${choice}`;
  }
}
