// How fast a match is played, by name.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaults, PACES, paceOf, timeOf } from "../../../api/web/pages/match-settings.js";

test("paces are sorted, and each is found by its clock", () => {
  const turns = PACES.map(({ clock }) => clock?.turn_seconds ?? 0);
  assert.deepEqual(
    turns,
    [...turns].sort((one, other) => one - other),
  );
  for (const each of PACES) assert.equal(paceOf(each.clock), each);
  assert.equal(paceOf({ turn_seconds: 7, reaction_seconds: 7 }), null);
  assert.equal(paceOf(undefined), null);
});

test("the form begins with a pace that has a name", () => {
  assert.equal(paceOf(defaults("coup", 3).clock)?.pace, "slow");
});

test("a pace says what it gives", () => {
  assert.equal(timeOf(PACES[0].clock), "10 seconds for a turn, 5 seconds for an answer to one.");
  assert.equal(timeOf(PACES[4].clock), "1 day for each decision.");
});
