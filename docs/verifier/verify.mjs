// Checks the record of a finished match: node docs/verifier/verify.mjs RECORD [KEPT] [SHEET] [DAY] [OLD]
// RECORD: its lines, or the document of the service. KEPT: the file that a client keeps of the match (docs/auditing.md).
// SHEET: the answer of GET /games/{game}: who may know which events. Without it that is as the record says, if it is not too old for it.
// DAY: the answer of GET /log/days/{day}, for the deal of that day. OLD: the list of old records, service/features/records/old_records.txt.
// The first line says right, wrong or undecided, and what was not checked. Exit codes: 0 right, 1 wrong, 2 a file that cannot be read,
// 3 undecided: nothing is wrong, but not all that it takes to call it right could be checked.

import { readFileSync } from "node:fs";
import { Wrong } from "../../api/web/proof/bytes.js";
import { conclusionOf } from "../../api/web/proof/doubts.js";
import { dayOf } from "../../api/web/proof/log.js";
import { leafHash, rootFrom } from "../../api/web/proof/merkle.js";
import { isByOther, withSignatures } from "../../api/web/proof/notes.js";
import { verify } from "../../api/web/proof/verify.js";

const OLD = "tafelrunde.old-records.1\n";
/** Return what a file is, by what it has; throw if it is none of these. */
function kindOf(file) {
  const text = readFileSync(file, "utf8");
  if (text.startsWith(OLD)) return { old: text.split("\n").slice(1, -1) };
  const found = JSON.parse(text);
  if (found?.format === "tafelrunde.kept.1") return { kept: found };
  if (found?.audiences) return { sheet: found };
  if (found?.day) return { day: found };
  throw new Error(`${file} is neither KEPT, SHEET, DAY nor OLD`);
}
const [record, ...more] = process.argv.slice(2);
if (!record) {
  console.error("usage: node verify.mjs RECORD [KEPT] [SHEET] [DAY] [OLD]");
  process.exit(2);
}
const read = () => {
  try {
    return [readFileSync(record), Object.assign({}, ...more.map(kindOf))];
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
};
const [content, { kept = null, sheet = null, day = null, old = [] }] = read();

/** Compare the leaf of the day, if the match is the deal of one. */
async function withDay(checked) {
  if (checked.conclusion === "wrong" || !day) return checked;
  try {
    const text = await dayOf(content, day);
    if (!text) return checked;
    const root = await rootFrom(await leafHash(text), day.index, day.size, day.path);
    if (root !== day.root) throw new Wrong("the log: the day of the deal");
    const open = checked.open.filter((name) => name !== "day_leaf");
    return { ...checked, conclusion: conclusionOf(open), compared: [...checked.compared, "day"], open };
  } catch (error) {
    return { conclusion: "wrong", wrong: error instanceof Wrong ? error.message : `the log: a day that can be read (${error.message})` };
  }
}

const isOld = (chain) => old.includes(chain.slice(0, 32));
const checked = await withDay(await verify(content, kept, sheet?.audiences ?? null, isOld));
const { marks = [], keys = [], checkpoints = [] } = kept ?? {};
const [known, heads] = [marks, checkpoints].map((notes) => notes.filter((note) => !isByOther(note, keys)));
const found = kept ? await withSignatures(checked, { ...kept, marks: known, checkpoints: heads }) : checked;
/** Whether something is signed with a later key: only the log shows whether the one that was kept has handed over to it. */
const isUnsure = known.length < marks.length || heads.length < checkpoints.length;
const conclusion = isUnsure && found.conclusion === "right" ? "undecided" : found.conclusion;
/** Without what could move the cursor of a terminal. */
const printable = (text) => text.replace(/[^\x20-\x7e]/g, "?");
/** What each name of something that was not checked says. */
const OPEN = {
  rules: "this game, or this version of its rules",
  draws: "draws of this version",
  old_draws: "whether the server chose a shuffle: draws of version 1, in none of the listed old records",
  uncommitted: "whether the cards were committed to",
  lesson: "the secret of a lesson that is not listed",
  day_commitment: "the secret of the day, which is not committed to",
  day_leaf: "the leaf of the day in the log",
  nonce: "your random number, which the server knew before it chose",
  no_nonce: "a random number of yours after the commitment: there is none",
  left_seat: "your random number: by the record you had left the seat before the deal",
  given: "your random number: the cards come from another match",
  deals: "whether the cards were fixed before your random number, which a tournament shows once it is over",
  taken_up: "events that were taken up from another match, as they are given",
  unshared: "a random number of yours: none counts in these cards",
  events: "the events that you were sent, as not all were kept",
  lost: "who lost an answer of yours, in whose place the record has something else",
  viewer: "what was kept of another viewer's feed",
  signature: "a signature",
  unsigned: "a signature of the server, as none was kept",
  no_checkpoint: "a log that you knew before, as none was kept",
  key: "a later key",
  log: "the log",
};
/** What the record has in the place of an answer. */
const INSTEAD = {
  time: "that your time was up",
  bot: "that a bot answered in your place",
  other: "another answer of yours",
  closed: "that the decision was closed without an answer of your seat",
};
const timeOf = (ms) => new Date(ms).toISOString();
if (found.conclusion === "wrong") console.log(printable(`wrong: ${found.wrong}.`));
else {
  const bots = found.answers ? [`${found.answers} of ${found.answers} bot answers`] : [];
  const open = [...found.open, ...(isUnsure ? ["key"] : []), ...(checkpoints.length ? ["log"] : [])]; // that takes the service
  const unchecked = ["moves and scores", ...bots, ...open.map((name) => OPEN[name] ?? name)];
  console.log(printable(`${conclusion}; not checked: ${unchecked.join("; ")}.`));
  console.log(printable(`${found.match} (${found.game}): ${found.entries} entries are chained, ${found.deals} deals are as they were committed to, ${found.draws} draws were made again.`));
  for (const { decision, command, at_ms, instead, then_ms } of found.lost ?? [])
    console.log(printable(`You sent ${JSON.stringify(command)} for decision ${decision} at ${timeOf(at_ms)}; the record says ${INSTEAD[instead]}${then_ms === null ? "" : ` at ${timeOf(then_ms)}`}.`));
  if (kept) console.log(printable(`Compared with what was kept: ${found.compared.join(", ") || "nothing"}.`));
  console.log(`Commitment ${found.commitment}, last chain ${found.chain}.`);
}
process.exitCode = { right: 0, wrong: 1, undecided: 3 }[conclusion];
