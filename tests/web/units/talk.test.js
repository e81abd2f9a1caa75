// Talk: what is said goes out, whatever else is on its way.

import "./browser.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Talk } from "../../../api/web/table/talk.js";

const LINE = { n: 1, room: "table", kind: "phrase", phrase: "hello", author: { player: "p1", seat: 0, name: "Anna" } };
/** @typedef {import("../../../api/web/core/client.js").Feed} Feed */
/** Answers a request that was made, by its path. @type {Map<string, (body: unknown) => void>} */
const asked = new Map();

beforeEach(() => {
  asked.clear();
  Object.assign(document, { removeEventListener() {}, hidden: false });
});

/** The talk of a player at a table, whose requests wait until they are answered. */
function talking() {
  const ask = (/** @type {string} */ path) => new Promise((done) => asked.set(path, done));
  const client = { token: "t", keep: true, get: ask, change: ask, signUp: async () => {} };
  Object.assign(globalThis, { sessionStorage: { getItem: () => null, setItem() {} } });
  const store = { client, match: "m", view: { seat: 0 }, facts: { chairs: [{ player: "p1" }], reserved_seat: null } };
  const page = { store, changed() {}, root: { querySelector: () => null } };
  const talk = new Talk(/** @type {any} */ (page), /** @type {any} */ ({ mode: "all", phrases: [], reactions: [] }));
  Object.assign(talk, { own: "table" });
  return talk;
}

const settled = () => new Promise((done) => setTimeout(done, 0));

test("a phrase is said although the list of the muted is still on its way", async () => {
  const talk = talking();
  talk.toggle(true);
  const saying = talk.say({ phrase: "hello" });
  await settled();
  assert.ok(asked.has("me/muted"));
  asked.get("matches/m/talk")?.(LINE);
  assert.equal(await Promise.race([saying, settled()]), true);
  assert.deepEqual(
    talk.lines.map(({ n }) => n),
    [1],
  );
});

test("whom one mutes stays so when an older list arrives", async () => {
  const talk = talking();
  talk.toggle(true);
  const muting = talk.mute("p2");
  await settled();
  asked.get("me/muted/p2")?.({ items: [{ player: "p2" }] });
  await muting;
  asked.get("me/muted")?.({ items: [] });
  await settled();
  assert.deepEqual(talk.muted, [{ player: "p2" }]);
});

test("what is clicked twice is said once", async () => {
  const talk = talking();
  const saying = talk.say({ phrase: "hello" });
  assert.equal(await talk.say({ phrase: "hello" }), false);
  await settled();
  asked.get("matches/m/talk")?.(LINE);
  assert.equal(await saying, true);
});

test("a token for one seat offers no report, which would be refused", () => {
  const talk = talking();
  assert.equal(talk.mayReport, true);
  Object.assign(talk.client, { keep: false });
  assert.equal(talk.mayReport, false);
  Object.assign(talk.client, { token: null });
  assert.equal(talk.mayReport, true);
});

test("a room is given up only where it is closed to the reader", async () => {
  const talk = talking();
  const { signal } = new AbortController();
  for (const [status, again] of /** @type {[number, boolean][]} */ ([
    [403, false],
    [401, true],
    [404, true],
    [429, true],
    [503, true],
  ])) {
    const hear = async (/** @type {Feed} */ feed) => feed.hear("refused", { status });
    Object.assign(talk.client, { hear });
    assert.equal(await talk.stream("table", signal, () => {}), again);
  }
});

test("a room is heard behind its last line, and nothing of one that was left", async () => {
  const talk = talking();
  talk.n = 3;
  const stop = new AbortController();
  let heard = 0;
  const hear = async (/** @type {Feed} */ feed) => {
    assert.deepEqual([feed.match, feed.room, feed.after], ["m", "table", 3]);
    feed.hear("item", { ...LINE, n: 4 });
    stop.abort();
    feed.hear("item", { ...LINE, n: 5 });
  };
  Object.assign(talk.client, { hear });
  assert.equal(await talk.stream("table", stop.signal, () => (heard += 1)), true);
  assert.deepEqual([talk.n, talk.lines.map(({ n }) => n), heard], [4, [4], 1]);
});

test("a hidden line leaves a tombstone, also where it was read before", () => {
  const talk = talking();
  const other = { ...LINE, author: { player: "p2", seat: 1, name: "Bert" } };
  const hiding = { ...other, n: 3, kind: "hiding", phrase: null, hides: 1 };
  const tombstone = { ...other, n: 2, kind: "hidden", phrase: null };
  for (const line of [other, tombstone, hiding]) talk.take(/** @type {any} */ (line), true);
  assert.deepEqual(
    talk.lines.map(({ n, kind, phrase }) => [n, kind, phrase]),
    [
      [1, "hidden", null],
      [2, "hidden", null],
    ],
  );
  const [first] = talk.lines;
  assert.match(talk.text(/** @type {any} */ (first)), /entfernt|removed/);
  assert.deepEqual(
    talk.spoken.map(({ n }) => n),
    [2],
  );
});
