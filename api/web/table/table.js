// The frame around every game's table: whose turn it is, the question, the result, and what concerns the match itself.

import { html, keyed, nothing } from "../vendor/lit.js";
import { problemOf } from "../core/client.js";
import { Hints } from "./advice.js";
import { News, soundOf } from "./announcements.js";
import { contextOf } from "./context.js";
import { Controls } from "./controls.js";
import { drawingOf, hasTable, isSeated } from "./drawings.js";
import { Learning } from "./learning.js";
import { log } from "./log.js";
import { notices, refusedFor } from "./notices.js";
import { Orders } from "./orders.js";
import { roundResult } from "./round-result.js";
import { settings, switches } from "../core/settings.js";
import { offers } from "./share.js";
import { isAsked } from "../core/store.js";
import { sound } from "../core/sound.js";
import { Stage } from "./stage.js";
import { status } from "./status.js";
import { symbol } from "../core/symbols.js";
import { say, word } from "../core/words.js";

/** @import { Ending } from "./ending.js" */
/** @import { Replay } from "./replay.js" */
/** @import { TextMode } from "./text.js" */
/** @import { At, Command, View } from "../contract" */
/** @import { Store } from "../core/store.js" */
/** @import { Card, Ctx, Drawing, Item, OwnCtx } from "../drawing" */
/** @import { Links, Moment } from "../page" */
/** @typedef {"aid" | "last" | "sheet" | "log"} Part what can be folded, beside the table */

/** What happens when a player is away. */
const STAND_IN = "match.stand-in-seated.1";

/**
 * The answers have reserved space all the time, so that nothing moves when they appear: on a phone, those to reactions.
 * @type {(drawing: Drawing, hints: boolean) => unknown}
 */
const bar = ({ pass, offers }, hints) =>
  offers ? nothing : html`<div class="moves ${pass ? "kept" : ""} ${hints ? "hinted" : ""}" aria-hidden="true"></div>`;

/** From this time for a decision on, in seconds, a match may wait for players on vacation. */
const DAY = 86_400;

/** From this width on, in pixels, there is something beside the felt. */
const WIDE = 960;

export class TablePage {
  /**
   * *links*: addresses of the surrounding page, null on another site's page; *keys*: the target on which keys are listened to; *root*: what the table is drawn into.
   * @param {Store} store
   * @param {() => void} changed
   * @param {Links | null} links
   * @param {EventTarget} keys
   * @param {ShadowRoot} root
   */
  constructor(store, changed, links, keys, root) {
    this.store = store;
    this.changed = changed;
    this.links = links;
    this.root = root;
    this.target = keys;
    /** @type {Drawing | null} */
    this.drawing = null;
    /** The cards that are chosen for a command which needs several. @type {Set<Card>} */
    this.picked = new Set();
    /** @type {number | null} */
    this.decision = null;
    /** Why something cannot be done: the answer to a click. @type {string | null} */
    this.reason = null;
    /** @type {Replay | null} */
    this.replay = null;
    /** What was there when the store was heard last. @type {{items: number, status: string} | null} */
    this.heard = null;
    /** Whether the match has just begun, and its table is not drawn yet. */
    this.begins = false;
    /** @type {Element | null} */
    this.logBox = null;
    this.keepLog = (/** @type {Element | undefined} */ box) => (this.logBox = box ?? null);
    const wide = globalThis.matchMedia("(min-width: 60rem)").matches;
    /** @type {Record<Part, boolean>} */
    this.open = { aid: wide, last: wide, sheet: wide, log: wide };
    /** The match as text, once that is chosen. @type {TextMode | null} */
    this.text = null;
    /** @type {Promise<void> | null} */
    this.loading = null;
    this.stage = new Stage(this);
    this.news = new News(this);
    this.orders = new Orders(this);
    this.controls = new Controls(this);
    /** The end of the match, once it is there. @type {Ending | null} */
    this.ending = null;
    this.hints = new Hints(this);
    this.learning = new Learning(this);
    /** The commands of the buttons with a number or a letter, by their key. @type {Map<string, Command>} */
    this.keyed = new Map();
    /** What this browser has kept of a match that the service does not have, as it is shown; null before that was looked for. @type {unknown} */
    this.evidence = null;
    this.wanted = links?.wanted?.() ?? null;
    /** What concerns players who are away, once one is. @type {typeof import("./absence.js") | null} */
    this.away = null;
    /** What is shown before a match begins. @type {typeof import("./waiting-room.js") | null} */
    this.room = null;
    /** What people say to each other there, if they can. @type {import("./talk.js").Talk | null} */
    this.talk = null;
    /** @type {Promise<void> | null} */
    this.talking = null;
    /** Who is on vacation, where the match waits for that. @type {import("./vacations.js").Vacations | null} */
    this.vacations = null;
    this.target.addEventListener(
      "keydown",
      (this.keys = (/** @type {Event} */ event) => event instanceof KeyboardEvent && this.press(event)),
    );
    this.clock = setInterval(() => this.store.known?.view.waiting && changed(), 1000);
  }

  /** Whether there is something beside the felt. */
  get isWide() {
    return this.root.host.clientWidth >= WIDE;
  }

  close() {
    clearInterval(this.clock);
    this.stage.close();
    this.target.removeEventListener("keydown", this.keys);
    this.learning.close();
    this.replay?.end();
    this.talk?.close();
    this.vacations?.close();
    this.store.close();
  }

  press(/** @type {KeyboardEvent} */ event) {
    const [target] = event.composedPath();
    const typing = target instanceof Element && /INPUT|SELECT|TEXTAREA/.test(target.tagName);
    if (!this.store.known || typing || event.ctrlKey || event.metaKey || event.altKey || this.controls.confirm.asked)
      return undefined;
    if (this.replay) return this.replay.press(event);
    if (this.stage.press(event)) return undefined;
    if (event.key === "l") return this.toggle("last");
    if (event.key === "t") return settings.change("text", !settings.text, this.changed);
    if (this.learning.press(event)) return undefined;
    if (event.key === "h") return this.hints.ask();
    if (event.key === "p" && (this.orders.mayPass || this.orders.turn !== null)) return this.orders.passTurn();
    const command = this.keyed.get(event.key);
    return command ? this.give(command) : undefined;
  }

  give(/** @type {Command} */ command) {
    this.picked.clear();
    this.reason = null;
    this.stage.finish();
    this.store.give(command);
  }

  toggle(/** @type {Part} */ part, open = !this.open[part]) {
    this.open[part] = open;
    this.changed();
  }

  render() {
    const { store } = this;
    if (store.refused)
      return html`<p class="notice" role="alert">${refusedFor(store.refused)}</p>
        ${this.promised()}${this.links ? html`<p><a href=${this.links.lobby}>${word("back")}</a></p>` : nothing}`;
    if (!store.known) return html`<p class="quiet">${word("loading")}</p>`;
    this.keyed.clear();
    return html`<div
      class="${settings.isStill ? "still" : ""} at-${store.facts.game} cloth-${settings.cloth} deck-${settings.deck}"
      @click=${{ handleEvent: (/** @type {Event} */ event) => this.learning.click(event), capture: true }}
    >
      <header class="bar" part="bar">
        ${this.back()}
        <h1>${say(store.sheet.name)}</h1>
        <nav>
          ${switches(this.changed, this.links ? offers(store) : nothing)}${this.talk?.button() ?? nothing}${this.learning.buttons()}
        </nav>
      </header>
      <div class="flights" aria-hidden="true"></div>
      ${this.talk?.render() ?? nothing} ${notices(this)}
      ${this.learning.render()}${this.replay ? this.replay.render() : settings.text && this.drawing ? this.asText() : this.table()}
    </div>`;
  }

  /** Return the game's drawing, once it is loaded; a table that was left meanwhile hears nothing more. */
  async ready() {
    const known = this.drawing;
    this.drawing = await drawingOf(this.store.facts.game);
    if (known) return known;
    if (!this.store.stop.signal.aborted) this.hear();
    this.changed();
    return this.drawing;
  }

  /** Do something that a module is loaded for when it is asked for first; what goes wrong is said above the table. */
  async attempt(/** @type {() => Promise<unknown>} */ task) {
    await task().catch((/** @type {unknown} */ error) => this.store.fail(error));
    this.changed();
  }

  /** A match that the service does not have, although it was begun here: what this browser has kept of it. */
  promised() {
    const { client, match, refused } = this.store;
    if (this.evidence || !client.keep || problemOf(refused)?.status !== 404) return this.evidence ?? nothing;
    this.evidence = nothing;
    const look = async () => {
      const [{ gone }, { shown }] = await Promise.all([import("../proof/check.js"), import("../proof/result.js")]);
      const found = await gone(client, match);
      if (found) this.evidence = shown(match, found.own, found.kept);
      this.changed();
    };
    look().catch(() => {});
    return nothing;
  }

  /** Load the end of the match, and show it. */
  async end(/** @type {boolean} */ witnessed) {
    const { Ending } = await import("./ending.js");
    this.ending ??= new Ending(this, witnessed);
    await this.ending.open();
  }

  /** The match as text; it is loaded when it is shown for the first time. */
  asText() {
    const load = async () => {
      const { TextMode } = await import("./text.js");
      this.text ??= new TextMode(this);
    };
    this.loading ??= this.attempt(load);
    return this.text?.render();
  }

  /** Load what concerns players who are away. */
  async lookAway() {
    this.away = await import("./absence.js");
    return this.away;
  }

  /** Whether a player is away, or has been, whom nothing is said of yet. */
  get missed() {
    return !this.away && (this.controls.own?.bot || this.store.items.some(({ event }) => event.type === STAND_IN));
  }

  /** Load the modules that the match needs by now. */
  load() {
    if (!this.drawing) this.attempt(() => this.ready());
    if (this.missed) this.attempt(() => this.lookAway());
    const { seat, status } = this.store.view;
    const witnessed = this.heard?.status === "running";
    const company =
      seat === null || status === "open" || this.store.facts.chairs.some((each) => each.player && each.seat !== seat);
    if (company) this.talking ??= this.attempt(async () => void (this.talk = await (await import("./talk.js")).Talk.of(this)));
    if (status === "over" && !this.ending) this.attempt(() => this.end(witnessed));
    if (status === "running" && !this.vacations && (this.store.facts.clock.turn_seconds ?? 0) >= DAY)
      this.attempt(async () => {
        const { Vacations } = await import("./vacations.js");
        this.vacations ??= new Vacations(this.store, this.changed);
        await this.vacations.look();
      });
    if (status === "open" && !this.room) this.attempt(() => this.admit());
  }

  /** Open the waiting room, and let it hear what was there before it. */
  async admit() {
    this.room = await import("./waiting-room.js");
    if (!this.store.stop.signal.aborted) this.room.hear(this);
  }

  /** What a change of the store causes besides the picture. */
  hear() {
    if (!this.store.known || this.store.refused) return;
    const { view, items } = this.store;
    this.load();
    const asked = view.question && view.question.decision !== this.decision;
    if ((view.question?.decision ?? null) !== this.decision) {
      this.decision = view.question?.decision ?? null;
      this.picked.clear();
      this.reason = null;
    }
    if (this.heard) this.ring(this.heard, Boolean(asked));
    this.begins ||= this.heard?.status === "open" && view.status === "running";
    this.heard = { items: items.length, status: view.status };
    this.orders.hear();
    if (view.status === "over") this.attempt(() => this.controls.hear());
    this.stage.hear();
    this.room?.hear(this);
    this.talk?.hear();
    this.ending?.open();
    if (this.wanted && items.length >= this.wanted.n) this.lookBack(this.wanted);
  }

  /**
   * The table is drawn. One that has just taken the place of the waiting room is shown from its top, with the focus on its status, unless
   * the reader types something. Another site's page is not scrolled.
   */
  drawn() {
    if (!this.begins) return;
    this.begins = false;
    if (this.links) globalThis.scrollTo?.({ top: 0, behavior: "instant" });
    const { activeElement } = this.root;
    if (!activeElement?.matches("input, textarea, select, .talk *"))
      /** @type {HTMLElement | null} */ (this.root.querySelector(".status"))?.focus({ preventScroll: true });
  }

  /** Go to the place in the address. */
  lookBack(/** @type {Moment} */ { n, perspective }) {
    this.wanted = null;
    const open = this.store.view.status === "over" && !this.store.sealed;
    queueMicrotask(() => this.startReplay(n, open ? perspective : null));
  }

  /** Sound what is new since the page was heard last: the end before a question, and that before what was played. */
  ring(/** @type {{ items: number, status: string }} */ heard, /** @type {boolean} */ asked) {
    if (this.store.view.status === "over" && heard.status === "running") sound("over");
    else if (asked) sound("turn");
    else if (!this.stage.moves) this.sounds(this.store.items.slice(heard.items));
  }

  /** The sound of the newest of some items that has one; the end of a trick counts for more than its last card. */
  sounds(/** @type {Item[]} */ items, trick = items.some(({ event }) => this.drawing?.trickDone?.test(event.type))) {
    const found = trick ? "trick" : soundOf(items);
    if (found) sound(found);
  }

  table() {
    const { store, stage } = this;
    const { view } = stage;
    const known = hasTable(store.view) ? store.view : null;
    const over = store.view.status === "over" && !stage.busy;
    // Beside the felt it hides no card; what the coach draws needs the room below it.
    const ending = over ? (this.ending?.render() ?? nothing) : nothing;
    const beside = over && this.isWide && !this.ending?.coach;
    return html`<p
        class="status ${isAsked(view) ? "mine" : ""} ${known ? "steady" : ""} ${over ? "over" : ""}"
        part="status"
        role="status"
        aria-live="off"
        tabindex="-1"
      >
        ${status(this)}
      </p>
      ${this.news.render()}
      <div class="play">
        <div class="felt">
          <div
            class="board ${store.facts.game} ${stage.shown ? "resting" : ""}"
            part="board"
            @pointerdown=${() => stage.down()}
            @click=${{ handleEvent: (/** @type {PointerEvent} */ event) => stage.click(event), capture: true }}
          >
            ${stage.shown?.kind === "round" ? roundResult(this, stage.shown.view, true) : this.board(view)}
          </div>
          ${beside ? nothing : ending}
        </div>
        <aside class="side">
          ${this.aside(known ? contextOf(this, known) : null)} ${beside ? ending : nothing}
          ${over ? nothing : html`<footer class="buttons" part="controls">${this.controls.render()}</footer>`}
        </aside>
      </div>`;
  }

  /** What stands beside the felt: the log and what belongs to the game, and hints where there is room for them. */
  aside(/** @type {Ctx | null} */ ctx) {
    return html`<div class="beside">${ctx && this.drawing ? this.side(ctx) : nothing}</div>
      ${ctx && this.isWide ? this.hints.advice(ctx) : nothing}`;
  }

  /** The table of a view with what lies before the viewer; before there is one, who has sat down. */
  board(/** @type {View} */ view) {
    const { drawing } = this;
    const ctx = hasTable(view) ? contextOf(this, view) : null;
    const drawn = drawing && ctx ? drawing.draw(ctx) : (this.room?.waitingRoom(this) ?? nothing);
    return html`${drawn} ${drawing && ctx && isSeated(ctx) ? this.tray(drawing, ctx) : this.watching()}`;
  }

  /** What lies before the viewer, and what the viewer can do with it. */
  tray(/** @type {Drawing} */ drawing, /** @type {OwnCtx} */ ctx) {
    const { question } = ctx;
    const moves = question ? keyed(question.decision, this.moves(drawing, ctx, question)) : bar(drawing, this.store.facts.hints);
    // What answers comes first, for Tab and for the ear: buttons, then the hand with what a picked card offers. Orders for later are last.
    const reason = this.reason ? html`<p class="reason" role="alert">${this.reason}</p>` : nothing;
    const own = drawing.own?.(ctx) ?? nothing;
    const orders = this.orders.render();
    return drawing.offers
      ? html`<div class="tray">
          ${own}
          <div class="answers">${drawing.offers(ctx)}${reason}${moves}${orders}</div>
        </div>`
      : html`<div class="tray">${moves}${own}${reason}${orders}</div>`;
  }

  watching() {
    const { view } = this.store;
    return view.seat === null && view.status === "running" ? html`<p class="quiet watching">${word("spectator")}</p>` : nothing;
  }

  side(/** @type {Ctx} */ ctx) {
    const last = this.drawing?.last?.(ctx) ?? nothing;
    const sheet = this.drawing?.sheet?.(ctx) ?? nothing;
    return html`${log(this, ctx)}${this.part("aid", word("aid"), this.drawing?.aid?.(ctx) ?? nothing)}${this.part("last", html`${word("last_trick")} <kbd>L</kbd>`, last)}${this.part("sheet", word("sheet"), sheet)}`;
  }

  part(/** @type {Part} */ name, /** @type {unknown} */ title, /** @type {unknown} */ content) {
    if (content === nothing) return nothing;
    return html`<details
      class=${name}
      ?open=${this.open[name]}
      @toggle=${(/** @type {At<HTMLDetailsElement>} */ event) => this.toggle(name, event.target.open)}
    >
      <summary>${title}</summary>
      ${content}
    </details>`;
  }

  back() {
    return this.links
      ? html`<a class="icon" href=${this.links.lobby}>${symbol("back")}<span>${word("back")}</span></a>`
      : html`<span></span>`;
  }

  moves(/** @type {Drawing} */ drawing, /** @type {Ctx} */ ctx, /** @type {{legal: Command[]}} */ { legal }) {
    const drawn = drawing.handles?.(ctx.view) ?? new Set();
    const shown = legal.filter((command) => !drawn.has(command.type)).slice(0, 60);
    return html`<section class="moves ${this.store.facts.hints ? "hinted" : ""}" part="moves" aria-label=${word("moves")}>
      ${drawing.panel?.(ctx) ?? nothing}
      ${shown.map(
        (command) =>
          html`<button aria-disabled=${this.store.sending} @click=${() => this.give(command)}>
            ${legal.length <= 9 ? ctx.key(command) : ctx.star([command])} ${drawing.mark?.(command) ?? nothing}
            ${ctx.sheet.told(command, ctx.name)}${drawing.risk?.(ctx, command) ?? nothing}
          </button>`,
      )}
      ${this.hints.render(ctx, this.isWide)}
    </section>`;
  }

  /** Open the replay at that item of the feed, from that perspective; it is loaded on first use. */
  async startReplay(n = 0, /** @type {string | null} */ perspective = null) {
    const loaded = await import("./replay.js").catch((error) => this.store.fail(error));
    if (!loaded || this.store.stop.signal.aborted) return this.changed();
    const leave = () => {
      this.replay = null;
      this.links?.lead?.(this.store.match, null);
      this.changed();
    };
    this.replay?.end();
    this.replay = new loaded.Replay(this, leave, perspective);
    this.replay.find(n);
    this.changed();
  }
}
