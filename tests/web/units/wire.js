// A connection as a page sees it, for the tests of what goes over it: the test is the service behind it, over HTTP as well.

import "./browser.js";
import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { Client } from "../../../api/web/core/client.js";
import { TIMES } from "../../../api/web/core/socket.js";

export const BASE = "https://table.test/tafel/";
export const MATCH = `m${"b".repeat(24)}`;
const { fetch, setTimeout, clearTimeout } = globalThis;

/** A connection as the page sees it; the test is the service behind it. */
export class Fake {
  /** @type {Fake[]} */
  static made = [];
  /** @type {any[]} */
  sent = [];
  /** @type {any} */
  onopen = null;
  /** @type {any} */
  onmessage = null;
  /** @type {any} */
  onclose = null;
  closed = false;

  constructor(/** @type {URL} */ url, /** @type {string} */ protocol) {
    Object.assign(this, { url: String(url), protocol });
    Fake.made.push(this);
  }
  send(/** @type {string} */ text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.closed = true;
  }
  /** What was sent of a type. */
  of(/** @type {string} */ type) {
    return this.sent.filter((each) => each.type === type);
  }
  say(/** @type {object[]} */ ...frames) {
    for (const frame of frames) this.onmessage?.({ data: JSON.stringify(frame) });
  }
  end(code = 1006) {
    this.onclose?.({ code });
  }
  /** Let the page in. */
  welcome() {
    this.onopen();
    this.say({ type: "welcome" });
    return this;
  }
  /** Answer the last subscription. */
  accept(match = MATCH) {
    const { id } = this.of("subscribe").findLast((each) => each.match === match);
    this.say({ type: "subscribed", id, match, cursor: "0-00000000" });
    return this;
  }
}

/** The page's surroundings; a test changes `answer`. */
export const around = {
  /** What was asked over HTTP. @type {{path: string, headers: Record<string, string>, body: any}[]} */
  asked: [],
  /** How it is answered; null: not at all. @type {(path: string) => Response | null} */
  answer: () => null,
  /** Timers that have not gone off, but for pauses before something is tried again. @type {Map<number, {act: () => void, milliseconds: number}>} */
  timers: new Map(),
  /** @type {Set<() => void>} */
  offline: new Set(),
  /** What ends each following. @type {AbortController[]} */
  stops: [],
};

export const item = (/** @type {number} */ n) => ({ n, cursor: `${n}-00000000`, at_ms: n, event: { type: "coup.passed.1" } });
export const json = (/** @type {object} */ body, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
export const stream = (/** @type {number[]} */ ...numbers) =>
  new Response(numbers.map((n) => `event: item\ndata: ${JSON.stringify(item(n))}\n\n`).join(""));
/** Let everything that is due happen: timers of a millisecond go off in their order, however busy the machine is. */
export async function settled() {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((done) => setTimeout(done, 1));
}
export const newest = () => /** @type {Fake} */ (Fake.made.at(-1));
export const streams = () => around.asked.filter(({ path }) => path.endsWith("/stream"));
export const commands = () => around.asked.filter(({ path }) => path.includes("/commands"));

beforeEach(() => {
  Fake.made = [];
  Object.assign(around, { asked: [], timers: new Map(), offline: new Set(), stops: [], answer: () => null });
  const waits = new Set([TIMES.welcome, TIMES.silence, TIMES.answer, TIMES.idle]);
  let count = 0;
  Object.assign(globalThis, {
    WebSocket: Fake,
    origin: "https://table.test",
    addEventListener: (/** @type {string} */ kind, /** @type {any} */ act) =>
      void (kind === "offline" && around.offline.add(act)),
    removeEventListener: (/** @type {string} */ kind, /** @type {any} */ act) =>
      void (kind === "offline" && around.offline.delete(act)),
    setTimeout(/** @type {() => void} */ act, /** @type {number} */ milliseconds) {
      if (!waits.has(milliseconds)) return setTimeout(act, 0);
      around.timers.set((count += 1), { act, milliseconds });
      return count;
    },
    clearTimeout: (/** @type {any} */ timer) => (around.timers.delete(timer), typeof timer === "object" && clearTimeout(timer)),
    async fetch(/** @type {URL} */ url, /** @type {any} */ { headers, body, signal }) {
      const path = url.pathname + url.search;
      around.asked.push({ path, headers, body: body && JSON.parse(body) });
      const found = around.answer(path);
      if (found === WAITING) await new Promise((_, fail) => signal.addEventListener("abort", fail));
      if (!found) throw new TypeError("no network");
      return found.clone();
    },
  });
});
afterEach(() => {
  for (const stop of around.stops) stop.abort();
  Object.assign(globalThis, { fetch, setTimeout, clearTimeout });
});

/** No answer comes, but the request is not refused either. */
export const WAITING = new Response();

/** Let the time of the only timer be over. */
export function elapse(/** @type {keyof typeof TIMES} */ name) {
  const [[timer, { act, milliseconds }], ...others] = around.timers;
  assert.deepEqual([milliseconds, others], [TIMES[name], []]);
  around.timers.delete(timer);
  act();
}

/** A page that follows a match, with what it hears. */
export function following(
  client = new Client({ base: BASE, token: "t" }),
  /** @type {string | null} */ after = null,
  match = MATCH,
) {
  const stop = new AbortController();
  around.stops.push(stop);
  /** @type {(string | number)[]} */
  const heard = [];
  /** @type {boolean[]} */
  const lines = [];
  const over = client.follow(
    match,
    after,
    stop.signal,
    (kind, data) => heard.push(kind === "item" ? data.n : kind),
    (up) => lines.push(up),
  );
  return { client, stop, heard, lines, over };
}
