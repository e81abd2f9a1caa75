// What a browser keeps of a match: pages in two tabs, and the check, may read and write it at any time.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const kept = new Map();
globalThis.localStorage = /** @type {Storage} */ (
  /** @type {unknown} */ ({
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => kept.set(key, value),
    removeItem: (/** @type {string} */ key) => kept.delete(key),
  })
);
const { Evidence, keptOf } = await import("../../../api/web/proof/evidence.js");
const MATCH = "m1";
const items = /** @type {import("../../../api/web/contract").Told[]} */ (
  [1, 2, 3].map((n) => ({ n, at_ms: n, cursor: `${n}`, event: { type: "match.started.1" } }))
);
const put = (/** @type {object | null} */ feed) => kept.set(`tafelrunde.kept.${MATCH}`, JSON.stringify({ match: MATCH, feed }));

test("the chain over all that was heard is kept, and grows", async () => {
  put(null);
  const evidence = new Evidence(MATCH);
  await evidence.heard(items.slice(0, 2), 0);
  assert.equal(keptOf(MATCH)?.feed?.n, 2);
  await evidence.heard(items, 0);
  assert.equal(keptOf(MATCH)?.feed?.n, 3);
});

test("what another page keeps while the chain is computed stays, if it tells of another history", async () => {
  put(null);
  const evidence = new Evidence(MATCH);
  await evidence.heard(items.slice(0, 2), 0);
  const working = evidence.heard(items, 0);
  await Promise.resolve(); // the computation has begun
  const other = { seat: 0, n: 2, chain: "0".repeat(64) };
  put(other);
  await working;
  assert.deepEqual(keptOf(MATCH)?.feed, other);
});

const seated = (/** @type {number} */ n, /** @type {string} */ type, nonce = "") => ({
  n,
  at_ms: n,
  cursor: `${n}`,
  event: { type: `match.${type}.1`, seat: 1, nonce },
});
/** Keep a nonce, and hear a feed; return what is kept then. @type {(items: any[], seat: number | null) => Promise<any>} */
async function heardAfter(items, seat) {
  kept.set(`tafelrunde.kept.${MATCH}`, JSON.stringify({ match: MATCH, feed: null, seat: 1, nonce: "mine" }));
  await new Evidence(MATCH).heard(items, seat);
  return keptOf(MATCH);
}

test("a nonce is kept no longer once its seat was left or cleared", async () => {
  for (const type of ["seat-left", "seat-cleared"]) {
    const found = await heardAfter([seated(1, "seat-taken", "mine"), seated(2, type)], null);
    assert.deepEqual([found.seat, found.nonce, found.feed.seat], [null, "", null]);
  }
});

test("a nonce is kept when its seat had been left before it was drawn", async () => {
  const found = await heardAfter([seated(1, "seat-taken", "old"), seated(2, "seat-left"), seated(3, "seat-taken", "mine")], 1);
  assert.deepEqual([found.seat, found.nonce, found.feed.seat], [1, "mine", 1]);
});

test("a feed is kept as that of its viewer as soon as that is known", async () => {
  put(null);
  const evidence = new Evidence(MATCH);
  await evidence.heard(items, null);
  await evidence.heard(items, 1);
  assert.deepEqual([keptOf(MATCH)?.feed?.seat, keptOf(MATCH)?.feed?.n], [1, 3]);
});

test("the feed of a seat stays kept when another tab only watches the match", async () => {
  const dealt = (/** @type {object | null} */ hand) => ({
    n: 2,
    at_ms: 2,
    cursor: "2",
    event: { type: "coup.dealt.1", hands: [hand] },
  });
  const begun = seated(1, "seat-taken", "mine");
  const own = await heardAfter([begun], 1);
  const watching = new Evidence(MATCH);
  await watching.heard(/** @type {any} */ ([begun]), null);
  assert.deepEqual(keptOf(MATCH)?.feed, own.feed);
  await watching.heard(/** @type {any} */ ([begun, dealt(null)]), null);
  assert.deepEqual(keptOf(MATCH)?.feed, own.feed);
  const playing = new Evidence(MATCH);
  await playing.heard(/** @type {any} */ ([begun, dealt({})]), 1);
  assert.deepEqual([keptOf(MATCH)?.feed?.seat, keptOf(MATCH)?.feed?.n], [1, 2]);
});
