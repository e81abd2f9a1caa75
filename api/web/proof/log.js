// The service's public log on the reader's own machine (docs/transparency.md): that it goes on from what this browser has kept, and
// that the opening and the end of a match are in it. It needs WebCrypto, and asks the service for proofs, never for a verdict.

import { hex, need, sha256, unbase64, utf8, Wrong } from "./bytes.js";
import { hmac, keyOf } from "./draws.js";
import { continues, leafHash, rootFrom } from "./merkle.js";
import { isCosigned, isSigned, successor } from "./notes.js";

/** @import { Client } from "../core/client.js" */
/** @import { Kept } from "../record" */
/**
 * @typedef {{ origin: string, size: number, root: string }} Head What a checkpoint says; the root in hex.
 * @typedef {{ format: string, service: string, origin: string, keys: string[], texts: string[], leaves: string[] }} ContradictionFile
 * @typedef {{
 *   compared: string[], open: string[], wrong: string | null, contradiction: ContradictionFile | null,
 *   head: string | null, keys: string[], witnesses: string[],
 * }} ComparedLog `head` is the checkpoint of now, to be kept (null: none); `keys` are those that sign, the newest first.
 */

/** What two signed texts are saved as: `tafelrunde judge` reads it. */
export const FORMAT = "tafelrunde.contradiction.1";
/** How many leaves are saved, at most, with two checkpoints of different sizes, and how many entries are searched for ends. */
const MOST_LEAVES = 20_000;
const PAGE = 1_000;
/** By how much an entry may come later than the log promises: spectators may be delayed. */
const GRACE_MS = 120_000;

/** By how much this device's clock may be ahead before a log that has stood still since the end of a match is noticed. */
const STALE_MS = 3_600_000;

/** The service's log, or two texts that it has signed, contradict each other; `notes` are the texts. */
class Contradiction extends Wrong {
  /** @param {string} what @param {string[]} notes */
  constructor(what, notes) {
    super(what);
    this.notes = notes;
  }
}

/** Return what a signed checkpoint says. */
export function headOf(/** @type {string} */ note) {
  const [, origin = "", size = "", root = ""] = note.match(/^([^\s+]+)\n(0|[1-9]\d{0,8})\n([A-Za-z0-9+/]{43}=)\n\n/) ?? [];
  need(origin, "the log: a checkpoint that is none");
  return { origin, size: Number(size), root: hex(unbase64(root)) };
}

/** Return the lines of a record that was checked. */
function linesOf(/** @type {Uint8Array} */ record) {
  const text = new TextDecoder().decode(record);
  if (text.startsWith('{"lines":[')) return JSON.parse(text).lines;
  const rows = text.trimEnd().split("\n");
  return rows.map((row) => JSON.parse(row));
}

/**
 * Return the contents of the leaves that the log must have of a match's end and corrections, from a record that was checked.
 * @param {Uint8Array} record
 */
export function leavesOf(record) {
  const lines = linesOf(record);
  const [{ match }] = lines;
  const found = [];
  let outcome = null;
  for (const { line, version, chain, event, time_ms, digest } of lines) {
    if (line !== "entry") continue;
    outcome = OUTCOMES[event.type] ?? outcome;
    if (!outcome || !digest) continue;
    found.push(`tafelrunde.leaf.1\n${match}\n${version}\n${chain}\n${outcome}\n${time_ms}\n`);
    outcome = null;
  }
  return found;
}

/** The time in a leaf of an end. */
const timeOf = (/** @type {string | undefined} */ leaf) => Number(leaf?.split("\n")[5]);

/**
 * Check the leaf of the day whose deal a match is: it has the commitment of the record, which binds the secret of the day, and so
 * that of the match. Returns its text; null for another match, and for the first deals, which have no commitment of their day.
 * @param {Uint8Array} record @param {{ text: string, secret: string | null } | null | undefined} day
 */
export async function dayOf(record, day) {
  const events = linesOf(record).flatMap((/** @type {any} */ { event }) => event ?? []);
  const [opened, deal] = ["match.opened.1", "match.deal-of-day.1"].map((type) =>
    events.find((/** @type {any} */ event) => event.type === type),
  );
  if (!deal?.commitment) return null;
  const text = `tafelrunde.day.1\n${deal.day}\n${deal.commitment}\n`;
  need(day?.text === text, "the log: the commitment of the day");
  const secret = day?.secret ?? "";
  const committed = await sha256(utf8(`tafelrunde/day-commitment/1|${deal.day}|${secret}`));
  need(hex(committed) === deal.commitment, "the log: the secret of the day");
  const own = await hmac(await keyOf(secret), `tafelrunde/day/1|${opened.game}|${deal.day}`);
  need(hex(own) === opened.secret, "the log: the secret of the deal of the day");
  return text;
}

/** @type {Record<string, string>} */
const OUTCOMES = {
  "match.ended.1": "over",
  "match.aborted.1": "aborted",
  "match.voided.1": "voided",
  "match.adjudicated.1": "adjudicated",
};

/** One comparison of a match with the log. */
class Comparison {
  /** @param {Client} client @param {Kept} kept @param {Uint8Array} record */
  constructor(client, kept, record) {
    this.client = client;
    this.kept = kept;
    this.record = record;
    /** @type {Set<string>} */
    this.compared = new Set();
    /** @type {Set<string>} */
    this.open = new Set();
    /** @type {string[]} */
    this.witnesses = [];
    /** @type {string} */
    this.note = "";
    /** Who signs, the newest key first. */
    this.keys = [...kept.keys];
    /** Where the opening of the match is in the log. */
    this.first = 0;
    /** When the newest leaf was added. */
    this.newest = 0;
    /** @type {Head} */
    this.head = { origin: "", size: 0, root: "" };
  }

  /** Take the log of now, as it is signed now. */
  async begin() {
    const { signed, time_ms } = await this.client.get("log/checkpoint");
    this.note = signed;
    this.head = headOf(signed);
    this.newest = time_ms;
    need(this.head.origin === this.kept.origin, "the log: who signs it");
    if ((await isSigned(signed, this.keys)) === false) {
      await this.handOvers();
      need(
        await isSigned(signed, this.keys),
        "the log: it is signed with a key that the one that was kept has not handed over to",
      );
      this.compared.add("key");
    }
    if ((await isSigned(signed, this.keys)) === null) this.open.add("signature");
  }

  /** Follow the hand-overs in the log since the first checkpoint that was kept: there each key signs the next one. */
  async handOvers() {
    const [earlier] = (this.kept.checkpoints ?? []).map(headOf);
    for (let from = earlier?.size ?? 0; from < this.head.size;) {
      const { entries } = await this.client.get(`log/entries?from=${from}&limit=${PAGE}`);
      if (!entries.length) return;
      for (const [place, { text }] of entries.entries()) {
        const next = text && (await successor(this.keys[0], text));
        if (next && (await this.grewBy(text, from + place))) this.keys.unshift(next);
      }
      from += entries.length;
    }
  }

  /** Return whether the log has just this leaf at a place: with it, and nothing else, it has grown there. */
  async grewBy(/** @type {string} */ leaf, /** @type {number} */ place) {
    const found = await this.client.get(`log/consistency?from=${place}&to=${place + 1}`).catch(refusal);
    if (!found?.path.includes(await leafHash(leaf))) return false;
    const [before, after] = [found.from_root, found.to_root].map((root, more) => ({ size: place + more, root }));
    return (await continues(before, after, found.path)) && this.follows(after);
  }

  /** Compare with each checkpoint that was kept. */
  async continued() {
    for (const note of this.kept.checkpoints ?? []) {
      const earlier = headOf(note);
      need((await isSigned(note, this.keys)) !== false, "kept: the signature of the checkpoint");
      if (earlier.size === 0) continue;
      if (!(await this.follows(earlier)))
        throw new Contradiction("the log: it does not go on from the one that was kept", [note, this.note]);
      this.compared.add("log");
    }
  }

  /** Return whether the log of now goes on from an earlier one; what the service does not prove is not so. */
  async follows(/** @type {{ size: number, root: string }} */ earlier) {
    const { size, root } = this.head;
    if (earlier.size > size) return false;
    if (earlier.size === size) return earlier.root === root;
    const found = await this.client.get(`log/consistency?from=${earlier.size}&to=${size}`).catch(refusal);
    return found ? continues(earlier, this.head, found.path) : false;
  }

  /** Check that a leaf is in the log of now. */
  async has(/** @type {string} */ text, /** @type {{ index: number, path: string[] }} */ { index, path }) {
    return (await rootFrom(await leafHash(text), index, this.head.size, path)) === this.head.root;
  }

  /** Look for the opening, with the commitment that was kept. */
  async opening() {
    const { match, commitment } = this.kept;
    const found = await this.client.get(`log/openings/${match}?size=${this.head.size}`).catch(refusal);
    if (!found) return this.missing("opening", this.opened());
    const [kind, reference, time, first] = found.text.split("\n");
    const own = hex(await sha256(utf8(`tafelrunde.match.1\n${match}\n`)));
    need(kind === "tafelrunde.opening.1" && reference === own && first === commitment, "the log: the commitment of the opening");
    need(Number(time) === this.opened(), "the log: the time of the opening");
    need(await this.has(found.text, found), "the log: the opening");
    this.first = found.index;
    this.compared.add("opening");
  }

  /** Look for the end, for corrections, as many as the record has, and for the day of a deal. */
  async end(/** @type {string[]} */ expected) {
    const found = await this.client.get(`log/proofs/${this.kept.match}?size=${this.head.size}`).catch(refusal);
    const leaves = found?.leaves ?? [];
    need(leaves.length <= expected.length, "the log: as many corrections as in the record");
    for (const [place, leaf] of leaves.entries()) need(await this.has(expected[place], leaf), "the log: the end of the match");
    if (leaves.length < expected.length) return this.missing("end", timeOf(expected.at(-1)));
    this.compared.add("end");
    await this.ends(leaves.map(({ index }) => index));
    const text = await dayOf(this.record, found?.day);
    if (!text) return;
    need(found?.day && (await this.has(text, found.day)), "the log: the day of the deal");
    this.compared.add("day");
  }

  /** Search the entries of the log from the opening on: the proved ends and corrections must be all that they have of the match. */
  async ends(/** @type {number[]} */ proved) {
    if (this.head.size - this.first > MOST_LEAVES) return void this.open.add("ends");
    const own = hex(await sha256(utf8(`tafelrunde.match.1\n${this.kept.match}\n`)));
    /** @type {number[]} */
    const found = [];
    for (let from = this.first; from < this.head.size;) {
      const { entries } = await this.client.get(`log/entries?from=${from}&limit=${PAGE}`);
      need(entries.length > 0, "the log: its entries end too early");
      for (const [place, { match, outcome }] of entries.slice(0, this.head.size - from).entries())
        if (match === own && outcome) found.push(from + place);
      from += entries.length;
    }
    need(`${found}` === `${proved}`, "the log: it has further ends of the match");
    this.compared.add("ends");
  }

  /** The time of the opening, as the record has it. */
  opened() {
    const row = new TextDecoder().decode(this.record).match(/"line":"entry".*?"time_ms":(\d+)/);
    return Number(row?.[1]);
  }

  /** Something is not in the log: it may be too early, but not when the log has much later entries. */
  async missing(/** @type {string} */ what, /** @type {number} */ since) {
    const { log_seconds } = await this.client.get("log/keys");
    need(this.newest < since + 1000 * log_seconds + GRACE_MS, `the log: the ${what} of the match, which is long due`);
    this.open.add(what);
  }

  /** Note a log without the opening or the end that, by the clock of this device, should have had them for an hour. */
  noteStale(/** @type {number} */ ended) {
    const isMissing = this.open.has("opening") || this.open.has("end");
    if (isMissing && Date.now() > ended + STALE_MS) this.open.add("stale");
  }

  /** Note which witnesses have signed a part of this very log. */
  async witnessed() {
    const { items } = await this.client.get("log/cosignatures");
    for (const { witness, note } of items) {
      const earlier = headOf(note);
      const name = witness.split("+")[0];
      if (earlier.size && earlier.size <= this.head.size && (await isCosigned(note, witness)) && (await this.follows(earlier)))
        this.witnesses.push(name);
    }
  }

  async run() {
    await this.begin();
    await this.continued();
    await this.opening();
    const leaves = leavesOf(this.record);
    await this.end(leaves);
    this.noteStale(timeOf(leaves.at(-1)));
    await this.witnessed();
  }

  /** Return two signed texts for anyone to judge; with the hashes of the leaves, if the texts are of different sizes. */
  async contradiction(/** @type {string[]} */ texts) {
    const { kept, keys } = this;
    const sizes = texts.map((note) => headOf(note).size);
    const size = sizes[0] === sizes[1] || Math.max(...sizes) > MOST_LEAVES ? 0 : Math.max(...sizes);
    /** @type {string[]} */
    const leaves = [];
    while (leaves.length < size) {
      const found = await this.client.get(`log/leaves?from=${leaves.length}&limit=${PAGE}`).catch(refusal);
      if (!found?.hashes.length) break;
      leaves.push(...found.hashes.slice(0, size - leaves.length));
    }
    return { format: FORMAT, service: this.client.base, origin: kept.origin, keys, texts, leaves };
  }
}

/** What the service refuses is an answer: it does not prove what it was asked for. A lost connection and a busy service are none. */
function refusal(/** @type {any} */ error) {
  const status = error?.problem?.status;
  if (status >= 400 && status < 500 && status !== 429) return null;
  throw error;
}

/**
 * Compare the service's log with what was kept of a match whose record was checked. Throws only where the service does not answer.
 * @param {Client} client @param {Kept} kept @param {Uint8Array} record
 * @returns {Promise<ComparedLog>}
 */
export async function compareLog(client, kept, record) {
  const comparison = new Comparison(client, kept, record);
  let [wrong, contradiction] = /** @type {[string | null, ContradictionFile | null]} */ ([null, null]);
  try {
    await comparison.run();
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    wrong = error.message;
    if (error instanceof Contradiction) contradiction = await comparison.contradiction(error.notes);
  }
  const { compared, open, witnesses, note, keys } = comparison;
  return { compared: [...compared], open: [...open], wrong, contradiction, head: wrong ? null : note, keys, witnesses };
}
