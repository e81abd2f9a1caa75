// How the newest round of a view ended, for everyone.

import { html, nothing, ref } from "../vendor/lit.js";
import { contextOf } from "./context.js";
import { word } from "../core/words.js";

/** A player who has scrolled down to the hand sees what the card is about. */
const reveal = (/** @type {Element | undefined} */ heading) =>
  requestAnimationFrame(() => heading?.scrollIntoView({ block: "nearest" }));

/**
 * *waits*: a button continues, too.
 * @type {(page: import("./table.js").TablePage, view: import("../drawing").Seen, waits?: boolean) => unknown}
 */
export function roundResult(page, view, waits = false) {
  const { store, drawing } = page;
  const result = drawing?.ended?.(contextOf(page, view, false));
  if (!result) return nothing;
  return html`<section class="round-result" role="status">
    <h2 ${waits ? ref(reveal) : nothing}>${result.title}</h2>
    <div class="scroll" tabindex="0" role="group">
      <table class="scores">
        <thead>
          <tr>
            <td></td>
            ${result.heads.map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${result.rows.map(
            (cells, seat) =>
              html`<tr class=${seat === store.view.seat ? "me" : ""}>
                <th scope="row" title=${store.name(seat)}>${store.name(seat)}</th>
                ${cells.map((cell) => html`<td>${cell}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${waits ? html`<button class="main go-on">${word("go_on")}</button>` : nothing}
  </section>`;
}
