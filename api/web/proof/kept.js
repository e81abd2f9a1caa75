// Compares a record with what its reader has kept of the match (docs/auditing.md), and says what that leaves unproved.

import { need, same } from "./bytes.js";
import { chanceOf } from "./doubts.js";
import { withTerms } from "./entry.js";
import { audiencesOf, feedOf } from "./feeds.js";
import { lostAnswers } from "./lost.js";

/** @import { AnyEvent, Audiences, Compared, Entry, Head, Kept, LostAnswer } from "../record" */

const ENDS = ["match.ended.1", "match.aborted.1"];

/** What of a feed was kept: whose it is (null: a spectator's), after how many items, and the chain. @typedef {[number | null, number, string]} Mark */

/** Return what a signed mark says; its signature is checked elsewhere. @type {(text: string, kept: Kept) => Mark} */
function markIn(text, kept) {
  const [kind, origin, match, viewer, n, chain] = text.split("\n");
  same([kind, origin, match], ["tafelrunde.feed.1", kept.origin, kept.match], "kept: what was signed");
  return [viewer === "spectator" ? null : Number(viewer.slice(5)), Number(n), chain];
}

/** Whether the viewer's own nonce came after the commitment, in a command of its own. */
function cameLater(/** @type {Kept} */ kept, /** @type {Entry[]} */ entries) {
  const place = entries.findLastIndex(({ event }) => event.type === "match.seat-taken.1" && event.seat === kept.seat);
  same(entries[place]?.event.nonce, kept.nonce, "kept: your nonce");
  return entries.slice(1, place + 1).some(({ command }) => command);
}

/** What the viewer's share in the cards is. @type {(kept: Kept, entries: Entry[], viewer: number | null, nonces: string[]) => Compared} */
function share(kept, entries, viewer, nonces) {
  const { keyed, branched, isShared } = chanceOf(entries.map(({ event }) => event));
  if (!kept.nonce) return { compared: [], open: [viewer !== null && !isShared ? "no_nonce" : "unshared"] };
  need(!isShared, "kept: a nonce in a match whose draws take none");
  const doubts = { nonce: !cameLater(kept, entries), left_seat: nonces[Number(kept.seat)] !== kept.nonce };
  const open = Object.entries({ ...doubts, given: branched, old_draws: !keyed }).flatMap(([name, isOpen]) =>
    isOpen ? [name] : [],
  );
  return { compared: open.length ? [] : ["commitment", "nonce"], open };
}

/** Compare the commitments to cards that were kept, and return whether there are any. */
function checkRoots(/** @type {Kept} */ { deals = [] }, /** @type {Entry[]} */ entries) {
  const roots = entries.map(({ event }) => event).filter(({ type }) => type === "match.cards-committed.1");
  for (const { deal, size, root } of deals)
    same([roots[deal - 1]?.size, roots[deal - 1]?.root], [size, root], `kept: the root of deal ${deal}`);
  return deals.length > 0;
}

/** What is missing of what was kept, or in the record. @type {(kept: Kept, isOther: boolean, lost: LostAnswer[]) => string[]} */
function missing({ marks = [], checkpoints = [] }, isOther, lost) {
  const isLost = lost.some(({ instead }) => instead !== "closed");
  const names = { viewer: isOther, unsigned: !marks.length, no_checkpoint: !checkpoints.length, lost: isLost };
  return Object.entries(names).flatMap(([name, isSo]) => (isSo ? [name] : []));
}

const NOTHING_SEEN = { isWhole: false, isOther: false, isHeard: false };

/**
 * Compare what was heard and signed of a viewer's feed with the record; raise what differs.
 *
 * `isWhole`: a mark covers the feed to its end; `isOther`: a mark is of another viewer's feed, which is not compared.
 *
 * @param {Entry[]} entries
 * @param {NonNullable<ReturnType<typeof audiencesOf>>} audiences
 * @param {Mark[]} heard
 * @param {Mark[]} signed
 * @param {number | null} viewer
 */
async function compareFeeds(entries, audiences, heard, signed, viewer) {
  const ended = entries.findLastIndex(({ event }) => ENDS.includes(event.type)) + 1;
  let [isWhole, isOther, isHeard] = [false, false, false];
  /** Whether a mark is one of some viewers' feeds. */
  const isOfOne = async (/** @type {(number | null)[]} */ seats, /** @type {number} */ n, /** @type {string} */ chain) => {
    for (const seat of seats) if ((await feedOf(entries, seat, audiences))[n] === chain) return true;
    return false;
  };
  const seats = Array.from({ length: entries[0].event.seats }, (_, seat) => seat);
  for (const [place, [seat, n, chain]] of [...heard, ...signed].entries()) {
    const isSame = await isOfOne([seat], n, chain);
    // A client keeps a feed under another viewer if its player sat down while it followed the match, or on another device.
    const isMislabelled = async () => place < heard.length && !isSame && isOfOne(seat === null ? seats : [null], n, chain);
    if (seat !== viewer || (await isMislabelled())) {
      isOther ||= !isSame;
      continue;
    }
    // A feed that is longer than the record is none of it: the match is over.
    need(isSame, place < heard.length ? "kept: your feed" : "kept: your signed feed");
    isHeard ||= place < heard.length;
    isWhole ||= n >= (await feedOf(entries.slice(0, ended), seat, audiences)).length - 1;
  }
  return { isWhole, isOther, isHeard };
}

/**
 * Compare a record with what was kept of its match; `sheet`: who may know which events, as the sheet of the game says.
 * `nonces`: those that count in its draws. A feed of another viewer than the keeper makes no record wrong.
 * @type {(kept: Kept, head: Head, entries: Entry[], sheet: Audiences | null, nonces: string[]) => Promise<Compared>}
 */
export async function compared(kept, head, entries, sheet, nonces) {
  same([kept.format, kept.match], ["tafelrunde.kept.1", head.match], "kept: its format and match");
  same(head.commitment, kept.commitment, "kept: the commitment");
  const { feed, marks = [] } = kept;
  const signed = marks.map((mark) => markIn(mark, kept));
  /** @type {Mark[]} */
  const heard = feed?.n ? [[feed.seat, feed.n, feed.chain]] : [];
  const viewer = kept.seat ?? [...heard, ...signed.toReversed()][0]?.[0] ?? null;
  const found = await withTerms(share(kept, entries, viewer, nonces), kept, entries[0].event.secret);
  if (checkRoots(kept, entries)) found.compared.push("roots");
  const audiences = audiencesOf(head, entries, sheet);
  const seen = audiences ? await compareFeeds(entries, audiences, heard, signed, viewer) : NOTHING_SEEN;
  if (seen.isHeard) found.compared.push("feed");
  if (!seen.isWhole) found.open.push("events");
  const lost = lostAnswers(kept, entries, viewer);
  found.open.push(...missing(kept, seen.isOther, lost));
  return { ...found, lost };
}
