// Coup: influence, coins, claims as speech, and the court deck.

import { html, nothing } from "./lit.js";
import { back, face, seatLine } from "./cards.js";

export function draw(ctx) {
  const { table } = ctx;
  return html`<div class="ring">${table.seats.map((seat) => place(ctx, seat))}</div>
    <p class="middle">${back("hidden", "")} × ${table.court_size}</p>
    ${table.seat === null ? nothing : own(ctx)}`;
}

const look = (ctx, role) => ({ suit: role, mark: ctx.sheet.term("role", role)[0], name: ctx.sheet.term("role", role) });

function place(ctx, seat) {
  const cards = html`<div class="cards">
    ${Array.from({ length: seat.influence }, () => back())}
    ${seat.face_up.map((role) => html`<span class="lost">${face(look(ctx, role))}</span>`)}</div>`;
  const speech = said(ctx, seat.seat);
  return seatLine(ctx, seat.seat, html`<span class="coins">${seat.coins} ●</span>`, html`${cards}${speech ? html`<p class="speech">${speech}</p>` : nothing}`);
}

/** What a seat has just claimed. */
function said(ctx, seat) {
  const { table, sheet } = ctx;
  if (seat === table.blocker && table.block_role) return `${sheet.term("role", table.block_role)}!`;
  if (seat === table.turn && table.action) {
    const claim = table.role ? `${sheet.term("role", table.role)}: ` : "";
    const target = table.target === null ? "" : ` → ${ctx.name(table.target)}`;
    return `${claim}${sheet.term("action", table.action)}${target}`;
  }
  return null;
}

function own(ctx) {
  const { table } = ctx;
  return html`<div class="tray"><div class="cards">${[...table.hand, ...table.drawn].map((role) => face(look(ctx, role)))}
    ${table.examined ? html`<span class="shown">${face(look(ctx, table.examined))}</span>` : nothing}</div></div>`;
}
