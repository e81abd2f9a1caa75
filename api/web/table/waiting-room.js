// Who has sat down, before a match has a table.

import { html, nothing } from "../vendor/lit.js";
import { word } from "../core/words.js";

/** Whether anyone may take a seat: it is empty, and reserved for no one. @type {(chair: import("../contract").Chair) => boolean} */
export const isFree = ({ player, bot, reserved }) => !player && !bot && !reserved;

/** The chairs; the host may seat computers. */
/** @type {(page: import("./table.js").TablePage) => unknown} */
export const waitingRoom = ({ store, controls }) =>
  html`<ol class="seats">
    ${store.facts.chairs.map(
      ({ seat, name, player, bot, program, reserved }) =>
        html`<li>
          ${name || bot ? html`<strong>${store.name(seat)}</strong>` : html`<em>${word("empty")}</em>`}${bot ? html` <span class="quiet">${word("computer")}</span>` : nothing}${program ? html` <span class="quiet">${word("program")}</span>` : nothing}${reserved ? html` <span class="quiet">${word("reserved")}</span>` : nothing}
          ${controls.isHost && !player && !bot ? html`<button @click=${() => store.act(`seats/${seat}/bot`, { bot: store.sheet.bots[0] }, "PUT")}>${word("seat_bot")}</button>` : nothing}
        </li>`,
    )}
  </ol>`;
