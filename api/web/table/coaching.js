// What the service's coach finds about the decisions of one seat in a finished match. It knows no more than that seat did.

import { sleep } from "../core/client.js";
import { fill, word } from "../core/words.js";
import { hundredths } from "./advice.js";

/** @typedef {import("../contract").Got<`matches/${string}/coaching`>} Coaching */
/** @typedef {Coaching["line"][number]} Point */
/** @typedef {Coaching["puzzles"][number]} Puzzle */

const AGAIN_MS = 700;
/** How often it is looked for while it is not whole: about three minutes, less and less often. */
const LOOKS = 60;

/**
 * Ask for the coaching on a seat, and yield what there is of it until it is whole, the table is left, or too much time has passed.
 * @param {import("../core/store.js").Store} store
 * @param {number} seat
 */
export async function* coaching(store, seat) {
  const path = /** @type {const} */ (`matches/${store.match}/coaching?seat=${seat}`);
  /** @type {Coaching} */
  let found = await store.client.change(path);
  yield found;
  for (let looks = 0; !found.whole && looks < LOOKS && !store.stop.signal.aborted; looks += 1) {
    await sleep(AGAIN_MS * (1 + looks / 10));
    yield (found = await store.client.get(path));
  }
}

/**
 * A decision in words: the chance of winning with what was played, and with the best move.
 * @type {(point: Point, place: number) => string}
 */
export const chances = ({ chance, best }, place) =>
  fill(word("coach_point"), { place: place + 1, chance: hundredths(chance), best: hundredths(best) });
