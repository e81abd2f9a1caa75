// Checks forged records as a player's device does: by the record alone, then with what was kept, then with the log. Lines of JSON come
// on the standard input: first, by games, what was kept of a match, where the log has its end, and who may know which events; then a record in
// each line.
// For each record a line: which of the three finds it (null: none), what is said, and what it is beside each kind of what was kept.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { leavesOf } from "../../api/web/proof/log.js";
import { leafHash, rootFrom } from "../../api/web/proof/merkle.js";
import { withSignatures } from "../../api/web/proof/notes.js";
import { verify as check } from "../../api/web/proof/verify.js";

const OLD = readFileSync(new URL("../../service/features/records/old_records.txt", import.meta.url), "utf8").split("\n");
const verify = (record, kept, sheet) => check(record, kept, sheet, (chain) => OLD.includes(chain.slice(0, 32)));

/** Whether the log has just the ends that a record needs. */
async function inLog(record, { index, path, size, root }) {
  const leaves = leavesOf(record);
  return leaves.length === 1 && (await rootFrom(await leafHash(leaves[0]), index, size, path)) === root;
}

/** What a record is said to be, beside each kind of what was kept; `found` is what was found beside all of it. */
async function conclusions(record, kinds, sheet, found) {
  const said = {};
  for (const [name, kept] of Object.entries(kinds)) {
    said[name] = (name === "all" ? found : await withSignatures(await verify(record, kept, sheet), kept)).conclusion;
  }
  return said;
}

async function judged(record, { kinds, log, sheet }) {
  // What was kept is compared last, when nothing in the record itself is wrong.
  const found = await withSignatures(await verify(record, kinds.all, sheet), kinds.all);
  const { conclusion, wrong } = found;
  if (conclusion === "wrong" && !wrong.startsWith("kept: ")) {
    return ["record", wrong, Object.fromEntries(Object.keys(kinds).map((name) => [name, "wrong"]))];
  }
  const said = await conclusions(record, kinds, sheet, found);
  if (conclusion === "undecided") {
    const alone = await verify(record, null, sheet);
    return ["record", alone.conclusion === "right" ? null : `undecided: ${alone.open.join(", ")}`, said]; // null: no feed to compare
  }
  if (conclusion !== "right") return ["kept", wrong, said];
  return (await inLog(record, log)) ? [null, null, said] : ["log", "the log: the end of the match", said];
}

let known = null;
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  const { game, record, kinds } = asked;
  if (known) console.log(JSON.stringify(await judged(Buffer.from(record, "base64"), { ...known[game], ...(kinds && { kinds }) })));
  else known = asked;
}
