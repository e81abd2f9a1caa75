// Drawn faces of people: each figure has its own, in every colour, and nothing in them but shapes.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const { avatar, avatarOf, COLOURS, FIGURES } = await import("../../../api/web/art/avatars.js");
const { faults, markup } = await import("./drawings.js");

const SETTLED = "fox owl bear cat hare raven badger otter hedgehog stag wolf goose frog mouse squirrel lynx".split(" ");

test("each of the settled figures has a drawing of its own, made of shapes alone", () => {
  assert.deepEqual([...FIGURES], SETTLED);
  const drawn = FIGURES.map((figure) => markup(avatar({ figure, colour: "teal" })));
  assert.equal(new Set(drawn).size, SETTLED.length);
  assert.deepEqual(drawn.flatMap(faults), []);
});

test("a figure or colour that this page does not know is drawn all the same", () => {
  assert.deepEqual(faults(markup(avatar({ figure: "dragon", colour: "pink" }))), []);
});

test("an avatar says a name only if it is given one", () => {
  const one = { figure: "owl", colour: "red" };
  assert.match(markup(avatar(one, "Ada")), /role="img" aria-label="Ada"/);
  assert.match(markup(avatar(one)), /aria-hidden="true"/);
  assert.doesNotMatch(markup(avatar(one)), /role|aria-label/);
});

test("a text always has the same avatar, and texts share all figures and colours among them", () => {
  assert.deepEqual(avatarOf("pabc"), avatarOf("pabc"));
  const many = Array.from({ length: 400 }, (_, number) => avatarOf(`player ${number}`));
  assert.equal(new Set(many.map(({ figure }) => figure)).size, SETTLED.length);
  assert.equal(new Set(many.map(({ colour }) => colour)).size, COLOURS.length);
});
