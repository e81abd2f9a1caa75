// A game's rule sheet. It is Markdown, limited to the elements that the sheets use.

import { html, nothing } from "../vendor/lit.js";
import { sheetOf } from "../core/sheet.js";
import { spoken, word } from "../core/words.js";
import { unloaded } from "./dead-end.js";

export class Rules {
  constructor(
    /** @type {import("../core/client.js").Client} */ client,
    /** @type {string} */ game,
    /** @type {() => void} */ changed,
  ) {
    this.client = client;
    this.game = game;
    this.changed = changed;
    /** @type {string | null} */
    this.text = null;
    /** @type {unknown} */
    this.error = null;
    /** @type {import("../vendor/lit.js").Drawn | null} */
    this.pictures = null;
  }

  async load() {
    this.illustrate();
    try {
      this.text = await this.client.get(`games/${this.game}/rules?lang=${spoken()}`);
      this.error = null;
    } catch (error) {
      this.error = error;
    }
    this.changed();
  }

  /** Load the pictures; the sheet is shown without them until they are there. */
  async illustrate() {
    try {
      const [{ examples }, { drawingOf }, sheet] = await Promise.all([
        import("./examples.js"),
        import("../table/drawings.js"),
        sheetOf(this.client, this.game),
      ]);
      this.pictures = examples(sheet, await drawingOf(this.game));
    } catch {
      this.pictures = null;
    }
    this.changed();
  }

  render() {
    if (this.error) return unloaded(this.error);
    return html`<article class="rules">
      <p><a href="#/">${word("back")}</a></p>
      ${this.content()}
    </article>`;
  }

  /** The sheet itself. */
  content() {
    if (this.text === null) return word("loading");
    const [title, ...rest] = blocks(this.text);
    return html`${title}${this.pictures ?? nothing}${rest}`;
  }
}

/**
 * Return the blocks of a Markdown text: headings, lists, tables, paragraphs.
 * @param {string} text
 * @returns {unknown[]}
 */
function blocks(text) {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((block) => {
      const lines = block.split("\n");
      const heading = /^(#+) (.*)/.exec(lines[0]);
      if (heading) {
        const rest = lines.slice(1).join("\n");
        const title = heading[1].length === 1 ? html`<h1>${inline(heading[2])}</h1>` : html`<h2>${inline(heading[2])}</h2>`;
        return html`${title}${rest ? blocks(rest) : ""}`;
      }
      if (lines.every((line) => line.startsWith("|"))) return table(lines);
      if (/^(-|\*) /.test(lines[0]))
        return html`<ul>
          ${items(block, /\n(?=(?:-|\*) )/).map((item) => html`<li>${inline(item.replace(/^(-|\*) /, ""))}</li>`)}
        </ul>`;
      if (/^\d+\. /.test(lines[0]))
        return html`<ol>
          ${items(block, /\n(?=\d+\. )/).map((item) => html`<li>${inline(item.replace(/^\d+\. /, ""))}</li>`)}
        </ol>`;
      return html`<p>${inline(block)}</p>`;
    });
}

const items = (/** @type {string} */ block, /** @type {RegExp} */ between) => block.split(between);

/** On a small screen, a table with more than three columns and a cell longer than this is shown as a list of its rows. */
const LONG = 20;

function table(/** @type {string[]} */ lines) {
  const rows = lines
    .filter((line) => !/^\|[\s:|-]+\|$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
  const [head, ...body] = rows;
  const wordy = head.length > 3 && body.flat().some((cell) => cell.length > LONG);
  return html`<div class="scroll" tabindex="0" role="group">
    <table class=${wordy ? "wordy" : ""}>
      <thead>
        <tr>
          ${head.map((cell) => html`<th>${inline(cell)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${body.map(
          (row) =>
            html`<tr>
              ${row.map((cell, place) => html`<td class=${cell === "-" ? "nothing" : ""} data-head=${head[place]}>${inline(cell)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Return a line with its **strong** and \`code\` parts marked. */
function inline(/** @type {string} */ text) {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`|\*[^*]+\*)/).map((part) => {
    if (part.startsWith("**")) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("*") && part.length > 2) return html`<em>${part.slice(1, -1)}</em>`;
    return part;
  });
}
