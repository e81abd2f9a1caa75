// Lists of the lobby: what comes first, and when a time is.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { going, liveliest, when } from "../../../api/web/pages/listed.js";
import { speak } from "../../../api/web/core/words.js";

const match = (/** @type {string} */ match, /** @type {object} */ more = {}) =>
  /** @type {any} */ ({ match, status: "running", your_turn: false, deadline_ms: null, chairs: [], ...more });
const names = (/** @type {{match: string}[]} */ found) => found.map((each) => each.match).join("");

test("matches that wait for the reader come first, the one with the least time left before all", () => {
  const found = going([
    match("a"),
    match("b", { your_turn: true, deadline_ms: 9 }),
    match("c", { status: "over" }),
    match("d", { your_turn: true, deadline_ms: 5 }),
    match("e", { status: "open", your_turn: null }),
    match("f", { your_turn: true }),
    match("g", { deadline_ms: 1 }),
    match("h", { status: "aborted" }),
  ]);
  assert.equal(names(found), "dbfgae");
});

test("matches of people come before those against computers", () => {
  const [one, bot] = [{ player: "p" }, { bot: "b" }];
  const found = liveliest([
    match("a", { chairs: [one, bot, bot] }),
    match("b", { chairs: [one, one] }),
    match("c", { chairs: [one, { ...one, bot: "b" }] }),
    match("d", { chairs: [one, one, one] }),
  ]);
  assert.equal(names(found), "dbac");
});

test("a time is said in the largest unit that fits", () => {
  speak("en");
  const [minute, hour] = [60_000, 3_600_000];
  const said = [0, 42_000, 90_000, 5 * hour, 50 * hour].map((left) => when(1_000 + left, 1_000));
  assert.deepEqual(said, ["in 0 seconds", "in 42 seconds", "in 2 minutes", "in 5 hours", "in 2 days"]);
  speak("de");
  assert.equal(when(2 * minute, 0), "in 2 Minuten");
  speak("en");
});
