// A match over a socket: what is sent, what is heard once, and when HTTP takes its place.

import "./browser.js";
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Client } from "../../../api/web/core/client.js";
import { MatchSocket } from "../../../api/web/core/socket.js";

const { WebSocket, setTimeout } = globalThis;
/** @type {Fake[]} */
let opened = [];

/** A connection whose other end is the test. */
class Fake {
  /** @type {any[]} */
  sent = [];
  closed = false;
  /** @type {any} */ onopen = null;
  /** @type {any} */ onmessage = null;
  /** @type {any} */ onclose = null;
  constructor(/** @type {string} */ url, /** @type {string} */ protocol) {
    Object.assign(this, { url, protocol });
    opened.push(this);
  }
  send(/** @type {string} */ text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.closed = true;
  }
  say(/** @type {object} */ frame) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
  begin() {
    this.onopen();
    this.say({ type: "welcome" });
    this.say({ type: "subscribed", id: "1", match: "m", cursor: "0-0" });
  }
}

const item = (/** @type {number} */ n) => ({ n, cursor: `${n}-x`, at_ms: 0, event: { type: "coup.passed.1" } });

beforeEach(() => {
  opened = [];
  globalThis.WebSocket = /** @type {any} */ (Fake);
  globalThis.setTimeout = /** @type {any} */ (
    (/** @type {() => void} */ act, /** @type {number} */ ms) => setTimeout(act, ms > 7000 ? ms : 0).unref()
  );
});
afterEach(() => void Object.assign(globalThis, { WebSocket, setTimeout }));

/** Follow a match; return the client, its socket, what is heard, and what the following ends with. */
function following(after = null) {
  const client = new Client({ base: "http://table.test/", token: "t" });
  const socket = (client.socket = new MatchSocket(client, "m"));
  /** @type {any[]} */
  const heard = [];
  const stop = new AbortController();
  const end = socket.follow(
    after,
    stop.signal,
    (kind, data) => void heard.push(data?.n ?? kind),
    () => {},
  );
  return { client, socket, heard, stop, end };
}

test("the token goes into the first frame, never into the address", () => {
  const { stop } = following();
  opened[0].begin();
  assert.equal(/** @type {any} */ (opened[0]).url, "ws://table.test/api/v1/socket");
  assert.deepEqual(opened[0].sent[0], { type: "hello", token: "t" });
  assert.deepEqual(opened[0].sent[1], { type: "subscribe", match: "m", after: null, id: "1" });
  stop.abort();
});

test("items of a receipt are heard before its answer, and each once", async () => {
  const { client, heard, stop } = following();
  opened[0].begin();
  opened[0].say({ type: "items", match: "m", items: [item(1), item(2)], cursor: "2-x" });
  const given = client.change("matches/m/commands", { decision: 1, command: {} }, "POST", "k");
  const { id, key, decision } = opened[0].sent.at(-1);
  assert.deepEqual([key, decision], ["k", 1]);
  opened[0].say({ type: "receipt", id, replayed: true, receipt: { match: "m", cursor: "3-x", items: [item(2), item(3)] } });
  assert.deepEqual(heard, [1, 2, 3]);
  assert.equal(/** @type {any} */ (await given).cursor, "3-x");
  stop.abort();
});

test("a command without an answer is sent again with its key, and goes over HTTP while there is no socket", async () => {
  const { client, stop } = following();
  opened[0].begin();
  /** @type {any[]} */
  const asked = [];
  globalThis.fetch = /** @type {any} */ (
    async (/** @type {any} */ _, /** @type {any} */ { headers }) => {
      asked.push(headers["Idempotency-Key"]);
      return new Response("{}", { headers: { "Content-Type": "application/json" } });
    }
  );
  const given = client.change("matches/m/commands", { decision: 1, command: {} }, "POST", "k");
  opened[0].onclose({ code: 1006 });
  await given;
  assert.deepEqual(asked, ["k"]);
  stop.abort();
});

test("a problem is what HTTP would have answered", async () => {
  const { socket, stop } = following();
  opened[0].begin();
  const given = socket.command("matches/m/commands", {}, "k");
  const problem = { type: "/problems/decision-closed", title: "Closed", status: 409 };
  opened[0].say({ type: "problem", id: opened[0].sent.at(-1).id, problem });
  assert.equal((await given).status, 409);
  stop.abort();
});

test("HTTP takes its place at once when the first connection does not come about", async () => {
  const { end } = following();
  opened[0].onclose({ code: 1006 });
  assert.deepEqual(await end, { after: null });
});

test("another connection goes on from the last item, and HTTP when several in a row bring nothing", async () => {
  const { end } = following();
  opened[0].begin();
  opened[0].say({ type: "items", match: "m", items: [item(1)], cursor: "1-x" });
  for (let at = 0; at < 5; at += 1) {
    opened[at].onclose({ code: 1006 });
    while (at < 4 && opened.length === at + 1) await new Promise((done) => setTimeout(done, 1));
    opened[at + 1]?.onopen();
    if (at < 4) assert.equal(opened[at + 1].sent[1].after, "1-x");
  }
  assert.deepEqual(await end, { after: "1-x" });
});

test("the end of a match ends the following", async () => {
  const { heard, end } = following();
  opened[0].begin();
  opened[0].say({ type: "end", match: "m" });
  assert.equal(await end, null);
  assert.deepEqual(heard, ["end"]);
  assert.ok(opened[0].closed);
});
