// What moves between seats: only the viewer's own cards have faces.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { motions as coup } from "../../../api/web/games/coup.js";
import { motions as stichMeister } from "../../../api/web/games/stich-meister.js";

const item = (/** @type {object} */ event) => /** @type {any} */ ({ n: 1, event });
const seen = (/** @type {object} */ table) => /** @type {any} */ ({ table });
const received = (/** @type {string} */ stage) =>
  stichMeister(
    item({ type: "stich-meister.cards-received.1", received: [[7, 9], null, null], opened: [[], [], []] }),
    seen({ stage, seat: 0 }),
    seen({ stage: "play", seat: 0 }),
  );
const hidden = (/** @type {string} */ from, /** @type {string} */ to) => ({ kind: "card", card: null, from, to });
const face = (/** @type {number} */ card, /** @type {string} */ from) => ({ kind: "card", card, from, to: "hand" });

test("cards that are passed to the left come from the right", () => {
  assert.deepEqual(received("pass-left"), [
    face(7, "seat:2"),
    face(9, "seat:2"),
    hidden("hand", "seat:1"),
    hidden("hand", "seat:1"),
    hidden("seat:1", "seat:2"),
    hidden("seat:1", "seat:2"),
  ]);
});

test("cards that are passed to the right come from the left", () => {
  assert.deepEqual(
    received("pass-right").map((each) => each.kind === "card" && [each.from, each.to]),
    [
      ["seat:1", "hand"],
      ["seat:1", "hand"],
      ["seat:2", "seat:1"],
      ["seat:2", "seat:1"],
      ["hand", "seat:2"],
      ["hand", "seat:2"],
    ],
  );
});

test("a lost influence is turned up where it lies", () => {
  const after = seen({ seats: [{ face_up: [] }, { face_up: ["duke", "captain"] }] });
  const lost = coup(item({ type: "coup.influence-lost.1", seat: 1, role: "captain" }), after, after);
  assert.deepEqual(lost, [{ kind: "turn", at: "lost:1:1" }]);
});
