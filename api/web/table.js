// The frame around every game's table: who must do what, the question, the log, the result, and what concerns the match itself.

import { html, nothing, repeat } from "./lit.js";
import { Replay } from "./replay.js";
import { fill, say, word } from "./words.js";
import * as plain from "./draw-plain.js";

const DRAWN = new Set(["coup", "matchmaster", "meister-coup", "mondkrone", "stich-meister"]);
const drawings = new Map();

async function drawingOf(game) {
  if (!drawings.has(game)) drawings.set(game, DRAWN.has(game) ? await import(`./draw-${game}.js`) : plain);
  return drawings.get(game);
}

/** So many of the last items are told to who listens. */
const TOLD = 5;

export class TablePage {
  /** *links*: the addresses of the page around it, null on a page of somebody else; *keys*: where keys are listened to. */
  constructor(store, changed, links, keys) {
    Object.assign(this, { store, changed, links, target: keys, drawing: null, picked: new Set(), decision: null, reason: null, replay: null, logOpen: true });
    this.target.addEventListener("keydown", (this.keys = (event) => this.press(event)));
    this.clock = setInterval(() => this.store.view?.waiting && changed(), 1000);
  }

  close() {
    clearInterval(this.clock);
    this.target.removeEventListener("keydown", this.keys);
    this.store.close();
  }

  press(event) {
    const legal = this.store.view?.question?.legal;
    const typing = /INPUT|SELECT|TEXTAREA/.test(event.composedPath()[0].tagName);
    if (typing || event.ctrlKey || event.metaKey || event.altKey || this.replay) return;
    const number = Number(event.key);
    if (legal && legal.length <= 9 && number >= 1 && number <= legal.length) this.give(legal[number - 1]);
  }

  give(command) {
    this.picked.clear();
    this.reason = null;
    this.store.give(command);
  }

  render() {
    const { store } = this;
    if (store.refused) return html`<p class="notice" role="alert">${say(store.refused.problem?.message) || word("unreachable")}</p><p>${this.back()}</p>`;
    if (!store.view) return html`<p class="quiet">${word("loading")}</p>`;
    if (store.view.question?.decision !== this.decision) {
      this.decision = store.view.question?.decision;
      this.picked.clear();
      this.reason = null;
    }
    if (!this.drawing) drawingOf(store.facts.game).then((found) => ((this.drawing = found), this.changed()));
    if (this.replay) return this.replay.render(this);
    return html`
      <header class="bar" part="bar">${this.back()}<h1>${say(store.sheet.name)}</h1>${this.rules()}</header>
      ${store.connected ? nothing : html`<p class="notice" role="alert">${word("line")}</p>`}
      ${this.notice()}
      <p class="status ${store.view.question ? "mine" : ""}" part="status" role="status" tabindex="-1">${this.status()}</p>
      ${this.news()}
      <div class="board ${store.facts.game}" part="board">${store.view.table && this.drawing ? this.drawing.draw(this.context(store.view)) : this.seats()}</div>
      ${this.question()}
      ${store.view.status === "over" ? this.result() : nothing}
      ${this.log()}
      <footer class="buttons" part="controls">${this.controls()}</footer>`;
  }

  back() {
    return this.links ? html`<a href=${this.links.lobby}>${word("back")}</a>` : nothing;
  }

  /** The rules; on a page of somebody else in a window of their own. */
  rules() {
    const { client, facts } = this.store;
    if (this.links) return html`<a href=${this.links.rules(facts.game)}>${word("rules")}</a>`;
    return html`<a href=${`${client.base}#/rules/${facts.game}`} target="_blank" rel="noopener noreferrer">${word("rules")}</a>`;
  }

  /** What a game's drawing is given. */
  context(view, ask = true) {
    const { store } = this;
    return {
      view,
      table: view.table,
      sheet: store.sheet,
      question: ask ? view.question : null,
      picked: this.picked,
      name: (seat) => store.name(seat),
      give: (command) => this.give(command),
      pick: (card) => {
        this.picked.has(card) ? this.picked.delete(card) : this.picked.add(card);
        this.changed();
      },
      explain: (why) => {
        this.reason = why;
        this.changed();
      },
    };
  }

  notice() {
    const { notice } = this.store;
    if (!notice) return nothing;
    if (notice.caught) return html`<p class="notice" role="status">${notice.caught === 1 ? word("caught_one") : fill(word("caught_up"), { count: notice.caught })}</p>`;
    const text = typeof notice === "string" ? word(notice) : say(notice.problem?.message) || word("unreachable");
    return html`<p class="notice" role="alert">${text}</p>`;
  }

  status() {
    const { view, sheet } = this.store;
    if (view.status === "open") return word("waiting");
    if (view.status === "aborted") return word("aborted");
    if (view.status === "over") return word("over");
    if (!view.waiting) return word("loading");
    const sentence = sheet.sentence(view.waiting.prompt.key, view.waiting.prompt.arguments, (seat) => this.store.name(seat));
    const left = Math.max(0, Math.round((view.waiting.deadline_ms - Date.now()) / 1000));
    return html`${view.question ? html`<strong>${word("turn")}:</strong> ` : nothing}${sentence} ${left < 100 ? html`<span class="clock" aria-hidden="true">${left} s</span>` : nothing}`;
  }

  /** What has happened last, for whoever listens. */
  news() {
    const { items, sheet } = this.store;
    const told = (item) => html`<p>${sheet.told(item.event, (seat) => this.store.name(seat))}</p>`;
    return html`<div class="spoken" role="log" aria-label=${word("news")}>${repeat(items.slice(-TOLD), (item) => item.cursor, told)}</div>`;
  }

  seats() {
    const { facts, view } = this.store;
    const host = view.seat === 0;
    return html`<ol class="seats">${facts.chairs.map(
      (chair) => html`<li>${chair.name ?? chair.bot ?? html`<em>${word("empty")}</em>`}
        ${host && !chair.player && !chair.bot ? html`<button @click=${() => this.store.act(`seats/${chair.seat}/bot`, { bot: this.store.sheet.bots[0] }, "PUT")}>${word("seat_bot")}</button>` : nothing}</li>`,
    )}</ol>`;
  }

  question() {
    const { view, sheet } = this.store;
    if (this.reason) return html`<p class="reason" role="alert">${this.reason}</p>${this.moves(view, sheet)}`;
    return this.moves(view, sheet);
  }

  moves(view, sheet) {
    if (!view.question) return view.seat === null && view.status === "running" ? html`<p class="quiet">${word("spectator")}</p>` : nothing;
    const { legal } = view.question;
    const drawn = this.drawing?.handles?.(view) ?? new Set();
    const shown = legal.filter((command) => !drawn.has(command.type)).slice(0, 60);
    return html`<section class="moves" part="moves" aria-label=${word("moves")}>
      ${this.drawing?.panel?.(this.context(view)) ?? nothing}
      ${shown.map((command, place) => html`<button ?disabled=${this.store.sending} @click=${() => this.give(command)}>
        ${legal.length <= 9 ? html`<kbd>${place + 1}</kbd>` : nothing} ${sheet.told(command, (seat) => this.store.name(seat))}</button>`)}
    </section>`;
  }

  result() {
    const { view } = this.store;
    const placings = [...view.placings].sort((one, other) => one.rank - other.rank);
    return html`<section class="result" part="result"><h2>${word("result")}</h2><ol>${placings.map(
      (each) => html`<li value=${each.rank}>${this.store.name(each.seat)} ${each.score === null ? nothing : html`<span class="quiet">${each.score} ${word("points")}</span>`}</li>`,
    )}</ol></section>`;
  }

  log() {
    const { items, sheet } = this.store;
    const people = (seat) => this.store.name(seat);
    return html`<details class="log" part="log" ?open=${false}><summary>${word("log")} (${items.length})</summary>
      <ol reversed tabindex="0" aria-label=${word("log")}>${[...items].reverse().slice(0, 200).map((item) => html`<li>${sheet.told(item.event, people)}</li>`)}</ol></details>`;
  }

  controls() {
    const { store, links } = this;
    const { view, facts } = store;
    const act = (what, body = null, method = "POST") => () => store.act(what, body, method);
    const host = view.seat === 0;
    return [
      view.status === "open" && host ? html`<button class="main" @click=${act("start")}>${word("start")}</button>` : nothing,
      view.status === "open" && links ? html`<button @click=${() => navigator.clipboard?.writeText(links.invitation(store.match)).then(() => ((store.notice = "copied"), this.changed()))}>${word("invite")}</button>` : nothing,
      view.status === "open" && view.seat === null && links ? html`<button class="main" @click=${async () => (await store.client.signUp(), store.act("seats", {}))}>${word("join")}</button>` : nothing,
      view.status === "over" && view.seat !== null && !facts.rematch ? html`<button class="main" @click=${act("rematch")}>${word("again")}</button>` : nothing,
      facts.rematch && links ? html`<a class="button main" href=${links.match(facts.rematch)}>${word("again")}</a>` : nothing,
      view.status === "over" ? html`<button @click=${() => this.startReplay()}>${word("replay")}</button>` : nothing,
      view.status === "running" && view.seat !== null ? html`<button @click=${act("abort")}>${word("abort")}</button>` : nothing,
      view.status !== "over" && view.seat !== null ? html`<button @click=${act("seats/me", null, "DELETE")}>${word("leave")}</button>` : nothing,
    ];
  }

  startReplay() {
    this.replay = new Replay(this.store, this.changed, () => ((this.replay = null), this.changed()));
    this.replay.go(0);
  }
}
