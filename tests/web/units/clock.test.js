// The time of the service: how far the browser's clock is from it, and what is left.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { isUrgent, lasting, ServerClock, shortly } from "../../../api/web/core/clock.js";
import { within } from "../../../api/web/core/words.js";

const at = (/** @type {number} */ ms) => new Date(ms).toUTCString();
const NOON = Date.parse("2026-11-23T12:00:00Z");

test("clocks that may agree are taken to agree", () => {
  const clock = new ServerClock();
  assert.equal(clock.ahead, 0);
  clock.note(NOON + 400, NOON + 450, at(NOON));
  clock.note(NOON + 990, NOON + 1_050, null);
  clock.note(NOON + 990, NOON + 1_050, "no date");
  assert.equal(clock.ahead, 0);
});

test("answers narrow down how far a clock is off", () => {
  const clock = new ServerClock();
  // the service is 5 minutes and 300 ms ahead, and answers take 20 ms
  const ahead = 300_300;
  for (let sent = NOON; sent < NOON + 3_000; sent += 130) {
    const second = Math.floor((sent + 10 + ahead) / 1_000) * 1_000;
    clock.note(sent, sent + 20, at(second));
  }
  assert.ok(Math.abs(clock.ahead - ahead) <= 150, String(clock.ahead));
});

test("a clock that is set is believed again", () => {
  const clock = new ServerClock();
  clock.note(NOON, NOON + 10, at(NOON));
  clock.note(NOON - 3_600_000, NOON - 3_600_000 + 10, at(NOON + 1_000));
  assert.ok(Math.abs(clock.ahead - 3_601_500) <= 510, String(clock.ahead));
});

test("what is left is short, and coarser the more it is", () => {
  const said = [0, 9, 59, 60, 65, 599, 600, 3_599, 3_600, 86_400, 2 * 86_400 - 1, 2 * 86_400].map(shortly);
  assert.deepEqual(said, ["0", "9", "59", "1:00", "1:05", "9:59", "10 min", "59 min", "1 h", "24 h", "47 h", "2 d"]);
  assert.deepEqual([9, 10].map(isUrgent), [true, false]);
});

test("a span is said in its largest whole unit", () => {
  assert.deepEqual([5, 45, 60, 120, 5_400, 7_200, 86_400, 604_800].map(lasting), [
    "5 seconds",
    "45 seconds",
    "1 minute",
    "2 minutes",
    "90 minutes",
    "2 hours",
    "1 day",
    "1 week",
  ]);
});

test("one of a unit is said as one, in both languages", () => {
  const said = (/** @type {number} */ seconds) => within("de", () => lasting(seconds));
  assert.deepEqual([1, 60, 7_200, 86_400, 1_209_600].map(said), ["1 Sekunde", "1 Minute", "2 Stunden", "1 Tag", "2 Wochen"]);
  assert.equal(lasting(1), "1 second");
});

test("a part of a second is said as numbers are in either language", () => {
  assert.equal(lasting(0.5), "0.5 seconds");
  assert.equal(
    within("de", () => lasting(1.25)),
    "1,25 Sekunden",
  );
});
