// Answers that the viewer has kept since the service did not take them, beside what the record has in their place.

/** @import { Entry, Kept, LostAnswer } from "../record" */
/** What the record has for a decision: when, and if it is the player's own answer, which. @typedef {{ instead: "time" | "bot" | "other", then_ms: number, answer: object | null }} Instead */

/** Return the recorded answer to each decision of a seat, its own or one given for it. */
function insteadOf(/** @type {Entry[]} */ entries, /** @type {number} */ seat) {
  /** @type {Map<number, Instead>} */
  const found = new Map();
  const players = new Set();
  for (const { event, command, time_ms: then_ms } of entries) {
    if (event.type === "match.seat-taken.1" && event.seat === seat) players.add(event.player);
    if (event.type === "match.timed-out.1" && event.seat === seat)
      found.set(event.decision, { instead: "time", then_ms, answer: null });
    if (command?.type === "match.play" && players.has(command.player))
      found.set(command.decision, { instead: "other", then_ms, answer: command.command });
    if (command?.type === "match.bot-play" && command.seat === seat)
      found.set(command.decision, { instead: "bot", then_ms, answer: null });
  }
  return found;
}

/** Whether an answer of a record is one that was sent: the record may spell out more of it. */
const isSame = (/** @type {Record<string, unknown>} */ sent, /** @type {any} */ answer) =>
  Object.entries(sent).every(([name, value]) => JSON.stringify(answer?.[name]) === JSON.stringify(value));

/**
 * Return the kept answers that a record does not have; whose fault that is, neither of the two can show.
 * @type {(kept: Kept, entries: Entry[], seat: number | null) => LostAnswer[]}
 */
export function lostAnswers({ unacknowledged = [] }, entries, seat) {
  const found = seat === null || !unacknowledged.length ? new Map() : insteadOf(entries, seat);
  return unacknowledged.flatMap(({ decision, command, at_ms }) => {
    const { instead = "closed", then_ms = null, answer = null } = found.get(decision) ?? {};
    return answer && isSame(command, answer) ? [] : [{ decision, command, at_ms, instead, then_ms }];
  });
}
