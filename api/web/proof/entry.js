// Matches of a tournament: their ids follow from public values, and their secrets from one that it had committed to before any
// nonce (docs/tournaments.md).

import { hex, need, range, sha256, utf8 } from "./bytes.js";
import { hmac, keyOf } from "./draws.js";

/** @import { Compared, Kept, Terms } from "../record" */

/** How many rounds a tournament has at most, and how many tables a round. */
const ROUNDS = 63;
const TABLES = 32;
const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

/** Return 15 bytes in base32, lower case. */
const base32 = (/** @type {Uint8Array} */ bytes) => {
  const bits = Array.from(bytes, (each) => each.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((each) => LETTERS[parseInt(each, 2)]).join("");
};

/** Return the id of the match of a table; rounds count from 1, tables from 0. */
export async function matchOfTable(/** @type {string} */ tournament, /** @type {number} */ round, /** @type {number} */ table) {
  const digest = await sha256(utf8(`tafelrunde/tournament-match/1|${tournament}|${round}|${table}`));
  return `m${base32(digest.slice(0, 15))}`;
}

/**
 * Return the round and the table of a match by its id, null if it is of none of the first rounds and tables.
 * @type {(tournament: string, match: string, rounds?: number, tables?: number) => Promise<[number, number] | null>}
 */
export async function placeOf(tournament, match, rounds = ROUNDS, tables = TABLES) {
  const places = range(rounds, 1).flatMap((round) =>
    range(tables).map((table) => /** @type {[number, number]} */ ([round, table])),
  );
  const ids = await Promise.all(places.map((place) => matchOfTable(tournament, ...place)));
  return places[ids.indexOf(match)] ?? null;
}

/** Whether the id and the secret of a match follow from what its tournament had committed to. */
async function isBound(/** @type {Terms} */ terms, /** @type {string} */ match, /** @type {string} */ secret) {
  if (!terms.public_ids) return false;
  const place = await placeOf(terms.tournament, match);
  need(place, "kept: the id of the match");
  if (!terms.deal_secret) return false;
  const committed = await sha256(utf8(`tafelrunde/tournament-deal/1|${terms.tournament}|${terms.deal_secret}`));
  need(hex(committed) === terms.deal_commitment, "kept: the commitment to the deals of the tournament");
  const label = `tafelrunde/tournament-table/1|${terms.tournament}|${place.join("|")}`;
  need(hex(await hmac(await keyOf(terms.deal_secret), label)) === secret, "kept: the secret of the table");
  return true;
}

/**
 * Return the viewer's share in the cards, proved by the tournament's terms: its nonce comes with the opening.
 * `secret` is that of the match.
 * @type {(share: Compared, kept: Kept, secret: string) => Promise<Compared>}
 */
export async function withTerms(share, kept, secret) {
  if (!kept.tournament) return share;
  const bound = await isBound(kept.tournament, kept.match, secret);
  if (!share.open.includes("nonce")) return { ...share, compared: [...(bound ? ["tournament"] : []), ...share.compared] };
  const open = share.open.filter((name) => name !== "nonce");
  if (!bound) return { ...share, open: [...open, "deals"] };
  return { open, compared: ["tournament", ...share.compared, ...(open.length ? [] : ["nonce"])] };
}
