// Words: texts in two languages, and arguments put into them.

import "./browser.js";
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { clock, fill, listed, say, speak, spoken, within, word } from "../../../api/web/core/words.js";

afterEach(() => speak("en"));

test("arguments are put into a text, and a place without one stays as it is", () => {
  assert.equal(fill("{name} has {count}", { name: "Ada", count: 0 }), "Ada has 0");
  assert.equal(fill("{name} has {count}", { name: "Ada" }), "Ada has {count}");
});

test("an argument is literal, whatever a name is made of", () => {
  assert.equal(fill("{name}!", { name: "$& {name} $1" }), "$& {name} $1!");
});

test("a text is said in the language that is spoken, and a missing one is empty", () => {
  assert.equal(say({ de: "Stich", en: "trick" }), "trick");
  speak("de");
  assert.equal(say({ de: "Stich", en: "trick" }), "Stich");
  assert.equal(say(undefined), "");
  assert.equal(word("you"), "du");
});

test("another language holds while something is drawn, also if that fails", () => {
  assert.equal(
    within("de", () => word("you")),
    "du",
  );
  assert.throws(() =>
    within("de", () => {
      throw new Error("not drawn");
    }),
  );
  assert.equal(spoken(), "en");
});

test("names are listed as each language lists them", () => {
  assert.equal(listed(["Ada", "Bruno", "Cleo"]), "Ada, Bruno, and Cleo");
  speak("de");
  assert.equal(listed(["Ada", "Bruno", "Cleo"]), "Ada, Bruno und Cleo");
});

test("a day that ends at midnight ends then, and not at 12:00 AM", () => {
  assert.equal(clock(new Date(2026, 10, 25).getTime()), "midnight");
  assert.match(clock(new Date(2026, 10, 25, 0, 5).getTime()), /12:05/);
  speak("de");
  assert.equal(clock(new Date(2026, 10, 25).getTime()), "00:00");
});
