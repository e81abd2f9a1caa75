// One match as its viewer knows it, kept up to date by the stream. The page is drawn from this alone.

import { ApiError, freshKey, isDown } from "./client.js";
import { Rest } from "./rest.js";
import { sheetOf } from "./sheet.js";
import { word } from "./words.js";

export class Store {
  /** @param {import("./client.js").Client} client */
  constructor(client, match, changed) {
    this.client = Object.assign(client, { waited: changed });
    this.match = match;
    this.changed = changed;
    /** @type {import("../contract").Got<`matches/${string}/view`>} */
    this.view = null;
    /** @type {import("../contract").Got<`matches/${string}`>} */
    this.facts = null;
    this.stale = true;
    /** @type {import("./sheet.js").Sheet} */
    this.sheet = null;
    /** @type {import("../contract").Told[]} */
    this.items = [];
    this.connected = true;
    this.kept = null;
    this.notice = null;
    this.refused = null;
    this.sending = false;
    this.stop = new AbortController();
    this.looking = null;
    this.wanted = false;
    this.resume = null;
    this.stream = null;
    this.rest = null;
    this.after = null;
    /** @type {import("../proof/keep.js").Keeper | null} */
    this.keeper = null;
  }

  /** Keep what a player is sent, on the service's own page. */
  async keeping() {
    const { begin, Keeper } = await import("../proof/keep.js");
    if (this.keeper) return;
    this.keeper = new Keeper(this.match);
    await begin(this.client, this.match, this.facts.commitment).catch(() => {});
    this.keeper.heard(this.items, this.view.seat);
  }

  /** Take a seat with a nonce that is drawn now, when the commitment is known. */
  async sit() {
    const { begin, freshNonce, received } = await import("../proof/keep.js");
    await begin(this.client, this.match, this.facts.commitment).catch(() => {});
    const nonce = freshNonce();
    received(this.match, await this.act("seats", { nonce }), nonce);
  }

  /** Follow the match; *before* is awaited once the viewer is known, and before the stream is opened. */
  async open(before = () => {}) {
    try {
      await this.look();
      await before();
    } catch (error) {
      this.refused = error;
      this.changed();
      return;
    }
    if (this.stop.signal.aborted) return;
    this.follow();
    this.rest = new Rest(this);
  }

  /** Subscribe to what happens from here on. */
  follow() {
    this.stream = new AbortController();
    const known = this.items.at(-1)?.cursor ?? null;
    this.client.follow(
      this.match,
      known,
      this.stream.signal,
      (kind, data) => this.hear(kind, data),
      (up) => this.line(up),
    );
    if (this.kept !== null) this.lookSoon(SETTLE);
  }

  /** Close the stream; what happens meanwhile is counted once it is reopened. */
  unfollow() {
    this.stream.abort();
    this.kept ??= this.items.length;
  }

  close() {
    if (this.client.waited === this.changed) this.client.waited = () => {};
    this.stop.abort();
    this.stream?.abort();
    this.rest?.close();
    clearInterval(this.after);
    this.resume?.(false);
  }

  /** Reload the view; concurrent requests share one load, and a request during a load causes one more after it. */
  look() {
    this.wanted = true;
    this.looking ??= this.lookAgain().finally(() => (this.looking = null));
    return this.looking;
  }

  async lookAgain() {
    while (this.wanted) {
      this.wanted = false;
      await this.fetch().catch((error) => {
        if (!this.wanted) throw error;
      });
    }
  }

  /** Return the views at the items of the feed after a cursor, up to `limit` of them. */
  async between(after, limit) {
    const { views } = await this.client.get(`matches/${this.match}/views?after=${after}&limit=${limit}`);
    return views;
  }

  async fetch() {
    const view = this.client.get(`matches/${this.match}/view`);
    const facts = await this.factsNow(view);
    await this.show(facts, await view);
  }

  /** Return the facts of the match; while it runs and only its game has moved, the known ones. */
  async factsNow(view) {
    const ask = () => this.client.get(`matches/${this.match}`);
    const stale = this.stale || this.view?.status !== "running";
    this.stale = false;
    try {
      if (stale) return (await Promise.all([ask(), view]))[0];
      return (await view).status === "running" ? this.facts : await ask();
    } catch (error) {
      this.stale = true;
      throw error;
    }
  }

  async show(facts, view) {
    this.sheet = await sheetOf(this.client, facts.game);
    if (isSame(view.question, this.view?.question)) view.question = this.view.question;
    Object.assign(this, { facts, view });
    if (this.client.keep && view.seat !== null && !facts.placings && !this.keeper) this.keeping().catch(() => {});
    this.changed();
  }

  hear(kind, data) {
    if (kind === "item") this.items.push(data);
    if (kind !== "item" || data.event.type.startsWith("match.")) this.stale = true;
    if (kind === "reset") Object.assign(this, { items: [], notice: "reset" });
    if (kind === "refused") this.refused = new ApiError(data ?? {});
    this.lookSoon(kind === "item" ? BATCH : 0, kind !== "item");
    if (kind === "end") this.linger();
  }

  /** A finished match sends no events, so its players poll for a while whether the others want a rematch. */
  linger() {
    let left = AFTER.times;
    clearInterval(this.after);
    this.after = setInterval(() => {
      const { view, facts } = this;
      if (!(left -= 1) || facts?.rematch || view?.seat === null) clearInterval(this.after);
      else if (!document.hidden && view?.status === "over") this.look().catch(() => {});
    }, AFTER.every);
  }

  lookSoon(milliseconds, always = true) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.catchUp(always).catch((error) => this.lookLater(error)), milliseconds);
  }

  /** Retry after a temporary failure, as there may be no further event to trigger a load. A lost connection triggers one when it is back. */
  lookLater(error) {
    const passing = !(error instanceof ApiError) || error.problem.status === 429 || error.problem.status >= 500;
    if (passing && this.connected && !this.stop.signal.aborted) this.lookSoon(LATER);
  }

  /** Reload the view unless that is done, or an answer is on its way, which is followed by a reload anyway. */
  async catchUp(always) {
    this.keeper?.heard(this.items, this.view?.seat ?? null);
    if (!always && this.sending && this.kept === null) return;
    await this.looking?.catch(() => {});
    if (always || this.stale || this.view.cursor !== this.items.at(-1)?.cursor) await this.look();
    else this.changed();
    this.caughtUp();
  }

  /** The connection was lost or restored. Items received after it was restored are counted until the match is up to date. */
  line(up) {
    if (this.connected === up) return;
    this.connected = up;
    this.kept ??= this.items.length;
    if (up) this.lookSoon(SETTLE);
    if (up) this.resume?.(true);
    this.changed();
  }

  caughtUp() {
    if (this.kept === null || !this.connected) return;
    this.notice = this.items.length > this.kept ? { caught: this.items.length - this.kept } : null;
    this.kept = null;
    this.changed();
  }

  /** Answer the open decision. A command offered for a previous decision, which the page showed a moment ago, is ignored. */
  async give(command) {
    const { question } = this.view;
    if (question?.legal.includes(command)) await this.act("commands", { decision: question.decision, command });
  }

  /** Change something, and retry as long as the connection is known to be lost; the same key, so nothing happens twice. */
  async insist(path, body, method, key) {
    for (;;) {
      try {
        return await this.client.change(path, body, method, key);
      } catch (error) {
        if (!isDown(error) || !(await this.back())) throw error;
      }
    }
  }

  /** Wait for a lost connection; return whether it is back. */
  async back() {
    return !this.connected && !this.stop.signal.aborted && new Promise((done) => (this.resume = done));
  }

  /** Change the match, and return the service's answer; a refusal is shown as a notice and returns null. */
  async act(what, body = null, method = "POST") {
    if (this.sending) return null;
    Object.assign(this, { sending: true, notice: null });
    this.changed();
    try {
      const receipt = await this.insist(`matches/${this.match}/${what}`, body, method, freshKey());
      this.keeper?.received(receipt, body?.nonce);
      return receipt;
    } catch (error) {
      this.notice = error;
      return null;
    } finally {
      this.stale ||= what !== "commands"; // the events about its changes to seats may arrive only after this load
      await this.look().catch(() => {});
      this.sending = false;
      this.changed();
      this.lookSoon(0, false);
    }
  }

  /** Return the name of a seat's player. */
  name(seat) {
    const chair = this.facts?.chairs[seat];
    return called(chair, this.facts?.chairs) ?? `${word("place")} ${seat + 1}`;
  }
}

const isSame = (one, other) => one && other && JSON.stringify(one) === JSON.stringify(other);

/** Whether the viewer has to answer: an answer already given may be changed, but nothing waits for that. */
export const isAsked = ({ question }) => question !== null && question.answered === null;

/** Milliseconds to collect items that arrive together. */
const BATCH = 10;

/** How often a finished match is polled, and the interval in milliseconds. */
const AFTER = { times: 200, every: 3000 };

/** Milliseconds to wait for missed items to start arriving. */
const SETTLE = 150;

/** Milliseconds before a failed load is retried. */
const LATER = 2000;

/** Return the name of a chair's occupant, null for an empty chair. Guests have no names: if there are several, their seats tell them apart. */
export function called(chair, chairs = []) {
  if (!chair?.guest) return chair?.name ?? (chair?.bot ? BOTS[chair.seat] : null);
  return chairs.filter((each) => each.guest).length > 1 ? `${word("guest")} ${chair.seat + 1}` : word("guest");
}

/** The computers' names by seat: none can be taken for a number. */
const BOTS = ["Ada", "Bruno", "Cleo", "Dario", "Enid", "Falk", "Greta"];
