// Which bots are offered at a table, and how strong they are said to be there.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { chosenOf, offersAt, shareOf, strengthOf } from "../../../api/web/pages/bot-choice.js";

const named = (/** @type {string} */ bot, /** @type {string} */ en) => ({
  bot,
  level: "rules",
  name: { de: `${en} (de)`, en },
  style: { de: "", en: "" },
  rating: null,
});
const measured = (/** @type {number} */ share, current = true) => ({ against: "honest", share, deals: 100, current });
/** @type {any} */
const SHEET = {
  characters: [
    named("honest", "Plain Dealer"),
    named("random", "Dicer"),
    named("beginner", "Newcomer"),
    named("search", "Thinker"),
  ],
  tables: [
    {
      seats: 2,
      teams: false,
      offers: [
        { bot: "beginner", measured: null },
        { bot: "honest", measured: null },
      ],
    },
    { seats: 4, teams: false, offers: [{ bot: "search", measured: measured(0.4) }] },
    { seats: 4, teams: true, offers: [{ bot: "honest", measured: null }] },
    { seats: 6, teams: true, offers: [{ bot: "beginner", measured: null }] },
  ],
};
const bots = (/** @type {any} */ setting) => offersAt(SHEET, setting).map(({ bot }) => bot);

test("each table offers what its own ladder shows", () => {
  assert.deepEqual(bots({ seats: 2 }), ["beginner", "honest"]);
  assert.deepEqual(bots({ seats: 4, options: {} }), ["search"]);
  assert.deepEqual(bots({ seats: 4, options: { mode: "team" } }), ["honest"]);
  assert.deepEqual(bots({ seats: 6, options: {} }), ["beginner"]);
});

test("all bots are offered where the service says nothing of the table", () => {
  assert.deepEqual(bots({ seats: 5 }), ["honest", "random", "beginner", "search"]);
});

test("a bot that is not offered at a table gives way to the usual one", () => {
  const [two, four] = [2, 4].map((seats) => offersAt(SHEET, { seats }));
  assert.equal(chosenOf(two, "beginner"), "beginner");
  assert.equal(chosenOf(two, "search"), "honest");
  assert.equal(chosenOf(four, "honest"), "search");
});

test("a share is given in few matches", () => {
  const told = [0.5, 0.333, 0.75, 0.4, 0.69, 0.91, 0.06, 0.97, 0.01].map(shareOf);
  const matches = ["1 of 2", "1 of 3", "3 of 4", "2 of 5", "2 of 3", "9 of 10", "1 of 10"].map((part) => `${part} matches`);
  assert.deepEqual(told, [...matches, "nearly all matches", "hardly any match"]);
});

test("strength is that of the very table, or said to be unmeasured", () => {
  const told = (/** @type {any} */ row, /** @type {number} */ seats, teams = false) =>
    strengthOf(SHEET, { ...SHEET.characters[3], measured: row, teams }, seats);
  assert.equal(told(measured(0.75), 2), "Wins 3 of 4 matches against Plain Dealer.");
  assert.equal(told(measured(0.4), 4), "Wins 2 of 5 matches against 3 bots “Plain Dealer”; 1 in 4 would be even.");
  assert.equal(told(measured(0.6), 4, true), "Wins 3 of 5 matches against Plain Dealer.");
  assert.equal(
    told(measured(0.75, false), 2),
    "Wins 3 of 4 matches against Plain Dealer. Measured with an earlier version of the bots.",
  );
  assert.equal(told(null, 2), "Not measured yet with this number of players.");
});
