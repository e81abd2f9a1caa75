// The socket: one connection for all that a page follows, for its commands and what is said (docs/socket.md). All else goes over HTTP.

/** @import { Client, Feed } from "./client.js" */
/** @import { Receipt, Shapes } from "../contract" */
/** @import { Item } from "../drawing" */

/**
 * What the service sends; frames of other types are ignored.
 * @typedef {{type: "welcome"}
 *   | {type: "subscribed", id: string, match: string}
 *   | {type: "listening", id: string, match: string}
 *   | {type: "items", match: string, items: Item[]}
 *   | {type: "talk", match: string, items: Shapes["TalkLine"][]}
 *   | {type: "reset" | "end" | "bye" | "talk-reset" | "talk-bye", match?: string}
 *   | {type: "receipt", id: string, receipt: Receipt}
 *   | {type: "said", id: string, line: Shapes["TalkLine"]}
 *   | {type: "problem", id?: string, problem: Shapes["Problem"], retry_after?: number}} Frame
 */
/** @typedef {{type: string, match: string, [field: string]: unknown}} Asked a frame of this page, before it has its id */
/** @typedef {{feed: Feed, id: string, live: boolean, done: (over: boolean) => void}} Followed a feed, and whether the service has begun to send it */
/** @typedef {{place: string, done: (answer: Response | null) => void}} Given a command, or a line of talk, that has no answer yet */

const PROTOCOL = "tafelrunde.v1";
/** This page left, and the token is not valid, or no longer. */
const [LEFT, UNKNOWN] = [1000, 4401];
/** Codes of ends that say nothing against the socket: so would a stream end. */
const USUAL = new Set([LEFT, 1012, UNKNOWN, 4429, 4503]);
/** How many connections in a row may end without having brought anything; then the page goes on over HTTP for good. */
const MOST_IN_VAIN = 3;
const SPOKEN = /^matches\/(\w+)\/(commands|talk)(\?signed=true)?$/;
/** Frames of talk, as what they are of a feed. @type {Record<string, string | undefined>} */
const TALK = { listening: "subscribed", talk: "items", "talk-reset": "reset", "talk-bye": "bye" };
/** A match is followed by itself, and so is its talk. */
const placeOf = (/** @type {string} */ match, /** @type {unknown} */ talk) => (talk ? `talk ${match}` : match);
/** No match has this id. */
const NONE = `m${"a".repeat(24)}`;

/** Milliseconds to wait for the welcome, of silence before the service is asked for a word, for that word, and to stay when nothing is followed. */
export const TIMES = { welcome: 5000, silence: 25_000, answer: 15_000, idle: 2000 };

/** One connection, as the player of a token. */
class Line {
  welcomed = false;
  /** Whether items came. */
  brought = false;
  /** The code with which it was closed; 0 if nothing came in time, null before it is over. @type {number | null} */
  code = null;
  /** @type {Map<string, Followed>} */
  #followed = new Map();
  /** @type {Map<string, Given>} */
  #given = new Map();
  #sent = 0;
  #wire;
  #ended;
  #offline = () => this.#end(LEFT);
  /** @type {number | undefined} */
  #timer;

  constructor(/** @type {URL} */ address, /** @type {string | null} */ token, /** @type {(line: Line) => void} */ ended) {
    this.token = token;
    this.#ended = ended;
    this.#wire = new WebSocket(address, PROTOCOL);
    this.#wire.onopen = () => this.#wire.send(JSON.stringify({ type: "hello", token }));
    this.#wire.onmessage = ({ data }) => this.#hear(JSON.parse(data));
    this.#wire.onclose = ({ code }) => this.#end(code);
    addEventListener("offline", this.#offline);
  }

  /** What is followed here at a place. */
  of(/** @type {string} */ place) {
    return this.#followed.get(place);
  }

  /** Close it, unless something is still followed here. */
  leave() {
    if (!this.#followed.size) this.#end(LEFT);
  }

  /** Follow a feed; returns whether it is over, false if the connection is, or *signal* aborts. */
  follow(/** @type {Feed} */ feed, /** @type {AbortSignal} */ signal) {
    return new Promise((/** @type {(over: boolean) => void} */ done) => {
      const one = { feed, id: "", live: false, done };
      this.#followed.set(placeOf(feed.match, feed.room), one);
      signal.addEventListener("abort", () => this.#leave(one, false, true), { once: true });
      if (this.welcomed) this.#subscribe(one);
      else this.#wait(TIMES.welcome);
    });
  }

  /** Give a command, or say something; returns the answer as HTTP has it, null if the connection ended before it. */
  give(/** @type {string} */ place, /** @type {Asked} */ frame) {
    this.#wait(TIMES.answer);
    return new Promise((/** @type {Given["done"]} */ done) => {
      this.#given.set(this.#send(frame), { place, done });
    });
  }

  #send(/** @type {Asked} */ frame) {
    const id = String((this.#sent += 1));
    this.#wire.send(JSON.stringify({ ...frame, id }));
    return id;
  }

  #subscribe(/** @type {Followed} */ one) {
    const { match, room, after } = one.feed;
    const from = after ? { match, after } : { match };
    one.id = this.#send(room ? { type: "listen", ...from, room } : { type: "subscribe", ...from });
    this.#wait(TIMES.silence, () => this.#probe());
  }

  /** Follow a feed no longer; *here*: by this page's own wish. The connection is closed once nothing is followed for a while. */
  #leave(/** @type {Followed} */ one, over = false, here = false) {
    const { match, room } = one.feed;
    const place = placeOf(match, room);
    if (this.#followed.get(place) !== one) return;
    this.#followed.delete(place);
    one.done(over);
    if (here && one.id) this.#send({ type: room ? "unlisten" : "unsubscribe", match });
    if (!this.#followed.size) this.#wait(TIMES.idle, () => this.#end(LEFT));
  }

  #wait(/** @type {number} */ milliseconds, act = () => this.#end(0)) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, milliseconds);
  }

  /** A script does not see the pings, so a dead connection is found by a question; the cheapest is to leave what is not followed. */
  #probe() {
    this.#send({ type: "unsubscribe", match: NONE });
    this.#wait(TIMES.answer);
  }

  #hear(/** @type {Frame} */ frame) {
    if (this.#followed.size) this.#wait(TIMES.silence, () => this.#probe());
    if (frame.type === "welcome") {
      this.welcomed = true;
      for (const one of this.#followed.values()) this.#subscribe(one);
    } else if (frame.type === "receipt") this.#carriedOut(frame.id, frame.receipt);
    else if (frame.type === "said") this.#answer(frame.id, frame.line, 200);
    else if (frame.type === "problem") this.#refuse(frame);
    else if (frame.match) this.#tell(frame, this.#followed.get(placeOf(frame.match, TALK[frame.type])));
  }

  /**
   * Tell a feed what came. What was on its way when it was left, or subscribed again, is not for it.
   * @param {Exclude<Frame, {type: "welcome" | "receipt" | "said" | "problem"}>} frame
   * @param {Followed | undefined} one
   */
  #tell(frame, one) {
    const kind = TALK[frame.type] ?? frame.type;
    if (!one || (!one.live && (!("id" in frame) || frame.id !== one.id))) return;
    if (kind === "subscribed") {
      one.live = true;
      one.feed.line(true);
    } else if ("items" in frame) this.#take(one, frame.items);
    else if (kind === "bye") this.#leave(one);
    else if (kind === "reset") one.feed.hear("reset", {});
    else if (kind === "end") {
      one.feed.hear("end", {});
      this.#leave(one, true);
    }
  }

  #take(/** @type {Followed} */ { feed }, /** @type {object[]} */ items) {
    this.brought ||= items.length > 0;
    for (const item of items) feed.hear("item", item);
  }

  /** The items of a receipt come nowhere else, if its match is followed. */
  #carriedOut(/** @type {string} */ id, /** @type {Receipt} */ receipt) {
    const one = this.#followed.get(this.#given.get(id)?.place ?? "");
    if (one?.live) this.#take(one, receipt.items);
    this.#answer(id, receipt, 200);
  }

  #refuse(/** @type {Extract<Frame, {type: "problem"}>} */ { id = "", problem, retry_after: wait }) {
    const status = problem.status ?? 500;
    this.#answer(id, problem, status, wait === undefined ? {} : { "Retry-After": String(wait) });
    const one = [...this.#followed.values()].find((each) => id && each.id === id);
    if (!one || status === 401) return; // the connection ends with a code that says so
    const passing = status === 429 || status >= 500;
    if (!passing) one.feed.hear("refused", problem);
    this.#leave(one, !passing);
  }

  #answer(/** @type {string} */ id, /** @type {object} */ body, /** @type {number} */ status, headers = {}) {
    const json = { status, headers: { "Content-Type": "application/json", ...headers } };
    this.#given.get(id)?.done(new Response(JSON.stringify(body), json));
    this.#given.delete(id);
  }

  #end(/** @type {number} */ code) {
    if (this.code !== null) return;
    this.code = code;
    clearTimeout(this.#timer);
    removeEventListener("offline", this.#offline);
    Object.assign(this.#wire, { onopen: null, onmessage: null, onclose: null });
    this.#wire.close();
    this.#ended(this);
    for (const { done } of this.#given.values()) done(null);
    for (const { done } of this.#followed.values()) done(false);
  }
}

/** The one connection of a client, opened when something is followed and closed when nothing is; it decides when to go without. */
export class Socket {
  /** @type {Line | null} */
  #line = null;
  #inVain = 0;
  #everWelcomed = false;
  #missed = false;

  constructor(/** @type {Client} */ client) {
    this.client = client;
  }

  /**
   * Return the connection on which a feed can be followed, null if there is none: no other player's, and each feed once.
   * Pages of other origins may connect only where they may use tokens, so without one they do not try.
   */
  #lineFor(/** @type {Feed} */ { match, room }) {
    const { api, token } = this.client;
    if (navigator.onLine === false || this.#inVain >= MOST_IN_VAIN || (token === null && api.origin !== globalThis.origin))
      return null;
    if (this.#line?.token !== token) this.#line?.leave();
    if (this.#line) return this.#line.token === token && !this.#line.of(placeOf(match, room)) ? this.#line : null;
    const address = new URL("socket", api);
    address.protocol = address.protocol.replace("http", "ws");
    try {
      this.#line = new Line(address, token, (line) => this.#ended(line));
    } catch {
      this.#inVain = MOST_IN_VAIN; // this page may not open one
    }
    return this.#line;
  }

  #ended(/** @type {Line} */ { welcomed, brought, code }) {
    this.#line = null;
    if (brought) this.#inVain = 0;
    else if (welcomed && !USUAL.has(code ?? 0)) this.#inVain += 1;
    this.#everWelcomed ||= welcomed;
    this.#missed = !welcomed && !USUAL.has(code ?? 0);
  }

  /** A stream is there. Where the socket was asked for and not, something in between does not let it through. */
  outdone() {
    if (this.#missed) this.#inVain = this.#everWelcomed ? this.#inVain + 1 : MOST_IN_VAIN;
    this.#missed = false;
  }

  /** Follow a feed; returns whether it is over, false if the connection was lost, and null if a stream is to be read instead. */
  async follow(/** @type {Feed} */ feed, /** @type {AbortSignal} */ signal) {
    const line = this.#lineFor(feed);
    if (!line) return null;
    if (await line.follow(feed, signal)) return true;
    if (line.code === UNKNOWN) return (await this.client.refused(line.token)) ? false : null;
    return line.welcomed || signal.aborted ? false : null;
  }

  /**
   * Ask what HTTP would be asked, and return its answer; null if that has to be done over HTTP: it is no command and no talk, its
   * match or room is not followed here, or the connection ended before the answer, so that it is repeated under the same key.
   */
  async ask(/** @type {string} */ path, /** @type {object | null} */ body, /** @type {string | null} */ key) {
    const [, match = "", what, signed] = SPOKEN.exec(path) ?? [];
    const place = placeOf(match, what === "talk");
    const line = this.#line;
    if (!line?.of(place)?.live || line.token !== this.client.token || !key) return null;
    return line.give(
      place,
      what === "talk" ? { type: "say", match, ...body, key } : { type: "command", match, ...body, key, signed: Boolean(signed) },
    );
  }
}
