// Whether the secret of a match can have been chosen, as far as its record shows that, and what leaves a record undecided in which nothing
// is wrong (docs/fair-dealing.md, "Draws", and docs/auditing.md).

import { hex, need, same, sha256, utf8 } from "./bytes.js";
import { commitmentTo } from "./draws.js";

/** @import { AnyEvent, Entry, Head } from "../record" */
/** @typedef {(chain: string) => boolean} IsOld Whether a record with draws of version 1 is on the list of those that can be right. */

/** What leaves it open whether the cards were chosen, or the match went as the record says. */
const DOUBTS = [
  ...["rules", "draws", "old_draws", "uncommitted", "lesson", "day_commitment", "day_leaf", "taken_up"],
  ...["nonce", "no_nonce", "left_seat", "given", "deals", "viewer", "events", "lost"],
  ...["signature", "stale", "log_silent"],
];
/** Return the conclusion about a record without faults, from the names of the open points. */
export const conclusionOf = (/** @type {string[]} */ open) =>
  open.some((name) => DOUBTS.includes(name)) ? "undecided" : /** @type {const} */ ("right");

/** The number of each edition of each lesson there ever was. @type {Record<string, number[]>} */
const LESSONS = { coup: [93], matchmaster: [1], "meister-coup": [3], mondkrone: [1], "stich-meister": [281] };
/** The newest version of each game's rules that is known here. @type {Record<string, number>} */
const RULES = { coup: 2, matchmaster: 1, "meister-coup": 1, mondkrone: 1, "stich-meister": 1 };
/** What says how cards come about: each at most once, by the command that opens the match. */
const CHANCE = ["match.draws-keyed.1", "match.branched.1", "match.lesson-begun.1", "match.deal-of-day.1"];

/** Return the events about the chance of a match. */
export function chanceOf(/** @type {AnyEvent[]} */ events) {
  const [keyed, branched, lesson, day] = CHANCE.map((kind) => events.find(({ type }) => type === kind));
  return { keyed, branched, lesson, day, isShared: Boolean(lesson || day) };
}

/** @type {(game: string, edition: number) => number | undefined} */
const numberOf = (game, edition) =>
  Number.isInteger(edition) && Object.hasOwn(LESSONS, game) ? LESSONS[game][edition - 1] : undefined;

/**
 * Check that the secret was committed to, that a lesson has the secret of its edition, and that each nonce is used.
 * @param {Head} head @param {Entry[]} entries
 */
export async function checkChance({ match, game, commitment, lesson: told }, entries) {
  const events = entries.map(({ event }) => event);
  const second = entries.findIndex(({ command }, place) => place > 0 && command);
  for (const kind of CHANCE) {
    const places = events.flatMap(({ type }, place) => (type === kind ? [place] : []));
    need(
      places.length < 2 && places.every((place) => second < 0 || place < second),
      "what decides about the cards: once, in the opening",
    );
  }
  const { keyed, lesson, day, isShared } = chanceOf(events);
  const isKeyed = !keyed || (Number.isInteger(keyed.version) && keyed.version > 1);
  need(isKeyed, "draws that are keyed have version 2 or a later one");
  need(!(lesson && day), "a match that is a lesson, or the deal of a day");
  const isUnused = isShared && events.some(({ type, nonce }) => type === "match.seat-taken.1" && nonce !== "");
  need(!isUnused, "a nonce in a match whose draws take none");
  const [{ secret }] = events;
  same(commitment, await commitmentTo(match, secret), "the commitment to the secret");
  const number = lesson ? (numberOf(game, lesson.edition) ?? told) : undefined;
  need(told === undefined || (told === number && Number.isInteger(told)), "head: lesson");
  if (number === undefined) return;
  same(secret, hex(await sha256(utf8(`tafelrunde/lesson/1|${game}|${number}`))), "the secret of the lesson");
}

/**
 * Return the names of the points that a check without faults leaves open.
 * @param {Head} head @param {AnyEvent[]} events @param {string} chain the last one @param {boolean} isKnown whether all was dealt again
 * @param {IsOld} isOld
 */
export function doubtsOf({ game, rules_version }, events, chain, isKnown, isOld) {
  const { keyed, branched, lesson, day } = chanceOf(events);
  const isOfDraws = keyed?.version > 2;
  return Object.entries({
    rules: (!isKnown && !isOfDraws) || !(Number.isInteger(rules_version) && rules_version >= 1 && rules_version <= RULES[game]),
    draws: isOfDraws,
    old_draws: !keyed && !isOld(chain),
    uncommitted: !("dealing" in events[0]),
    lesson: lesson && numberOf(game, lesson.edition) === undefined,
    day_commitment: day && day.commitment === undefined,
    day_leaf: day && day.commitment !== undefined,
    taken_up: branched,
  }).flatMap(([name, isOpen]) => (isOpen ? [name] : []));
}
