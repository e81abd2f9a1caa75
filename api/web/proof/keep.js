// What this browser keeps of the viewer's matches, so that no one can change it later (docs/auditing.md), and nonces.
// Only the service's own page keeps anything: a table on another site's page stores nothing there.

import { hex, joined, said, sha256, utf8 } from "./bytes.js";

const INDEX = "tafelrunde.kept";
const place = (match) => `${INDEX}.${match}`;
/** How many matches are kept: those that were begun last. */
const MOST = 50;

/** Return 128 random bits in hex: drawn by this browser, also outside a secure context. */
export const freshNonce = () => hex(crypto.getRandomValues(new Uint8Array(16)));

/** Return what is kept of a match, null for nothing. */
export function keptOf(match) {
  try {
    return JSON.parse(localStorage.getItem(place(match)));
  } catch {
    return null;
  }
}

/** Keep something of a match; the oldest matches make room. */
function put(kept) {
  const others = JSON.parse(localStorage.getItem(INDEX) ?? "[]").filter((match) => match !== kept.match);
  const all = [...others, kept.match];
  for (const match of all.splice(0, Math.max(0, all.length - MOST))) localStorage.removeItem(place(match));
  localStorage.setItem(INDEX, JSON.stringify(all));
  localStorage.setItem(place(kept.match), JSON.stringify(kept));
}

/** Change what is kept of a match; where the browser stores nothing, the match goes on without. */
function keep(match, changes) {
  const kept = keptOf(match);
  if (!kept) return;
  try {
    put({ ...kept, ...changes });
  } catch {
    // Storage is full or forbidden: then there is less to compare with later, which the check says.
  }
}

/** Keep the commitment of a match, unless it is kept already, and who signs; before a nonce is drawn. */
export async function begin(client, match, commitment) {
  if (!client.keep || keptOf(match)) return;
  const [{ origin, keys }, { signed }] = await Promise.all([client.get("log/keys"), client.get("log/checkpoint")]);
  const empty = { seat: null, nonce: "", deals: [], feed: null, marks: [], checkpoints: [signed] };
  try {
    put({ format: "tafelrunde.kept.1", service: client.base, origin, keys, match, commitment, ...empty });
  } catch {
    // As above.
  }
}

/** Keep a signed note: the first and the newest one. */
function sign(match, note) {
  const { marks = [] } = keptOf(match) ?? {};
  if (note && !marks.includes(note)) keep(match, { marks: [...marks.slice(0, 1), note] });
}

/** Keep the signed note of a receipt, and the nonce with which a seat was taken. */
export function received(match, receipt, nonce = null) {
  if (!receipt) return;
  const taken = receipt.items.map(({ event }) => event).findLast((event) => event.type === "match.seat-taken.1");
  if (nonce && taken) keep(match, { seat: taken.seat, nonce });
  sign(match, receipt.signed);
}

/** Take a seat of a match whose commitment was received, with a nonce that is drawn now. */
export async function sit(client, match, seat = null) {
  const { commitment } = await client.get(`matches/${match}`);
  await begin(client, match, commitment).catch(() => {});
  const nonce = freshNonce();
  received(match, await client.change(`matches/${match}/seats`, { seat, nonce }), nonce);
}

/** Open a match, receive its commitment, sit down with a nonce, and start if that is wished; return the match's id. */
export async function open(client, { start, ...wish }) {
  const { match } = await client.change("matches", { ...wish, seat: null });
  try {
    await sit(client, match, 0);
    if (start) received(match, await client.change(`matches/${match}/start`));
  } catch (error) {
    await client.change(`matches/${match}/abort`).catch(() => {});
    throw error;
  }
  return match;
}

/** Follows a viewer's feed: keeps the chain over its items, and the commitments to cards. */
export class Keeper {
  constructor(match) {
    this.match = match;
    this.chains = [new Uint8Array(32)];
    this.working = Promise.resolve();
  }

  received(receipt, nonce) {
    received(this.match, receipt, nonce);
  }

  /** Take note of all items so far; the chain goes on where it was. */
  heard(items, seat) {
    this.working = this.working.then(() => this.follow([...items], seat)).catch(() => {});
    return this.working;
  }

  async follow(items, seat) {
    const { feed, deals = [] } = keptOf(this.match) ?? {};
    if (items.length < this.chains.length - 1) this.chains.length = 1; // the feed was reset
    for (const { n, at_ms, event } of items.slice(this.chains.length - 1))
      this.chains.push(await sha256(joined(this.chains.at(-1), utf8(said([n, at_ms, event])))));
    // What was kept stays: another history than the one that was seen is for the check to find.
    if (feed && hex(this.chains[feed.n] ?? []) !== feed.chain) return;
    const roots = items.map(({ event }) => event).filter(({ type }) => type === "match.cards-committed.1");
    const fresh = roots.slice(deals.length).map(({ deal, size, root }) => ({ deal, size, root }));
    const n = this.chains.length - 1;
    if (fresh.length) keep(this.match, { deals: [...deals, ...fresh] });
    if (n > (feed?.n ?? 0)) keep(this.match, { feed: { seat, n, chain: hex(this.chains.at(-1)) } });
  }
}
