// Answers that the service did not take: the browser keeps them with its own time, and the check says what the record has instead.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import { lostAnswers } from "../../../api/web/proof/lost.js";

const stored = new Map();
globalThis.localStorage = /** @type {Storage} */ (
  /** @type {unknown} */ ({
    getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => stored.set(key, value),
    removeItem: (/** @type {string} */ key) => stored.delete(key),
  })
);
const { Evidence, keptOf } = await import("../../../api/web/proof/evidence.js");
const MATCH = "m1";
const TAX = { type: "coup.claim-tax" };
const SEATED = { event: { type: "match.seat-taken.1", seat: 1, player: "p1" }, command: null, time_ms: 1 };

/** What a record says that was played of one match. @returns {any[]} */
const entries = (/** @type {object[]} */ ...more) => [SEATED, ...more];
/** What the player of seat 1 has kept. @returns {any} */
const kept = (/** @type {object} */ command = TAX) => ({ unacknowledged: [{ decision: 7, command, at_ms: 5, problem: "" }] });
const played = (/** @type {object} */ command, player = "p1") => ({
  event: { type: "coup.x" },
  command: { type: "match.play", player, decision: 7, command },
  time_ms: 9,
});

test("what the record has in the place of an answer is named with its time", () => {
  const LOST = { decision: 7, command: TAX, at_ms: 5 };
  const out = { event: { type: "match.timed-out.1", seat: 1, decision: 7 }, command: null, time_ms: 8 };
  const bot = { event: { type: "coup.x" }, command: { type: "match.bot-play", seat: 1, decision: 7 }, time_ms: 8 };
  const cases = [
    [out, { instead: "time", then_ms: 8 }],
    [bot, { instead: "bot", then_ms: 8 }],
    [played({ type: "coup.pass" }), { instead: "other", then_ms: 9 }],
    [played(TAX, "p2"), { instead: "closed", then_ms: null }],
    [
      { ...out, event: { ...out.event, seat: 0 } },
      { instead: "closed", then_ms: null },
    ],
  ];
  for (const [entry, found] of cases) assert.deepEqual(lostAnswers(kept(), entries(entry), 1), [{ ...LOST, ...found }]);
});

test("an answer that the record has, as it was sent or with more spelled out, is not lost", () => {
  assert.deepEqual(lostAnswers(kept(), entries(played(TAX)), 1), []);
  assert.deepEqual(lostAnswers(kept(), entries(played({ ...TAX, more: 1 })), 1), []);
  assert.deepEqual(lostAnswers({ .../** @type {any} */ ({}) }, entries(), 1), []);
});

test("answers that were refused or not acknowledged are kept until one to their decision is taken", () => {
  stored.set(`tafelrunde.kept.${MATCH}`, JSON.stringify({ match: MATCH }));
  const evidence = new Evidence(MATCH);
  const answer = { decision: 7, command: TAX };
  evidence.failed(answer, 5, "");
  evidence.failed({ decision: 8, command: TAX }, 6, "urn:tafelrunde:problem:decision-closed");
  evidence.failed(null, 7, "");
  evidence.failed(/** @type {any} */ ({ nonce: "x" }), 7, "");
  assert.deepEqual(
    keptOf(MATCH)?.unacknowledged?.map(({ decision, at_ms, problem }) => [decision, at_ms, problem]),
    [
      [7, 5, ""],
      [8, 6, "urn:tafelrunde:problem:decision-closed"],
    ],
  );
  evidence.taken(answer);
  evidence.taken(null);
  assert.deepEqual(
    keptOf(MATCH)?.unacknowledged?.map(({ decision }) => decision),
    [8],
  );
});
