// Checks a match on this device, from all that there is: its record, what this browser has kept, and the service's public log.

import { conclusionOf } from "./doubts.js";
import { saw } from "./entries.js";
import { checked, keptOf, rootsIn, showDeals } from "./evidence.js";
import { compareLog } from "./log.js";
import { withSignatures } from "./notes.js";
import { verify } from "./verify.js";

/** @import { Own } from "./result.js" */
/** @import { Facts } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @import { Sheet } from "../core/sheet.js" */
/** @import { Item } from "../drawing" */
/** @import { Kept, Verdict } from "../record" */

/** Answers of a service that does not have a match. */
const GONE = [404, 410];

/** Return what this browser has kept of a match that the service does not have, ready to be shown; null if that is nothing. */
export async function gone(/** @type {Client} */ client, /** @type {string} */ match) {
  const kept = client.keep ? keptOf(match) : null;
  return kept ? { own: /** @type {Own} */ ({ conclusion: "gone" }), kept } : null;
}

/** What can be compared without hashes: texts that were kept, with those that the service shows now. */
function plainly(/** @type {Kept | null} */ kept, /** @type {Facts} */ facts, /** @type {Item[]} */ items) {
  /** @type {string[]} */
  const compared = [];
  if (!kept) return { compared, open: [], wrong: null };
  if (kept.commitment !== facts.commitment) return { compared, open: [], wrong: "kept: the commitment" };
  const roots = rootsIn(items);
  for (const { deal, size, root } of kept.deals ?? []) {
    const found = roots.find((each) => each.deal === deal);
    if (found?.root !== root || found?.size !== size) return { compared, open: [], wrong: `kept: the root of deal ${deal}` };
  }
  if (kept.deals?.length) compared.push("roots");
  return { compared, open: [], wrong: null };
}

/** Compare the log as well, and who has signed what was kept, if the record is right. @returns {Promise<Own>} */
async function withLog(
  /** @type {Client} */ client,
  /** @type {Kept} */ kept,
  /** @type {Uint8Array} */ record,
  /** @type {Verdict} */ own,
) {
  if (own.conclusion === "wrong") return own;
  const found = await compareLog(client, kept, record).catch(() => null);
  const signed = await withSignatures(own, kept, found?.keys);
  if (!found) {
    const rest = signed.conclusion === "wrong" ? own : signed; // the key may have been handed over, which only the log says
    const open = [...rest.open, "log_silent"];
    return { ...rest, conclusion: conclusionOf(open), open };
  }
  if (found.wrong) return { ...own, conclusion: "wrong", wrong: found.wrong, contradiction: found.contradiction };
  if (signed.conclusion === "wrong") return signed;
  if (found.head) checked(kept.match, found.head, found.keys);
  const left = signed.open.filter((name) => name !== "day_leaf" || !found.compared.includes("day"));
  const open = [...left, ...found.open, ...(found.witnesses.length ? [] : ["witnesses"])];
  const compared = [...signed.compared, ...found.compared];
  const conclusion = conclusionOf(open);
  return { ...signed, conclusion, compared: [...new Set(compared)], open: [...new Set(open)], witnesses: found.witnesses };
}

/** Return the evidence, with the published secret of its tournament's deals, which is then stored as well. */
async function withDealSecret(/** @type {Client} */ client, /** @type {Kept} */ kept) {
  const { tournament: terms, match } = kept;
  if (!terms || terms.deal_secret) return kept;
  const found = await client.get(`tournaments/${terms.tournament}`).catch(() => null);
  if (!found?.facts.deal_secret) return kept;
  saw(found);
  showDeals(match, found.facts.deal_secret);
  return keptOf(match) ?? kept;
}

/**
 * Return what this device finds, and what it has kept of the match (null: nothing). Nothing that is done here depends on what the
 * service says of itself. `facts` and `items` are those that the page shows.
 * @param {Client} client @param {string} match @param {Facts} facts @param {Item[]} items @param {Sheet} sheet of the game
 * @returns {Promise<{ own: Own, kept: Kept | null }>}
 */
export async function check(client, match, facts, items, sheet) {
  const kept = client.keep ? keptOf(match) : null;
  if (!globalThis.crypto?.subtle) {
    const { wrong, ...found } = plainly(kept, facts, items);
    return { kept, own: { ...found, wrong, conclusion: wrong ? "wrong" : "impossible", why: "insecure" } };
  }
  const answer = await client
    .send("GET", `matches/${match}/record`, null, null, { Accept: "application/x-ndjson" })
    .catch(() => null);
  if (kept && answer && GONE.includes(answer.status) && !facts.daily) return { kept, own: { conclusion: "gone" } };
  if (!answer?.ok) return { kept, own: { conclusion: "impossible", why: "record" } };
  const record = new Uint8Array(await answer.arrayBuffer());
  const own = await verify(record, kept && (await withDealSecret(client, kept)), sheet.audiences);
  if (!kept) return { kept, own };
  const found = await withLog(client, kept, record, own);
  return { kept: keptOf(match), own: found }; // with the checkpoint and the keys that were just compared
}
