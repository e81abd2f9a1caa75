// The form of a game's options, made from their schema.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { fields } from "../../../api/web/pages/options-form.js";

/** The only field of a game with one option. */
const only = (/** @type {object} */ schema, seats = 3) => {
  const options = { $ref: "#/$defs/Options", $defs: { Options: { properties: { option: schema } } } };
  return fields(/** @type {any} */ ({ options }), seats)[0];
};

test("a yes or no has a box, with its default", () => {
  assert.deepEqual(only({ type: "boolean", default: true }), { name: "option", input: "check", default: true });
});

test("one of several words is chosen", () => {
  const found = only({ enum: ["one_card", "all_cards"], default: "one_card" });
  assert.deepEqual(found, { name: "option", input: "choice", choices: ["one_card", "all_cards"], default: "one_card" });
});

test("a number has its bounds", () => {
  const found = only({ type: "integer", minimum: 1, maximum: 9, default: 4 });
  assert.deepEqual(found, { name: "option", input: "number", min: 1, max: 9, default: 4 });
});

test("a word or a seat is a choice of the words and of the seats there are", () => {
  const schema = { anyOf: [{ enum: ["random"] }, { type: "integer", minimum: 0, maximum: 5 }], default: "random" };
  assert.deepEqual(only(schema, 3)?.choices, ["random", 0, 1, 2]);
  assert.deepEqual(only(schema, 2)?.choices, ["random", 0, 1]);
  assert.deepEqual(only({ anyOf: [{ anyOf: [{ const: "random" }] }, { type: "integer" }] }, 2)?.choices, ["random", 0, 1]);
});

test("what a form cannot ask for has no input, and a game without options no field", () => {
  assert.equal(only({ type: "array" })?.input, "none");
  assert.deepEqual(fields(/** @type {any} */ ({ options: {} }), 2), []);
});
