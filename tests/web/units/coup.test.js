// What Coup says beside a question.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { because } = await import("../../../api/web/games/coup.js");

const item = (/** @type {string} */ type, /** @type {number} */ seat) =>
  /** @type {any} */ ({ event: { type: `coup.${type}.1`, seat } });
const view = (/** @type {string} */ stage) => /** @type {any} */ ({ seat: 0, table: { stage } });
const CLAIM = item("action-declared", 2);
const PROOF = item("claim-proved", 2);
const LOSS = item("loss-demanded", 0);

test("who challenged in vain loses a card by the proof", () => {
  assert.equal(because(view("lose"), [CLAIM, item("claim-challenged", 0), PROOF, LOSS]), PROOF);
});

test("a target loses a card by the action, also when another challenged in vain, and whatever was challenged a turn before", () => {
  assert.equal(because(view("lose"), [CLAIM, item("claim-challenged", 1), PROOF, LOSS]), CLAIM);
  assert.equal(because(view("lose"), [item("action-declared", 1), item("claim-challenged", 0), PROOF, CLAIM, LOSS]), CLAIM);
});

test("no other question has a cause", () => {
  assert.equal(because(view("action"), [CLAIM]), null);
});
