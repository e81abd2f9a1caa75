// Who is away from the table: what leaving means, what becomes of the viewer's own seat meanwhile, and what it was in the end.

import { html, nothing } from "../vendor/lit.js";
import { told } from "./log.js";
import { clock, fill, lasting, word } from "../core/words.js";

/** @typedef {import("../drawing").Item} Item */
/** @typedef {import("../core/store.js").Store} Store */
/** @typedef {import("./table.js").TablePage} TablePage */
/** @typedef {{from: Item, to: Item, ended: boolean}} Stretch what a computer did for a player: its first and last move, and whether the player came back */

const LEFT = "match.stand-in-seated.1";
const BACK = "match.seat-handed-back.1";
const TURN = /^match\.|\.turn-begun\./;

/** A table that waits longer than this stays as it is: no one sees the end of that. */
const LONG_MS = 20 * 3_600_000;

/** What is asked before the viewer leaves a match that runs. */
export function leaving(/** @type {Store} */ { facts, view }) {
  const alone = facts.chairs.every((chair) => chair.bot || !chair.player || chair.seat === view.seat);
  const seconds = facts.clock.away_seconds ?? 0;
  if (!alone) return word("leave_now");
  if (!seconds) return word("leave_ends");
  if (1000 * seconds > LONG_MS) return word("leave_stays");
  return fill(word("leave_waits"), { time: lasting(seconds) });
}

/** What ends the match without a result is called, and what is asked before: others are asked too, in a rated match also if they have left. */
export function aborting(/** @type {Store} */ { facts, view }) {
  const others = facts.chairs.filter((chair) => chair.player && chair.seat !== view.seat);
  const gone = others.every((chair) => chair.bot);
  const alone = gone && !(facts.rated && others.length);
  const asked = facts.rated && others.some((chair) => chair.bot) ? word("abort_all") : word("abort_ask");
  const loss = facts.rated && gone ? ` ${word("abort_loss")}` : "";
  return { title: word(alone ? "abort_now" : "abort"), sure: `${alone ? word("abort_sure") : asked}${loss}` };
}

/** Until when the table waits for its players; null if it does not, or no longer. */
export function waitsUntil(/** @type {Store} */ { facts, view }) {
  const until = facts.waits_until_ms;
  return view.status === "running" && until && until > Date.now() ? until : null;
}

/** What the table waits for while no player is at it; null if it does not. */
export function waiting(/** @type {Store} */ store) {
  const until = waitsUntil(store);
  if (until === null) return null;
  const own = isAway(store);
  if (until - Date.now() > LONG_MS) return word(own ? "away_stays" : "nobody_stays");
  return fill(word(own ? "away_waits" : "nobody_waits"), { time: clock(until) });
}

/** Whether a computer has the viewer's own seat. */
const isAway = (/** @type {Store} */ { facts, view }) => view.seat !== null && facts.chairs[view.seat].bot !== null;

/** Why the viewer is not at the table, what that means, and the way back. */
export function absence(/** @type {TablePage} */ { store, controls }) {
  if (store.view.status !== "running" || !isAway(store)) return nothing;
  const seated = store.items.findLast(({ event }) => event.type === LEFT && "seat" in event && event.seat === store.view.seat);
  const late = seated && "reason" in seated.event && seated.event.reason === "timeouts";
  const then = waiting(store) ?? `${word("away_played")} ${word("away_return")}`;
  return html`<div class="notice away">
    <p role="status">${word(late ? "away_late" : "away_left")} ${then}</p>
    <button class="main" ?disabled=${store.sending} @click=${controls.act("seats", {})}>${word("come_back")}</button>
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
          ${fill(word(ended ? "away_meanwhile" : "away_at_end"), { from: place(from), to: place(to) })}
        </button>
      </p>`,
  );
}
