// <game-table>: one match on any page. It renders into its shadow root; it stores nothing, and changes nothing on the page.

import { BASE, Client } from "./core/client.js";
import { Focus } from "./core/focus.js";
import { oncePerFrame } from "./core/frames.js";
import { html, render } from "./vendor/lit.js";
import { Pass } from "./core/pass.js";
import { isAsked, Store } from "./core/store.js";
import { TablePage } from "./table/table.js";
import { LANGUAGES, spoken, within } from "./core/words.js";

const HOST = `:host { all: initial; display: block; isolation: isolate; container: game-table / inline-size; }
:host([hidden]) { display: none; }
.table { --rem: var(--unit, clamp(16px, 0.9cqi, 24px)); background: var(--ground); color: var(--ink); font: var(--font, var(--rem)/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif); padding: 0.5rem; position: relative; }`;

let styles = null;

/** The client's style sheet for a shadow root: page-level rules (width, fonts) apply to the element instead. */
async function styled() {
  const answer = await fetch(new URL("style.css", import.meta.url), { credentials: "omit" });
  const text = (HOST + (await answer.text()))
    .replace(
      /@media \((max|min)-width: ([\d.]+)rem\)/g,
      (_, bound, width) => `@container game-table (${bound}-width: ${16 * width}px)`,
    )
    .replace(/(-?(?:\d+\.)?\d+|-?\.\d+)rem\b/g, "calc($1 * var(--rem))");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** The second click of a double click must not answer what the first click brought up. */
function once(event) {
  if (event.detail > 1 && event.target.closest(".moves, .board")) event.stopPropagation();
}

export class GameTable extends HTMLElement {
  static observedAttributes = ["match", "token", "base", "language", "seat", "spectator"];

  #token = null;
  #pass = null;
  #root = this.attachShadow({ mode: "open" });
  #focus = new Focus(this.#root);
  #soon = oncePerFrame(() => this.#draw());
  #due = false;
  #dressed = false;
  #told = {};

  constructor() {
    super();
    this.store = null;
    this.page = null;
    /** Set a client to use it as it is: no token is exchanged then. */
    this.client = this.client ?? null;
    /** Called for a fresh seat token; returns its text, or a promise of it. */
    this.renew = this.renew ?? null;
    /** Addresses of the surrounding page; null on another site's page. */
    this.links = this.links ?? null;
    /** The target on which number keys are listened to. */
    this.keys = this.keys ?? this.#root;
    this.#root.addEventListener("click", once, true);
  }

  /** The text of a token; it can be set, also to a fresh one at any time, but not read. */
  set token(text) {
    this.#token = text || null;
    if (this.#pass && this.#token && !this.#due && !this.store.refused) this.#pass.take(text);
    else this.#open();
  }

  get match() {
    return this.getAttribute("match");
  }

  set match(id) {
    this.setAttribute("match", id);
  }

  get language() {
    return this.getAttribute("language");
  }

  set language(name) {
    this.setAttribute("language", name);
  }

  attributeChangedCallback(name, _, value) {
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
        () => {},
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
  #upgrade(name) {
    if (!Object.hasOwn(this, name)) return;
    const value = this[name];
    delete this[name];
    this[name] = value;
  }

  /** Reopen the match, once for all properties changed together. */
  #open() {
    if (this.#due || !this.isConnected) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      this.#close();
      if (this.isConnected && /^m[a-z2-7]{24}$/.test(this.match ?? "")) this.#begin();
    });
  }

  async #begin() {
    const client = this.client ?? this.#visitor();
    const store = new Store(client, this.match, () => this.#heard());
    this.store = store;
    this.page = new TablePage(store, () => this.#changed(), this.links, this.keys);
    this.page.root = this.#root;
    this.#told = {};
    this.#changed();
    if (!this.client && client.token)
      this.#pass = new Pass(
        client,
        this.match,
        (reason) => this.#ask(reason),
        (token) => (this.#token = token),
      );
    const seat = this.getAttribute("seat");
    if (this.#pass && seat !== null) await this.#pass.exchange(Number(seat));
    if (this.store === store) await store.open(() => this.#pass?.exchange(store.view.seat));
  }

  #visitor() {
    const base = new URL(this.getAttribute("base") ?? BASE, document.baseURI).href;
    return new Client({ base: base.replace(/\/?$/, "/"), token: this.hasAttribute("spectator") ? null : this.#token });
  }

  #close() {
    this.page?.close();
    this.#pass?.close();
    this.store = this.page = this.#pass = null;
  }

  /** Ask the page for a token. */
  async #ask(reason) {
    this.#tell("token-expiring", { match: this.match, reason });
    const text = await this.renew?.(reason);
    if (text) this.token = text;
  }

  #tell(name, detail) {
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
    const { view, refused } = store ?? {};
    if (refused) this.#once("error", { match, problem: refused.problem ?? null });
    if (!view) return;
    const { seat, status } = view;
    this.#once("ready", { match, game: store.facts.game, seat });
    this.#once("state", {
      match,
      seat,
      status,
      your_turn: isAsked(view),
      waiting: view.waiting?.seats ?? [],
      rematch: store.facts.rematch,
    });
    if (status === "over" || status === "aborted") this.#once("ended", { match, status, placings: view.placings });
  }

  #once(name, detail) {
    const text = JSON.stringify(detail);
    if (this.#told[name] === text) return;
    this.#told[name] = text;
    this.#tell(name, detail);
  }

  #draw() {
    const { page } = this;
    const wish = this.language ?? this.closest("[lang]")?.getAttribute("lang").slice(0, 2);
    const language = wish in LANGUAGES ? /** @type {import("./core/words.js").Language} */ (wish) : spoken();
    const draw = () => render(html`<div class="table" part="table" lang=${language}>${page.render()}</div>`, this.#root);
    if (page && this.#dressed) this.#focus.keep(() => page.stage.draw(this.#root, () => within(language, draw)));
  }
}

if (!customElements.get("game-table")) customElements.define("game-table", GameTable);
