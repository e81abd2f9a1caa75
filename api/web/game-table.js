// <game-table>: one match on any page. It renders into its shadow root; it stores nothing, and changes nothing on the page.

import { BASE, Client, problemOf } from "./core/client.js";
import { Focus } from "./core/focus.js";
import { oncePerFrame } from "./core/frames.js";
import { html, render } from "./vendor/lit.js";
import { isAsked, Store } from "./core/store.js";
import { drawingOf } from "./table/drawings.js";
import { TablePage } from "./table/table.js";
import { LANGUAGES, spoken, within } from "./core/words.js";

/** @import { SeatToken } from "./core/seat-token.js" */
/** @import { Language } from "./core/words.js" */
/** @import { Links, Said } from "./page" */

const HOST = `:host { all: initial; display: block; isolation: isolate; container: game-table / inline-size; }
:host([hidden]) { display: none; }
.table { --tafelrunde-rem: var(--unit, clamp(16px, 0.9cqi, 24px)); background: var(--ground); color: var(--ink); font: var(--font, var(--tafelrunde-rem)/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif); padding: 0.5rem; position: relative; }`;

// All lengths are made of this one. A registered one is computed once for the table, and not again in every rule of every element,
// which is a third of the work of a drawing.
try {
  CSS.registerProperty({ name: "--tafelrunde-rem", syntax: "<length>", inherits: true, initialValue: "16px" });
} catch {
  // An older browser, or another copy of this module on the page.
}

/** @type {Promise<CSSStyleSheet> | null} */
let styles = null;

/** The client's style sheet for a shadow root: page-level rules (width, fonts) apply to the element instead. */
async function styled() {
  const answer = await fetch(new URL("style.css", import.meta.url), { credentials: "omit" });
  const text = (HOST + (await answer.text()))
    .replace(
      /@media \((max|min)-width: ([\d.]+)rem\)/g,
      (_, bound, width) => `@container game-table (${bound}-width: ${16 * width}px)`,
    )
    .replace(/(-?(?:\d+\.)?\d+|-?\.\d+)rem\b/g, "calc($1 * var(--tafelrunde-rem))");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** The second click of a double click must not answer what the first click brought up. */
function once(/** @type {Event} */ event) {
  const { target } = event;
  if (event instanceof UIEvent && event.detail > 1 && target instanceof Element && target.closest(".moves, .board"))
    event.stopPropagation();
}

export class GameTable extends HTMLElement {
  static observedAttributes = ["match", "token", "base", "language", "seat", "spectator"];

  /** @type {string | null} */
  #token = null;
  /** @type {SeatToken | null} */
  #seatToken = null;
  #root = this.attachShadow({ mode: "open" });
  #focus = new Focus(this.#root);
  #soon = oncePerFrame(() => this.#draw());
  #due = false;
  #dressed = false;
  /** @type {Said} */
  #told = {};

  constructor() {
    super();
    /** What a page has set before the element was defined. */
    const given = /** @type {Partial<GameTable>} */ (this);
    /** @type {Store | null} */
    this.store = null;
    /** @type {TablePage | null} */
    this.page = null;
    /** Set a client to use it as it is: no token is exchanged then. @type {Client | null} */
    this.client = given.client ?? null;
    /**
     * Called for a fresh seat token; returns its text, or a promise of it.
     * @type {((reason: string) => string | null | undefined | Promise<string | null | undefined>) | null}
     */
    this.renew = given.renew ?? null;
    /** Addresses of the surrounding page; null on another site's page. @type {Links | null} */
    this.links = given.links ?? null;
    /** The target on which number keys are listened to. @type {ShadowRoot | Document} */
    this.keys = given.keys ?? this.#root;
    this.#root.addEventListener("click", once, true);
  }

  /** The text of a token; it can be set, also to a fresh one at any time, but not read. */
  set token(/** @type {string | null} */ text) {
    this.#token = text || null;
    if (this.#seatToken && this.#token && !this.#due && !this.store?.refused) this.#seatToken.take(this.#token);
    else this.#open();
  }

  get match() {
    return this.getAttribute("match");
  }

  set match(id) {
    this.setAttribute("match", id ?? "");
  }

  get language() {
    return this.getAttribute("language");
  }

  set language(name) {
    this.setAttribute("language", name ?? "");
  }

  attributeChangedCallback(/** @type {string} */ name, /** @type {string | null} */ _, /** @type {string | null} */ value) {
    if (name === "language") this.#changed();
    else if (name !== "token") this.#open();
    else if (value !== null) {
      this.removeAttribute("token");
      this.token = value;
    }
  }

  connectedCallback() {
    for (const name of ["token", "match", "language"]) this.#upgrade(name);
    styles ??= styled();
    styles
      .then(
        (sheet) => (this.#root.adoptedStyleSheets = [sheet]),
        () => (styles = null), // the next table asks again
      )
      .then(() => this.#dress());
    if (!this.page) this.#open();
  }

  /** Begin to draw once the style sheet is there, so that nothing jumps; if it does not come, draw without it. */
  #dress() {
    this.#dressed = true;
    this.#soon();
  }

  /** Moving the element within the page removes and reinserts it at once: only a lasting removal closes it. */
  disconnectedCallback() {
    queueMicrotask(() => this.isConnected || this.#close());
  }

  /** Properties that the page set before the element was defined hide the setters; set them again. */
  #upgrade(/** @type {string} */ name) {
    const own = Object.getOwnPropertyDescriptor(this, name);
    if (!own) return;
    Reflect.deleteProperty(this, name);
    Reflect.set(this, name, own.value);
  }

  /** Reopen the match, once for all properties changed together. */
  #open() {
    if (this.#due || !this.isConnected) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      this.#close();
      const match = this.match ?? "";
      if (this.isConnected && /^m[a-z2-7]{24}$/.test(match)) this.#begin(match);
    });
  }

  async #begin(/** @type {string} */ match) {
    const client = this.client ?? this.#visitor();
    const store = new Store(
      client,
      match,
      () => this.#heard(),
      (game) => void drawingOf(game).catch(() => {}),
    );
    this.store = store;
    this.page = new TablePage(store, () => this.#changed(), this.links, this.keys, this.#root);
    this.#told = {};
    this.#changed();
    if (!this.client && client.token) {
      const { SeatToken } = await import("./core/seat-token.js");
      if (this.store !== store) return;
      this.#seatToken = new SeatToken(
        client,
        match,
        (reason) => this.#ask(reason),
        (token) => (this.#token = token),
      );
    }
    const seat = this.getAttribute("seat");
    if (this.#seatToken && seat !== null) await this.#seatToken.exchange(Number(seat));
    if (this.store === store) await store.open(() => this.#seatToken?.exchange(store.view.seat));
  }

  #visitor() {
    const base = new URL(this.getAttribute("base") ?? BASE, document.baseURI).href;
    return new Client({ base: base.replace(/\/?$/, "/"), token: this.hasAttribute("spectator") ? null : this.#token });
  }

  #close() {
    this.page?.close();
    this.#seatToken?.close();
    this.store = this.page = this.#seatToken = null;
  }

  /** Ask the page for a token. */
  async #ask(/** @type {string} */ reason) {
    this.#tell("token-expiring", { match: this.match, reason });
    const text = await this.renew?.(reason);
    if (text) this.token = text;
  }

  #tell(/** @type {string} */ name, /** @type {object} */ detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** The store knows something new. */
  #heard() {
    this.page?.hear();
    this.#changed();
  }

  #changed() {
    this.#report();
    this.#soon();
  }

  /** Dispatch events for what has changed, without anything about cards. */
  #report() {
    const { match, store } = this;
    if (store?.refused) this.#once("error", { match, problem: problemOf(store.refused) });
    if (!store?.known) return;
    const { view, facts } = store.known;
    const { seat, status } = view;
    this.#once("ready", { match, game: facts.game, seat });
    this.#once("state", {
      match,
      seat,
      status,
      your_turn: isAsked(view),
      waiting: view.waiting?.seats ?? [],
      rematch: facts.rematch,
    });
    if (status === "over" || status === "aborted") this.#once("ended", { match, status, placings: view.placings });
  }

  #once(/** @type {keyof Said} */ name, /** @type {object} */ detail) {
    const text = JSON.stringify(detail);
    if (this.#told[name] === text) return;
    this.#told[name] = text;
    this.#tell(name, detail);
  }

  #draw() {
    const { page } = this;
    if (!page || !this.#dressed) return;
    const asked = this.language ?? this.closest("[lang]")?.getAttribute("lang")?.slice(0, 2) ?? "";
    const language = asked in LANGUAGES ? /** @type {Language} */ (asked) : spoken();
    const draw = () => render(html`<div class="table" part="table" lang=${language}>${page.render()}</div>`, this.#root);
    this.#focus.keep(() => page.stage.draw(this.#root, () => within(language, draw)));
    page.drawn();
  }
}

if (!customElements.get("game-table")) customElements.define("game-table", GameTable);
