// The feeds of a match (docs/fair-dealing.md, "The log of a match"): what each viewer was sent, and the chain over that.

import { hex, joined, said, sha256, utf8 } from "./bytes.js";

/** @import { AnyEvent, Audiences, Bytes, Entry, Head, Known } from "../record" */

/**
 * Return an event as a seat (null: a spectator) was sent it, null for none.
 * @type {(event: AnyEvent, seat: number | null, known: Known) => object | null}
 */
function redacted(event, seat, { only, hidden, parts }) {
  /** Whether the seat is in one of these fields. */
  const isIn = (/** @type {string[]} */ fields) => seat !== null && fields.some((field) => event[field] === seat);
  if (only && !isIn(only)) return null;
  const seen = Object.entries(event).map(([name, value]) => {
    if (parts.includes(name)) return [name, Array.from(value, (part, at) => (at === seat ? part : null))];
    return [name, Object.hasOwn(hidden, name) && !isIn(hidden[name]) ? null : value];
  });
  return Object.fromEntries(seen);
}

/**
 * Return who may know what of each kind of events in a record: as the game's sheet says, and of kinds that it does not have as the record
 * says itself. Null if neither does: the record is older than that.
 * @type {(head: Head, entries: Entry[], sheet: Audiences | null) => Audiences | null}
 */
export function audiencesOf(head, entries, sheet) {
  const types = new Set(entries.map(({ event }) => event.type));
  const found = [...types].map((type) => [
    type,
    (sheet && Object.hasOwn(sheet, type) && sheet[type]) || head.schemas[type]?.["x-known-by"],
  ]);
  return found.every(([, known]) => known) ? Object.fromEntries(found) : null;
}

/** The chain over a feed with one item more. @type {(chain: Bytes, n: number, at_ms: number, event: object) => Promise<Bytes>} */
export const chainedTo = (chain, n, at_ms, event) => sha256(joined(chain, utf8(said([n, at_ms, event]))));

/**
 * Return the chains of a viewer's feed, after 0, 1, 2 ... items, as the entries of a record make it.
 * @type {(entries: Entry[], seat: number | null, audiences: Audiences) => Promise<string[]>}
 */
export async function feedOf(entries, seat, audiences) {
  const chains = [new Uint8Array(32)];
  for (const { event, time_ms } of entries) {
    const seen = redacted(event, seat, audiences[event.type]);
    if (seen) chains.push(await chainedTo(chains[chains.length - 1], chains.length, time_ms, seen));
  }
  return chains.map(hex);
}
