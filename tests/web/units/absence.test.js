// Who is away: what leaving means, and what a computer played meanwhile.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { lasting } from "../../../api/web/core/clock.js";
import { aborting, leaving, stretches, waiting } from "../../../api/web/table/absence.js";
import { clock } from "../../../api/web/core/words.js";

const left = { type: "match.stand-in-seated.1", seat: 0, bot: "honest", reason: "left" };
const back = { type: "match.seat-handed-back.1", seat: 0 };
const turn = { type: "coup.turn-begun.1", seat: 0 };
const move = { type: "coup.coins-taken.1", seat: 0 };
const other = { type: "coup.coins-taken.1", seat: 1 };
const items = (/** @type {object[]} */ ...events) => /** @type {any} */ (events.map((event, place) => ({ n: place + 1, event })));
/** Where each stretch begins and ends, and whether the player came back. @type {(...events: object[]) => unknown[]} */
const found = (...events) => stretches(items(...events), 0).map(({ from, to, ended }) => [from.n, to.n, ended]);

test("what a computer played begins with its first move, and ends with the return", () => {
  assert.deepEqual(found(move, left, other, turn, move, other, move), [[5, 7, false]]);
  assert.deepEqual(found(left, move, back, move, left, move), [
    [2, 2, true],
    [6, 6, false],
  ]);
});

test("who came back before anything was played was not away", () => {
  assert.deepEqual(found(left, other, turn, back, move), []);
  assert.deepEqual(found(move, { ...left, seat: 1 }, other), []);
  assert.deepEqual(stretches(items(left, move), null), []);
});

/** A store of a running match. @type {(chairs: object[], seconds?: number, until?: number | null) => any} */
const store = (chairs, seconds, until = null) => ({
  facts: { chairs, clock: { away_seconds: seconds }, waits_until_ms: until },
  view: { seat: 0, status: "running" },
});
const me = { seat: 0, player: "a", bot: null };
const bot = { seat: 1, player: null, bot: "honest" };
const friend = { seat: 1, player: "b", bot: null };

test("the question before leaving says what happens then", () => {
  assert.match(leaving(store([me, bot], 300)), /The table waits 5 minutes for you. After that a bot plays for you/);
  assert.match(leaving(store([me, { ...friend, bot: "honest" }], 90)), /waits 90 seconds/);
  assert.match(leaving(store([me, friend], 300)), /A bot plays for you at once; you can come back/);
  assert.match(leaving(store([me, bot], 604_800)), /It stays as it is/);
  assert.match(leaving(store([me, bot], 0)), /Bots play it to its end at once/);
  assert.match(leaving(store([me, bot])), /Bots play it to its end at once/);
});

test("an abort asks others too, in a rated match also those who have left", () => {
  const rated = (/** @type {object[]} */ ...chairs) => {
    const found = store(chairs);
    found.facts.rated = true;
    return aborting(found);
  };
  const gone = { ...friend, bot: "honest" };
  assert.equal(aborting(store([me, gone])), "Abort the match? It ends at once.");
  assert.match(rated(me, bot), /^Abort the match\? It ends at once\. .* counts as lost/);
  assert.match(rated(me, gone), /those who have left do as well, .* counts as lost/);
  assert.equal(rated(me, friend), "Propose to abort? If everyone agrees, the match ends without a result.");
});

test("a table that waits says for whom and until when, and only until then", () => {
  const until = Date.now() + 60_000;
  const away = [{ ...me, bot: "honest" }, bot];
  assert.equal(waiting(store(away, 300, until)), `The table waits for you until ${clock(until)}.`);
  const watched = store(away, 300, until);
  watched.view.seat = null;
  assert.equal(waiting(watched), `No player is at the table. It waits until ${clock(until)}.`);
  assert.equal(waiting(store(away, 604_800, until + 604_800_000)), "The table waits for you.");
  assert.equal(waiting(store(away, 300, Date.now() - 1)), null);
  assert.equal(waiting(store([me, bot], 300)), null);
});

test("a span of time is said in the largest unit that fits", () => {
  assert.deepEqual([60, 300, 5_400, 7_200, 86_400].map(lasting), ["1 minute", "5 minutes", "90 minutes", "2 hours", "1 day"]);
});
