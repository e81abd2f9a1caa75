// A page that cannot be shown: why, and one way out.

import { messageOf, problemOf } from "../core/client.js";
import { html } from "../vendor/lit.js";
import { word } from "../core/words.js";

/** A sentence, and the way to the lobby. */
export const deadEnd = (/** @type {string} */ text) =>
  html`<p class="notice" role="alert">${text}</p>
    <p><a class="button" href="#/">${word("back")}</a></p>`;

/** Why a page could not be loaded: there is none at that address, or the service says something else. */
export const reason = (/** @type {unknown} */ error) => (problemOf(error)?.status === 404 ? word("no_page") : messageOf(error));

/** The same, with the way out. */
export const unloaded = (/** @type {unknown} */ error) => deadEnd(reason(error));
