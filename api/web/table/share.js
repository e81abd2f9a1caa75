// Sharing: the invitation to a match, and the code that embeds it in another page.

import { html, nothing } from "../vendor/lit.js";
import { word } from "../core/words.js";

/** @import { Store } from "../core/store.js" */

/** Copy a text if the browser lets us; a page without a secure context may not. */
export async function isCopied(/** @type {string} */ text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copy a text, or show it, to be copied by hand. */
export async function copy(/** @type {Store} */ store, /** @type {string} */ text) {
  store.notice = { text };
  if (await isCopied(text)) store.notice = "copied";
  store.changed();
}

/** The text that could not be copied. */
export const byHand = (/** @type {string} */ text) =>
  html`<p class="notice">
    <label class="by-hand"
      >${word("copy_it")}
      <input
        type="text"
        readonly
        .value=${text}
        @focus=${(/** @type {{target: HTMLInputElement}} */ event) => event.target.select()}
    /></label>
  </p>`;

/** The HTML that embeds a match for spectators. */
const frame = (/** @type {Store} */ { client, match }) =>
  `<iframe src="${client.base}embed/${match}?spectator=true" title="Tafelrunde" width="800" height="700"></iframe>`;

/** What the menu of a match offers, if it may be watched. */
export const offers = (/** @type {Store} */ store) =>
  store.facts.spectators === "public"
    ? html`<p><button @click=${() => copy(store, frame(store))}>${word("embed")}</button></p>`
    : nothing;
