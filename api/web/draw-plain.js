// Any game: all that its view says, as a list. For games that have no drawing of their own.

import { html, nothing } from "./lit.js";

/** Lists of cards, by the names that games give them. */
const CARDS = new Set(["hand", "hands", "trick", "pile"]);
const HIDDEN = new Set(["options", "decision", "type", "seat", "seats"]);

export function draw(ctx) {
  const { seats = [], ...rest } = ctx.table;
  return html`<div class="plain">
    ${Array.isArray(seats) && typeof seats[0] === "object" ? seats.map((seat) => html`<article class="seat"><header><strong>${ctx.name(seat.seat)}</strong></header>${pairs(seat, ctx)}</article>`) : nothing}
    ${pairs(rest, ctx)}
  </div>`;
}

function pairs(thing, ctx) {
  return html`<dl>${Object.entries(thing)
    .filter(([name, value]) => !HIDDEN.has(name) && value !== null && !(Array.isArray(value) && !value.length))
    .map(([name, value]) => html`<dt>${name.replaceAll("_", " ")}</dt><dd>${ctx.sheet.word(CARDS.has(name) ? "cards" : name, value, ctx.name)}</dd>`)}</dl>`;
}
