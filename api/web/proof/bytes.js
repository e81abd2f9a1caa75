// Bytes, hashes and MessagePack for the check of records: WebCrypto and nothing else.

/** Something in a record is not what it must be, or a kept file says something else. */
export class Wrong extends Error {}

export const need = (truth, what) => {
  if (!truth) throw new Wrong(what);
};
export const said = JSON.stringify;
export const same = (found, expected, what) => need(said(found) === said(expected), what);
export const utf8 = (text) => new TextEncoder().encode(text);
export const hex = (bytes) => Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (each) => parseInt(each, 16));
export const raw = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
export const base64 = (bytes) => btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(""));
export const joined = (...parts) => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
};
export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
export const hmacKey = (secret) =>
  crypto.subtle.importKey("raw", unhex(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
export const hmac = async (key, text) => new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(text)));

// MessagePack, as far as entries need it. Numbers, texts and lists have one way to be written.

const LENGTHS = {
  0xc4: ["bytes", 1],
  0xc5: ["bytes", 2],
  0xc6: ["bytes", 4],
  0xd9: ["text", 1],
  0xda: ["text", 2],
  0xdb: ["text", 4],
  0xdc: ["list", 2],
  0xdd: ["list", 4],
  0xde: ["map", 2],
};
const LEAST = {
  text: [0, 32, 256, 0, 65536],
  bytes: [0, 0, 256, 0, 65536],
  list: [0, 0, 16, 0, 65536],
  map: [0, 0, 0, 0, 65536],
};
const NUMBERS = {
  0xcc: [1, 128],
  0xcd: [2, 256],
  0xce: [4, 65536],
  0xcf: [8, 2 ** 32],
  0xd0: [1, -33],
  0xd1: [2, -129],
  0xd2: [4, -32769],
  0xd3: [8, -(2 ** 31) - 1],
};
const CONSTANTS = { 0xc0: null, 0xc2: false, 0xc3: true };

/** Return the one value that some bytes hold. */
export function unpacked(content) {
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  let at = 0;
  const take = (count) => {
    need(at + count <= content.length, "an entry that is cut off");
    return content.subarray(at, (at += count));
  };
  const number = (size, signed) => {
    const from = at;
    take(size);
    const big = size === 8 ? view[signed ? "getBigInt64" : "getBigUint64"](from) : 0n;
    need(size < 8 || Number.isSafeInteger(Number(big)), "a number that is too large");
    return size === 8 ? Number(big) : view[`get${signed ? "Int" : "Uint"}${8 * size}`](from);
  };
  const sized = (what, size) => {
    if (what === "bytes") return take(size).slice();
    if (what === "text") return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(take(size));
    need(size <= content.length, "an entry that is cut off");
    if (what === "list") return Array.from({ length: size }, value);
    const pairs = Array.from({ length: size }, () => [value(), value()]);
    const names = new Set(pairs.map(([name]) => name));
    need(names.size === size && pairs.every(([name]) => typeof name === "string"), "a name that comes twice, or is no text");
    return Object.fromEntries(pairs);
  };
  function value() {
    const kind = take(1)[0];
    if (kind < 0x80 || kind >= 0xe0) return kind < 0x80 ? kind : kind - 0x100;
    if (kind < 0xc0) return sized(kind < 0x90 ? "map" : kind < 0xa0 ? "list" : "text", kind & (kind < 0xa0 ? 0x0f : 0x1f));
    if (kind in CONSTANTS) return CONSTANTS[kind];
    if (kind in NUMBERS) {
      const [size, first] = NUMBERS[kind];
      const found = number(size, first < 0);
      need(first < 0 ? found <= first : found >= first, "a number in its shortest form");
      return found;
    }
    need(kind in LENGTHS, "an entry in a form that is not known");
    const [what, bytes] = LENGTHS[kind];
    const size = number(bytes, false);
    need(size >= LEAST[what][bytes], "a text or a list in its shortest form");
    return sized(what, size);
  }
  const found = value();
  need(at === content.length, "an entry with something behind it");
  return found;
}
