// MatchMaster: sealed bids, bids against tricks, trump marked by a frame as well as by its colour, and the score sheet.

import { html, nothing } from "./lit.js";
import { hand, reasons, seatLine, trickOf } from "./cards.js";
import { word } from "./words.js";

const SUITS = ["dark_orange", "light_orange", "dark_blue", "light_blue"];

const suit = (card) => SUITS[Math.floor(card / 13)];

const look = (ctx) => (card) => ({
  suit: suit(card),
  mark: (card % 13) + 1,
  name: ctx.sheet.term("card", card),
  extra: suit(card) === ctx.table.trump ? html`<small>★</small>` : nothing,
});

/** Cards are played by clicking them. */
export const handles = () => new Set(["matchmaster.play-card"]);

export function draw(ctx) {
  const { table } = ctx;
  const last = table.tricks.at(-1);
  return html`
    <div class="ring">${table.seats.map((seat) => place(ctx, seat))}</div>
    <div class="middle trick">${trickOf(ctx, table.trick, table.winning, look(ctx))}</div>
    ${table.seat === null ? nothing : own(ctx)}
    ${last ? html`<details><summary>${word("last_trick")}</summary><div class="trick">${trickOf(ctx, last.plays, last.winner, look(ctx))}</div></details>` : nothing}
    ${table.rounds.length ? scores(ctx) : nothing}`;
}

function place(ctx, seat) {
  const { table } = ctx;
  const bid = table.stage === "bid" ? "✉" : seat.bid;
  const met = seat.bid !== null && seat.bid === seat.tricks;
  return seatLine(
    ctx,
    seat.seat,
    html`<span class=${met ? "met" : ""} title=${word("bid_tricks")}>${seat.tricks} / ${bid}</span> · ${seat.score} ${word("points")}`,
    seat.seat === table.dealer ? html`<span class="quiet">${word("dealer")}</span>` : nothing,
  );
}

function own(ctx) {
  const { table, question } = ctx;
  const legal = question?.legal ?? [];
  return html`${table.stage === "bid" && table.bid !== null ? html`<p class="quiet">${word("bid")}: <strong>${table.bid}</strong>. ${word("changeable")}</p>` : nothing}
    ${hand(table.hand, look(ctx), {
      choices: (card) => (table.stage === "play" ? legal.filter((command) => command.card === card) : []),
      reason: reasons(question),
      told: (command) => ctx.sheet.told(command, ctx.name),
      give: (card, found, why) => (found.length ? ctx.give(found[0]) : ctx.explain(why)),
    })}`;
}

function scores(ctx) {
  const { table } = ctx;
  return html`<details><summary>${word("sheet")}</summary><div class="scroll"><table><thead><tr><th></th>${table.seats.map((seat) => html`<th>${ctx.name(seat.seat)}</th>`)}</tr></thead>
    <tbody>${table.rounds.map((round) => html`<tr><th>${round.size}</th>${round.points.map((points, seat) => html`<td>${points} <span class="quiet">(${round.tricks[seat]}/${round.bids[seat]})</span></td>`)}</tr>`)}</tbody></table></div></details>`;
}
