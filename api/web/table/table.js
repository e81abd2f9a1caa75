// The frame around every game's table: whose turn it is, the question, the result, and what concerns the match itself.

import { html, keyed, nothing, repeat } from "../vendor/lit.js";
import { Hints } from "./advice.js";
import { Controls } from "./controls.js";
import { drawingOf } from "./drawings.js";
import { Ending } from "./ending.js";
import { Learning } from "./learning.js";
import { log, told } from "./log.js";
import { Orders } from "./orders.js";
import { Replay } from "./replay.js";
import { settings, switches } from "../core/settings.js";
import { byHand, offers } from "./share.js";
import { isAsked } from "../core/store.js";
import { sound } from "../core/sound.js";
import { Stage } from "./stage.js";
import { symbol } from "../core/symbols.js";
import { TextMode } from "./text.js";
import { fill, listed, say, word } from "../core/words.js";

/** Whether the question belongs to the viewer's own turn: no one else is asked, and no one else is acting. */
const isTurn = ({ waiting, seat }) => waiting.seats.length === 1 && (waiting.prompt.arguments.actor ?? seat) === seat;

/** Number of recent items announced to screen readers. */
const TOLD = 5;

/** Events that put a card on the table. */
const CARD = /\.card-(played|discarded)\./;

/** What is heard of events; a trick is said by the game's drawing. */
/** @type {["coins" | "claim" | "card", RegExp][]} */
const SOUNDS = [
  ["coins", /\.(coins-taken|coins-stolen)\./],
  ["claim", /\.(action-declared|action-blocked|claim-challenged)\./],
  ["card", /\.(card-played|card-discarded|cards-drawn|influence-lost|dealt|round-dealt)\./],
];
const soundOf = (type) => SOUNDS.find(([, kind]) => kind.test(type))?.[0] ?? null;

/** The clock is shown when fewer seconds than this are left. */
const SHORT = 100;

export class TablePage {
  /** *links*: addresses of the surrounding page, null on another site's page; *keys*: the target on which keys are listened to. */
  constructor(/** @type {import("../core/store.js").Store} */ store, changed, links, keys) {
    this.store = store;
    this.changed = changed;
    this.links = links;
    /** @type {ShadowRoot | null} */
    this.root = null;
    this.target = keys;
    /** @type {import("../contract").Drawing | null} */
    this.drawing = null;
    this.picked = new Set();
    this.decision = null;
    this.reason = null;
    this.replay = null;
    this.heard = null;
    this.logBox = null;
    this.keepLog = (box) => (this.logBox = box ?? null);
    this.wide = globalThis.matchMedia("(min-width: 60rem)").matches;
    this.open = { aid: this.wide, last: this.wide, sheet: this.wide, log: this.wide };
    this.text = new TextMode(this);
    this.stage = new Stage(this);
    this.orders = new Orders(this);
    this.controls = new Controls(this);
    this.ending = new Ending(this);
    this.hints = new Hints(this);
    this.learning = new Learning(this);
    /** The commands of the buttons with a number or a letter, by their key. */
    this.keyed = new Map();
    this.wanted = links?.wanted?.() ?? null;
    this.target.addEventListener("keydown", (this.keys = (event) => this.press(event)));
    this.clock = setInterval(() => this.store.view?.waiting && changed(), 1000);
  }

  close() {
    clearInterval(this.clock);
    this.stage.close();
    this.target.removeEventListener("keydown", this.keys);
    this.learning.close();
    this.store.close();
  }

  press(event) {
    const typing = /INPUT|SELECT|TEXTAREA/.test(event.composedPath()[0].tagName);
    if (typing || event.ctrlKey || event.metaKey || event.altKey || this.controls.confirm.asked) return undefined;
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

  give(command) {
    this.picked.clear();
    this.reason = null;
    this.stage.finish();
    this.store.give(command);
  }

  toggle(part, open = !this.open[part]) {
    this.open[part] = open;
    this.changed();
  }

  render() {
    const { store } = this;
    if (store.refused)
      return html`<p class="notice" role="alert">${this.refusedFor()}</p>
        ${this.links ? html`<p><a href=${this.links.lobby}>${word("back")}</a></p>` : nothing}`;
    if (!store.view) return html`<p class="quiet">${word("loading")}</p>`;
    this.keyed.clear();
    return html`<div
      class="${settings.still ? "still" : ""} at-${store.facts.game}"
      @click=${{ handleEvent: (event) => this.learning.click(event), capture: true }}
    >
      <header class="bar" part="bar">
        ${this.back()}
        <h1>${say(store.sheet.name)}</h1>
        <nav>${switches(this.changed, this.links ? offers(store) : nothing)}${this.learning.buttons()}</nav>
      </header>
      <div class="flights" aria-hidden="true"></div>
      ${store.connected ? (store.client.waiting ? html`<p class="notice" role="status">${word("busy")}</p>` : nothing) : html`<p class="notice" role="alert">${word("line")}</p>`}
      ${store.client.aside ? html`<p class="notice" role="status">${word("stale")}</p>` : nothing}${this.notice()}${this.practice()}${store.view.status === "running" ? html`${this.standIns()}${this.controls.wishes()}` : nothing}
      ${this.learning.render()}${this.replay ? this.replay.render() : settings.text && this.drawing ? this.text.render(this.context(store.view)) : this.table()}
    </div>`;
  }

  /** Return the game's drawing, once it is loaded. */
  async ready() {
    const known = this.drawing;
    this.drawing = await drawingOf(this.store.facts.game);
    if (known) return known;
    this.hear();
    this.changed();
    return this.drawing;
  }

  /** Why nothing can be shown. */
  refusedFor() {
    const { problem } = this.store.refused;
    return problem?.status === 404 ? word("no_match") : say(problem?.message) || word("unreachable");
  }

  /** What a change of the store causes besides the picture. */
  hear() {
    const { view, items } = this.store;
    if (!view || this.store.refused) return;
    if (!this.drawing) this.ready();
    const news = this.heard !== null && items.length > this.heard.items;
    const asked = view.question && view.question.decision !== this.decision;
    if (view.question?.decision !== this.decision) {
      this.decision = view.question?.decision;
      this.picked.clear();
      this.reason = null;
    }
    if (view.status === "over" && this.heard?.status === "running") sound("over");
    else if (asked && this.heard) sound("turn");
    else if (news && !this.stage.moves) this.sounds(items.slice(this.heard.items));
    this.heard = { items: items.length, status: view.status };
    this.orders.hear();
    this.stage.hear();
    this.ending.open();
    if (this.wanted && items.length >= this.wanted.n) this.lookBack(this.wanted);
  }

  /** Go to the place in the address. */
  lookBack({ n, perspective }) {
    this.wanted = null;
    queueMicrotask(() => this.startReplay(n, this.store.view.status === "over" ? perspective : null));
  }

  /** The sound of the newest of some items that has one; the end of a trick counts for more than its last card. */
  sounds(items, trick = items.some(({ event }) => this.drawing?.trickDone?.test(event.type))) {
    const kinds = items.map(({ event }) => soundOf(event.type));
    const found = trick ? "trick" : kinds.findLast((kind) => kind !== null);
    if (found) sound(found);
  }

  table() {
    const { store, stage } = this;
    const { view } = stage;
    const drawn = view.table && this.drawing;
    const over = store.view.status === "over" && !stage.busy;
    return html`<p
        class="status ${isAsked(view) ? "mine" : ""} ${store.view.table ? "steady" : ""}"
        part="status"
        role="status"
        tabindex="-1"
      >
        ${this.status()}
      </p>
      ${this.news()}
      <div class="play">
        <div class="felt">
          <div
            class="board ${store.facts.game} ${stage.shown ? "resting" : ""}"
            part="board"
            @pointerdown=${() => stage.down()}
            @click=${{ handleEvent: (event) => stage.click(event), capture: true }}
          >
            ${
              stage.shown?.kind === "round"
                ? this.round(view, true)
                : html`${drawn ? this.drawing.draw(this.context(view)) : this.seats()}
                  ${drawn && view.seat !== null ? this.tray(view) : this.watching()}`
            }
          </div>
          ${over ? this.ending.render() : nothing}
        </div>
        <aside class="side">
          ${store.view.table && this.drawing ? this.side(this.context(store.view)) : nothing}
          ${over ? nothing : html`<footer class="buttons" part="controls">${this.controls.render()}</footer>`}
        </aside>
      </div>`;
  }

  /** What lies before the viewer, and what the viewer can do with it. */
  tray(view) {
    return html`<div class="tray">
      ${this.drawing.own?.(this.context(view)) ?? nothing}${this.reason ? html`<p class="reason" role="alert">${this.reason}</p>` : nothing}${this.orders.render()}${view.question ? keyed(view.question.decision, this.moves(view)) : this.bar()}
    </div>`;
  }

  /** The answers to reactions have reserved space all the time, so that nothing moves when they appear. */
  bar() {
    return this.drawing.pass ? html`<div class="moves" aria-hidden="true"></div>` : nothing;
  }

  watching() {
    const { view } = this.store;
    return view.seat === null && view.status === "running" ? html`<p class="quiet watching">${word("spectator")}</p>` : nothing;
  }

  /** How the newest round of a view ended, for everyone; *waits*: a button continues it, too. */
  round(view, waits = false) {
    const { title, heads, rows } = this.drawing.ended(this.context(view, false));
    return html`<section class="round-result" role="status">
      <h2>${title}</h2>
      <div class="scroll" tabindex="0" role="group">
        <table class="scores">
          <thead>
            <tr>
              <th></th>
              ${heads.map((head) => html`<th scope="col">${head}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (cells, seat) =>
                html`<tr class=${seat === this.store.view.seat ? "me" : ""}>
                  <th scope="row" title=${this.store.name(seat)}>${this.store.name(seat)}</th>
                  ${cells.map((cell) => html`<td>${cell}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${waits ? html`<button class="main go-on">${word("go_on")}</button>` : nothing}
    </section>`;
  }

  side(ctx) {
    const last = this.drawing.last?.(ctx) ?? nothing;
    const sheet = this.drawing.sheet?.(ctx) ?? nothing;
    return html`${this.part("aid", word("aid"), this.drawing.aid?.(ctx) ?? nothing)}${this.part("last", html`${word("last_trick")} <kbd>L</kbd>`, last)}${this.part("sheet", word("sheet"), sheet)}${log(this, ctx)}`;
  }

  part(name, title, content) {
    if (content === nothing) return nothing;
    return html`<details class=${name} ?open=${this.open[name]} @toggle=${(event) => this.toggle(name, event.target.open)}>
      <summary>${title}</summary>
      ${content}
    </details>`;
  }

  back() {
    return this.links
      ? html`<a class="icon" href=${this.links.lobby}>${symbol("back")}<span>${word("back")}</span></a>`
      : html`<span></span>`;
  }

  /** The context that a game's drawing receives. */
  context(view, ask = true, newest = ask ? this.newest() : null) {
    const { store } = this;
    return {
      view,
      you: store.view.seat,
      table: view.table,
      sheet: store.sheet,
      question: ask ? view.question : null,
      newest,
      opened: view.status === "over" ? this.ending.opened : new Map(),
      chair: (seat) => store.facts.chairs[seat],
      key: (command, key) => html`${this.hints.star(view.question, [command])}${this.keyOf(view, command, key)}`,
      star: (commands) => this.hints.star(ask ? view.question : null, commands),
      picked: this.picked,
      name: (seat) => store.name(seat),
      give: (command) => this.give(command),
      pick: (card) => {
        this.picked.has(card) ? this.picked.delete(card) : this.picked.add(card);
        this.changed();
      },
      refusal: (each) => this.refusal(each),
      explain: (why) => {
        this.reason = why;
        this.changed();
      },
    };
  }

  /** The label of a button's key, which gives the command while the button is there. */
  keyOf({ question }, command, key = String(question.legal.indexOf(command) + 1)) {
    if (key.length > 1 || (this.stage.shown && !this.replay)) return nothing;
    this.keyed.set(key, command);
    return html`<kbd>${key}</kbd>`;
  }

  /** The card played most recently. */
  newest() {
    return this.store.items.findLast(({ event }) => CARD.test(event.type))?.event.card ?? null;
  }

  /** Why something is refused, with names in place of seats. */
  refusal({ code, arguments: given, message }) {
    const { sheet } = this.store;
    const key = code.replace(`${sheet.id}.`, `${sheet.id}.refusal.`);
    return sheet.text(key) ? sheet.sentence(key, given, (seat) => this.store.name(seat)) : say(message);
  }

  notice() {
    const { notice } = this.store;
    if (!notice) return nothing;
    if (notice.caught)
      return html`<p class="notice" role="status">
        ${notice.caught === 1 ? word("caught_one") : fill(word("caught_up"), { count: notice.caught })}
      </p>`;
    if (notice.text) return byHand(notice.text);
    const text = typeof notice === "string" ? word(notice) : say(notice.problem?.message) || word("unreachable");
    return html`<p class="notice" role="alert">${text}</p>`;
  }

  /** A link to the match from which this practice match branches off. */
  practice() {
    const { branch } = this.store.facts;
    return branch
      ? html`<p class="notice practice">
          ${word("practice")} ${this.links ? html`<a href=${this.links.match(branch.match)}>${word("earlier")}</a>` : nothing}
        </p>`
      : nothing;
  }

  status() {
    const { sheet } = this.store;
    const { view, shown: rests } = this.stage;
    if (rests?.kind === "trick") return this.taken(rests);
    if (rests) return word("round_over");
    if (view.status === "open") return this.missing();
    if (view.status === "aborted") return word("aborted");
    if (view.status === "over") return word("over");
    if (!view.waiting) return word("loading");
    const sentence = sheet.sentence(
      view.waiting.prompt.key,
      view.waiting.prompt.arguments,
      (seat) => this.store.name(seat),
      view.seat,
    );
    if (view.question?.answered) return html`${word("stands")}${this.clock_of(view.waiting)}`;
    return html`${view.question ? html`<strong>${isTurn(view) ? word("turn") : word("answer")}:</strong> ` : nothing}${sentence}${this.clock_of(view.waiting)}`;
  }

  /** Who took the trick on display, and why. */
  taken({ trick, view }) {
    const why = this.drawing.reason?.(this.context(view), trick) ?? null;
    const taken =
      trick.winner === view.seat ? word("take_trick") : fill(word("takes_trick"), { name: this.store.name(trick.winner) });
    return html`${taken}${why ? html`: ${why}` : "."}`;
  }

  /** What an open match waits for: players, or its host. */
  missing() {
    const { facts } = this.store;
    if (facts.chairs.some((chair) => !chair.player && !chair.bot)) return word("waiting");
    if (this.controls.isHost) return word("full_host");
    const host = facts.chairs.find((chair) => chair.player === facts.host);
    return fill(word("full"), { host: host ? this.store.name(host.seat) : (facts.host_name ?? word("guest")) });
  }

  clock_of({ deadline_ms: deadline, seats }) {
    const left = Math.max(0, Math.round((deadline - Date.now()) / 1000));
    if (left >= SHORT) return nothing;
    const { clock } = this.store.facts;
    const whole = seats.length > 1 ? clock.reaction_seconds : clock.turn_seconds;
    return html` <span aria-hidden="true" class="clock ${left < 10 ? "short" : ""}">${left} s</span
      ><span class="fuse" .style=${`width: ${Math.min(100, (100 * left) / whole)}%`}></span>`;
  }

  /** The latest events, for screen readers. */
  news() {
    const { items, sheet } = this.store;
    const said = items
      .slice(-4 * TOLD)
      .map((item) => [item.cursor, told(item.event, sheet, (seat) => this.store.name(seat), this.store.view.seat)])
      .filter(([, text]) => text);
    return html`<div class="spoken" role="log" aria-label=${word("news")}>
      ${repeat(
        said.slice(-TOLD),
        ([cursor]) => cursor,
        ([, text]) => html`<p>${text}</p>`,
      )}
    </div>`;
  }

  seats() {
    const { facts } = this.store;
    const host = this.controls.isHost;
    return html`<ol class="seats">
      ${facts.chairs.map(
        (chair) =>
          html`<li>
            ${chair.name || chair.bot ? html`<strong>${this.store.name(chair.seat)}</strong>` : html`<em>${word("empty")}</em>`}${chair.bot ? html` <span class="quiet">${word("computer")}</span>` : nothing}${chair.program ? html` <span class="quiet">${word("program")}</span>` : nothing}
            ${host && !chair.player && !chair.bot ? html`<button @click=${() => this.store.act(`seats/${chair.seat}/bot`, { bot: this.store.sheet.bots[0] }, "PUT")}>${word("seat_bot")}</button>` : nothing}
          </li>`,
      )}
    </ol>`;
  }

  moves(view) {
    const { legal } = view.question;
    const ctx = this.context(view);
    const drawn = this.drawing.handles?.(view) ?? new Set();
    const shown = legal.filter((command) => !drawn.has(command.type)).slice(0, 60);
    return html`<section class="moves" part="moves" aria-label=${word("moves")}>
      ${this.drawing.panel?.(ctx) ?? nothing}
      ${shown.map(
        (command) =>
          html`<button aria-disabled=${this.store.sending} @click=${() => this.give(command)}>
            ${legal.length <= 9 ? ctx.key(command) : ctx.star([command])} ${this.drawing.mark?.(command) ?? nothing}
            ${ctx.sheet.told(command, ctx.name)}
          </button>`,
      )}
      ${this.hints.render(ctx)}
    </section>`;
  }

  /** Players for whom computers stand in, as they left or do not answer. */
  standIns() {
    const { facts, view } = this.store;
    const names = facts.chairs
      .filter((chair) => chair.player && chair.bot && chair.seat !== view.seat)
      .map((chair) => this.store.name(chair.seat));
    return names.length
      ? html`<p class="notice stood-in" role="status">${fill(word("stood_in"), { names: listed(names) })}</p>`
      : nothing;
  }

  /** Open the replay at that item of the feed, from that perspective. */
  startReplay(n = 0, perspective = null) {
    const leave = () => {
      this.replay = null;
      this.links?.lead?.(this.store.match, null);
      this.changed();
    };
    this.replay = new Replay(this, leave, perspective);
    this.replay.find(n);
    this.changed();
  }
}
