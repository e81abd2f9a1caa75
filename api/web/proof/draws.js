// Draws and commitments out of the secret of a match (docs/fair-dealing.md).

import { hex, joined, sha256, unhex, utf8 } from "./bytes.js";
import { rootOf } from "./merkle.js";

/** @import { Bytes, Lying } from "../record" */
/** 64 bits at a time. @typedef {AsyncGenerator<bigint, never>} Numbers */

/** @type {(key: CryptoKey, text: string) => Promise<Bytes>} */
export const hmac = async (key, text) => new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(text)));
export const keyOf = (/** @type {string} */ secret) =>
  crypto.subtle.importKey("raw", unhex(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

/** The numbers of a draw: four out of each of HMAC(prefix|0), HMAC(prefix|1), ... @type {(key: CryptoKey, prefix: string) => Numbers} */
export async function* numbers(key, prefix) {
  for (let block = 0; ; block += 1) {
    const view = new DataView((await hmac(key, `${prefix}|${block}`)).buffer);
    for (const at of [0, 8, 16, 24]) yield view.getBigUint64(at);
  }
}

/** @type {(draw: Numbers, bound: bigint) => Promise<bigint>} */
export async function below(draw, bound) {
  const limit = 2n ** 64n - (2n ** 64n % bound);
  for (;;) {
    const { value } = await draw.next();
    if (value < limit) return value % bound;
  }
}

/** @type {<Item>(draw: Numbers, items: Item[]) => Promise<Item[]>} */
export async function shuffled(draw, items) {
  const deck = [...items];
  for (let place = deck.length - 1; place > 0; place -= 1) {
    const other = Number(await below(draw, BigInt(place + 1)));
    [deck[place], deck[other]] = [deck[other], deck[place]];
  }
  return deck;
}

export const commitmentTo = async (/** @type {string} */ match, /** @type {string} */ secret) =>
  hex(await sha256(utf8(`tafelrunde/commitment/1|${match}|${secret}`)));

/**
 * Return in which order the cards of a deal are committed to, and the root over them.
 * @type {(key: CryptoKey, match: string, deal: number, lying: Lying[]) => Promise<{ cards: Lying[], root: string }>}
 */
export async function committed(key, match, deal, lying) {
  const listed = [...lying].sort(([one, a], [other, b]) => one - other || (a < b ? -1 : Number(a > b)));
  const cards = await shuffled(numbers(key, `tafelrunde/order/1|${match}|${deal}`), listed);
  const leaves = cards.map(async ([seat, card], index) => {
    const salt = await hmac(key, `tafelrunde/salt/1|${match}|${deal}|${index}`);
    return sha256(joined([0], salt, utf8(`${match}|${deal}|${index}|${seat}|${card}`)));
  });
  return { cards, root: hex(await rootOf(await Promise.all(leaves))) };
}
