// Who sits at a seat, as the table shows it: avatar, time and the sign of a computer.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { plate } = await import("../../../api/web/table/plate.js");
const { markup } = await import("./drawings.js");

/** @type {(chair: object | undefined, left?: {share: number, seconds: number, whole?: number} | null, away?: string | null) => string} */
const drawn = (chair, left = null, away = null) =>
  markup(plate(/** @type {any} */ ({ chair: () => chair, name: () => "Cleo", time: () => left, away: () => away }), 1));

test("a player has the avatar that the service names, and else one that follows from the id or the name", () => {
  const chosen = drawn({ player: "pabc", avatar: { figure: "owl", colour: "red" } });
  assert.match(chosen, /avatar-owl disc-red/);
  assert.equal(drawn({ player: "pabc" }), drawn({ player: "pabc" }));
  assert.match(drawn(undefined), /class="avatar avatar-\w+ disc-\w+"/);
});

test("a computer has its sign, and a computer that stands in for a player has another one", () => {
  assert.doesNotMatch(drawn({ player: "pabc" }), /robot/);
  assert.match(drawn({ bot: "random" }), /class="robot "/);
  assert.match(drawn({ bot: "random", player: "pabc" }), /class="robot badge"/);
});

test("a player on vacation has a sign that says until when", () => {
  assert.match(
    drawn({ player: "pabc" }, null, "Ada is on vacation until 5 January."),
    /aria-label="Ada is on vacation until 5 January."/,
  );
});

test("only a seat that is asked has a ring of time, and the last minute is counted", () => {
  assert.doesNotMatch(drawn({}), /class="time"/);
  assert.match(drawn({}, { share: 0.5, seconds: 300 }), /stroke-dasharray="50 100"/);
  assert.doesNotMatch(drawn({}, { share: 0.5, seconds: 300 }), /class="seconds"/);
  assert.match(drawn({}, { share: 0.1, seconds: 12 }), /class="seconds"[^>]*>12</);
});

test("in a match over hours or days, the time that is left always stands there", () => {
  assert.match(drawn({}, { share: 0.9, seconds: 79_300, whole: 86_400 }), /class="seconds"[^>]*>22 h</);
  assert.match(drawn({}, { share: 0.9, seconds: 400_000, whole: 604_800 }), /class="seconds"[^>]*>4 d</);
  assert.doesNotMatch(drawn({}, { share: 0.9, seconds: 540, whole: 600 }), /class="seconds"/);
});
