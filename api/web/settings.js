// What a viewer has chosen for all tables of this page. A page that wants to keep it listens.

import { html, nothing } from "./lit.js";
import { symbol } from "./symbols.js";
import { LANGUAGES, spoken, word } from "./words.js";

export const settings = {
  sound: false,
  still: false,
  text: false,
  kept: null,
  /** Called to speak another language; null where the page around the table decides that. */
  speak: null,

  change(name, value, changed) {
    this[name] = value;
    this.kept?.({ sound: this.sound, still: this.still, text: this.text });
    changed();
  },
};

/** The switches, in a menu. */
export function switches(changed) {
  const one = (name, title) => html`<label><input type="checkbox" .checked=${settings[name]} @change=${(event) => settings.change(name, event.target.checked, changed)} /> ${title}</label>`;
  return html`<details class="menu"><summary class="icon">${symbol("sliders")}<span>${word("settings")}</span></summary><div>
    ${one("text", word("text_mode"))}${one("sound", word("sound"))}${one("still", word("still"))}
    ${settings.speak ? html`<p class="tongues">${Object.entries(LANGUAGES).map(([name, title]) => html`<button lang=${name} aria-pressed=${name === spoken()} @click=${() => settings.speak(name)}>${title}</button>`)}</p>` : nothing}
    <p class="quiet">${word("keys")}</p></div></details>`;
}
