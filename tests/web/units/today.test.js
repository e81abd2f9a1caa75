// What today offers: another game each day, and first what is still to be played.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { featured, stateOf } from "../../../api/web/pages/today.js";

const offers = ["a", "b", "c"].map((game) => /** @type {any} */ ({ game, yours: null, ranked: 4 }));
const none = () => false;

test("each day another game stands first, and after as many days as there are games the same", () => {
  const days = ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04"];
  const found = days.map((day) => featured(offers, day, none)?.game);
  assert.equal(new Set(found).size, 3);
  assert.equal(found[0], found[3]);
});

test("what was played today gives its place to what was not, until all are", () => {
  const day = "2026-11-01";
  assert.equal(featured(offers, day, ({ game }) => game !== "b")?.game, "b");
  assert.equal(featured(offers, day, () => true)?.game, featured(offers, day, none)?.game);
  assert.equal(featured([], day, none), undefined);
});

test("a try says how it stands", () => {
  const yours = /** @type {any} */ ({ status: "over", place: 2 });
  assert.equal(stateOf({ yours: null, ranked: 4 }), null);
  assert.equal(stateOf({ yours, ranked: 4 }), "You are in place 2 of 4.");
  assert.equal(stateOf({ yours: { ...yours, status: "running" }, ranked: 4 }), "Your match is still running.");
  assert.equal(stateOf({ yours: { ...yours, place: null }, ranked: 4 }), "Your match has ended and is not in the ranking.");
});
