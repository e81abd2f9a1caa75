// The client of the service: what it repeats, when, and under which key.

import "./browser.js";
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { serverClock } from "../../../api/web/core/clock.js";
import { ApiError, Client, Unreachable, isDown } from "../../../api/web/core/client.js";

const BASE = "http://table.test/";
const { fetch, setTimeout } = globalThis;
/** @type {{url: string, method: string, headers: Record<string, string>, body: string}[]} */
let asked = [];
/** @type {number[]} */
let rests = [];

const json = (/** @type {object} */ body, status = 200, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
const busy = (/** @type {number} */ status, headers = {}) => json({ status, title: "Not now" }, status, headers);

/** Let the service answer with these, one after the other and then always with the last; null: no answer comes. */
function serve(/** @type {(Response | null)[]} */ ...answers) {
  globalThis.fetch = /** @type {any} */ (
    async (/** @type {URL} */ url, /** @type {any} */ { method, headers, body }) => {
      asked.push({ url: String(url), method, headers, body });
      const answer = answers[Math.min(asked.length, answers.length) - 1];
      if (!answer) throw new TypeError("no network");
      return answer.clone();
    }
  );
}

beforeEach(() => {
  [asked, rests] = [[], []];
  globalThis.setTimeout = /** @type {any} */ (
    (/** @type {() => void} */ act, /** @type {number} */ milliseconds) => {
      rests.push(milliseconds);
      return setTimeout(act, 0);
    }
  );
});
afterEach(() => void Object.assign(globalThis, { fetch, setTimeout }));

test("another player after a refused one is another player of this browser", async () => {
  const kept = new Map([["tafelrunde.token", "old"]]);
  Object.assign(globalThis, {
    localStorage: { getItem: (/** @type {string} */ key) => kept.get(key) ?? null, setItem: kept.set.bind(kept) },
  });
  let others = 0;
  const client = new Client({ base: BASE, keep: true });
  client.onOther = () => void (others += 1);
  assert.equal(await client.refused("old"), true);
  assert.equal(others, 0);
  serve(json({ text: "new" }, 201));
  await client.signUp();
  assert.equal(others, 1);
  await client.refused("new");
  client.signIn("new");
  assert.equal(others, 1);
});

test("a question is asked below the service's address, with the player's token", async () => {
  serve(json({ name: "Ada" }));
  assert.deepEqual(await new Client({ base: BASE, token: "t" }).get("me"), { name: "Ada" });
  assert.equal(asked[0].url, "http://table.test/api/v1/me");
  assert.equal(asked[0].headers.Authorization, "Bearer t");
});

test("a change is repeated under the same key, so that it happens once", async () => {
  serve(null, busy(503), json({ done: true }));
  const answer = await new Client({ base: BASE }).change("matches", { game: "coup" });
  assert.deepEqual(answer, { done: true });
  assert.equal(asked.length, 3);
  assert.equal(new Set(asked.map((each) => each.headers["Idempotency-Key"])).size, 1);
  assert.match(asked[0].headers["Idempotency-Key"], /^[\w-]{32,}$/);
  assert.equal(new Set(asked.map((each) => each.body)).size, 1);
});

test("the pauses grow, and none is longer or shorter than it should be", async () => {
  serve(null);
  await assert.rejects(new Client({ base: BASE }).get("games"), Unreachable);
  assert.equal(asked.length, 5);
  assert.equal(rests.length, 4);
  rests.forEach((rest, attempt) => assert.ok(rest >= 100 * 2 ** attempt && rest <= 200 * 2 ** attempt, `${rest} at ${attempt}`));
});

test("a change without a key is never repeated", async () => {
  serve(null);
  await assert.rejects(new Client({ base: BASE }).ask("POST", "players", {}), Unreachable);
  assert.equal(asked.length, 1);
});

test("the service says how long to wait, and the wait is shown", async () => {
  serve(busy(429, { "Retry-After": "7" }), json({}));
  const client = new Client({ base: BASE });
  /** @type {number[]} */
  const shown = [];
  client.onWaiting = () => void shown.push(client.waiting);
  await client.get("games");
  assert.deepEqual(rests, [7000]);
  assert.deepEqual(shown, [1, 0]);
});

test("a limit is no busy service: it is said that it is reached, and when that ends", async () => {
  serve(busy(429, { "Retry-After": "7" }), json({}));
  const client = new Client({ base: BASE });
  /** @type {(string | null)[]} */
  const said = [];
  client.onWaiting = () => void said.push(client.hold);
  await client.get("matches/m/hint");
  assert.deepEqual(said, ["The limit for this minute is reached. It goes on in 7 s.", null]);
  client.limitedUntil = 0;
  client.wait(1);
  assert.equal(said[2], "The service is busy – trying again in a moment …");
});

test("a wait of more than half a minute is refused at once", async () => {
  serve(busy(429, { "Retry-After": "31" }));
  await assert.rejects(
    new Client({ base: BASE }).get("games"),
    (error) => error instanceof ApiError && error.problem.status === 429,
  );
  assert.equal(asked.length, 1);
});

test("a refusal is not repeated, and brings its problem", async () => {
  serve(json({ status: 409, title: "Decision closed", type: "urn:tafelrunde:problem:decision-closed" }, 409));
  await assert.rejects(new Client({ base: BASE }).change("matches/m/commands", {}), (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.problem.type, "urn:tafelrunde:problem:decision-closed");
    assert.equal(isDown(error), false);
    return true;
  });
  assert.equal(asked.length, 1);
});

test("a service is down when it says so, and when it says nothing", () => {
  assert.equal(isDown(new Unreachable()), true);
  assert.equal(isDown(new ApiError({ status: 503 })), true);
  assert.equal(isDown(new ApiError({ status: 429 })), false);
});

test("events of a stream are heard whole, however they are cut", async () => {
  Object.assign(globalThis, { setTimeout });
  const text = 'event: item\ndata: {"cursor":\ndata: "1-a"}\n\n: ping\n\nevent: end\ndata: {}\n\n';
  const body = new ReadableStream({
    start(controller) {
      for (const part of text.match(/[^]{1,5}/g) ?? []) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  globalThis.fetch = async () => new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  /** @type {unknown[]} */
  const heard = [];
  /** @type {boolean[]} */
  const lines = [];
  const { signal } = new AbortController();
  await new Client({ base: BASE }).follow(
    "m",
    null,
    signal,
    (/** @type {string} */ kind, /** @type {unknown} */ item) => heard.push([kind, item]),
    (/** @type {boolean} */ up) => lines.push(up),
  );
  assert.deepEqual(heard, [
    ["item", { cursor: "1-a" }],
    ["end", {}],
  ]);
  assert.deepEqual(lines, [true]);
});

/** What was asked for and received before the client was there, at these moments. */
const early = (/** @type {Response} */ answer, sent = Date.now(), received = sent) => Promise.resolve({ sent, received, answer });

test("an answer that was asked for before tells the time of the service when it was received, not when it is taken", async (told) => {
  const noted = told.mock.method(serverClock, "note", () => {});
  const date = "Mon, 23 Nov 2026 12:00:00 GMT";
  serve(null);
  const client = new Client({ base: BASE });
  client.asked = new Map([["games", early(json({ items: [] }, 200, { Date: date }), 1_000, 1_040)]]);
  await client.get("games");
  assert.deepEqual(
    noted.mock.calls.map((call) => call.arguments),
    [[1_000, 1_040, date]],
  );
});

test("an answer that was asked for before is not another player's", async () => {
  serve(json({ items: ["later"] }));
  const client = new Client({ base: BASE, token: "t" });
  const begin = () => void (client.asked = new Map([["me/matches", early(json({ items: ["early"] }))]]));
  begin();
  client.signIn("t");
  assert.deepEqual(await client.get("me/matches"), { items: ["early"] });
  begin();
  client.signIn("u");
  assert.deepEqual(await client.get("me/matches"), { items: ["later"] });
  begin();
  client.signOut();
  assert.deepEqual(await client.get("me/matches"), { items: ["later"] });
});

test("a tab that was opened without a player becomes the one that another tab has signed up", async () => {
  const kept = new Map();
  const storage = { getItem: (/** @type {string} */ key) => kept.get(key) ?? null, setItem: kept.set.bind(kept) };
  Object.assign(globalThis, { localStorage: storage });
  const [one, other] = [new Client({ base: BASE, keep: true }), new Client({ base: BASE, keep: true })];
  serve(json({ text: "first" }), json({ text: "second" }));
  await one.signUp();
  await other.signUp();
  assert.deepEqual([one.token, other.token, asked.length], ["first", "first", 1]);
  await other.refused("first");
  await other.signUp();
  assert.deepEqual([other.token, kept.get("tafelrunde.token")], ["second", "second"]);
});

test("an answer that was asked for before is taken once, and one that did not come is asked for again", async () => {
  serve(json({ items: ["later"] }));
  const client = new Client({ base: BASE });
  client.asked = new Map([
    ["games", early(json({ items: ["early"] }))],
    ["daily", Promise.reject(new TypeError("no network"))],
  ]);
  assert.deepEqual(await client.get("games"), { items: ["early"] });
  assert.deepEqual(asked, []);
  assert.deepEqual(await client.get("games"), { items: ["later"] });
  assert.deepEqual(await client.get("daily"), { items: ["later"] });
  assert.equal(asked.length, 2);
});

test("an answer that was asked for before counts as the first try", async () => {
  serve(json({ items: [] }));
  const client = new Client({ base: BASE });
  client.asked = new Map([["games", early(busy(429, { "Retry-After": "1" }))]]);
  assert.deepEqual(await client.get("games"), { items: [] });
  assert.equal(asked.length, 1);
  assert.ok(rests.includes(1000), String(rests));
  client.asked = new Map([["matches", early(json({ items: [] }))]]);
  await client.change("matches", { game: "coup" });
  assert.equal(asked.length, 2); // only what is read can be asked for before
});
