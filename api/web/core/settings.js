// The viewer's settings for all tables on this page. A page that wants to store them listens for changes.

import { html, nothing } from "../vendor/lit.js";
import { symbol } from "./symbols.js";
import { LANGUAGES, spoken, word } from "./words.js";

/** @import { Language } from "./words.js" */
/** @typedef {{sound: boolean, vibration: boolean, speed: string, text: boolean}} Kept what is stored of the settings */

export const settings = {
  sound: false,
  vibration: false,
  /** How fast things move on the table: `slow`, `normal`, `fast` or `off`. */
  speed: "normal",
  text: false,
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
    this.kept?.({ sound: this.sound, vibration: this.vibration, speed: this.speed, text: this.text });
    changed();
  },
};

const speeds = () => ({
  slow: word("speed_slow"),
  normal: word("speed_normal"),
  fast: word("speed_fast"),
  off: word("speed_off"),
});

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
      ${settings.speak ? html`<p class="tongues">${Object.entries(LANGUAGES).map(([name, title]) => html`<button lang=${name} aria-pressed=${name === spoken()} @click=${() => settings.speak?.(/** @type {Language} */ (name))}>${title}</button>`)}</p>` : nothing}
      ${more}
      <p class="quiet">${word("keys")}</p>
    </div>
  </details>`;
}
