// An open match, before it has a table: who has sat down, for whom it waits, and what can be done meanwhile.

import { avatar, likeness } from "../art/avatars.js";
import { emblem } from "../core/symbols.js";
import { inviting } from "./inviting.js";
import { copy } from "./share.js";
import { fillsAt, isFree, RESERVED } from "./free-seats.js";
import { sound } from "../core/sound.js";
import { html, nothing } from "../vendor/lit.js";
import { about, chosenOf, offersAt } from "../pages/bot-choice.js";
import { paceOf, timeOf, WATCH, watchers } from "../pages/match-settings.js";
import { fields } from "../pages/options-form.js";
import { loadPictures, picture } from "../pages/pictures.js";
import { secondsUntil, shortly } from "../core/clock.js";
import { fill, listed, say, word } from "../core/words.js";

/** @typedef {import("./table.js").TablePage} TablePage */

const EXPECTED = { de: "Warten auf {names} …", en: "Waiting for {names} …" };
const TO_COME = { de: "kommt noch", en: "still to come" };
const WORDS = {
  bot: { de: "Welcher Bot", en: "Which bot" },
  give_up: { de: "Platz aufgeben", en: "Give up the seat" },
  clock: { de: "Bedenkzeit: {time}", en: "Time to think: {time}" },
  fills: { de: "Bots setzen sich dazu in {time}", en: "Bots take the free seats in {time}" },
  fills_now: { de: "Gleich setzen sich Bots dazu.", en: "Bots are about to take the free seats." },
  host: { de: "Gastgeber", en: "host" },
  invited: { de: "Du bist zu {game} eingeladen", en: "You are invited to {game}" },
  invited_by: { de: "{name} lädt dich zu {game} ein", en: "{name} invites you to {game}" },
  joined: { de: "{names} hat sich gesetzt.", en: "{names} has joined." },
  joined_all: { de: "{names} haben sich gesetzt.", en: "{names} have joined." },
  left: { de: "{names} ist gegangen.", en: "{names} has left." },
  left_all: { de: "{names} sind gegangen.", en: "{names} have left." },
  pass_host: { de: "Zum Gastgeber machen", en: "Make host" },
  name: { de: "Dein Name", en: "Your name" },
  no: { de: "nein", en: "no" },
  terms: { de: "Tempo und Regeln", en: "Pace and rules" },
  terms_more: { de: "Tempo und Regeln: {count} Varianten", en: "Pace and rules: {count} variants" },
  terms_one: { de: "Tempo und Regeln: eine Variante", en: "Pace and rules: 1 variant" },
  none: { de: "Keine Uhr: Jeder denkt, so lange er will.", en: "No clock: everyone thinks as long as they like." },
  remove: { de: "Entfernen", en: "Remove" },
  yes: { de: "ja", en: "yes" },
};

/**
 * What has been chosen at a table that is still open, who sat there by seat when it was looked at last, what is said of that in the
 * title, and what ticks.
 * @typedef {{name: string, bots: Map<number, string>, sat: Map<string, string> | null, heard: string, timer?: ReturnType<typeof setTimeout>}} Room
 */
/** @type {WeakMap<TablePage, Room>} */
const chosen = new WeakMap();

/** @type {(page: TablePage) => Room} */
function chosenAt(page) {
  const known = chosen.get(page) ?? { name: "", bots: new Map(), sat: null, heard: "" };
  chosen.set(page, known);
  return known;
}

/** Who has a key among the entries of one map and not of another. @type {(some: Map<string, string>, others: Map<string, string>) => string[]} */
const only = (some, others) => [...some].filter(([player]) => !others.has(player)).map(([, name]) => name);

/**
 * Say who has sat down or left since the table was heard last: for those who sit there, with a sound, and in the title of a tab that
 * is not looked at.
 * @type {(page: TablePage) => void}
 */
export function hear(page) {
  const { store, controls, links } = page;
  const { chairs } = store.facts;
  const open = store.view.status === "open" && controls.own !== null;
  const room = chosenAt(page);
  const sat = new Map(chairs.flatMap(({ seat, player }) => (player ? [[player, store.name(seat)]] : [])));
  if (open && room.sat) announce(page, only(sat, room.sat), only(room.sat, sat));
  room.sat = sat;
  if (!document.hidden) room.heard = "";
  const count = `${chairs.filter(({ player, bot }) => player || bot).length}/${chairs.length}`;
  links?.entitle?.(open ? `${room.heard}${count}` : null);
  tick(page, open && fillsAt(store.match) !== null);
}

/** @type {(page: TablePage, come: string[], gone: string[]) => void} */
function announce(page, come, gone) {
  const said = [
    [come, WORDS.joined, WORDS.joined_all],
    [gone, WORDS.left, WORDS.left_all],
  ];
  for (const [names, one, all] of /** @type {[string[], typeof WORDS.joined, typeof WORDS.joined][]} */ (said)) {
    const text = names.length ? fill(say(names.length > 1 ? all : one), { names: listed(names) }) : "";
    if (text) page.news.say(text);
    if (text && document.hidden) chosenAt(page).heard = `${text} `;
  }
  if (come.length) sound("turn");
}

/** Draw the time that is left each second, while there is any. @type {(page: TablePage, running: boolean) => void} */
function tick(page, running) {
  const room = chosenAt(page);
  clearTimeout(room.timer);
  if (running && !page.store.stop.signal.aborted)
    room.timer = setTimeout(() => (page.changed(), tick(page, page.store.view.status === "open")), 1000);
}

/**
 * The chairs, and what will be played; the host may seat computers, and clear a seat.
 * @type {(page: TablePage) => unknown}
 */
export function waitingRoom(page) {
  const { store, controls } = page;
  const { isHost, own } = controls;
  return html`<div class="room">
    ${canJoin(page) ? invitation(page) : nothing}${fills(page)}
    <ol class="seats">
      ${store.facts.chairs.map(
        (chair) =>
          html`<li class=${chair.seat === own?.seat ? "me" : ""}>
            ${face(page, chair)}
            <span class="sits">${occupant(page, chair)}</span>
            ${isHost && chair.seat !== own?.seat ? html`<span class="powers">${powers(page, chair)}</span>` : nothing}
          </li>`,
      )}
    </ol>
    ${terms(page)}
    <div class="guests">${inviting(page)}</div>
  </div>`;
}

/** Whether the viewer can sit down: a seat is reserved for them, or one is free. @type {(page: TablePage) => boolean} */
function canJoin({ store, controls, links }) {
  const { chairs, reserved_seat: kept } = store.facts;
  return !controls.own && (kept !== null || (Boolean(links) && chairs.some(isFree)));
}

/** Who invites to which game, and a way to sit down at once: that is what someone who comes by a link looks for. @type {(page: TablePage) => unknown} */
export function invitation(page) {
  const { store } = page;
  const { reserved_seat: kept, game } = store.facts;
  const named = (/** @type {{target: HTMLInputElement}} */ { target }) => (chosenAt(page).name = target.value);
  const join = (/** @type {Event} */ event) => {
    event.preventDefault();
    return page.attempt(async () => {
      await store.client.signUp(chosenAt(page).name.trim());
      await store.sit();
    });
  };
  const name = store.client.token
    ? nothing
    : html`<label class="own-name"
        >${say(WORDS.name)}
        <input type="text" maxlength="40" autocomplete="nickname" placeholder=${word("guest")} @input=${named}
      /></label>`;
  const giveUp = () => store.act("seats/me", null, "DELETE");
  return html`<form class="invitation" @submit=${join}>
    <span class="emblems">${pictured(page) ?? emblem(game)}</span>
    <div>
      <h2>${invites(page)}</h2>
      ${store.sheet.about ? html`<p class="quiet">${say(store.sheet.about)}</p>` : nothing}
    </div>
    <div class="joining">
      ${name}<button class="main">${word("join")}</button>
      ${kept !== null ? html`<button type="button" @click=${giveUp}>${say(WORDS.give_up)}</button>` : nothing}
    </div>
  </form>`;
}

/** The picture of the game, once its cards are loaded. @type {(page: TablePage) => unknown} */
function pictured(page) {
  const drawn = picture(page.store.sheet);
  if (!drawn) loadPictures([page.store.sheet]).then(() => picture(page.store.sheet) && page.changed());
  return drawn;
}

/** Who invites the viewer; a host without a name is not named. @type {(page: TablePage) => string} */
function invites({ store }) {
  const { chairs, host, host_name: known } = store.facts;
  const own = chairs.find(({ player }) => player !== null && player === host);
  const name = own?.guest ? null : own ? store.name(own.seat) : known;
  const game = say(store.sheet.name);
  return name ? fill(say(WORDS.invited_by), { name, game }) : fill(say(WORDS.invited), { game });
}

/** The picture of who sits there; a free seat has a ring in its place. @type {(page: TablePage, chair: import("../contract").Chair) => unknown} */
const face = ({ store }, chair) =>
  chair.name || chair.bot
    ? html`<span class="likeness">${avatar(likeness(chair, store.name(chair.seat)))}</span>`
    : html`<span class="likeness free" aria-hidden="true"></span>`;

/** Who has a seat, or will have it. @type {(page: TablePage, chair: import("../contract").Chair) => unknown} */
function occupant({ store, controls }, { seat, name, player, bot, program, reserved }) {
  const notes = [
    [seat === controls.own?.seat, `(${word("you")})`],
    [bot, word("computer")],
    [program, word("program")],
    [reserved, say(TO_COME)],
  ];
  return html`${name || bot ? html`<strong>${store.name(seat)}</strong>` : html`<em>${word("empty")}</em>`}${notes.map(([holds, note]) => (holds ? html` <span class="quiet">${note}</span>` : nothing))}${player && player === store.facts.host ? html` <span class="badge">${say(WORDS.host)}</span>` : nothing}`;
}

/** What the host can do about another seat. @type {(page: TablePage, chair: import("../contract").Chair) => unknown} */
function powers(page, { seat, player, bot: seated }) {
  const { store } = page;
  if (!player && !seated) return bots(page, seat);
  return html`${player ? html`<button @click=${() => store.act("host", { player }, "PUT")}>${say(WORDS.pass_host)}</button>` : nothing}<button
      @click=${() => store.act(`seats/${seat}`, null, "DELETE")}
    >
      ${say(WORDS.remove)}
    </button>`;
}

/** How long a quick match still waits for players. @type {(page: TablePage) => unknown} */
function fills({ store }) {
  const at = fillsAt(store.match);
  if (at === null || !store.facts.chairs.some(({ player, bot }) => !player && !bot)) return nothing;
  const seconds = secondsUntil(at);
  return html`<p class="fills">
    ${seconds ? fill(say(WORDS.fills), { time: seconds < 60 ? `${seconds} s` : shortly(seconds) }) : say(WORDS.fills_now)}
  </p>`;
}

/** Which bot takes a free seat; the next seat begins with the choice for the last one. @type {(page: TablePage, seat: number) => unknown} */
function bots(page, seat) {
  const { store } = page;
  const chosen = chosenAt(page).bots;
  const offers = offersAt(store.sheet, store.facts);
  const bot = chosenOf(offers, chosen.get(seat) ?? [...chosen.values()].at(-1) ?? store.sheet.bots[0]);
  const choose = (/** @type {import("../contract").At<HTMLSelectElement>} */ { target }) => {
    chosen.delete(seat);
    chosen.set(seat, offers[target.selectedIndex].bot);
    page.changed();
  };
  return html`<span class="bots"
    ><select aria-label=${say(WORDS.bot)} aria-describedby="level-${seat}" @change=${choose}>
      ${offers.map((each) => html`<option ?selected=${each.bot === bot}>${say(each.name)}</option>`)}</select
    ><button @click=${() => store.act(`seats/${seat}/bot`, { bot }, "PUT")}>${word("seat_bot")}</button
    ><small id="level-${seat}" class="quiet"
      >${about(
        store.sheet,
        offers.find((each) => each.bot === bot),
        store.facts.seats,
      )}</small
    ></span
  >`;
}

/** The options of a match that are not the usual ones, and matter with its seats. @type {(page: TablePage) => [string, unknown][]} */
function unusual({ store, drawing }) {
  const { facts, sheet } = store;
  const usual = new Map(fields(sheet, facts.seats).map(({ name, default: value }) => [name, value]));
  const matters = (/** @type {string} */ name) => drawing?.matters?.(name, facts.seats) ?? true;
  return Object.entries(facts.options).filter(
    ([name, value]) => (value ?? null) !== (usual.get(name) ?? null) && sheet.text(`${sheet.id}.option.${name}`) && matters(name),
  );
}

/** What a player who sits down agrees to; folded where there is little room. @type {(page: TablePage) => unknown} */
function terms(page) {
  const options = unusual(page);
  const title = options.length > 1 ? WORDS.terms_more : options.length ? WORDS.terms_one : WORDS.terms;
  return html`<details class="terms" ?open=${page.isWide}>
    <summary>${fill(say(title), { count: options.length })}</summary>
    ${agreed(page, options)}
  </details>`;
}

/** The clock of the match, who may watch it, and its unusual options. @type {(page: TablePage, options: [string, unknown][]) => unknown} */
function agreed({ store }, options) {
  const { facts, sheet } = store;
  const { turn_seconds: turn, reaction_seconds: reaction } = facts.clock;
  const pace = paceOf(facts.clock);
  const told = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    typeof value === "boolean"
      ? say(value ? WORDS.yes : WORDS.no)
      : (sheet.text(`${sheet.id}.option.${name}.${value}`) ?? String(value ?? "–"));
  return html`<p class="quiet">
      ${typeof turn !== "number" || typeof reaction !== "number" ? say(WORDS.none) : fill(say(WORDS.clock), { time: `${pace ? `${say(pace.name)}, ` : ""}${timeOf(facts.clock)}` })}
    </p>
    <dl class="pairs agreed">
      <dt class="quiet">${say(WATCH)}</dt>
      <dd>${watchers(facts)}</dd>
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
 * What those who sit there can do: start, and invite others.
 * @type {(controls: import("./controls.js").Controls) => unknown}
 */
export function buttons(controls) {
  const { page, store, isHost, own } = controls;
  const { links } = page;
  const empty = store.facts.chairs.some((chair) => !chair.player && !chair.bot);
  return html`${isHost ? html`<button class="main" ?disabled=${empty} @click=${controls.act("start")}>${word("start")}</button>` : nothing}
  ${links && own ? html`<button @click=${() => copy(store, links.invitation(store.match))}>${word("invite")}</button>` : nothing}`;
}
