// What is heard of events: the live region for screen readers, and sounds.

import { html, repeat } from "../vendor/lit.js";
import { told } from "./log.js";
import { word } from "../core/words.js";

/** @typedef {import("../drawing").Item} Item */

/** Number of recent items announced to screen readers. */
const TOLD = 5;

/** What is heard of events; a trick is said by the game's drawing. */
/** @type {["coins" | "claim" | "card", RegExp][]} */
const SOUNDS = [
  ["coins", /\.(coins-taken|coins-stolen)\./],
  ["claim", /\.(action-declared|action-blocked|claim-challenged)\./],
  ["card", /\.(card-played|card-discarded|cards-drawn|influence-lost|dealt|round-dealt)\./],
];

/** The sound of the newest of some items that has one; null for none. */
/** @type {(items: Item[]) => "coins" | "claim" | "card" | null} */
export const soundOf = (items) =>
  items.map(({ event }) => SOUNDS.find(([, kind]) => kind.test(event.type))?.[0] ?? null).findLast((found) => found !== null) ??
  null;

/** The latest events, for screen readers. */
/** @type {(store: import("../core/store.js").Store) => unknown} */
export function announcements(store) {
  const { items, sheet, view } = store;
  const said = items
    .slice(-4 * TOLD)
    .map(({ cursor, event }) => ({ cursor, text: told(event, sheet, (seat) => store.name(seat), view.seat) }))
    .filter(({ text }) => text);
  return html`<div class="spoken" role="log" aria-label=${word("news")}>
    ${repeat(
      said.slice(-TOLD),
      ({ cursor }) => cursor,
      ({ text }) => html`<p>${text}</p>`,
    )}
  </div>`;
}
