// Text mode: the whole table as text with a command line. Events and moves are worded by the service.

import { html, nothing } from "../vendor/lit.js";
import { contextOf } from "./context.js";
import { hasTable } from "./drawings.js";
import { told } from "./log.js";
import { status } from "./status.js";
import { isAsked } from "../core/store.js";
import { word } from "../core/words.js";

const LINES = 40;

/** @typedef {import("../drawing").Ctx} Ctx */

export class TextMode {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    /** @type {string[]} */
    this.answer = [];
  }

  /**
   * The possible commands, as texts with their numbers.
   * @returns {{command: import("../contract").Command, line: string}[]}
   */
  moves(/** @type {Ctx | null} */ ctx) {
    if (!ctx) return [];
    return (ctx.question?.legal ?? []).map((command, place) => ({
      command,
      line: `${place + 1}  ${ctx.sheet.told(command, ctx.name)}`,
    }));
  }

  say(/** @type {string[]} */ ...lines) {
    this.answer = lines;
    this.page.changed();
  }

  /** Run a line: the number of a move, the beginning or a part of its text, or one of a few words. */
  run(/** @type {string} */ line, /** @type {Ctx | null} */ ctx) {
    const wish = line.trim().toLowerCase();
    const moves = this.moves(ctx);
    if (!wish || wish === "?" || wish === "help" || wish === "hilfe") return this.say(word("text_help"));
    const found = /^\d+$/.test(wish)
      ? moves.filter((_, place) => place + 1 === Number(wish))
      : moves.filter((move) => move.line.toLowerCase().includes(wish));
    const exact = found.filter((move) => move.line.toLowerCase().endsWith(`  ${wish}`));
    const [chosen] = exact.length === 1 ? exact : found;
    if (!found.length) return this.say(`${word("text_unknown")} ${line}`);
    if (found.length > 1 && exact.length !== 1) return this.say(word("text_several"), ...found.map((move) => move.line));
    this.answer = [`> ${chosen.line}`];
    return this.page.give(chosen.command);
  }

  /** The newest lines of the log. */
  log() {
    const { store } = this.page;
    return store.items
      .slice(-LINES)
      .map((item) => told(item.event, store.sheet, (seat) => store.name(seat), store.view.seat))
      .filter((line) => line !== null);
  }

  /** Before a match has started, there is no table to be drawn. */
  render() {
    const { page } = this;
    const { view } = page.store;
    const ctx = hasTable(view) ? contextOf(page, view) : null;
    const moves = this.moves(ctx);
    const submit = (/** @type {import("../contract").At<HTMLFormElement>} */ event) => {
      event.preventDefault();
      const box = /** @type {HTMLInputElement} */ (event.target.elements.namedItem("line"));
      this.run(box.value, ctx);
      box.value = "";
    };
    return html`${page.news.render()}
      <section class="textmode">
        <h2>${word("log")}</h2>
        <pre class="told" tabindex="0">${this.log().join("\n")}</pre>
        <h2>${word("table")}</h2>
        <pre tabindex="0">${((ctx && page.drawing?.text?.(ctx)) ?? []).join("\n")}</pre>
        <p class="status ${isAsked(view) ? "mine" : ""}" role="status" aria-live="off">${status(page)}</p>
        ${
          moves.length
            ? html`<h2>${word("moves")}</h2>
                <pre tabindex="0">${moves.map((move) => move.line).join("\n")}</pre>`
            : nothing
        }
        ${ctx?.question ? page.hints.render(ctx) : nothing}
        ${this.answer.length ? html`<pre role="alert">${this.answer.join("\n")}</pre>` : nothing}
        <form @submit=${submit}>
          <label
            >${word("command")}
            <input name="line" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="1"
          /></label>
          <button class="main">${word("do_it")}</button>
        </form>
        ${view.status === "over" ? page.ending?.render() : nothing}
        ${view.status === "over" ? nothing : html`<footer class="buttons">${page.controls.render()}</footer>`}
      </section>`;
  }
}
