// What is kept of a finished match: read page by page while there is no connection, and only as long as someone follows it.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, Feed } from "../../../api/web/core/client.js";
import { recall } from "../../../api/web/core/recall.js";
import { around, settled, WAITING } from "./wire.js";

/** @type {number[]} */
let heard = [];

/** Read what is kept, from its beginning. */
function begin() {
  heard = [];
  const hear = (/** @type {string} */ _, /** @type {any} */ item) => void heard.push(item.n);
  const stop = new AbortController();
  around.stops.push(stop);
  const feed = new Feed("m", null, hear, () => {});
  return { stop, over: recall(new Client({ base: "https://table.test/" }), feed, stop.signal) };
}

const page = (/** @type {number[]} */ ...numbers) =>
  new Response(JSON.stringify({ items: numbers.map((n) => ({ n, cursor: `${n}-a` })) }), {
    headers: { "Content-Type": "application/json" },
  });

test("what is kept is heard page by page, and it is not over by that", async () => {
  around.answer = (path) => (path.includes("after=2-a") ? page() : page(1, 2));
  assert.equal(await begin().over, false);
  assert.deepEqual([heard, around.asked.length], [[1, 2], 2]);
});

test("what is not kept is asked for once", async () => {
  for (const answer of [() => null, () => new Response("", { status: 504 })]) {
    around.asked = [];
    around.answer = answer;
    await assert.rejects(begin().over);
    assert.deepEqual([heard, around.asked.length], [[], 1]);
  }
});

test("who stops following hears nothing more", async () => {
  around.answer = () => WAITING;
  const { stop, over } = begin();
  await settled();
  stop.abort();
  await assert.rejects(over);
  assert.deepEqual(heard, []);
});
