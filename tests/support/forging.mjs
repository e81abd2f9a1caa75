// Checks forged records as a player's device does: by the record alone, then with what was kept, then with the log. Lines of JSON come
// on the standard input: first what was kept of each game's match and where the log has its end, then a record in each line.
// For each record a line: which of the three finds it (null: none), what is said, and what it is beside each kind of what was kept.

import { createInterface } from "node:readline";
import { leavesOf } from "../../api/web/proof/log.js";
import { leafHash, rootFrom } from "../../api/web/proof/merkle.js";
import { withSignatures } from "../../api/web/proof/notes.js";
import { verify } from "../../api/web/proof/verify.js";

/** Whether the log has just the ends that a record needs. */
async function inLog(record, { index, path, size, root }) {
  const leaves = leavesOf(record);
  return leaves.length === 1 && (await rootFrom(await leafHash(leaves[0]), index, size, path)) === root;
}

/** What a record is said to be, beside each kind of what was kept. */
async function conclusions(record, kinds) {
  const found = {};
  for (const [name, kept] of Object.entries(kinds)) found[name] = (await withSignatures(await verify(record, kept), kept)).conclusion;
  return found;
}

async function judged(record, { kept, log }) {
  // What was kept is compared last, when the record itself is right.
  const { conclusion, wrong } = await verify(record, kept);
  if (conclusion !== "right") return [wrong?.startsWith("kept: ") ? "kept" : "record", wrong];
  return (await inLog(record, log)) ? [null, null] : ["log", "the log: the end of the match"];
}

let known = null;
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (known) {
    const [record, { kinds, ...others }] = [Buffer.from(asked.record, "base64"), known[asked.game]];
    const [by, wrong] = await judged(record, others);
    const said = by === "record" ? Object.fromEntries(Object.keys(kinds).map((name) => [name, "wrong"])) : await conclusions(record, kinds);
    console.log(JSON.stringify([by, wrong, said]));
  } else known = asked;
}
