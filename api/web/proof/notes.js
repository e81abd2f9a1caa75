// Signed notes, and the keys that sign them (docs/transparency.md; C2SP's signed-note and tlog-cosignature). It needs WebCrypto alone.

import { hex, unbase64, utf8 } from "./bytes.js";
import { conclusionOf } from "./doubts.js";

/** @import { Bytes, Kept, Verdict } from "../record" */

/** What a key signs: the text of a note, or that a witness saw it. */
const NOTE = 1;
const WITNESS = 4;
const CODED = /^([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** What is thrown for a key that is none, and for text that is not base64. */
const BROKEN = ["DataError", "InvalidCharacterError"];

/**
 * Return whether a public key (`name+id+base64`) of a kind has signed a text; null where that cannot be checked here.
 * @type {(key: string, kind: number, signature: Bytes, text: string) => Promise<boolean | null>}
 */
async function isBy(key, kind, signature, text) {
  try {
    const bytes = unbase64(key.split("+").slice(2).join("+"));
    if (bytes[0] !== kind) return false;
    const known = await crypto.subtle.importKey("raw", bytes.slice(1), { name: "Ed25519" }, false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", known, signature, utf8(text));
  } catch (error) {
    const { name } = /** @type {Error} */ (error);
    if (name === "NotSupportedError") return null;
    if (BROKEN.includes(name)) return false;
    throw error;
  }
}

/** Return the text of a note, and what the owner of a key has put below it: the 4 bytes of the key's id, and the signature. */
function parted(/** @type {string} */ note, /** @type {string} */ key) {
  const end = note.lastIndexOf("\n\n") + 1;
  const start = `\u2014 ${key.split("+")[0]} `;
  const line = note
    .slice(end + 1)
    .split("\n")
    .find((each) => each.startsWith(start));
  const coded = line?.slice(start.length) ?? "";
  return { text: note.slice(0, end), signed: CODED.test(coded) ? unbase64(coded) : null };
}

/** Return whether a note is signed by one of some public keys; null where that cannot be checked here. */
export async function isSigned(/** @type {string} */ note, /** @type {string[]} */ keys) {
  for (const key of keys) {
    const { text, signed } = parted(note, key);
    const found = signed && (await isBy(key, NOTE, signed.slice(4), text));
    if (signed && found !== false) return found;
  }
  return false;
}

/** Return whether a note names another key of the same deployment than some public keys: one that was handed over to, perhaps. */
export function isByOther(/** @type {string} */ note, /** @type {string[]} */ keys) {
  const ids = keys.map((key) => key.split("+")[1]);
  return keys.some((key) => {
    const { signed } = parted(note, key);
    return signed !== null && !ids.includes(hex(signed.slice(0, 4)));
  });
}

/**
 * Return the findings about a record, and whether its kept marks and checkpoints are signed by one of the given public keys.
 * @type {(found: Verdict, kept: Kept, keys?: string[]) => Promise<Verdict>}
 */
export async function withSignatures(found, { marks = [], checkpoints = [], keys: known = [] }, keys = known) {
  if (found.conclusion === "wrong") return found;
  /** @type {(notes: string[]) => Promise<(boolean | null)[]>} */
  const check = (notes) => Promise.all(notes.map((note) => isSigned(note, keys)));
  const signed = await check(marks);
  if (signed.includes(false)) return { conclusion: "wrong", wrong: "kept: the signature" };
  const heads = await check(checkpoints);
  if (heads.includes(false)) return { conclusion: "wrong", wrong: "kept: the signature of the checkpoint" };
  if (![...signed, ...heads].includes(null))
    return marks.length ? { ...found, compared: [...found.compared, "signature"] } : found;
  const open = [...found.open, "signature"];
  return { ...found, conclusion: conclusionOf(open), open };
}

/** Return whether a witness has signed a checkpoint (cosignature/v1): the text, and when it saw that. */
export async function isCosigned(/** @type {string} */ note, /** @type {string} */ witness) {
  const { text, signed } = parted(note, witness);
  if (signed?.length !== 76) return false;
  const time = new DataView(signed.buffer).getBigUint64(4);
  return (await isBy(witness, WITNESS, signed.slice(12), `cosignature/v1\ntime ${time}\n${text}`)) === true;
}

/** Return the key that a leaf of the log hands over to, if a key has signed that; else null. */
export async function successor(/** @type {string} */ key, /** @type {string} */ leaf) {
  const [kind, next, time, signature] = leaf.split("\n");
  if (kind !== "tafelrunde.key.1" || !signature || next.split("+")[0] !== key.split("+")[0]) return null;
  return (await isBy(key, NOTE, unbase64(signature), `${kind}\n${next}\n${time}\n`)) ? next : null;
}
