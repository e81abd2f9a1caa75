// An open match, before it has a table: who has sat down, for whom it waits, and what can be done meanwhile.

import { copy } from "./share.js";
import { sound } from "../core/sound.js";
import { html, nothing } from "../vendor/lit.js";
import { byStrength } from "../pages/match-settings.js";
import { fill, listed, say, word } from "../core/words.js";

/** @typedef {import("./table.js").TablePage} TablePage */

/** Said to whom a seat is reserved for. */
export const RESERVED = { de: "Dein Platz ist reserviert.", en: "A seat is reserved for you." };
const EXPECTED = { de: "Warten auf {names} …", en: "Waiting for {names} …" };
const TO_COME = { de: "kommt noch", en: "still to come" };
const WORDS = {
  bot: { de: "Bot für freie Plätze", en: "Bot for free seats" },
  give_up: { de: "Platz aufgeben", en: "Give up the seat" },
  clock: {
    de: "Bedenkzeit: {turn} s für einen Zug, {reaction} s für eine Antwort darauf.",
    en: "Time to think: {turn} s for a turn, {reaction} s for an answer to one.",
  },
  name: { de: "Dein Name", en: "Your name" },
  no: { de: "nein", en: "no" },
  none: { de: "Keine Uhr: Jeder denkt, so lange er will.", en: "No clock: everyone thinks as long as they like." },
  remove: { de: "Entfernen", en: "Remove" },
  yes: { de: "ja", en: "yes" },
};

/**
 * What has been chosen at a table that is still open, and how many players sat there when it was looked at last.
 * @type {WeakMap<TablePage, {name: string, bot: string | null, players: number | null}>}
 */
const chosen = new WeakMap();

/** @type {(page: TablePage) => {name: string, bot: string | null, players: number | null}} */
function chosenAt(page) {
  const known = chosen.get(page) ?? { name: "", bot: null, players: null };
  chosen.set(page, known);
  return known;
}

/** Tell the host who has sat down: a sound, and the number of taken seats in the title. @type {(page: TablePage) => void} */
export function hear(page) {
  const { store, controls, links } = page;
  const { chairs } = store.facts;
  const open = store.view.status === "open" && controls.isHost;
  const players = chairs.filter(({ player }) => player).length;
  const room = chosenAt(page);
  if (open && room.players !== null && players > room.players) sound("turn");
  room.players = players;
  links?.entitle?.(open ? `${chairs.filter(({ player, bot }) => player || bot).length}/${chairs.length}` : null);
}

/** Whether anyone may take a seat: it is empty, and reserved for no one. @type {(chair: import("../contract").Chair) => boolean} */
export const isFree = ({ player, bot, reserved }) => !player && !bot && !reserved;

/**
 * The chairs, and what will be played; the host may seat computers, and clear a seat.
 * @type {(page: TablePage) => unknown}
 */
export function waitingRoom(page) {
  const { store, controls } = page;
  const { isHost, own } = controls;
  const bot = chosenAt(page).bot ?? store.sheet.bots[0];
  const clear = (/** @type {number} */ seat) => () => store.act(`seats/${seat}`, null, "DELETE");
  return html`${isHost && store.facts.chairs.some(isFree) ? bots(page, bot) : nothing}
    <ol class="seats">
      ${store.facts.chairs.map(
        ({ seat, name, player, bot: seated, program, reserved }) =>
          html`<li class=${seat === own?.seat ? "me" : ""}>
            ${name || seated ? html`<strong>${store.name(seat)}</strong>` : html`<em>${word("empty")}</em>`}${seat === own?.seat ? html` <span class="quiet">(${word("you")})</span>` : nothing}${seated ? html` <span class="quiet">${word("computer")}</span>` : nothing}${program ? html` <span class="quiet">${word("program")}</span>` : nothing}${reserved ? html` <span class="quiet">${say(TO_COME)}</span>` : nothing}
            ${isHost && !player && !seated ? html`<button @click=${() => store.act(`seats/${seat}/bot`, { bot }, "PUT")}>${word("seat_bot")}</button>` : nothing}${isHost && (player || seated) && seat !== own?.seat ? html`<button @click=${clear(seat)}>${say(WORDS.remove)}</button>` : nothing}
          </li>`,
      )}
    </ol>
    ${agreed(page)}`;
}

/** Which bot takes a free seat. @type {(page: TablePage, bot: string) => unknown} */
function bots(page, bot) {
  const ranked = byStrength(page.store.sheet.characters);
  const choose = (/** @type {import("../contract").At<HTMLSelectElement>} */ { target }) => {
    chosenAt(page).bot = ranked[target.selectedIndex].bot;
    page.changed();
  };
  return html`<label class="bots"
    >${say(WORDS.bot)}
    <select @change=${choose}>
      ${ranked.map((each) => html`<option ?selected=${each.bot === bot}>${say(each.name)}</option>`)}
    </select></label
  >`;
}

/** The clock and the options of the match, to which a player who sits down agrees. @type {(page: TablePage) => unknown} */
function agreed({ store }) {
  const { facts, sheet } = store;
  const { turn_seconds: turn, reaction_seconds: reaction } = facts.clock;
  const told = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    typeof value === "boolean"
      ? say(value ? WORDS.yes : WORDS.no)
      : (sheet.text(`${sheet.id}.option.${name}.${value}`) ?? String(value ?? "–"));
  const options = Object.entries(facts.options).filter(
    ([name, value]) => value !== null && value !== undefined && sheet.text(`${sheet.id}.option.${name}`),
  );
  return html`<p class="quiet">
      ${typeof turn !== "number" || typeof reaction !== "number" ? say(WORDS.none) : fill(say(WORDS.clock), { turn, reaction })}
    </p>
    <dl class="pairs agreed">
      ${options.map(
        ([name, value]) =>
          html`<dt class="quiet">${sheet.text(`${sheet.id}.option.${name}`)}</dt>
            <dd>${told(name, value)}</dd>`,
      )}
    </dl>`;
}

/**
 * What an open match waits for: players, or its host.
 * @type {(page: TablePage) => string}
 */
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

/**
 * What can be done: start, invite others, sit down where a seat is free or reserved for the viewer.
 * @type {(controls: import("./controls.js").Controls) => unknown}
 */
export function buttons(controls) {
  const { page, store, isHost, own } = controls;
  const { links } = page;
  const { chairs, reserved_seat: kept } = store.facts;
  const empty = chairs.some((chair) => !chair.player && !chair.bot);
  const room = kept !== null || (links && chairs.some(isFree));
  const join = () =>
    page.attempt(async () => {
      await store.client.signUp(chosenAt(page).name.trim());
      await store.sit();
    });
  const named = (/** @type {{target: HTMLInputElement}} */ { target }) => (chosenAt(page).name = target.value);
  const name =
    room && !own && !store.client.token
      ? html`<label class="own-name"
          >${say(WORDS.name)}
          <input type="text" maxlength="40" autocomplete="nickname" placeholder=${word("guest")} @input=${named}
        /></label>`
      : nothing;
  return html`${name}${isHost ? html`<button class="main" ?disabled=${empty} @click=${controls.act("start")}>${word("start")}</button>` : nothing}
  ${links ? html`<button @click=${() => copy(store, links.invitation(store.match))}>${word("invite")}</button>` : nothing}
  ${room && !own ? html`<button class="main" @click=${join}>${word("join")}</button>` : nothing}
  ${kept !== null && !own ? html`<button @click=${controls.act("seats/me", null, "DELETE")}>${say(WORDS.give_up)}</button>` : nothing}`;
}
