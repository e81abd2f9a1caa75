// The viewer's settings for all tables on this page. A page that wants to store them listens for changes.

import { html, nothing } from "../vendor/lit.js";
import { symbol } from "./symbols.js";
import { LANGUAGES, spoken, word } from "./words.js";

/** @import { Language } from "./words.js" */
/** @typedef {{sound: boolean, vibration: boolean, speed: string, text: boolean, cloth: string, deck: string}} Kept what is stored of the settings */

export const settings = {
  sound: false,
  vibration: false,
  /** How fast things move on the table: `slow`, `normal`, `fast` or `off`. */
  speed: "normal",
  text: false,
  /** What the table is made of: `green`, `night` or `wood`. */
  cloth: "green",
  /** How cards are drawn: `classic`, `large` or `plain`. */
  deck: "classic",
  /** @type {((chosen: Kept) => void) | null} */
  kept: null,
  /**
   * Called to switch the language; null where the surrounding page decides it.
   * @type {((language: Language) => void) | null}
   */
  speak: null,

  /** Whether nothing moves. */
  get isStill() {
    return this.speed === "off";
  },

  /**
   * Set one of them; *changed* draws.
   * @param {keyof Kept} name
   * @param {boolean | string} value
   * @param {() => void} changed
   */
  change(name, value, changed) {
    Object.assign(this, { [name]: value });
    const { sound, vibration, speed, text, cloth, deck } = this;
    this.kept?.({ sound, vibration, speed, text, cloth, deck });
    changed();
  },
};

const speeds = () => ({
  slow: word("speed_slow"),
  normal: word("speed_normal"),
  fast: word("speed_fast"),
  off: word("speed_off"),
});

/** The looks among which a viewer chooses. */
const looks = () => ({
  cloth: {
    title: word("cloth"),
    ways: { green: word("cloth_green"), night: word("cloth_night"), wood: word("cloth_wood") },
  },
  deck: { title: word("deck"), ways: { classic: word("deck_classic"), large: word("deck_large"), plain: word("deck_plain") } },
});

/** Buttons for the looks of table and cards, each with a sample of it. */
const samples = (/** @type {() => void} */ changed) =>
  Object.entries(looks()).map(
    ([name, { title, ways }]) =>
      html`<div class="looks" role="group" aria-label=${title}>
        <span aria-hidden="true">${title}</span>
        ${Object.entries(ways).map(
          ([way, told]) =>
            html`<button
              class="look"
              aria-pressed=${settings[/** @type {"cloth" | "deck"} */ (name)] === way}
              @click=${() => settings.change(/** @type {"cloth" | "deck"} */ (name), way, changed)}
            >
              <i class="sample ${name}-${way}" aria-hidden="true">${name === "deck" ? "7" : nothing}</i>${told}
            </button>`,
        )}
      </div>`,
  );

/** An open menu is closed by a tap outside, or by Escape, which does nothing else then. */
function shutLater(/** @type {{target: HTMLDetailsElement}} */ { target: menu }) {
  const ears = new AbortController();
  const shut = (/** @type {Event} */ event) => {
    if (menu.open && (event instanceof KeyboardEvent ? event.key !== "Escape" : event.composedPath().includes(menu))) return;
    if (menu.open && event.type === "keydown")
      (event.stopPropagation(), /** @type {HTMLElement} */ (menu.firstElementChild).focus());
    menu.open = false;
    ears.abort();
  };
  for (const kind of menu.open ? ["pointerdown", "keydown"] : [])
    document.addEventListener(kind, shut, { capture: true, signal: ears.signal });
}

/** The switches, in a menu. */
export function switches(/** @type {() => void} */ changed, /** @type {unknown} */ more = nothing) {
  const one = (/** @type {"sound" | "vibration" | "text"} */ name, /** @type {string} */ title) =>
    html`<label
      ><input
        type="checkbox"
        .checked=${settings[name]}
        @change=${(/** @type {{target: HTMLInputElement}} */ event) => settings.change(name, event.target.checked, changed)}
      />
      ${title}</label
    >`;
  return html`<details class="menu" @toggle=${shutLater}>
    <summary class="icon">${symbol("sliders")}<span>${word("settings")}</span></summary>
    <div>
      ${one("text", word("text_mode"))}${one("sound", word("sound"))}${"vibrate" in navigator ? one("vibration", word("vibration")) : nothing}
      <label
        >${word("speed")}
        <select
          @change=${(/** @type {{target: HTMLSelectElement}} */ event) => settings.change("speed", event.target.value, changed)}
        >
          ${Object.entries(speeds()).map(([name, title]) => html`<option value=${name} .selected=${name === settings.speed}>${title}</option>`)}
        </select></label
      >
      ${samples(changed)}
      ${settings.speak ? html`<p class="tongues">${Object.entries(LANGUAGES).map(([name, title]) => html`<button lang=${name} aria-pressed=${name === spoken()} @click=${() => settings.speak?.(/** @type {Language} */ (name))}>${title}</button>`)}</p>` : nothing}
      ${more}
      <p class="quiet">${word("keys")}</p>
    </div>
  </details>`;
}
