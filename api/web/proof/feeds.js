// The feeds of a match (docs/fair-dealing.md, "The log of a match"): what each viewer was sent, and the chain over that.

import { hex, joined, said, sha256, utf8 } from "./bytes.js";

/** @import { AnyEvent, Bytes, Entry } from "../record" */

/**
 * What each viewer was sent of an event: fields that no one ([]), the seats in other fields, or each seat for its part may know.
 * @type {Record<string, Record<string, "each" | string[]>>}
 */
const HIDDEN = {
  "match.opened.1": { secret: [] },
  "coup.dealt.1": { hands: "each", court: [] },
  "coup.sets-taken.1": { third: [] },
  "coup.claim-proved.1": { drawn: ["seat"], court: [] },
  "coup.cards-drawn.1": { roles: ["seat"] },
  "coup.cards-returned.1": { kept: ["seat"], court: [] },
  "coup.card-examined.1": { role: ["seat", "target"] },
  "coup.card-replaced.1": { returned: ["seat", "target"], drawn: ["target"], court: [] },
  "matchmaster.dealt.1": { hands: "each" },
  "meister-coup.dealt.1": { hands: "each" },
  "mondkrone.round-dealt.1": { hands: "each", deck: [] },
  "mondkrone.cards-drawn.1": { cards: ["seat"] },
  "stich-meister.dealt.1": { hands: "each", new_rules: "each", rule_deck: [] },
  "stich-meister.cards-received.1": { received: "each" },
  "stich-meister.cards-set-aside.1": { cards: "each" },
};
/** Events that only their own seat was sent, and those that no one was. */
const OWN = `match.timed-out.1 match.hint-taken.1 match.misses-forgotten.1 match.return-noted.1 coup.card-drafted.1 coup.passed.1
  matchmaster.bid-placed.1 stich-meister.rule-chosen.1 stich-meister.cards-passed.1 stich-meister.card-set-aside.1
  stich-meister.opening-chosen.1 stich-meister.card-hidden-played.1`.split(/\s+/);
const WITHHELD = ["match.seat-played.1", "match.drawn.1"];
export const AUDIENCES = { HIDDEN, OWN, WITHHELD };

/**
 * Return an event as a seat (null: a spectator) was sent it, null for none.
 * @type {(event: AnyEvent, seat: number | null) => object | null}
 */
function redacted(event, seat) {
  if (WITHHELD.includes(event.type) || (OWN.includes(event.type) && event.seat !== seat)) return null;
  const seen = Object.entries(event).map(([name, value]) => {
    const known = HIDDEN[event.type]?.[name];
    if (known === "each") return [name, Array.from(value, (part, at) => (at === seat ? part : null))];
    return [name, !known || (seat !== null && known.some((field) => event[field] === seat)) ? value : null];
  });
  return Object.fromEntries(seen);
}

/** The chain over a feed with one item more. @type {(chain: Bytes, n: number, at_ms: number, event: object) => Promise<Bytes>} */
export const chainedTo = (chain, n, at_ms, event) => sha256(joined(chain, utf8(said([n, at_ms, event]))));

/**
 * Return the chains of a viewer's feed, after 0, 1, 2 ... items, as the entries of a record make it.
 * @type {(entries: Entry[], seat: number | null) => Promise<string[]>}
 */
export async function feedOf(entries, seat) {
  const chains = [new Uint8Array(32)];
  for (const { event, time_ms } of entries) {
    const seen = redacted(event, seat);
    if (seen) chains.push(await chainedTo(chains[chains.length - 1], chains.length, time_ms, seen));
  }
  return chains.map(hex);
}
