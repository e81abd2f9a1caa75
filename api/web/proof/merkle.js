// Merkle trees as in RFC 6962: those over the cards of a deal, and that of the service's log. Hashes of the log are in hex.

import { hex, joined, sha256, unhex, utf8 } from "./bytes.js";

/** @import { Bytes } from "../record" */
/** Size and root of a log. @typedef {{ size: number, root: string }} Head */

/**
 * Return the root of the tree over hashed leaves (section 2.1).
 * @type {(leaves: Bytes[]) => Promise<Bytes>}
 */
export async function rootOf(leaves) {
  if (leaves.length < 2) return leaves[0] ?? sha256(new Uint8Array());
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(joined([1], await rootOf(leaves.slice(0, split)), await rootOf(leaves.slice(split))));
}

const isPowerOfTwo = (/** @type {number} */ size) => (size & (size - 1)) === 0;
const node = async (/** @type {string} */ left, /** @type {string} */ right) =>
  hex(await sha256(joined([1], unhex(left), unhex(right))));
export const leafHash = async (/** @type {string} */ text) => hex(await sha256(joined([0], utf8(text))));

/** Climb a level, and as many more as the node is on the right edge of: there it was its own parent. */
function climbed(/** @type {number} */ place, /** @type {number} */ last) {
  while (place && place % 2 === 0) [place, last] = [place >> 1, last >> 1];
  return [place >> 1, last >> 1];
}

/**
 * Return the root of a log that has a leaf at an index, as a path says (RFC 6962, section 2.1); null for a path that is none.
 * @param {string} leaf @param {number} index @param {number} size @param {string[]} path
 */
export async function rootFrom(leaf, index, size, path) {
  if (!(index >= 0 && index < size)) return null;
  let [place, last, found] = [index, size - 1, leaf];
  for (const sister of path) {
    if (last === 0) return null;
    const right = place % 2 === 1 || place === last;
    found = right ? await node(sister, found) : await node(found, sister);
    [place, last] = right ? climbed(place, last) : [place >> 1, last >> 1];
  }
  return last === 0 ? found : null;
}

/**
 * Return whether a path proves that a log begins with an earlier one (RFC 6962, section 2.1.2).
 * @param {Head} earlier @param {Head} later @param {string[]} path
 */
export async function continues(earlier, later, path) {
  if (!(earlier.size > 0 && earlier.size <= later.size)) return false;
  if (earlier.size === later.size) return !path.length && earlier.root === later.root;
  const nodes = isPowerOfTwo(earlier.size) ? [earlier.root, ...path] : path;
  if (!nodes.length) return false;
  let [place, last] = [earlier.size - 1, later.size - 1];
  while (place % 2) [place, last] = [place >> 1, last >> 1];
  let [before, after] = [nodes[0], nodes[0]];
  for (const sister of nodes.slice(1)) {
    if (last === 0) return false;
    const right = place % 2 === 1 || place === last;
    [before, after] = right
      ? await Promise.all([node(sister, before), node(sister, after)])
      : [before, await node(after, sister)];
    [place, last] = right ? climbed(place, last) : [place >> 1, last >> 1];
  }
  return last === 0 && before === earlier.root && after === later.root;
}
