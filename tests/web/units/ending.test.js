// The headline of a match that is over.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { speak } from "../../../api/web/core/words.js";
import * as coup from "../../../api/web/games/coup.js";
import * as meister from "../../../api/web/games/meister-coup.js";
import { Ending } from "../../../api/web/table/ending.js";

const NAMES = ["Ada", "Bruno", "Cleo", "Dario"];
const sheet = { term: (/** @type {string} */ name, /** @type {string} */ value) => `${name} ${value}` };

/**
 * The ending of a match as Ada sees it.
 * @param {[number, number | null][]} ranked rank and score of each seat
 * @param {object} [table]
 * @param {object} [drawing]
 */
function endingOf(ranked, table = {}, drawing = {}) {
  const placings = ranked.map(([rank, score], seat) => ({ seat, rank, score }));
  const store = { view: { seat: 0, table, placings }, name: (/** @type {number} */ seat) => NAMES[seat], sheet };
  return new Ending(/** @type {any} */ ({ store, drawing }));
}

test("who lost a game of points is told the place, and by how much", () => {
  const ending = endingOf([
    [2, 13],
    [1, 20],
    [3, 4],
  ]);
  assert.equal(ending.headline(), "Bruno wins. You are second, 7 points behind.");
  assert.ok(ending.ranked());
});

test("a place that all losers share is none", () => {
  const seats = NAMES.map((_, seat) => ({ influence: seat === 2 ? 1 : 0 }));
  const ending = endingOf(
    [
      [2, null],
      [2, null],
      [1, null],
      [2, null],
    ],
    { seats },
    coup,
  );
  assert.equal(ending.headline(), "Cleo wins. You are out.");
  assert.ok(!ending.ranked());
});

test("with two seats, a game without points has no second place", () => {
  const seats = [{ influence: 0 }, { influence: 1 }];
  assert.equal(
    endingOf(
      [
        [2, null],
        [1, null],
      ],
      { seats },
      coup,
    ).headline(),
    "Bruno wins. You are out.",
  );
  assert.equal(
    endingOf(
      [
        [2, null],
        [1, null],
      ],
      { seats: [{ influence: 1 }, { influence: 1 }] },
      coup,
    ).headline(),
    "Bruno wins.",
  );
});

test("what a match was won by is said, and points count for nothing then", () => {
  const won = { reason: "meistercoups" };
  assert.equal(
    endingOf(
      [
        [2, 26],
        [1, 13],
        [2, 23],
      ],
      won,
      meister,
    ).headline(),
    "Bruno wins by reason meistercoups.",
  );
  assert.equal(
    endingOf(
      [
        [1, 26],
        [2, 13],
        [2, 23],
      ],
      won,
      meister,
    ).headline(),
    "You win by reason meistercoups!",
  );
  speak("de");
  assert.equal(
    endingOf(
      [
        [2, 26],
        [1, 13],
        [1, 23],
      ],
      won,
      meister,
    ).headline(),
    "Bruno und Cleo gewinnen durch reason meistercoups.",
  );
  speak("en");
});
