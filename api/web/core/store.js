// One match as its viewer knows it, kept up to date by the stream. The page is drawn from this alone.

import { ApiError, freshKey, isDown, isPassing, problemOf, Unreachable } from "./client.js";
import { serverNow } from "./clock.js";
import { HiddenTab } from "./hidden-tab.js";
import { sheetOf } from "./sheet.js";
import { word } from "./words.js";

/** @import { Client } from "./client.js" */
/** @import { Chair, Command, Facts, Known, Method, Notice, Receipt, View } from "../contract" */
/** @import { Item } from "../drawing" */
/** @import { Evidence } from "../proof/evidence.js" */

const DAY_MS = 86_400_000;

export class Store {
  /**
   * @param {Client} client
   * @param {string} match
   * @param {() => void} changed
   * @param {(game: string) => unknown} known
   */
  constructor(client, match, changed, known = () => {}) {
    this.client = Object.assign(client, { onWaiting: changed });
    this.match = match;
    this.changed = changed;
    /** Called with the game as soon as that is known, before anything can be drawn of it. */
    this.foretell = known;
    /** What the service said of the match; null until it has said something. @type {Known | null} */
    this.known = null;
    this.stale = true;
    /** @type {Item[]} */
    this.items = [];
    this.connected = true;
    /** How many items there were when the connection was lost; null while nothing is missing. @type {number | null} */
    this.countWhenLost = null;
    /** @type {Notice | null} */
    this.notice = null;
    /** Why the match cannot be shown. @type {unknown} */
    this.refused = null;
    this.sending = false;
    this.stop = new AbortController();
    /** @type {Promise<void> | null} */
    this.reloading = null;
    this.reloadAgain = false;
    /** @type {((up: boolean) => void) | null} */
    this.resume = null;
    /** @type {AbortController | null} */
    this.stream = null;
    /** @type {HiddenTab | null} */
    this.hiddenTab = null;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {number | undefined} */
    this.after = undefined;
    /** @type {Evidence | null} */
    this.evidence = null;
    /** The seat whose feed the items are, null for a spectator's. @type {number | null} */
    this.heardBy = null;
    this.wasReset = false;
  }

  /** What the service said, for what is only there when that is known. */
  get #said() {
    if (!this.known) throw new Error("nothing is known of the match yet");
    return this.known;
  }
  get view() {
    return this.#said.view;
  }
  get facts() {
    return this.#said.facts;
  }
  /** Others still play this deal of the day: until that day is over, nothing more is shown. */
  get sealed() {
    const { daily } = this.facts;
    return daily !== null && serverNow() < Date.parse(daily) + DAY_MS;
  }
  get sheet() {
    return this.#said.sheet;
  }

  /** Keep what a player is sent, on the service's own page. */
  async keepEvidence() {
    const { begin, Evidence } = await import("../proof/evidence.js");
    if (this.evidence) return;
    this.evidence = new Evidence(this.match);
    await begin(this.client, this.match, this.facts.commitment).catch(() => {});
    this.evidence.heard(this.items, this.view.seat);
  }

  /** Take a seat with a nonce that is drawn now, when the commitment is known. */
  async sit() {
    const { begin, freshNonce, received } = await import("../proof/evidence.js");
    await begin(this.client, this.match, this.facts.commitment).catch(() => {});
    const nonce = freshNonce();
    received(this.match, await this.act("seats", { nonce }), nonce);
  }

  /** Follow the match; *before* is awaited once the viewer is known, and before the stream is opened. */
  async open(/** @type {() => unknown} */ before = () => {}) {
    try {
      await this.reload();
      await before();
    } catch (error) {
      this.refused = error;
      this.changed();
      return;
    }
    if (this.stop.signal.aborted) return;
    this.heardBy = this.view.seat;
    this.follow();
    this.hiddenTab = new HiddenTab(this);
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
      (up) => this.setConnected(up),
    );
    if (this.countWhenLost !== null) this.reloadSoon(SETTLE);
  }

  /** Close the stream; what happens meanwhile is counted once it is reopened. */
  unfollow() {
    this.stream?.abort();
    this.countWhenLost ??= this.items.length;
  }

  close() {
    if (this.client.onWaiting === this.changed) this.client.onWaiting = () => {};
    this.stop.abort();
    this.stream?.abort();
    this.hiddenTab?.close();
    clearInterval(this.after);
    clearTimeout(this.timer);
    this.resume?.(false);
  }

  /** Reload the view; concurrent requests share one load, and a request during a load causes one more after it. */
  reload() {
    this.reloadAgain = true;
    this.reloading ??= this.reloadAll().finally(() => (this.reloading = null));
    return this.reloading;
  }

  async reloadAll() {
    while (this.reloadAgain) {
      this.reloadAgain = false;
      await this.fetch().catch((error) => {
        if (!this.reloadAgain) throw error;
      });
    }
  }

  /** Return the views at the items of the feed after a cursor, up to `limit` of them. */
  async between(/** @type {string} */ after, /** @type {number} */ limit) {
    const { views } = await this.client.get(`matches/${this.match}/views?after=${after}&limit=${limit}`);
    return views;
  }

  async fetch() {
    const view = this.client.get(`matches/${this.match}/view`);
    const facts = await this.factsNow(view);
    await this.show(facts, await view);
  }

  /**
   * Return the facts of the match; while it runs and only its game has moved, the known ones.
   * @param {Promise<View>} view
   */
  async factsNow(view) {
    const ask = () => this.client.get(`matches/${this.match}`);
    const stale = this.stale || this.known?.view.status !== "running";
    this.stale = false;
    try {
      if (stale) return (await Promise.all([ask(), view]))[0];
      return (await view).status === "running" ? this.facts : await ask();
    } catch (error) {
      this.stale = true;
      throw error;
    }
  }

  async show(/** @type {Facts} */ facts, /** @type {View} */ view) {
    this.foretell(facts.game);
    const sheet = await sheetOf(this.client, facts.game);
    const question = this.known?.view.question;
    if (question && isSame(view.question, question)) view.question = question;
    this.known = { facts, view, sheet };
    if (this.evidence) this.evidence.heard(this.items, view.seat);
    else if (this.client.keep && !facts.placings && (view.seat !== null || isKept(this.match)))
      this.keepEvidence().catch(() => {});
    this.changed();
  }

  /** Note why the feed has started over: its player has taken or lost a seat, or the service has lost moves, which is said. */
  noteReset() {
    if (!this.wasReset || !this.known || this.isBehind) return;
    const { seat } = this.view;
    if (this.heardBy === seat) this.notice = "reset";
    Object.assign(this, { wasReset: false, heardBy: seat });
    this.changed();
  }

  /**
   * Something came on the stream.
   * @param {string} kind
   * @param {any} data any: what it is depends on the kind, see `Client.follow`
   */
  hear(kind, data) {
    if (kind === "item") this.items.push(data);
    if (kind !== "item" || data.event.type.startsWith("match.")) this.stale = true;
    if (kind === "reset") Object.assign(this, { items: [], wasReset: true });
    if (kind === "refused") this.refused = new ApiError(data ?? {});
    this.reloadSoon(kind === "item" ? BATCH : 0, kind !== "item");
    if (kind === "end") this.linger();
  }

  /** A finished match sends no events, so its players poll for a while whether the others want a rematch. */
  linger() {
    let left = AFTER.times;
    clearInterval(this.after);
    this.after = setInterval(() => {
      const { view, facts } = this.known ?? {};
      if (!(left -= 1) || facts?.rematch || view?.seat === null) clearInterval(this.after);
      else if (!document.hidden && view?.status === "over") this.reload().catch(() => {});
    }, AFTER.every);
  }

  reloadSoon(/** @type {number} */ milliseconds, always = true) {
    clearTimeout(this.timer);
    if (this.stop.signal.aborted) return;
    this.timer = setTimeout(() => this.catchUp(always).catch((error) => this.reloadLater(error)), milliseconds);
  }

  /** Retry after a temporary failure, as there may be no further event to trigger a load. A lost connection triggers one when it is back. */
  reloadLater(/** @type {unknown} */ error) {
    if (isPassing(error) && this.connected) this.reloadSoon(LATER);
  }

  /** Reload the view unless that is done, or an answer is on its way, which is followed by a reload anyway. */
  async catchUp(/** @type {boolean} */ always) {
    this.evidence?.heard(this.items, this.known?.view.seat ?? null);
    if (!always && this.sending && this.countWhenLost === null) return;
    await this.reloading?.catch(() => {});
    if (always || this.stale || this.isBehind) await this.reload();
    else this.changed();
    this.noteReset();
    this.caughtUp();
  }

  /** Whether the view shows another moment than the newest item. */
  get isBehind() {
    return this.known?.view.cursor !== this.items.at(-1)?.cursor;
  }

  /** The connection was lost or restored. Items received after it was restored are counted until the match is up to date. */
  setConnected(/** @type {boolean} */ up) {
    if (this.connected === up) return;
    this.connected = up;
    this.countWhenLost ??= this.items.length;
    if (up) this.reloadSoon(SETTLE);
    if (up) this.resume?.(true);
    this.changed();
  }

  caughtUp() {
    if (this.countWhenLost === null || !this.connected || this.isBehind) return;
    this.notice = this.items.length > this.countWhenLost ? { caught: this.items.length - this.countWhenLost } : null;
    this.countWhenLost = null;
    this.changed();
  }

  /**
   * Answer the open decision. A command offered for a previous decision, which the page showed a moment ago, is ignored.
   * Where the table waits for its players, the seat is taken back first: an answer among others alone would not end that.
   */
  async give(/** @type {Command} */ command) {
    const { seat } = this.view;
    if (seat !== null && this.facts.waits_until_ms && this.facts.chairs[seat].bot) await this.act("seats", {});
    const { question } = this.view;
    if (question?.legal.includes(command))
      await this.act(`commands${this.evidence ? "?signed=true" : ""}`, { decision: question.decision, command });
  }

  /**
   * Change something, and retry as long as the connection is known to be lost; the same key, so nothing happens twice.
   * @param {string} path
   * @param {object | null} body
   * @param {Method} method
   * @param {string} key
   * @returns {Promise<Receipt>}
   */
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
    if (this.connected || this.stop.signal.aborted) return false;
    return new Promise((/** @type {(up: boolean) => void} */ done) => (this.resume = done));
  }

  /**
   * Change the match, and return the service's answer; a refusal is shown as a notice and returns null.
   * @param {string} what
   * @param {{nonce?: string, decision?: number, command?: Command, [name: string]: unknown} | null} [body]
   * @param {Method} [method]
   * @returns {Promise<Receipt | null>}
   */
  async act(what, body = null, method = "POST") {
    if (this.sending) return null;
    Object.assign(this, { sending: true, notice: null });
    this.changed();
    const at_ms = Date.now();
    try {
      const receipt = await this.insist(`matches/${this.match}/${what}`, body, method, freshKey());
      this.evidence?.received(receipt, body?.nonce);
      this.evidence?.taken(body);
      return receipt;
    } catch (error) {
      this.evidence?.failed(body, at_ms, problemOf(error)?.type ?? "");
      this.fail(error);
      return null;
    } finally {
      this.stale ||= !what.startsWith("commands"); // the events about its changes to seats may arrive only after this load
      await this.reload().catch(() => {});
      this.sending = false;
      this.changed();
      this.reloadSoon(0, false);
    }
  }

  /** Say what went wrong. */
  fail(/** @type {unknown} */ error) {
    this.notice = error instanceof Error ? error : new Unreachable();
  }

  /** Return the name of a seat's player. */
  name(/** @type {number} */ seat) {
    const chairs = this.known?.facts.chairs;
    return called(chairs?.[seat], chairs) ?? `${word("place")} ${seat + 1}`;
  }
}

/** Whether this browser keeps something of a match; the module that reads it is loaded only then. */
const isKept = (/** @type {string} */ match) => localStorage.getItem(`tafelrunde.kept.${match}`) !== null;

/** Whether two things of the service's answers are equal. */
export const isSame = (/** @type {unknown} */ one, /** @type {unknown} */ other) => JSON.stringify(one) === JSON.stringify(other);

/** Whether the viewer has to answer: an answer already given may be changed, but nothing waits for that. */
export const isAsked = (/** @type {Pick<View, "question">} */ { question }) => question !== null && question.answered === null;

/** Milliseconds to collect items that arrive together. */
const BATCH = 10;

/** How often a finished match is polled, and the interval in milliseconds. */
const AFTER = { times: 200, every: 3000 };

/** Milliseconds to wait for missed items to start arriving. */
const SETTLE = 150;

/** Milliseconds before a failed load is retried. */
const LATER = 2000;

/**
 * Return the name of a chair's occupant, null for an empty chair. Guests have no names: if there are several, their seats tell them apart.
 * @param {Chair | undefined} chair
 * @param {Chair[]} [chairs]
 */
export function called(chair, chairs = []) {
  if (!chair?.guest) return chair?.name ?? (chair?.bot ? BOTS[chair.seat] : null);
  return chairs.filter((each) => each.guest).length > 1 ? `${word("guest")} ${chair.seat + 1}` : word("guest");
}

/** The computers' names by seat: none can be taken for a number. */
export const BOTS = ["Ada", "Bruno", "Cleo", "Dario", "Enid", "Falk", "Greta"];
