// The tournaments that this browser has joined, with what binds their deals, as it was received before the nonce was drawn.

import { freshNonce } from "./bytes.js";
import { placeOf } from "./entry.js";

/** @import { Got } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @import { KeptTournament } from "../record" */
/** @typedef {Got<`tournaments/${string}`>} Whole */

const ENTRIES = "tafelrunde.kept.tournaments";
/** How many tournaments are kept: those that were joined last. */
const MOST = 20;

/** Return all tournaments that are kept, the oldest first. @returns {KeptTournament[]} */
function all() {
  try {
    return JSON.parse(localStorage.getItem(ENTRIES) ?? "[]");
  } catch {
    return [];
  }
}

/** Return the evidence kept for a tournament, or null. */
export const entryOf = (/** @type {string} */ tournament) => all().find(({ terms }) => terms.tournament === tournament) ?? null;

function put(/** @type {KeptTournament} */ entry) {
  const others = all().filter(({ terms }) => terms.tournament !== entry.terms.tournament);
  try {
    localStorage.setItem(ENTRIES, JSON.stringify([...others, entry].slice(-MOST)));
  } catch {
    // Storage is full or forbidden: nothing is kept of this tournament.
  }
}

/** Return who takes part, by number: the ids of players and the names of bots. */
const names = (/** @type {Whole} */ { standings }) =>
  [...standings].sort((one, other) => one.entrant - other.entrant).map(({ player, bot }) => player ?? bot ?? "");

/** Return who signs, with the newest checkpoint. */
export async function signersOf(/** @type {Client} */ client) {
  const [{ origin, keys }, { signed }] = await Promise.all([client.get("log/keys"), client.get("log/checkpoint")]);
  return { origin, keys, checkpoints: [signed] };
}

/** Keep the terms of a tournament, and who signs, unless they are kept already. */
async function begin(/** @type {Client} */ client, /** @type {Whole} */ { facts }) {
  if (!client.keep || entryOf(facts.tournament)) return;
  const signers = await signersOf(client);
  const { tournament, draw_commitment, deal_commitment, public_ids, game, seats, kind, options } = facts;
  put({
    format: "tafelrunde.kept-tournament.1",
    service: client.base,
    ...signers,
    terms: { tournament, draw_commitment, deal_commitment, public_ids, deal_secret: null },
    ...{ game, seats, kind, options },
    nonce: "",
    player: "",
    ahead: [],
  });
}

/** Change what is kept of a tournament, if anything is. */
function change(/** @type {string} */ tournament, /** @type {Partial<KeptTournament>} */ changes) {
  const entry = entryOf(tournament);
  if (entry) put({ ...entry, ...changes });
}

/**
 * Join a tournament with a nonce that is drawn now, when the commitments were received; return the tournament.
 * @param {Client} client
 * @param {string} tournament
 * @returns {Promise<Whole>}
 */
export async function enter(client, tournament) {
  await begin(client, await client.get(`tournaments/${tournament}`)).catch(() => {});
  const nonce = freshNonce();
  change(tournament, { nonce, player: "", ahead: [] }); // now, as the answer may be lost
  const joined = await client.change(`tournaments/${tournament}/entries/me`, { nonce }, "PUT");
  const { entry } = joined.facts;
  if (entry !== null) change(tournament, { player: names(joined)[entry], ahead: names(joined).slice(0, entry) });
  return joined;
}

/**
 * Return the tournament that is kept and has seated its player in a match, null for none.
 * @type {(match: string) => Promise<KeptTournament | null>}
 */
export async function entryOfMatch(match) {
  for (const entry of all().reverse()) {
    const { tournament, public_ids, deal_secret } = entry.terms;
    if (!entry.nonce || !public_ids || deal_secret) continue; // one that is over begins no match
    if (await placeOf(tournament, match)) return entry;
  }
  return null;
}

/** Keep the secret of a tournament's deals, once it is shown. */
export function saw(/** @type {Whole} */ { facts }) {
  const entry = entryOf(facts.tournament);
  if (entry && facts.deal_secret && !entry.terms.deal_secret)
    change(facts.tournament, { terms: { ...entry.terms, deal_secret: facts.deal_secret } });
}
