// A match over a socket: what happens in it, and the commands of its player. Where a socket does not get through, HTTP does the same.

import { online, pause, sleep, Unreachable } from "./client.js";

/** @import { Asked, Entry, Frame } from "../contract" */
/** @import { Client } from "./client.js" */
/** @typedef {{done: (answer: Response) => void, fail: (error: Error) => void}} Waiting */

const PROTOCOL = "tafelrunde.v1";
/** How often a connection may end with nothing new on it before HTTP is used for good. */
const MOST = 4;
/** Milliseconds that a handshake or a command may take before the connection is given up. */
const SLOW = 8_000;
/** A page sees no pings: after these milliseconds of silence it asks for a sign, and after twice that it gives the connection up. */
const QUIET = 25_000;

/** The clients for which no socket gets through. @type {WeakSet<Client>} */
const without = new WeakSet();

/**
 * Follow a match over a socket if one gets through, and over HTTP if not. A page of another origin has a policy of its own, which
 * may know only the address of HTTP.
 * @param {Client} client
 * @param {Parameters<Client["follow"]>} all
 */
export async function follow(client, ...all) {
  const [match, after, ...rest] = all;
  if (without.has(client) || client.api.origin !== location.origin) return client.stream(...all);
  if (client.socket?.match !== match) client.socket = new MatchSocket(client, match);
  const place = await client.socket.follow(after, ...rest).catch(() => ({ after }));
  if (!place) return undefined;
  without.add(client);
  return client.stream(match, place.after, ...rest);
}

export class MatchSocket {
  /** @type {WebSocket | null} */
  #web = null;
  /** @type {Map<string, Waiting>} */
  #waiting = new Map();
  #ids = 0;
  #spoken = 0;
  /** The number of the last item. A receipt that is repeated may have items that are known. */
  #last = 0;
  /** @type {string | null} */
  #after = null;
  /** @type {string | null} */
  #token = null;
  #following = false;
  /** How often a connection has ended since the last item. */
  #closings = 0;
  /** @type {(kind: string, item?: Entry) => void} */
  #heard = () => {};
  /** Ends the connection; with the reason why no other one is to be opened. @type {(reason?: "end" | "http") => void} */
  #leave = () => {};

  /**
   * @param {Client} client
   * @param {string} match
   */
  constructor(client, match) {
    this.client = client;
    this.match = match;
  }

  /**
   * Follow the match as `Client.follow` does; return null at its end, or else the place from which HTTP has to go on.
   * @param {string | null} after
   * @param {AbortSignal} signal
   * @param {(kind: string, item?: any) => void} heard
   * @param {(up: boolean) => void} line
   * @returns {Promise<{after: string | null} | null>}
   */
  async follow(after, signal, heard, line) {
    this.#after = after;
    this.#heard = heard;
    for (let attempt = 1, worked = false; !signal.aborted; attempt += 1) {
      const reason = await this.#connect(signal, () => {
        [attempt, worked] = [0, true];
        line(true);
      });
      if (reason === "end" || signal.aborted) return null;
      if (reason === "http" || !worked || (this.#closings += 1) > MOST) return { after: this.#after };
      line(false);
      await Promise.race([sleep(pause(attempt)), online()]);
    }
    return null;
  }

  /** Whether a request is a command that can go over the socket now. */
  takes(/** @type {string} */ path) {
    return this.#following && this.#token === this.client.token && path.startsWith(`matches/${this.match}/commands`);
  }

  /**
   * Send a command, and return what HTTP would have answered; no answer is an error.
   * @param {string} path
   * @param {any} body any: it is what the contract says for the command
   * @param {string | null} key
   * @returns {Promise<Response>}
   */
  command(path, body, key) {
    return new Promise((done, fail) => {
      const id = this.#ask({ ...body, type: "command", match: this.match, key, signed: path.endsWith("?signed=true") });
      this.#waiting.set(id, { done, fail });
      setTimeout(() => this.#waiting.has(id) && this.#leave(), SLOW);
    });
  }

  /**
   * Keep one connection until it ends, and return why it is the last one, if it is.
   * @param {AbortSignal} signal
   * @param {() => void} opened
   * @returns {Promise<"end" | "http" | undefined>}
   */
  #connect(signal, opened) {
    return new Promise((done) => {
      const { token } = this.client;
      const web = new WebSocket(new URL("socket", this.client.api).href.replace("http", "ws"), PROTOCOL);
      const lost = () => this.#leave();
      const slow = setTimeout(lost, SLOW);
      const quiet = setInterval(() => this.#listen(), QUIET / 5);
      this.#leave = (reason) => {
        this.#leave = () => {};
        Object.assign(web, { onopen: null, onmessage: null, onclose: null });
        web.close();
        clearTimeout(slow);
        clearInterval(quiet);
        signal.removeEventListener("abort", lost);
        removeEventListener("offline", lost);
        this.#following = false;
        for (const { fail } of this.#waiting.values()) fail(new Unreachable());
        this.#waiting.clear();
        done(reason);
      };
      signal.addEventListener("abort", lost);
      addEventListener("offline", lost);
      [this.#web, this.#token, this.#spoken] = [web, token, Date.now()];
      web.onopen = () => {
        web.send(JSON.stringify({ type: "hello", token }));
        this.#subscribe();
      };
      web.onmessage = ({ data }) => {
        this.#spoken = Date.now();
        const frame = /** @type {Frame} */ (JSON.parse(data));
        if (frame.type === "subscribed" && !this.#following) {
          clearTimeout(slow);
          this.#following = true;
          opened();
        }
        this.#hear(frame);
      };
      web.onclose = async ({ code }) => {
        const refused = code === 4401 && token !== null && !(await this.client.refused(token));
        this.#leave(refused ? "http" : undefined);
      };
    });
  }

  #subscribe() {
    this.#ask({ type: "subscribe", match: this.match, after: this.#after });
  }

  /** A connection on which nothing was said for long is asked for a sign, and then given up. */
  #listen() {
    const silent = Date.now() - this.#spoken;
    if (silent > 2 * QUIET) this.#leave();
    else if (silent > QUIET && this.#following) this.#subscribe();
  }

  #ask(/** @type {Asked} */ frame) {
    const id = String((this.#ids += 1));
    this.#web?.send(JSON.stringify({ ...frame, id }));
    return id;
  }

  #hear(/** @type {Frame} */ frame) {
    if (frame.type === "items") this.#take(frame.items);
    if (frame.type === "receipt") {
      this.#take(frame.receipt.items);
      this.#answer(frame.id, frame.receipt, 200);
    }
    if (frame.type === "problem") {
      const waited = this.#answer(frame.id ?? "", frame.problem, frame.problem.status, frame.retry_after);
      // Without a valid token the connection ends; all else happens over HTTP too, where it is shown.
      if (!waited && frame.problem.status !== 401) this.#leave("http");
    }
    if (frame.type === "reset") [this.#last, this.#after] = [0, null];
    if (frame.type === "reset" || frame.type === "end") this.#heard(frame.type);
    if (frame.type === "end") this.#leave("end");
    if (frame.type === "bye") this.#leave();
  }

  /** Hand items on, each once. */
  #take(/** @type {Entry[]} */ items) {
    for (const item of items.filter(({ n }) => n > this.#last)) {
      [this.#last, this.#after, this.#closings] = [item.n, item.cursor, 0];
      this.#heard("item", item);
    }
  }

  /**
   * Answer a command; return whether one waited for it.
   * @param {string} id
   * @param {object} content
   * @param {number} status
   * @param {number} [wait]
   */
  #answer(id, content, status, wait = 0) {
    const waiting = this.#waiting.get(id);
    const headers = { "Content-Type": "application/json", "Retry-After": String(wait) };
    waiting?.done(new Response(JSON.stringify(content), { status, headers }));
    return this.#waiting.delete(id);
  }
}
