// The log: events in groups by rounds, tricks and turns.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped, told } from "../../../api/web/table/log.js";

const people = (/** @type {number} */ seat) => ["Ada", "Bruno"][seat];
const sheet = /** @type {any} */ ({ told: (/** @type {{type: string}} */ event) => event.type });
const items = (/** @type {object[]} */ ...events) => /** @type {any} */ (events.map((event, place) => ({ n: place + 1, event })));
/** The titles of groups, each with the numbers of its lines. */
const shape = (/** @type {any[]} */ groups) =>
  groups.map(({ title, lines }) => [title, lines.map((/** @type {any} */ line) => line.n)]);

test("events that say nothing to a reader have no line", () => {
  assert.equal(told(/** @type {any} */ ({ type: "match.decision-opened.1" }), sheet, people), null);
  // a running rematch must not begin with who is still to come, as nothing says that they came
  assert.equal(told(/** @type {any} */ ({ type: "match.seat-reserved.1" }), sheet, people), null);
  assert.equal(told(/** @type {any} */ ({ type: "coup.passed.1" }), sheet, people), "coup.passed.1");
});

test("turns are headed by whose they are, and the reader's own by you", () => {
  const events = items(
    { type: "match.started.1" },
    { type: "coup.turn-begun.1", seat: 0 },
    { type: "coup.passed.1" },
    { type: "coup.turn-begun.1", seat: 1 },
    { type: "coup.passed.1" },
  );
  assert.deepEqual(shape(grouped(events, sheet, null, people, 1)), [
    [null, [1]],
    ["Ada", [3]],
    ["You", [5]],
  ]);
});

test("tricks of a round are counted from its first card on", () => {
  const play = { type: "duel.card-played.1" };
  const taken = { type: "duel.trick-taken.1" };
  const dealt = (/** @type {number} */ round) => ({ type: "duel.dealt.1", round });
  const events = items(dealt(1), play, play, taken, play, taken, dealt(2), play);
  assert.deepEqual(shape(grouped(events, sheet, /\.trick-taken\./, people)), [
    ["Round 1", [1]],
    ["Trick 1", [2, 3, 4]],
    ["Trick 2", [5, 6]],
    ["Round 2", [7]],
    ["Trick 1", [8]],
  ]);
});

test("a group without a line is left out", () => {
  const events = items({ type: "coup.turn-begun.1", seat: 0 }, { type: "coup.turn-begun.1", seat: 1 }, { type: "coup.passed.1" });
  assert.deepEqual(shape(grouped(events, sheet, null, people)), [["Bruno", [3]]]);
});
