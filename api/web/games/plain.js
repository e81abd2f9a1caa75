// Any game: everything its view contains, as a list. For games without a drawing of their own.

import { html, nothing } from "../vendor/lit.js";

/** @import { Ctx } from "../drawing" */

/** Fields that hold lists of cards, by the names that games use. */
const CARDS = new Set(["hand", "hands", "trick", "pile"]);
const HIDDEN = new Set(["options", "decision", "type", "seat", "seats"]);

export function draw(/** @type {Ctx} */ ctx) {
  const { seats = [], ...rest } = ctx.table;
  return html`<div class="plain">
    ${
      Array.isArray(seats) && typeof seats[0] === "object"
        ? seats.map(
            (seat) =>
              html`<article class="seat">
                <header><strong>${ctx.name(seat.seat)}</strong></header>
                ${pairs(seat, ctx)}
              </article>`,
          )
        : nothing
    }
    ${pairs(rest, ctx)}
  </div>`;
}

function pairs(/** @type {object} */ thing, /** @type {Ctx} */ ctx) {
  return html`<dl>
    ${Object.entries(thing)
      .filter(([name, value]) => !HIDDEN.has(name) && value !== null && !(Array.isArray(value) && !value.length))
      .map(
        ([name, value]) =>
          html`<dt>${name.replaceAll("_", " ")}</dt>
            <dd>${ctx.sheet.word(CARDS.has(name) ? "cards" : name, value, ctx.name)}</dd>`,
      )}
  </dl>`;
}
