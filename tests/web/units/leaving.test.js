// Whoever leaves a table leaves nothing behind that goes on asking, or comes back to the page.

import "./browser.js";
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Store } from "../../../api/web/core/store.js";
import { Coach } from "../../../api/web/table/coach.js";
import { Replay } from "../../../api/web/table/replay.js";
import { invitation } from "../../../api/web/table/waiting-room.js";
import { TablePage } from "../../../api/web/table/table.js";

const { setTimeout, setInterval } = globalThis;
/** What was asked for. @type {string[]} */
let asked = [];
/** What the page's address was pointed at. @type {unknown[]} */
let led = [];

/** Timers end at once, and repeat nothing. */
beforeEach(() => {
  [asked, led] = [[], []];
  Object.assign(globalThis, { setTimeout: (/** @type {() => void} */ act) => setTimeout(act, 0), setInterval: () => 0 });
  Object.assign(document, { removeEventListener() {} });
});
afterEach(() => void Object.assign(globalThis, { setTimeout, setInterval }));

/** Let everything that is due happen. */
const settled = () => new Promise((done) => setTimeout(done, 20));

/** @type {(answer: (path: string) => Promise<any>) => any} */
const clientOf = (answer) => {
  const ask = (/** @type {string} */ path) => (asked.push(path), answer(path));
  return { get: ask, change: ask, follow() {} };
};

const item = (/** @type {number} */ n) =>
  /** @type {any} */ ({ n, cursor: `${n}-00000000`, at_ms: n, event: { type: "coup.coins-taken.1", seat: 0 } });

/** A store that knows a finished match, and a page with it. */
function opened(/** @type {(path: string) => Promise<any>} */ answer) {
  const store = new Store(clientOf(answer), "m", () => {});
  const sheet = { id: "coup", told: () => "text" };
  const view = { status: "over", seat: 0, cursor: "3-00000000", table: null, chairs: [] };
  store.known = /** @type {any} */ ({ view, sheet, facts: { game: "coup", chairs: [] } });
  store.items = [1, 2, 3].map(item);
  const lead = (/** @type {string} */ _, /** @type {unknown} */ at) => led.push(at);
  return { store, page: /** @type {any} */ ({ store, changed() {}, ready: async () => ({}), links: { lead } }) };
}

test("a table that is left does not load what it was about to", async () => {
  const { store } = opened(() => new Promise(() => {}));
  store.hear("item", item(4));
  store.close();
  store.reloadSoon(0);
  await settled();
  assert.deepEqual(asked, []);
});

test("coaching that is not whole is not looked for any more", async () => {
  const { store, page } = opened(async () => ({ whole: false, line: [], puzzles: [] }));
  const coach = new Coach(page);
  store.close();
  await settled();
  assert.ok(asked.length <= 2, `${asked.length} requests after leaving`);
  assert.ok(coach.failed, "it is offered again");
});

test("a replay that is left does not look for its coaching any more", async () => {
  const { store, page } = opened(async () => ({ whole: false, line: [], puzzles: [] }));
  const replay = new Replay(page, () => {});
  const loading = replay.review.load();
  replay.close();
  await loading;
  assert.equal(asked.length, 1);
  assert.equal(store.stop.signal.aborted, false);
});

test("a replay shows the moves of the seat with whose eyes one looks, and without them one's own", () => {
  const { store, page } = opened(() => new Promise(() => {}));
  const seatOf = (/** @type {string | null} */ eyes) => new Replay(page, () => {}, eyes).review.seat;
  assert.deepEqual([null, "public", "all", "0", "1"].map(seatOf), [0, 0, 0, 0, 1]);
  Object.assign(store.view, { seat: null });
  assert.deepEqual([null, "public", "all", "0", "1"].map(seatOf), [null, null, null, 0, 1]);
});

test("a step of a replay that arrives late does not change the address", async () => {
  /** @type {(view: object) => void} */
  let arrives = () => {};
  const { page } = opened(() => new Promise((done) => (arrives = done)));
  const replay = new Replay(page, () => led.push(null));
  const going = replay.go(1);
  await settled();
  assert.equal(asked.length, 1);
  replay.close();
  arrives({ cursor: "2-00000000", table: null });
  await going;
  assert.deepEqual(led, [null]);
});

test("a step of a replay that arrives in time does", async () => {
  const { page } = opened(async () => ({ cursor: "2-00000000", table: null }));
  await new Replay(page, () => {}).go(1);
  assert.deepEqual(led, [{ n: 2, perspective: null }]);
});

test("a table that is left while its drawing loads hears nothing more", async () => {
  const { store } = opened(async () => ({}));
  let heard = 0;
  const page = Object.assign(Object.create(TablePage.prototype), {
    store,
    drawing: null,
    changed() {},
    hear: () => (heard += 1),
  });
  const loading = page.ready();
  store.close();
  await loading;
  assert.equal(heard, 0);
});

/** All functions in what is drawn. @type {(drawn: any) => ((event: object) => unknown)[]} */
const acts = (drawn) =>
  typeof drawn === "function" ? [drawn] : Array.isArray(drawn) ? drawn.flatMap(acts) : (drawn?.values?.flatMap(acts) ?? []);

test("who cannot become a guest to join a table is told so", async () => {
  const { store } = opened(async () => ({}));
  Object.assign(store.view, { seat: null });
  Object.assign(store.facts, { chairs: [{ seat: 0, player: null, bot: null, reserved: null }], reserved_seat: null });
  store.client.signUp = () => Promise.reject(new Error("away"));
  Object.assign(store.sheet, { name: { de: "Coup", en: "Coup" }, about: null, pictured: [] });
  const page = Object.assign(Object.create(TablePage.prototype), { store, changed() {} });
  const [join] = acts(invitation(page));
  await join({ preventDefault() {} });
  assert.ok(store.notice instanceof Error);
});
