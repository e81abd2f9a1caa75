// The evidence that this browser keeps of the viewer's matches, so that no one can change it later (docs/auditing.md), and nonces.
// Only the service's own page keeps anything: a table on another site's page stores nothing there.

import { freshNonce, hex } from "./bytes.js";
import { entryOfMatch, signersOf } from "./entries.js";
import { chainedTo } from "./feeds.js";

/** @import { MatchWish, Receipt, Shapes } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @import { Item } from "../drawing" */
/** @import { Kept, KeptAnswer } from "../record" */

const INDEX = "tafelrunde.kept";
const place = (/** @type {string} */ match) => `${INDEX}.${match}`;
/** How many matches are kept: those that were begun last. */
const MOST = 50;

export { freshNonce };

/**
 * Return what is kept of a match, null for nothing.
 * @param {string} match
 * @returns {Kept | null}
 */
export function keptOf(match) {
  try {
    return JSON.parse(localStorage.getItem(place(match)) ?? "null");
  } catch {
    return null;
  }
}

/** Keep something of a match; the oldest matches make room. */
function put(/** @type {Kept} */ kept) {
  /** @type {string[]} */
  const index = JSON.parse(localStorage.getItem(INDEX) ?? "[]");
  const others = index.filter((match) => match !== kept.match);
  const all = [...others, kept.match];
  for (const match of all.splice(0, Math.max(0, all.length - MOST))) localStorage.removeItem(place(match));
  localStorage.setItem(INDEX, JSON.stringify(all));
  localStorage.setItem(place(kept.match), JSON.stringify(kept));
}

/** Change what is kept of a match; where the browser stores nothing, the match goes on without. */
function keep(/** @type {string} */ match, /** @type {Partial<Kept>} */ changes) {
  const kept = keptOf(match);
  if (!kept) return;
  try {
    put({ ...kept, ...changes });
  } catch {
    // Storage is full or forbidden: then there is less to compare with later, which the check says.
  }
}

/**
 * Keep the commitment of a match, unless it is kept already, and who signs; before a nonce is drawn. Of a match of a tournament
 * that this browser has joined, all that was kept of that.
 */
export async function begin(/** @type {Client} */ client, /** @type {string} */ match, /** @type {string} */ commitment) {
  if (!client.keep || keptOf(match)) return;
  const entry = crypto.subtle ? await entryOfMatch(match) : null;
  const { origin, keys, checkpoints } = entry ?? (await signersOf(client));
  const of = entry ? { nonce: entry.nonce, tournament: entry.terms } : { nonce: "" };
  const empty = { seat: null, deals: [], feed: null, marks: [] };
  try {
    put({ format: "tafelrunde.kept.1", service: client.base, origin, keys, match, commitment, checkpoints, ...empty, ...of });
  } catch {
    // Storage is full or forbidden: nothing is kept of this match.
  }
}

/** Keep a signed note: the first and the newest one. */
function sign(/** @type {string} */ match, /** @type {string | undefined} */ note) {
  const { marks = [] } = keptOf(match) ?? {};
  if (note && !marks.includes(note)) keep(match, { marks: [...marks.slice(0, 1), note] });
}

/**
 * Keep the signed note of a receipt, and the nonce with which a seat was taken.
 * @param {string} match
 * @param {Receipt | null} receipt null for a change that was refused
 * @param {string | null} [nonce]
 */
export function received(match, receipt, nonce = null) {
  if (!receipt) return;
  const taken = receipt.items.map(({ event }) => event).findLast((event) => event.type === SEATED);
  if (nonce && taken) keep(match, { seat: taken.seat, nonce });
  sign(match, receipt.signed);
}

/** Keep the secret of the deals of a match's tournament, once that is shown. */
export function showDeals(/** @type {string} */ match, /** @type {string} */ deal_secret) {
  const { tournament } = keptOf(match) ?? {};
  if (tournament) keep(match, { tournament: { ...tournament, deal_secret } });
}

/** How many answers that the service did not take are kept of a match: the newest. */
const MOST_ANSWERS = 100;

/**
 * Keep an answer that the service refused or did not acknowledge, with the time by the clock of this device.
 * @type {(match: string, answer: KeptAnswer) => void}
 */
export function failed(match, answer) {
  const { unacknowledged = [] } = keptOf(match) ?? {};
  keep(match, { unacknowledged: [...unacknowledged, answer].slice(-MOST_ANSWERS) });
}

/** Drop the answers to a decision that the service did not take: it has taken a later one. */
export function taken(/** @type {string} */ match, /** @type {number} */ decision) {
  const { unacknowledged = [] } = keptOf(match) ?? {};
  const left = unacknowledged.filter((each) => each.decision !== decision);
  if (left.length < unacknowledged.length) keep(match, { unacknowledged: left });
}

/** Return the commitments to cards among the items of a feed. */
export const rootsIn = (/** @type {Item[]} */ items) =>
  items.flatMap(({ event }) => {
    if (event.type !== COMMITTED) return [];
    const { deal, size, root } = /** @type {Committed} */ (event);
    return [{ deal, size, root }];
  });

/**
 * Keep a checkpoint that the log was compared at, the first and the newest one, and the keys that are known to sign.
 * @type {(match: string, note: string, keys: string[]) => void}
 */
export function checked(match, note, keys) {
  const { checkpoints = [] } = keptOf(match) ?? {};
  if (!checkpoints.includes(note)) keep(match, { keys, checkpoints: [...checkpoints.slice(0, 1), note] });
}

/**
 * Take a seat of a match whose commitment was received, with a nonce that is drawn now.
 * @param {Client} client
 * @param {string} match
 * @param {number | null} [seat] null for any
 */
export async function sit(client, match, seat = null) {
  const { commitment } = await client.get(`matches/${match}`);
  await begin(client, match, commitment).catch(() => {});
  const nonce = freshNonce();
  received(match, await client.change(`matches/${match}/seats`, { seat, nonce }), nonce);
}

/**
 * Open a match, receive its commitment, sit down with a nonce, and start if that is wished; return the match's id.
 * @param {Client} client
 * @param {MatchWish} wish
 * @param {number} [seat]
 */
export async function open(client, { start, ...wish }, seat = 0) {
  const { match } = await client.change("matches", { ...wish, seat: null });
  try {
    await sit(client, match, seat);
    if (start) received(match, await client.change(`matches/${match}/start`));
  } catch (error) {
    await client.change(`matches/${match}/abort`).catch(() => {});
    throw error;
  }
  return match;
}

/** @typedef {Shapes["MatchCardsCommitted1"]} Committed */
const COMMITTED = "match.cards-committed.1";
const SEATED = "match.seat-taken.1";
const UNSEATED = ["match.seat-left.1", "match.seat-cleared.1"];

/** The evidence of one match, which grows with its viewer's feed: the chain over its items, and the commitments to cards. */
export class Evidence {
  constructor(/** @type {string} */ match) {
    this.match = match;
    /** The chain after 0, 1, 2 ... items. */
    this.chains = [new Uint8Array(32)];
    /** @type {Promise<void>} */
    this.working = Promise.resolve();
  }

  /** The chain over all items so far. */
  get newest() {
    return this.chains[this.chains.length - 1];
  }

  /** Keep what was refused or not acknowledged (`problem` ""), if it is an answer to a decision. */
  failed(/** @type {Partial<KeptAnswer> | null} */ body, /** @type {number} */ at_ms, /** @type {string} */ problem) {
    const { decision, command } = body ?? {};
    if (decision !== undefined && command) failed(this.match, { decision, command, at_ms, problem });
  }

  /** Drop the answers that failed before one to the same decision was taken. */
  taken(/** @type {Partial<KeptAnswer> | null} */ body) {
    if (body?.decision !== undefined) taken(this.match, body.decision);
  }

  received(/** @type {Receipt} */ receipt, /** @type {string | undefined} */ nonce) {
    received(this.match, receipt, nonce);
  }

  /** Take note of all items so far; the chain goes on where it was. */
  heard(/** @type {Item[]} */ items, /** @type {number | null} */ seat) {
    this.working = this.working.then(() => this.follow([...items], seat)).catch(() => {});
    return this.working;
  }

  /** Keep the commitments to cards that are new. */
  deals(/** @type {Item[]} */ items) {
    const { deals = [] } = keptOf(this.match) ?? {};
    const fresh = rootsIn(items).slice(deals.length);
    if (fresh.length) keep(this.match, { deals: [...deals, ...fresh] });
  }

  /** Drop seat and nonce once that seat was given up: the nonce counts no longer, and what follows is the feed of a spectator. */
  leave(/** @type {Item[]} */ items) {
    const { seat, nonce } = keptOf(this.match) ?? {};
    const own = items.map(({ event }) => event).filter((event) => "seat" in event && event.seat === seat);
    const taken = nonce ? own.findLastIndex((event) => event.type === SEATED && event.nonce === nonce) : -1;
    if (taken >= 0 && own.slice(taken).some(({ type }) => UNSEATED.includes(type))) keep(this.match, { seat: null, nonce: "" });
  }

  async follow(/** @type {Item[]} */ items, /** @type {number | null} */ seat) {
    this.leave(items);
    if (!crypto.subtle) return this.deals(items); // without HTTPS there is no chain
    if (items.length < this.chains.length - 1) this.chains.length = 1; // the feed was reset
    for (const { n, at_ms, event } of items.slice(this.chains.length - 1))
      this.chains.push(await chainedTo(this.newest, n, at_ms, event));
    // What is kept by now stays: another history than the one that was seen is for the check to find.
    const { feed, tournament, seat: own } = keptOf(this.match) ?? {};
    if (tournament && own === null && seat !== null) keep(this.match, { seat }); // which the tournament has taken for its player
    if (feed && hex(this.chains[feed.n] ?? []) !== feed.chain) return;
    const n = this.chains.length - 1;
    this.deals(items);
    if (seat === null && (own ?? null) !== null) return; // a tab that only watches, while its player sat down in another one
    if (n > (feed?.n ?? 0) || (feed && feed.seat !== seat)) keep(this.match, { feed: { seat, n, chain: hex(this.newest) } });
  }
}
