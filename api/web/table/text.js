// Text mode: the whole table as text with a command line. Events and moves are worded by the service.

import { html, nothing } from "../vendor/lit.js";
import { told } from "./log.js";
import { isAsked } from "../core/store.js";
import { word } from "../core/words.js";

const LINES = 40;

export class TextMode {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    this.answer = [];
    this.seen = 0;
  }

  /** The possible commands, as texts with their numbers. */
  moves(ctx) {
    return (ctx.question?.legal ?? []).map((command, place) => ({
      command,
      line: `${place + 1}  ${ctx.sheet.told(command, ctx.name)}`,
    }));
  }

  say(...lines) {
    this.answer = lines;
    this.page.changed();
  }

  /** Run a line: the number of a move, the beginning or a part of its text, or one of a few words. */
  run(line, ctx) {
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

  lines(ctx) {
    const { store } = this.page;
    const lines = store.items
      .slice(-LINES)
      .map((item) => told(item.event, ctx.sheet, ctx.name, ctx.you))
      .filter((line) => line !== null);
    return { told: lines, table: ctx.table ? (this.page.drawing.text?.(ctx) ?? []) : [] };
  }

  render(ctx) {
    const { told: lines, table } = this.lines(ctx);
    const moves = this.moves(ctx);
    const submit = (event) => {
      event.preventDefault();
      const box = event.target.elements.line;
      this.run(box.value, ctx);
      box.value = "";
    };
    return html`<section class="textmode">
      <h2>${word("log")}</h2>
      <pre class="told" role="log" tabindex="0">${lines.join("\n")}</pre>
      <h2>${word("table")}</h2>
      <pre tabindex="0">${table.join("\n")}</pre>
      <p class="status ${isAsked(ctx.view) ? "mine" : ""}" role="status">${this.page.status()}</p>
      ${
        moves.length
          ? html`<h2>${word("moves")}</h2>
              <pre tabindex="0">${moves.map((move) => move.line).join("\n")}</pre>`
          : nothing
      }
      ${ctx.question ? this.page.hints.render(ctx) : nothing}
      ${this.answer.length ? html`<pre role="alert">${this.answer.join("\n")}</pre>` : nothing}
      <form @submit=${submit}>
        <label
          >${word("command")}
          <input name="line" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="1"
        /></label>
        <button class="main">${word("do_it")}</button>
      </form>
      ${ctx.view.status === "over" ? this.page.ending.render() : nothing}
      ${ctx.view.status === "over" ? nothing : html`<footer class="buttons">${this.page.controls.render()}</footer>`}
    </section>`;
  }
}
