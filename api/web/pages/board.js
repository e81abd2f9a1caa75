// A table of who stands where: a head, and a line for each, of which the reader's own is marked.

import { html, nothing } from "../vendor/lit.js";

/**
 * A line: its cells in the order of the head, and whether it is the reader's.
 * @typedef {{mine: boolean, cells: unknown[]}} Line
 */

/**
 * A table that scrolls by itself where it is wider than the page; `label` says what it is.
 * @param {string} label
 * @param {string[]} head
 * @param {Line[]} lines
 */
export const board = (label, head, lines) =>
  html`<div class="scroll" tabindex="0" role="group" aria-label=${label}>
    <table class="boards">
      <thead>
        <tr>
          ${head.map((title) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ({ mine, cells }) =>
            html`<tr class=${mine ? "me" : nothing}>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
