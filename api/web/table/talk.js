// What players say to each other at one match, and spectators among themselves: the lines of a room, followed while the page is seen.

import { Feed, messageOf, sleep } from "../core/client.js";
import { HiddenTab } from "../core/hidden-tab.js";
import { called } from "../core/store.js";
import { symbol } from "../core/symbols.js";
import { fill, say, word } from "../core/words.js";
import { html, nothing, ref, repeat } from "../vendor/lit.js";
import { reaction } from "./reactions.js";
import { panel } from "./talk-panel.js";

/** @import { Shapes } from "../contract" */
/** @typedef {import("./table.js").TablePage} TablePage */
/** @typedef {Shapes["TalkLine"]} Line */
/** @typedef {"table" | "stands"} Room */

/** How long a reaction stays at its seat, and between two tries to listen again (milliseconds). */
const SHOWN = 3_000;
const PAUSES = [500, 2_000, 8_000, 30_000];
/** Lines that the live region holds: what is moved would be said again. */
const SPOKEN = 20;
const READ = "tafelrunde.talk";

const WORDS = {
  hidden: { de: "Diese Nachricht hat die Spielleitung entfernt.", en: "This message was removed by a moderator." },
  said: { de: "{name}: {text}", en: "{name}: {text}" },
  title: { de: "Chat", en: "Chat" },
  unread: { de: "Chat, {count} neu", en: "Chat, {count} new" },
};

export class Talk {
  /**
   * @param {TablePage} page
   * @param {Shapes["TalkSheet"]} sheet
   */
  constructor(page, sheet) {
    this.page = page;
    this.store = page.store;
    this.client = page.store.client;
    this.sheet = sheet;
    /** @type {Room | null} */
    this.own = null;
    /** @type {Room} */
    this.room = "table";
    /** @type {Line[]} */
    this.lines = [];
    /** The number of the last line that came, and of the last that was read. */
    this.n = 0;
    this.read = 0;
    /** Lines that came while the page was open, for the live region. @type {Line[]} */
    this.spoken = [];
    /** The reaction at each seat, for a moment. @type {Map<number, {id: string, n: number}>} */
    this.shown = new Map();
    this.open = false;
    this.sending = false;
    /** Why something could not be said or done. @type {string | null} */
    this.problem = null;
    /** The number of the line that was reported last. @type {number | null} */
    this.reported = null;
    /** Whom the reader does not hear; null while that is not known. @type {Shapes["MutedFacts"][] | null} */
    this.muted = null;
    this.stop = new AbortController();
    this.closed = false;
    this.tab = new HiddenTab({ follow: () => this.follow(), unfollow: () => this.stop.abort(), reload: async () => {} });
  }

  /** The talk of a table; null if people cannot talk at this service. @type {(page: TablePage) => Promise<Talk | null>} */
  static async of(page) {
    const { client } = page.store;
    const { features } = await client.get("games");
    if (!features.includes("talk")) return null;
    const sheet = await client.get("talk/phrases");
    if (sheet.mode === "off" || page.store.stop.signal.aborted) return null;
    const talk = new Talk(page, sheet);
    talk.hear();
    return talk;
  }

  close() {
    this.closed = true;
    this.stop.abort();
    this.tab.close();
  }

  /** Whether the reader may say something: on another site's page only with a token. */
  get maySpeak() {
    return this.room === this.own && Boolean(this.client.token || this.client.keep);
  }

  /** Whether the reader may choose whom to hear: a token for one seat may not. */
  get mayMute() {
    return Boolean(this.client.keep && this.client.token);
  }

  /** Whether the reader may report a line: a token for one seat may not. */
  get mayReport() {
    return this.client.keep || !this.client.token;
  }

  /** The rooms that are open now. @returns {Room[]} */
  get rooms() {
    const { status } = this.store.view;
    const over = (status === "over" || status === "aborted") && !this.store.sealed;
    return over ? ["table", "stands"] : this.own ? [this.own] : [];
  }

  get unread() {
    const me = this.mine;
    return this.room !== this.own
      ? 0
      : this.lines.filter(({ n, kind, author }) => n > this.read && kind !== "reaction" && author.player !== me).length;
  }

  /** The reader's player, where it has a seat or has said something. */
  get mine() {
    const { view, facts } = this.store;
    return view.seat === null ? this.me : facts.chairs[view.seat].player;
  }
  /** @type {string | null} */
  me = null;

  /** The match has moved: the reader may be in another room now. */
  hear() {
    const { view, facts } = this.store;
    const own = view.seat !== null || facts.reserved_seat !== null ? "table" : "stands";
    if (own === this.own) return;
    this.own = own;
    this.enter(own);
  }

  /** Listen to a room, from its beginning. */
  enter(/** @type {Room} */ room) {
    const read = this.client.keep ? Number(sessionStorage.getItem(this.mark(room))) : 0;
    Object.assign(this, { room, lines: [], n: 0, read, spoken: [] });
    this.follow();
    this.page.changed();
  }

  mark(/** @type {Room} */ room) {
    return `${READ}.${this.store.match}.${room}`;
  }

  /** Listen on, in place of an earlier connection. */
  follow() {
    this.stop.abort();
    if (this.closed || !this.own) return;
    this.stop = new AbortController();
    this.listen(this.room, this.stop.signal);
  }

  /**
   * Take what was said, then what is said from now on, until *signal* aborts.
   * @param {Room} room
   * @param {AbortSignal} signal
   */
  async listen(room, signal) {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        await this.catchUp(room, signal);
        if (signal.aborted || !(await this.stream(room, signal, () => (attempt = 0)))) return;
      } catch {
        // The connection was lost.
      }
      if (!signal.aborted) await sleep(PAUSES[Math.min(attempt, PAUSES.length - 1)]);
    }
  }

  /**
   * @param {Room} room
   * @param {AbortSignal} signal
   */
  async catchUp(room, signal) {
    const known = this.n > 0;
    for (let more = true; more && !signal.aborted;) {
      const page = await this.client.get(`matches/${this.store.match}/talk?room=${room}&after=${this.n}`);
      if (signal.aborted) return;
      for (const line of page.items) this.take(line, known);
      this.n = Math.max(this.n, page.cursor);
      more = page.more;
    }
    this.page.changed();
  }

  /**
   * Return whether to come back: a room that is closed to the reader stays so.
   * @param {Room} room
   * @param {AbortSignal} signal
   * @param {() => void} heard
   */
  async stream(room, signal, heard) {
    let closed = false;
    const tell = (/** @type {string} */ kind, /** @type {any} */ data) => {
      if (signal.aborted) return;
      if (kind === "refused") {
        closed = data?.status === 403;
        return;
      }
      heard();
      if (kind === "reset") Object.assign(this, { lines: [], n: 0 });
      if (kind === "item") {
        this.take(data, true);
        this.n = Math.max(this.n, data.n);
      }
      this.page.changed();
    };
    await this.client.hear(new Feed(this.store.match, this.n, tell, () => {}, room), signal);
    return !closed;
  }

  /**
   * Add a line to those of the room, in order and once; one that is *live* is heard, too. One that says that another was hidden
   * leaves a tombstone of that one.
   * @param {Line} line
   * @param {boolean} live
   */
  take(line, live) {
    if (line.room !== this.room || this.lines.some(({ n }) => n === line.n)) return;
    if (line.kind === "hiding") {
      this.hide(line.hides ?? 0);
      return;
    }
    this.lines = [...this.lines, line].sort((one, other) => one.n - other.n);
    if (live && line.author.player !== this.mine) this.spoken = [...this.spoken, line].slice(-SPOKEN);
    if (live && line.reaction && line.author.seat !== null) this.react(line.author.seat, line.reaction, line.n);
    if (this.open) this.markRead();
  }

  /** Remove the text of a hidden line. */
  hide(/** @type {number} */ hidden) {
    const left = /** @type {const} */ ({ kind: "hidden", phrase: null, reaction: null, text: null });
    this.lines = this.lines.map((line) => (line.n === hidden ? { ...line, ...left } : line));
    this.spoken = this.spoken.filter(({ n }) => n !== hidden);
  }

  /** Show a reaction at its seat for a moment. */
  react(/** @type {number} */ seat, /** @type {string} */ id, /** @type {number} */ n) {
    this.shown.set(seat, { id, n });
    setTimeout(() => {
      if (this.shown.get(seat)?.n === n) this.shown.delete(seat);
      if (!this.closed) this.page.changed();
    }, SHOWN);
  }

  markRead() {
    this.read = this.lines.at(-1)?.n ?? this.read;
    if (this.client.keep) sessionStorage.setItem(this.mark(this.room), String(this.read));
  }

  toggle(open = !this.open) {
    Object.assign(this, { open, problem: null, reported: null });
    if (open) this.markRead();
    if (open && this.mayMute && !this.muted) this.listMuted();
    this.page.changed();
    if (!open) /** @type {HTMLElement | null} */ (this.page.root.querySelector(".talk-button"))?.focus();
  }

  /** Do something; what goes wrong is said in the panel. @returns {Promise<boolean>} */
  async attempt(/** @type {() => Promise<unknown>} */ task) {
    if (this.sending) return false;
    Object.assign(this, { sending: true, problem: null });
    this.page.changed();
    try {
      await task();
      return true;
    } catch (error) {
      this.problem = messageOf(error);
      return false;
    } finally {
      this.sending = false;
      this.page.changed();
    }
  }

  /** Say a phrase, a reaction, or a text; return whether it was said. @type {(what: Shapes["TalkRequest"]) => Promise<boolean>} */
  say(what) {
    return this.attempt(async () => {
      await this.client.signUp();
      const line = await this.client.change(`matches/${this.store.match}/talk`, what);
      this.me = line.author.player;
      this.take(line, true);
      this.markRead();
    });
  }

  /** @type {(line: Line, reason: Shapes["ReportRequest"]["reason"]) => Promise<boolean>} */
  report({ n, room }, reason) {
    return this.attempt(async () => {
      await this.client.signUp();
      await this.client.change(`matches/${this.store.match}/talk/reports`, { room, n, reason });
      this.reported = n;
    });
  }

  /** List whom the reader does not hear. What is said or done meanwhile does not wait for that, and knows better. */
  async listMuted() {
    const { items } = await this.client.get("me/muted").catch(() => ({ items: null }));
    this.muted ??= items;
    this.page.changed();
  }

  mute(/** @type {string} */ player) {
    return this.attempt(async () => {
      this.muted = (await this.client.change(`me/muted/${player}`, null, "PUT")).items;
      this.lines = this.lines.filter(({ author }) => author.player !== player || player === this.mine);
    });
  }

  unmute(/** @type {string} */ player) {
    return this.attempt(async () => {
      this.muted = (await this.client.change(`me/muted/${player}`, null, "DELETE")).items;
      this.enter(this.room);
    });
  }

  /** The name of who has said a line, as the seats have it. */
  name(/** @type {Line} */ { author: { guest, name, player, seat } }) {
    const { chairs } = this.store.facts;
    const chair = seat === null ? undefined : chairs[seat];
    return (chair?.player === player && called(chair, chairs)) || (guest ? word("guest") : name);
  }

  /** What a line says, in the chosen language. @returns {string} */
  text(/** @type {Line} */ { kind, phrase, reaction: face, text }) {
    if (kind === "hidden") return say(WORDS.hidden);
    const ready = phrase ? this.sheet.phrases : this.sheet.reactions;
    const found = ready.find(({ id }) => id === (phrase ?? face));
    return text ?? (found ? say(found.text) : (phrase ?? face ?? ""));
  }

  /** The button in the table's bar, with how much is new. */
  button() {
    const { unread } = this;
    const title = unread ? fill(say(WORDS.unread), { count: unread }) : say(WORDS.title);
    return html`<button
      class="icon talk-button"
      aria-expanded=${this.open}
      aria-label=${title}
      title=${title}
      @click=${() => this.toggle()}
    >
      ${symbol("talk")}<span>${say(WORDS.title)}</span>${unread ? html`<b class="unread" aria-hidden="true">${unread > 9 ? "9+" : unread}</b>` : nothing}
    </button>`;
  }

  /** What lies over the table: the panel, if it is open, and reactions at their seats; and what is heard. */
  render() {
    return html`<div class="spoken talk-heard" role="log" aria-live="polite" aria-label=${say(WORDS.title)}>
        ${repeat(
          this.spoken,
          ({ n }) => n,
          (line) => html`<p>${fill(say(WORDS.said), { name: this.name(line), text: this.text(line) })}</p>`,
        )}
      </div>
      <div class="reactions" aria-hidden="true">
        ${repeat(
          [...this.shown],
          ([, { n }]) => n,
          ([seat, { id }]) => html`<span ${ref((found) => this.place(found, seat))}>${reaction(id)}</span>`,
        )}
      </div>
      ${this.open ? panel(this, say(WORDS.title)) : nothing}`;
  }

  /** Put a reaction where its seat is drawn; where that is not seen, it is not either. */
  place(/** @type {Element | undefined} */ found, /** @type {number} */ seat) {
    queueMicrotask(() => {
      if (!(found instanceof HTMLElement) || !found.isConnected) return;
      const { root } = this.page;
      const at = root.querySelector(`[data-anchor="seat:${seat}"]`) ?? root.querySelector(`ol.seats > li:nth-child(${seat + 1})`);
      found.hidden = !at;
      if (!at || !found.parentElement) return;
      const [layer, box] = [found.parentElement.getBoundingClientRect(), at.getBoundingClientRect()];
      found.style.left = `${box.left + box.width / 2 - layer.left}px`;
      found.style.top = `${box.top - layer.top}px`;
    });
  }
}
