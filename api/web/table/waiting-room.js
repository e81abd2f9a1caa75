// An open match, before it has a table: who has sat down, for whom it waits, and what can be done meanwhile.

import { copy } from "./share.js";
import { html, nothing } from "../vendor/lit.js";
import { fill, listed, say, word } from "../core/words.js";

/** @typedef {import("./table.js").TablePage} TablePage */

/** Said to whom a seat is reserved for. */
export const RESERVED = { de: "Dein Platz ist reserviert.", en: "A seat is reserved for you." };
const EXPECTED = { de: "Warten auf {names} …", en: "Waiting for {names} …" };
const TO_COME = { de: "kommt noch", en: "still to come" };

/** Whether anyone may take a seat: it is empty, and reserved for no one. @type {(chair: import("../contract").Chair) => boolean} */
export const isFree = ({ player, bot, reserved }) => !player && !bot && !reserved;

/** The chairs; the host may seat computers. */
/** @type {(page: TablePage) => unknown} */
export const waitingRoom = ({ store, controls }) =>
  html`<ol class="seats">
    ${store.facts.chairs.map(
      ({ seat, name, player, bot, program, reserved }) =>
        html`<li>
          ${name || bot ? html`<strong>${store.name(seat)}</strong>` : html`<em>${word("empty")}</em>`}${bot ? html` <span class="quiet">${word("computer")}</span>` : nothing}${program ? html` <span class="quiet">${word("program")}</span>` : nothing}${reserved ? html` <span class="quiet">${say(TO_COME)}</span>` : nothing}
          ${controls.isHost && !player && !bot ? html`<button @click=${() => store.act(`seats/${seat}/bot`, { bot: store.sheet.bots[0] }, "PUT")}>${word("seat_bot")}</button>` : nothing}
        </li>`,
    )}
  </ol>`;

/** What an open match waits for: players, or its host. */
/** @type {(page: TablePage) => string} */
export function missing({ store, controls }) {
  const { chairs, host, host_name: name, reserved_seat: kept } = store.facts;
  if (chairs.some(isFree)) return word("waiting");
  const expected = chairs.filter(({ seat, reserved }) => reserved && seat !== kept).map(({ seat }) => store.name(seat));
  if (expected.length) return fill(say(EXPECTED), { names: listed(expected) });
  if (kept !== null) return say(RESERVED);
  if (controls.isHost) return word("full_host");
  const own = chairs.find((chair) => chair.player === host);
  return fill(word("full"), { host: own ? store.name(own.seat) : (name ?? word("guest")) });
}

/** What can be done: start, invite others, sit down where a seat is free or reserved for the viewer. */
/** @type {(controls: import("./controls.js").Controls) => unknown} */
export function buttons(controls) {
  const { page, store, isHost, own } = controls;
  const { links } = page;
  const { chairs, reserved_seat: kept } = store.facts;
  const empty = chairs.some((chair) => !chair.player && !chair.bot);
  const room = kept !== null || (links && chairs.some(isFree));
  const join = () =>
    page.attempt(async () => {
      await store.client.signUp();
      await store.sit();
    });
  return html`${isHost ? html`<button class="main" ?disabled=${empty} @click=${controls.act("start")}>${word("start")}</button>` : nothing}
  ${links ? html`<button @click=${() => copy(store, links.invitation(store.match))}>${word("invite")}</button>` : nothing}
  ${room && !own ? html`<button class="main" @click=${join}>${word("join")}</button>` : nothing}`;
}
