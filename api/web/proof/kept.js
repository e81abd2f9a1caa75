// Compares a record with what its reader has kept of the match (docs/auditing.md), and says what that leaves unproved.

import { need, same } from "./bytes.js";
import { audiencesOf, feedOf } from "./feeds.js";

/** @import { AnyEvent, Audiences, Compared, Entry, Head, Kept } from "../record" */

const ENDS = ["match.ended.1", "match.aborted.1"];
/** What leaves it open whether the cards were chosen, or the match went as the record says: then it is undecided. */
export const DOUBTS = ["nonce", "no_nonce", "events"];
/** Matches in whose cards no one has a share: the deal of a day, and lessons. */
const SHARED = ["match.deal-of-day.1", "match.lesson-begun.1"];

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

/** What the viewer's share in the cards is. @type {(kept: Kept, entries: Entry[], marks: Mark[]) => Compared} */
function share(kept, entries, marks) {
  if (kept.nonce) {
    const isLater = cameLater(kept, entries);
    return isLater ? { compared: ["commitment", "nonce"], open: [] } : { compared: [], open: ["nonce"] };
  }
  const isPlayer = [kept.seat ?? null, ...marks.map(([seat]) => seat)].some((seat) => seat !== null);
  const isShared = entries.some(({ event }) => SHARED.includes(event.type));
  return { compared: [], open: [isPlayer && !isShared ? "no_nonce" : "unshared"] };
}

/**
 * Compare a record with what was kept of its match; `sheet`: who may know which events, as the sheet of the game says.
 * @type {(kept: Kept, head: Head, entries: Entry[], sheet: Audiences | null) => Promise<Compared>}
 */
export async function compared(kept, head, entries, sheet) {
  same([kept.format, kept.match], ["tafelrunde.kept.1", head.match], "kept: its format and match");
  same(head.commitment, kept.commitment, "kept: the commitment");
  const { feed, deals = [], marks = [] } = kept;
  const signed = marks.map((mark) => markIn(mark, kept));
  /** @type {Mark[]} */
  const own = feed?.n ? [[feed.seat, feed.n, feed.chain]] : [];
  const found = share(kept, entries, [...own, ...signed]);
  const roots = entries.map(({ event }) => event).filter(({ type }) => type === "match.cards-committed.1");
  for (const { deal, size, root } of deals)
    same([roots[deal - 1]?.size, roots[deal - 1]?.root], [size, root], `kept: the root of deal ${deal}`);
  if (deals.length) found.compared.push("roots");
  const ended = entries.findLastIndex(({ event }) => ENDS.includes(event.type)) + 1;
  const audiences = audiencesOf(head, entries, sheet);
  let isWhole = false;
  if (audiences) {
    for (const [place, [seat, n, chain]] of [...own, ...signed].entries()) {
      const what = place < own.length ? "kept: your feed" : "kept: your signed feed";
      const chains = await feedOf(entries, seat, audiences);
      need(chains[n] === chain, what); // one that is longer than the record is none of it: the match is over
      isWhole ||= n >= (await feedOf(entries.slice(0, ended), seat, audiences)).length - 1;
    }
    if (own.length) found.compared.push("feed");
  }
  if (!isWhole) found.open.push("events");
  return found;
}
