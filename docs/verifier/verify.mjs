// Checks the record of a finished match: node docs/verifier/verify.mjs RECORD [KEPT [SHEET]]
// RECORD: its lines, or the document of the service. KEPT: the file that a client keeps of the match (docs/auditing.md).
// SHEET: the answer of GET /games/{game}: who may know which events. Without it that is as the record says, if it is not too old for it.
// Exit codes: 0 right, 1 wrong, 2 a file that cannot be read, 3 undecided: a game or a dealing that is not
// known here, a later key, or something kept that does not prove what it should.

import { readFileSync } from "node:fs";
import { isByOther, withSignatures } from "../../api/web/proof/notes.js";
import { verify } from "../../api/web/proof/verify.js";

const [record, kept, sheet] = process.argv.slice(2);
if (!record) {
  console.error("usage: node verify.mjs RECORD [KEPT [SHEET]]");
  process.exit(2);
}

const read = () => {
  try {
    return [readFileSync(record), ...[kept, sheet].map((file) => (file ? JSON.parse(readFileSync(file, "utf8")) : null))];
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
};

const [content, evidence, game] = read();
const checked = await verify(content, evidence, game?.audiences ?? null);
const { marks = [], keys = [] } = evidence ?? {};
const known = marks.filter((mark) => !isByOther(mark, keys));
const found = evidence ? await withSignatures(checked, { ...evidence, marks: known }) : checked;
/** Whether something is signed with a later key: only the log shows whether the one that was kept has handed over to it. */
const isUnsure = known.length < marks.length;
const conclusion = isUnsure && found.conclusion === "right" ? "undecided" : found.conclusion;
/** Without what could move the cursor of a terminal. */
const printable = (text) => text.replace(/[^\x20-\x7e]/g, "?");
/** What was kept leaves this unproved. */
const UNPROVED = {
  nonce: "the server knew your random number before it chose",
  no_nonce: "no random number of yours came after the commitment",
  unshared: "no random number of yours counts in the cards of this match",
  events: "of the events that you were sent, not all were kept; what is missing, only the record says",
};
if (found.conclusion === "wrong") console.error(printable(`Wrong: ${found.wrong}.`));
else {
  console.log(printable(`${found.match} (${found.game}) is ${conclusion}: ${found.entries} entries are chained, ${found.deals} deals are as they were committed to, ${found.draws} draws were made again.`));
  const open = [...found.open.filter((name) => !(name in UNPROVED)), ...(isUnsure ? ["key"] : []), ...(evidence?.checkpoints?.length ? ["log"] : [])]; // that takes the service
  console.log(`Compared with what was kept: ${found.compared.join(", ") || "nothing"}. Not possible here: ${open.join(", ") || "nothing"}.`);
  for (const name of found.open.filter((each) => each in UNPROVED)) console.log(`Not proved: ${UNPROVED[name]}.`);
  console.log(`Moves and scores were not judged, nor were ${found.answers} answers of bots computed again. Commitment ${found.commitment}, last chain ${found.chain}.`);
}
process.exitCode = { right: 0, wrong: 1, undecided: 3 }[conclusion];
