// Who is away from the table: what leaving means, what becomes of the viewer's own seat meanwhile, and what it was in the end.
// Loaded when a player leaves, or has left.

import { html, nothing } from "../vendor/lit.js";
import { told } from "./log.js";
import { lasting, serverNow } from "../core/clock.js";
import { clock, fill, say, word } from "../core/words.js";

/** @import { TablePage } from "./table.js" */
/** @import { Store } from "../core/store.js" */
/** @import { Item } from "../drawing" */
/** @typedef {{from: Item, to: Item, ended: boolean}} Stretch what a computer did for a player: its first and last move, and whether the player came back */

/** Its words come with it, as few readers need them on their first view. */
const WORDS = {
  abort_all: {
    de: "Einen Abbruch vorschlagen? Sind alle dafür, auch wer gegangen ist, endet die Partie ohne Ergebnis.",
    en: "Propose to abort? If everyone agrees, and those who have left do as well, the match ends without a result.",
  },
  abort_ask: {
    de: "Einen Abbruch vorschlagen? Sind alle dafür, endet die Partie ohne Ergebnis.",
    en: "Propose to abort? If everyone agrees, the match ends without a result.",
  },
  abort_loss: {
    de: "Hast du schon gespielt, zählt sie für deine Wertung als verloren (Gäste haben keine).",
    en: "If you have already played, it counts as lost for your rating (guests have none).",
  },
  abort_sure: { de: "Die Partie abbrechen? Sie endet dann sofort.", en: "Abort the match? It ends at once." },
  away_at_end: {
    de: "Du warst weg: Ab Zug {from} hat ein Bot für dich gespielt.",
    en: "You were away: a bot played from move {from}.",
  },
  away_late: { de: "Du hast nicht rechtzeitig geantwortet.", en: "You did not answer in time." },
  away_left: { de: "Du hast den Tisch verlassen.", en: "You left the table." },
  away_meanwhile: {
    de: "Du warst weg: Von Zug {from} bis Zug {to} hat ein Bot für dich gespielt.",
    en: "You were away: a bot played from move {from} to move {to}.",
  },
  away_played: { de: "Ein Bot spielt für dich.", en: "A bot plays for you." },
  away_return: {
    de: "Du kannst zurückkommen, bis die Partie zu Ende ist.",
    en: "You can come back until the match is over.",
  },
  away_stays: { de: "Der Tisch wartet auf dich.", en: "The table waits for you." },
  away_waits: { de: "Der Tisch wartet bis {time} auf dich.", en: "The table waits for you until {time}." },
  come_back: { de: "Selbst weiterspielen", en: "Take my seat back" },
  leave_ends: {
    de: "Die Partie verlassen? Bots spielen sie sofort zu Ende.",
    en: "Leave the match? Bots play it to its end at once.",
  },
  leave_now: {
    de: "Die Partie verlassen? Ein Bot spielt sofort für dich; du kannst zurückkommen, bis sie zu Ende ist.",
    en: "Leave the match? A bot plays for you at once; you can come back until the match is over.",
  },
  leave_stays: {
    de: "Die Partie verlassen? Sie bleibt, wie sie ist, und du kannst zurückkommen.",
    en: "Leave the match? It stays as it is, and you can come back.",
  },
  leave_waits: {
    de: "Die Partie verlassen? Der Tisch wartet {time} auf dich. Danach spielt ein Bot für dich; du kannst zurückkommen, bis die Partie zu Ende ist.",
    en: "Leave the match? The table waits {time} for you. After that a bot plays for you; you can come back until the match is over.",
  },
  nobody_stays: { de: "Niemand ist am Tisch. Er wartet.", en: "No player is at the table. It waits." },
  nobody_waits: { de: "Niemand ist am Tisch. Er wartet bis {time}.", en: "No player is at the table. It waits until {time}." },
  not_there: { de: "Nicht am Tisch: {names}.", en: "Not at the table: {names}." },
};

const LEFT = "match.stand-in-seated.1";
const BACK = "match.seat-handed-back.1";
const TURN = /^match\.|\.turn-begun\./;

/** A table that waits longer than this stays as it is: no one sees the end of that. */
const LONG_MS = 20 * 3_600_000;

/** What is asked before the viewer leaves a match that runs. */
export function leaving(/** @type {Store} */ { facts, view }) {
  const alone = facts.chairs.every((chair) => chair.bot || !chair.player || chair.seat === view.seat);
  const seconds = facts.clock.away_seconds ?? 0;
  if (!alone) return say(WORDS.leave_now);
  if (!seconds) return say(WORDS.leave_ends);
  if (1000 * seconds > LONG_MS) return say(WORDS.leave_stays);
  return fill(say(WORDS.leave_waits), { time: lasting(seconds) });
}

/** What is asked before the viewer wants to end the match without a result: others have to agree, in a rated match those who have left as well. */
export function aborting(/** @type {Store} */ { facts, view }) {
  const others = facts.chairs.filter((chair) => chair.player && chair.seat !== view.seat);
  const gone = others.every((chair) => chair.bot);
  const loss = facts.rated && gone ? ` ${say(WORDS.abort_loss)}` : "";
  if (gone && !(facts.rated && others.length)) return `${say(WORDS.abort_sure)}${loss}`;
  const asked = facts.rated && others.some((chair) => chair.bot) ? say(WORDS.abort_all) : say(WORDS.abort_ask);
  return `${asked}${loss}`;
}

/** Until when the table waits for its players; null if it does not, or no longer. */
export function waitsUntil(/** @type {Store} */ { facts, view }) {
  const until = facts.waits_until_ms;
  return view.status === "running" && until && until > serverNow() ? until : null;
}

/** Whose seats a computer has, while it does not play yet. */
export const notThere = (/** @type {string} */ names) => fill(say(WORDS.not_there), { names });

/** What the table waits for while no player is at it; null if it does not. */
export function waiting(/** @type {Store} */ store) {
  const until = waitsUntil(store);
  if (until === null) return null;
  const own = isAway(store);
  if (until - serverNow() > LONG_MS) return own ? say(WORDS.away_stays) : say(WORDS.nobody_stays);
  return fill(own ? say(WORDS.away_waits) : say(WORDS.nobody_waits), { time: clock(until) });
}

/** Whether a computer has the viewer's own seat. */
const isAway = (/** @type {Store} */ { facts, view }) => view.seat !== null && facts.chairs[view.seat].bot !== null;

/** Why the viewer is not at the table, what that means, and the way back. */
export function absence(/** @type {TablePage} */ { store, controls }) {
  if (store.view.status !== "running" || !isAway(store)) return nothing;
  const seated = store.items.findLast(({ event }) => event.type === LEFT && "seat" in event && event.seat === store.view.seat);
  const late = seated && "reason" in seated.event && seated.event.reason === "timeouts";
  const then = waiting(store) ?? `${say(WORDS.away_played)} ${say(WORDS.away_return)}`;
  return html`<div class="notice away">
    <p role="status">${late ? say(WORDS.away_late) : say(WORDS.away_left)} ${then}</p>
    <button class="main" ?disabled=${store.sending} @click=${controls.act("seats", {})}>${say(WORDS.come_back)}</button>
  </div>`;
}

/**
 * What a computer played for a seat, in order; nothing of an absence in which it played nothing.
 * @type {(items: Item[], seat: number | null) => Stretch[]}
 */
export function stretches(items, seat) {
  /** @type {Stretch[]} */
  const found = [];
  /** @type {Stretch | null} */
  let open = null;
  let away = false;
  for (const item of items) {
    const { event } = item;
    if (!("seat" in event) || event.seat !== seat) continue;
    if (event.type === LEFT || event.type === BACK) {
      away = event.type === LEFT;
      if (open) open.ended = !away;
      open = null;
    } else if (away && !TURN.test(event.type)) {
      if (!open) found.push((open = { from: item, to: item, ended: false }));
      open.to = item;
    }
  }
  return found;
}

/** What a computer played for the viewer, when the match is over: each with its place in the replay, which it leads to. */
export function wasAway(/** @type {TablePage} */ page) {
  const { items, sheet, view } = page.store;
  const said = items.filter(({ event }) => told(event, sheet, (seat) => page.store.name(seat), view.seat) !== null);
  const place = (/** @type {Item} */ { n }) => 1 + said.findIndex((item) => item.n >= n);
  return stretches(items, view.seat).map(
    ({ from, to, ended }) =>
      html`<p class="was-away">
        <button @click=${() => page.startReplay(from.n)} title=${word("look_back")}>
          ${fill(ended ? say(WORDS.away_meanwhile) : say(WORDS.away_at_end), { from: place(from), to: place(to) })}
        </button>
      </p>`,
  );
}
