// Pages that wait for the service: of two answers the one to the last question counts, and what fails is said.

import "./browser.js";
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ApiError, Unreachable } from "../../../api/web/core/client.js";
import { speak } from "../../../api/web/core/words.js";
import { Daily } from "../../../api/web/pages/daily.js";
import { Leaderboards } from "../../../api/web/pages/leaderboards.js";
import { PuzzlePage } from "../../../api/web/pages/puzzle.js";
import { TournamentPage } from "../../../api/web/pages/tournament.js";
import { stateOf } from "../../../api/web/pages/tournaments-listed.js";

const { setInterval } = globalThis;
Object.assign(globalThis, { setInterval: () => 0 });
after(() => void Object.assign(globalThis, { setInterval }));

const idle = () => {};

/** A service whose answers come when the test wants them, by the path that was asked for. */
function service() {
  /** @type {Record<string, { done: (answer: object) => void, failed: (error: unknown) => void }>} */
  const asked = {};
  const get = (/** @type {string} */ path) =>
    new Promise((/** @type {(answer: object) => void} */ done, failed) => (asked[path] = { done, failed }));
  return { asked, client: /** @type {any} */ ({ get, change: get, signUp: async () => {}, token: null }) };
}

const deal = /** @type {any} */ ({ today: { day: "2026-11-24" }, yesterday: { day: "2026-11-23" } });
const ranking = (/** @type {string[]} */ ...items) => /** @type {any} */ ({ items, cursor: 9 });
const of = (/** @type {string} */ day, start = 0) => `daily/coup/ranking?day=${day}&after=${start}`;

test("the ranking that was asked for last is shown, whichever comes first", async () => {
  const { asked, client } = service();
  const page = new Daily(client, "coup", idle, idle);
  const both = [page.show(deal, true), page.show(deal, false)];
  asked[of("2026-11-24")].done(ranking("today"));
  asked[of("2026-11-23")].done(ranking("yesterday"));
  await Promise.all(both);
  assert.deepEqual(page.ranking?.items, ["today"]);
});

test("further lines are added to the ranking that they follow", async () => {
  const { asked, client } = service();
  const page = new Daily(client, "coup", idle, idle);
  page.ranking = ranking("today");
  const more = page.more(deal, page.ranking);
  const shown = page.show(deal, true);
  asked[of("2026-11-23")].done(ranking("yesterday"));
  await shown;
  asked[of("2026-11-24", 9)].done(ranking("more of today"));
  await more;
  assert.deepEqual(page.ranking.items, ["yesterday"]);
});

test("further rows of a leaderboard are added to the rows that they follow", async () => {
  const { asked, client } = service();
  const page = new Leaderboards(client, "coup", idle);
  Object.assign(page, { rows: ["1"], cursor: "a" });
  const more = page.more();
  const bots = page.show("bots");
  asked["leaderboards/coup?kind=bots"].done({ items: ["bot"], cursor: null });
  await bots;
  asked["leaderboards/coup?after=a"].done({ items: ["2"], cursor: null });
  await more;
  assert.deepEqual(page.rows, ["bot"]);
});

test("it is said that further rows of a leaderboard cannot be loaded", async () => {
  const { asked, client } = service();
  const page = new Leaderboards(client, "coup", idle);
  const more = page.more();
  asked["leaderboards/coup"].failed(new Unreachable());
  await more;
  assert.ok(page.error instanceof Unreachable);
});

test("answers to a puzzle are dimmed while one is on its way", async () => {
  const { asked, client } = service();
  /** @type {boolean[]} */
  const busy = [];
  const page = new PuzzlePage(client, "coup", () => busy.push(page.busy), idle);
  const answering = page.answer(/** @type {any} */ ({ game: "coup", day: "2026-11-24" }), /** @type {any} */ ({}));
  while (!asked["puzzles/today"]) await null;
  asked["puzzles/today"].done({});
  await answering;
  assert.deepEqual(busy, [true, false]);
});

test("a game without a puzzle may still have one today", async () => {
  const { client } = service();
  const page = new PuzzlePage(client, "coup", idle, idle);
  page.error = new ApiError({ type: "urn:tafelrunde:problem:no-puzzle" });
  const texts = ["de", "en"].map((language) => {
    speak(language);
    return /** @type {any} */ (page.wrong()).values.join("");
  });
  assert.match(texts[0], /später noch einmal nach: Vielleicht kommt heute noch eins/);
  assert.match(texts[1], /Look again later: there may still be one today/);
});

const cup = (/** @type {string} */ stage, round = 0) =>
  /** @type {any} */ ({ facts: { stage, game: "coup", entrants: 4, round, rounds: 3 }, standings: [], newest: null });

test("a tournament is not loaded again while something is changed in it, nor once it is over", async () => {
  const { asked, client } = service();
  const page = new TournamentPage(client, "c", idle);
  page.found = cup("open");
  const loading = page.refresh();
  const starting = page.start();
  asked["tournaments/c/start"].done(cup("running"));
  await starting;
  page.busy = true;
  asked["tournaments/c"].done(cup("open"));
  await loading;
  assert.equal(page.found?.facts.stage, "running");
  page.busy = false;
  page.found = cup("over", 3);
  delete asked["tournaments/c"];
  await page.refresh();
  assert.equal(asked["tournaments/c"], undefined);
});

test("computers of the same kind have numbers in a tournament", () => {
  const { client } = service();
  const page = new TournamentPage(client, "c", idle);
  const rows = [2, 0, 1].map((entrant) => /** @type {any} */ ({ entrant, bot: entrant === 1 ? "honest" : "random" }));
  page.found = { ...cup("running", 1), standings: rows };
  assert.deepEqual(
    rows.map((row) => page.name(row)),
    ["random 2", "random 1", "honest"],
  );
});

test("who waits for a match of a round is not told that it has a bye", () => {
  const page = new TournamentPage(service().client, "c", idle);
  /** What is said to entrant 0, whose table of this round is, or who rests. */
  const told = (/** @type {object[]} */ tables, /** @type {number[]} */ byes) => {
    const { facts } = cup("running", 1);
    const found = { facts: { ...facts, entry: 0, your_match: null }, newest: { round: 1, over: false, tables, byes } };
    return /** @type {any} */ (page.yours(/** @type {any} */ (found))).values;
  };
  const table = { match: null, over: false, chairs: [{ entrant: 0 }, { entrant: 1 }] };
  assert.deepEqual(told([table], [2]), ["The next round begins in a moment."]);
  assert.deepEqual(told([], [0]), ["You have a bye in this round."]);
});

test("where a tournament stands is said in a few words", () => {
  assert.equal(stateOf(cup("open").facts), "joined: 4, not begun yet");
  assert.equal(stateOf(cup("running", 2).facts), "round 2 of 3");
});
