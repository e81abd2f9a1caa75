// The service as this client sees it: its public API, and nothing else.

import { serverClock } from "./clock.js";
import { Socket } from "./socket.js";
import { fill, say, word } from "./words.js";

/** @import { Changed, Got, Method, Sent, Shapes } from "../contract" */

/** Base address of the service: it serves these modules under `web/` and their version. */
export const BASE = new URL("../../../", import.meta.url).href;
const TOKEN = "tafelrunde.token";
const TRIES = 5;
/** Wait no longer than that where there were too many requests (milliseconds). */
const LONGEST = 30000;
/** A pause before a retry is shown from this length on (milliseconds). */
const NOTICED = 1000;
const AGAIN = new Set([429, 502, 503, 504]);

/** The service refused a request; has its problem document. */
export class ApiError extends Error {
  constructor(/** @type {Partial<Shapes["Problem"]>} */ problem) {
    super(problem.title ?? "problem");
    this.problem = problem;
  }
}

/** No answer came, not even to the last retry. */
export class Unreachable extends Error {}

/** Return the problem document of an error, null for one that is not the service's. */
export const problemOf = (/** @type {unknown} */ error) => (error instanceof ApiError ? error.problem : null);

/** Return what to say of an error. */
export const messageOf = (/** @type {unknown} */ error) => say(problemOf(error)?.message) || word("unreachable");

/** Return whether repeating a failed request later may help. */
export function isPassing(/** @type {unknown} */ error) {
  const problem = problemOf(error);
  return !problem || problem.status === 429 || (problem.status ?? 0) >= 500;
}

/** Return whether an error says that the service is down, or did not answer at all. */
export const isDown = (/** @type {unknown} */ error) =>
  error instanceof Unreachable || (error instanceof ApiError && [502, 503, 504].includes(error.problem.status ?? 0));

export const sleep = (/** @type {number} */ milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const online = () => new Promise((done) => addEventListener("online", done, { once: true }));
const pause = (/** @type {number} */ attempt) => Math.min(200 * 2 ** attempt, 8000) * (0.5 + Math.random() / 2);

/** An idempotency key is not a secret, so it may be made outside a secure context too. */
export const freshKey = () =>
  crypto.randomUUID?.() ??
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (each) => each.toString(16).padStart(2, "0")).join("");

/** A feed of a match, or the talk of a room, on whichever way it is followed: each item is heard once, and it goes on behind the last. */
export class Feed {
  /** How often it was tried to go on since something came. */
  attempt = 0;

  /**
   * @param {string} match
   * @param {string | number | null} after the cursor of the last item, or the number of the last line of talk
   * @param {(kind: string, item?: any) => void} heard
   * @param {(up: boolean) => void} line
   * @param {string | null} room whose talk it is; null: it is the feed of the match
   */
  constructor(match, after, heard, line, room = null) {
    this.match = match;
    this.after = after;
    this.heard = heard;
    this.line = line;
    this.room = room;
    /** The number of the last item, with which its cursor begins. */
    this.n = Number.parseInt(String(after ?? 0), 10);
  }

  /**
   * @param {string} kind
   * @param {any} [data]
   */
  hear(kind, data) {
    this.attempt = 0;
    if (kind === "item" && data.n <= this.n) return;
    if (kind === "item") Object.assign(this, { n: data.n, after: data.cursor ?? data.n });
    if (kind === "reset") Object.assign(this, { n: 0, after: null });
    this.heard(kind, data);
  }
}

/** @typedef {{signal?: AbortSignal, [header: string]: any}} Extra headers, and what aborts the request */

/** Talks to the service at *base* as one player, or anonymously; *keep* stores the token for a returning player. */
export class Client {
  /** @param {{base?: string, token?: string | null, keep?: boolean}} settings */
  constructor({ base = BASE, token = null, keep = false } = {}) {
    this.base = base;
    this.api = new URL("api/v1/", base);
    this.keep = keep;
    /**
     * A stored token that the service no longer accepts. It stays stored until it is replaced by another player's.
     * @type {string | null}
     */
    this.refusedToken = null;
    /** @type {string | null} */
    this.token = token ?? (keep ? localStorage.getItem(TOKEN) : null);
    /** How many requests wait before they are repeated, for long enough that it should be shown; `onWaiting` is called when that changes. */
    this.waiting = 0;
    /** When the longest of them is let through that a limit holds back (milliseconds of the browser's clock). */
    this.limitedUntil = 0;
    this.onWaiting = () => {};
    /** Called when the player of this browser is another one, or none any more. */
    this.onOther = () => {};
    this.socket = new Socket(this);
    /** Aborted when the player changes: what is followed continues as the new player's. */
    this.session = new AbortController();
    /**
     * Answers that the page has asked for before this was there, by their paths; each is taken once.
     * @type {Map<string, Promise<{sent: number, received: number, answer: Response}>>}
     */
    this.asked = new Map();
  }

  /** Called when *token* is refused; returns whether to retry: with another token, or anonymously. */
  async refused(/** @type {string | null} */ token) {
    if (this.keep && this.token === token) Object.assign(this, { refusedToken: token, token: null });
    return this.token !== token;
  }

  /** Become a guest, unless there is a player already, perhaps since another tab of this browser has signed up. */
  async signUp(/** @type {string | undefined} */ name = undefined) {
    const stored = this.keep ? localStorage.getItem(TOKEN) : null;
    if (!this.token && stored && stored !== this.refusedToken) this.signIn(stored);
    if (this.token) return;
    const made = await this.ask("POST", "players", name ? { name } : {});
    this.signIn(made.text);
  }

  /** Be the player of that token from now on. */
  signIn(/** @type {string} */ token) {
    const before = this.token ?? this.refusedToken;
    if (before && before !== token) this.onOther();
    const isOther = this.token !== token;
    if (isOther) this.asked.clear();
    Object.assign(this, { token, refusedToken: null });
    if (this.keep) localStorage.setItem(TOKEN, token);
    if (isOther) this.renew();
  }

  /** Be without a player from now on. */
  signOut() {
    this.onOther();
    this.asked.clear();
    Object.assign(this, { token: null, refusedToken: null });
    if (this.keep) localStorage.removeItem(TOKEN);
    this.renew();
  }

  /** Follow as the player that this is now what was followed as another one. */
  renew() {
    this.session.abort();
    this.session = new AbortController();
  }

  /**
   * @template {string} Path
   * @param {Path} path of the contract
   * @returns {Promise<Got<Path>>}
   */
  get(path) {
    return this.ask("GET", path);
  }

  /**
   * Ask for something of the player's own; null without a player, or with one that the service no longer knows.
   * @template {string} Path
   * @param {Path} path of the contract
   * @returns {Promise<Got<Path> | null>}
   */
  async own(path) {
    if (!this.token) return null;
    return this.get(path).catch((error) => {
      if (problemOf(error)?.status !== 401) throw error;
      return null;
    });
  }

  /**
   * Change something; retries use the same key, so nothing happens twice.
   * @template {string} Path
   * @template {Method} [How="POST"]
   * @param {Path} path of the contract
   * @param {Sent<Path, How> | null} body
   * @param {How} method
   * @param {string} key
   * @returns {Promise<Changed<Path, How>>}
   */
  change(path, body = null, method = /** @type {How} */ ("POST"), key = freshKey()) {
    return this.ask(method, path, body, key);
  }

  /**
   * Ask, and ask again as long as that may help; raises ApiError and Unreachable.
   * @param {string} method
   * @param {string} path
   * @param {object | null} body
   * @param {string | null} key
   * @returns {Promise<any>} what the contract says for this path
   */
  async ask(method, path, body = null, key = null) {
    let shown = 0;
    try {
      for (let attempt = 0; ; attempt += 1) {
        const answer = await this.send(method, path, body, key).catch(() => null);
        const last = attempt === TRIES - 1 || (method !== "GET" && !key);
        const asked = answer?.status === 429 ? 1000 * Number(answer.headers.get("Retry-After")) : 0;
        if (answer && (last || asked > LONGEST || !AGAIN.has(answer.status))) return await this.read(answer);
        if (last) throw new Unreachable();
        const next = Math.max(pause(attempt), asked);
        if (asked) this.limitedUntil = Math.max(this.limitedUntil, Date.now() + asked);
        if (next >= NOTICED && !shown) this.wait((shown = 1));
        await sleep(next);
      }
    } finally {
      if (shown) this.wait(-shown);
    }
  }

  /** What to say while requests wait: that a limit is reached and when that ends, or that the service is busy; null while none does. */
  get hold() {
    const seconds = Math.ceil((this.limitedUntil - Date.now()) / 1000);
    if (!this.waiting) return null;
    return seconds > 0 ? fill(word("limited"), { seconds }) : word("busy");
  }

  wait(/** @type {number} */ more) {
    this.waiting += more;
    this.onWaiting();
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object | null} body
   * @param {string | null} key
   * @param {Extra} extra
   * @returns {Promise<Response>}
   */
  async send(method, path, body, key, extra = {}) {
    const { token } = this;
    const early = method === "GET" ? await this.take(path) : null;
    const answer =
      early ?? (await this.socket.ask(path, body, key)) ?? (await this.sendAs(token, method, path, body, key, extra));
    const again = answer.status === 401 && token && (await this.refused(token));
    return again ? this.send(method, path, body, key, extra) : answer;
  }

  /** Return the answer that was asked for before, null without one. */
  async take(/** @type {string} */ path) {
    const asked = this.asked.get(path);
    this.asked.delete(path);
    const found = await asked?.catch(() => null);
    if (!found) return null;
    serverClock.note(found.sent, found.received, found.answer.headers.get("Date"));
    return found.answer;
  }

  /**
   * @param {string | null} token
   * @param {string} method
   * @param {string} path
   * @param {object | null} body
   * @param {string | null} key
   * @param {Extra} extra
   */
  async sendAs(token, method, path, body, key, { signal, ...extra } = {}) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json", ...extra };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (key) headers["Idempotency-Key"] = key;
    if (body !== null) headers["Content-Type"] = "application/json";
    const sent = Date.now();
    const answer = await fetch(new URL(path, this.api), {
      method,
      headers,
      signal,
      credentials: "omit",
      referrerPolicy: "no-referrer",
      body: body === null ? undefined : JSON.stringify(body),
    });
    serverClock.note(sent, Date.now(), answer.headers.get("Date"));
    return answer;
  }

  async read(/** @type {Response} */ answer) {
    if (answer.status === 204) return null;
    const type = answer.headers.get("Content-Type") ?? "";
    const content = type.includes("json") ? await answer.json() : await answer.text();
    if (answer.ok) return content;
    throw new ApiError(typeof content === "object" ? content : { status: answer.status, title: answer.statusText });
  }

  /**
   * Follow a match until it is over or *signal* aborts. Calls `heard(kind, item)` with kinds `item`, `reset`, `end`,
   * and `line(up)` whenever the connection is lost or restored.
   * @param {string} match
   * @param {string | null} after
   * @param {AbortSignal} signal
   * @param {(kind: string, item?: any) => void} heard
   * @param {(up: boolean) => void} line
   */
  async follow(match, after, signal, heard, line) {
    const feed = new Feed(match, after, heard, line);
    while (!signal.aborted) {
      const { session } = this;
      if ((await this.hear(feed, signal)) || signal.aborted) return;
      if (session.signal.aborted) continue;
      line(false);
      await Promise.race([sleep(pause((feed.attempt += 1))), online()]);
    }
  }

  /**
   * Follow a feed over the socket, or by a stream where there is none, until the connection is lost or *signal* aborts; returns
   * whether it is over. Without a connection, what is kept of a match is heard.
   * @param {Feed} feed
   * @param {AbortSignal} signal
   */
  async hear(feed, signal) {
    if (navigator.onLine === false && !feed.room)
      return import("./recall.js").then(({ recall }) => recall(this, feed, signal)).catch(() => false);
    const lost = new AbortController();
    const lose = () => lost.abort();
    const { session } = this;
    session.signal.addEventListener("abort", lose);
    signal.addEventListener("abort", lose);
    addEventListener("offline", lose);
    try {
      return (await this.socket.follow(feed, lost.signal)) ?? (await this.stream(feed, lost.signal));
    } catch {
      return false; // the connection was lost
    } finally {
      session.signal.removeEventListener("abort", lose);
      signal.removeEventListener("abort", lose);
      removeEventListener("offline", lose);
    }
  }

  /**
   * Follow a feed by a stream; returns whether it is over.
   * @param {Feed} feed
   * @param {AbortSignal} signal
   */
  async stream(feed, signal) {
    /** @type {Extra} */
    const extra = { Accept: "text/event-stream", signal };
    if (feed.after) extra["Last-Event-ID"] = String(feed.after);
    const path = feed.room ? `talk/stream?room=${feed.room}` : "stream";
    const answer = await this.send("GET", `matches/${feed.match}/${path}`, null, null, extra);
    if (answer.ok) this.socket.outdone();
    if (!answer.ok && AGAIN.has(answer.status)) return false;
    if (!answer.ok) feed.hear("refused", (await this.read(answer).catch((error) => error)).problem);
    else feed.line(true);
    if (answer.status === 204) feed.hear("end");
    if (!answer.body || answer.status === 204 || !answer.ok) return true;
    for await (const event of events(answer.body)) {
      if (event.kind === "bye") return false;
      feed.hear(event.kind, event.data);
      if (event.kind === "end") return true;
    }
    return false;
  }
}

/** The service pings every 15 seconds; a connection silent for this long is dead, even if it was never closed. */
const SILENCE = 40_000;

/** Return the next chunk; throw if none arrives in time. */
async function spoken(/** @type {ReadableStreamDefaultReader<string>} */ reader) {
  let timer;
  const silent = new Promise((_, fail) => (timer = setTimeout(() => fail(new Unreachable()), SILENCE)));
  try {
    return await Promise.race([reader.read(), silent]);
  } finally {
    clearTimeout(timer);
  }
}

/** Yield the server-sent events of a body. */
async function* events(/** @type {ReadableStream<BufferSource>} */ body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    yield* parsed(reader);
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function* parsed(/** @type {ReadableStreamDefaultReader<string>} */ reader) {
  let buffer = "";
  let kind = "message";
  let data = "";
  for (;;) {
    const { value, done } = await spoken(reader);
    if (done) return;
    buffer += value;
    const lines = buffer.split("\n");
    buffer = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("event: ")) kind = line.slice(7);
      else if (line.startsWith("data: ")) data += line.slice(6);
      else if (line === "" && data) {
        yield { kind, data: JSON.parse(data) };
        kind = "message";
        data = "";
      }
    }
  }
}
