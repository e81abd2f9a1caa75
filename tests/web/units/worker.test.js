// The worker's notices: which are shown, and where a click on one leads.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const MATCH = `m${"a".repeat(24)}`;
const OTHER = `m${"b".repeat(24)}`;
/** @type {Record<string, (event: object) => void>} */
const heard = {};
/** @type {object[]} */
let pages = [];
/** @type {string[]} */
let done = [];

Object.assign(globalThis, {
  location: { href: "http://table.test/worker.js" },
  self: {
    addEventListener: (/** @type {string} */ kind, /** @type {() => void} */ act) => (heard[kind] = act),
    registration: { showNotification: async (/** @type {string} */ title) => void done.push(`shown: ${title}`) },
    clients: {
      matchAll: async () => pages,
      openWindow: async (/** @type {string} */ address) => void done.push(`new: ${address}`),
    },
  },
});
await import("../../../api/web/worker.js");
beforeEach(() => void ([pages, done] = [[], []]));

const page = (/** @type {string} */ path, { focused = false, frameType = "top-level" } = {}) => ({
  url: `http://table.test/${path}`,
  focused,
  frameType,
  navigate: async (/** @type {string} */ address) => void done.push(`${path} to ${address}`),
  focus: async () => void done.push(`focus ${path}`),
});

/** Let the worker hear an event, and wait for what it does. */
async function hear(/** @type {string} */ kind, /** @type {object} */ event) {
  /** @type {Promise<unknown>[]} */
  const work = [];
  heard[kind]({ ...event, waitUntil: (/** @type {Promise<unknown>} */ each) => work.push(each) });
  await Promise.all(work);
}
const push = (/** @type {string | null} */ match) => hear("push", { data: { json: () => ({ title: "Coup", match }) } });
const click = (/** @type {string | null} */ match) =>
  hear("notificationclick", { notification: { data: match, close: () => {} } });

test("a notice is shown unless its own match is being looked at", async () => {
  pages = [page(`#/match/${OTHER}`, { focused: true }), page(`#/match/${MATCH}`)];
  await push(MATCH);
  await push(null);
  assert.deepEqual(done, ["shown: Coup", "shown: Coup"]);
  pages = [page(`#/match/${MATCH}/12`, { focused: true })];
  await push(MATCH);
  assert.equal(done.length, 2);
});

test("a click leads to the page at that match, and takes no other table away", async () => {
  const address = `http://table.test/#/match/${MATCH}`;
  const frame = page(`embed/${MATCH}`, { frameType: "nested" });
  const other = page(`#/match/${OTHER}`);
  pages = [frame, other, page("#/me"), page(`#/match/${MATCH}`)];
  await click(MATCH);
  pages = [frame, other, page("#/me")];
  await click(MATCH);
  pages = [frame, other];
  await click(MATCH);
  const at = `#/match/${MATCH}`;
  assert.deepEqual(done, [`${at} to ${address}`, `focus ${at}`, `#/me to ${address}`, "focus #/me", `new: ${address}`]);
});
