// Checks forged records as a player's device does: by the record alone, then with what was kept, then with the log. Lines of JSON come
// on the standard input: first what was kept of each game's match and where the log has its end, then a record in each line.
// For each record a line: which of the three finds it (null: none), and what is said.

import { createInterface } from "node:readline";
import { leavesOf } from "../../api/web/proof/log.js";
import { leafHash, rootFrom } from "../../api/web/proof/merkle.js";
import { verify } from "../../api/web/proof/verify.js";

/** Whether the log has just the ends that a record needs. */
async function inLog(record, { index, path, size, root }) {
  const leaves = leavesOf(record);
  return leaves.length === 1 && (await rootFrom(await leafHash(leaves[0]), index, size, path)) === root;
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
  if (known) console.log(JSON.stringify(await judged(Buffer.from(asked.record, "base64"), known[asked.game])));
  else known = asked;
}
