// A game's sheet: commands and events in words.

import "./browser.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Sheet } from "../../../api/web/core/sheet.js";

const both = (/** @type {string} */ text) => ({ de: text, en: text });
const people = (/** @type {number} */ seat) => ["Ada", "Bruno", "Cleo"][seat];
const MESSAGES = {
  "duel.played.1": both("Seat {seat} plays {card}"),
  "duel.played.1.seat.you": both("You play {card}"),
  "duel.played.1.card.7": both("Seat {seat} plays the seven"),
  "duel.played.1.seat.you.card.7": both("You play the seven"),
  "duel.card.3": both("the three"),
  "duel.took.1": both("{winners} take {palette_card} and {pile_card}"),
  "duel.ended.1": both("Scores: {scores}"),
  "duel.rules.1": both("Rules {rules}"),
  "duel.aimed.1": both("at {target}"),
};
/** @type {{events: {type: string}[]}[]} */
const STORED = JSON.parse(readFileSync(new URL("../../golden/duel/2-default.json", import.meta.url), "utf8"));
/** The fields of an event in the order in which the service writes them, from a stored match. */
const fieldsOf = (/** @type {string} */ tag) => {
  const found = STORED.flatMap((entry) => entry.events).find((event) => event.type === tag);
  return Object.keys(found ?? {});
};
const sheet = new Sheet(
  /** @type {any} */ ({
    id: "duel",
    cards: [{ card: 3, suits: ["moons"], rank: "4", kinds: [], name: both("the three") }],
    messages: MESSAGES,
  }),
);

test("a seat is a name, and a value is called as the game calls it", () => {
  assert.equal(sheet.told({ type: "duel.played.1", seat: 1, card: 3 }, people), "Bruno plays the three");
});

test("a value without a name of its own stands as it is", () => {
  assert.equal(sheet.told({ type: "duel.played.1", seat: 0, card: 12 }, people), "Ada plays 12");
});

test("the reader is addressed", () => {
  assert.equal(sheet.told({ type: "duel.played.1", seat: 1, card: 3 }, people, 1), "You play the three");
  assert.equal(sheet.told({ type: "duel.played.1", seat: 1, card: 3 }, people, 0), "Bruno plays the three");
});

test("the most specific text is taken, as far as the arguments lead on in their order", () => {
  const played = { type: "duel.played.1", seat: 1, card: 7 };
  assert.deepEqual(Object.keys(played), fieldsOf("duel.card-played.1"));
  assert.equal(sheet.wording("duel.played.1", played, null), "duel.played.1.card.7");
  assert.equal(sheet.told(played, people, 1), "You play the seven");
});

test("lists are lists of what they have", () => {
  const took = { type: "duel.took.1", winners: [0, 2], palette_card: 3, pile_card: null };
  assert.equal(sheet.told(took, people, 2), "Ada, you take the three and –");
  assert.equal(sheet.told({ type: "duel.rules.1", rules: [4, 40] }, people), "Rules 4, 40");
});

test("a number for each seat stands beside its name", () => {
  assert.equal(sheet.told({ type: "duel.ended.1", scores: [3, -1] }, people, 0), "Scores: you 3, Bruno -1");
});

test("a target that is no number is said as it is", () => {
  assert.equal(sheet.sentence("duel.aimed.1", { target: 2 }, people), "at Cleo");
  assert.equal(sheet.sentence("duel.aimed.1", { target: "…" }, people), "at …");
});

test("a key without a text is said itself", () => {
  assert.equal(sheet.sentence("duel.unheard.1", {}, people), "duel.unheard.1");
  assert.equal(sheet.text("duel.unheard.1"), null);
});

test("what is printed on a card is found by its name", () => {
  assert.deepEqual(sheet.card(3).suits, ["moons"]);
  assert.throws(() => sheet.card(4), RangeError);
});
