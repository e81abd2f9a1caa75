// Bytes, hashes and MessagePack for all checks: WebCrypto and nothing else.

/** @import { Bytes, Unchecked } from "../record" */

/** Something is not what it must be, or the reader has kept something else. */
export class Wrong extends Error {}

/** @type {(truth: unknown, what: string) => asserts truth} */
export const need = (truth, what) => {
  if (!truth) throw new Wrong(what);
};
export const said = JSON.stringify;
/** @type {(found: unknown, expected: unknown, what: string) => void} */
export const same = (found, expected, what) => need(said(found) === said(expected), what);
export const isPlain = (/** @type {unknown} */ value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @type {(count: number, from?: number) => number[]} */
export const range = (count, from = 0) => Array.from({ length: count }, (_, each) => from + each);

export const utf8 = (/** @type {string} */ text) => new TextEncoder().encode(text);
export const hex = (/** @type {Iterable<number>} */ bytes) =>
  Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
export const unhex = (/** @type {string} */ text) => Uint8Array.from(text.match(/../g) ?? [], (each) => parseInt(each, 16));
export const base64 = (/** @type {Bytes} */ bytes) => btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(""));
export const unbase64 = (/** @type {string} */ text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
export const joined = (/** @type {Iterable<number>[]} */ ...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
/** Return 128 random bits in hex: drawn by this browser, also outside a secure context. */
export const freshNonce = () => hex(crypto.getRandomValues(new Uint8Array(16)));
export const sha256 = async (/** @type {Bytes} */ bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/**
 * Return a number of MessagePack behind its tag, in the fewest bytes that have `room`: the tags of 1, 2, 4 and 8 bytes are in a row.
 * @type {(value: number, room: number, tag: number, least?: number) => number[]}
 */
function tagged(value, room, tag, least = 0) {
  let power = least;
  while (room >= 2 ** (8 << power)) power += 1;
  const shifts = range(1 << power).map((at) => BigInt(8 * ((1 << power) - 1 - at)));
  return [tag + power, ...shifts.map((shift) => Number((BigInt(value) >> shift) & 255n))];
}

/**
 * Return a value in MessagePack, everything in its shortest form: a map with less than `few` names has one of its own.
 * @type {(value: Unchecked, few?: number) => number[]}
 */
export function packed(value, few = 16) {
  /** @type {(size: number, short: number, limit: number, tag: number, least?: number) => number[]} */
  const sized = (size, short, limit, tag, least) => (size < limit ? [short + size] : tagged(size, size, tag, least));
  if (value === null) return [0xc0];
  if (typeof value === "boolean") return [value ? 0xc3 : 0xc2];
  if (Number.isSafeInteger(value) && value < -32) return tagged(value, -2 * value - 1, 0xd0);
  if (Number.isSafeInteger(value)) return value < 0 ? [256 + value] : sized(value, 0, 128, 0xcc);
  if (typeof value === "string") return [...sized(utf8(value).length, 0xa0, 32, 0xd9), ...utf8(value)];
  if (value instanceof Uint8Array) return [...sized(value.length, 0, 0, 0xc4), ...value];
  if (Array.isArray(value)) return [...sized(value.length, 0x90, 16, 0xdb, 1), ...value.flatMap((each) => packed(each))];
  need(isPlain(value), "a value that entries do not have");
  const parts = Object.entries(value).flat();
  return [...sized(parts.length / 2, 0x80, few, 0xdd, 1), ...parts.flatMap((each) => packed(each))];
}
