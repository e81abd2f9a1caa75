// Meister Coup: the colours of every hand, the sums of the trick, who takes what, sets of four colours, and the score pad.

import { html, nothing } from "./lit.js";
import { face, hand, seatLine } from "./cards.js";
import { symbol } from "./symbols.js";
import { word } from "./words.js";

const COLOURS = ["violet", "blue", "green", "yellow"];

const look = (ctx) => (card) => {
  const diamonds = ctx.table.diamonds[card % 12];
  return {
    suit: COLOURS[Math.floor(card / 12)],
    mark: (card % 12) + 1,
    name: `${ctx.sheet.term("card", card)}${diamonds ? `, ${diamonds} ◆` : ""}`,
    extra: html`<small>${"◆".repeat(diamonds)}</small>`,
  };
};

/** These are done by clicking cards. */
export const handles = () => new Set(["meister-coup.play-card", "meister-coup.pick-card"]);

export function draw(ctx) {
  const { table } = ctx;
  const shown = table.trick.plays.length ? table.trick : table.last_trick;
  return html`
    <div class="ring wide">${table.seats.map((seat) => place(ctx, seat))}</div>
    ${shown ? trick(ctx, shown, shown === table.trick) : nothing}
    ${table.seat === null ? nothing : own(ctx)}
    ${table.rounds.length ? pad(ctx) : nothing}`;
}

const counts = (ctx, numbers) => html`<span class="counts">${numbers.map((count, colour) => html`<span class="chip suit-${COLOURS[colour]}" title=${ctx.sheet.term("colour", COLOURS[colour])}>${symbol(COLOURS[colour])}${count}</span>`)}</span>`;

function place(ctx, seat) {
  const side = seat.team === null ? nothing : html`<span class="badge">${word("team")} ${seat.team + 1}</span>`;
  return seatLine(
    ctx,
    seat.seat,
    html`${seat.points} ${word("points")} · ${"✪".repeat(seat.total_meistercoups) || "–"}`,
    html`${side}<div>${word("hand")} ${counts(ctx, seat.hand)}</div><div>${word("taken")} ${counts(ctx, seat.collected)}</div>`,
  );
}

function trick(ctx, shown, running) {
  const picking = running && ctx.question?.legal[0]?.type === "meister-coup.pick-card";
  return html`<section class="middle">
    <div class="trick">${shown.plays.map((play) => html`<figure class=${play.seat === shown.ranking[0] ? "winning" : ""}>
      ${picking ? html`<button class="card legal answer" @click=${() => ctx.give(ctx.question.legal.find((command) => command.card === play.card))}>${face(look(ctx)(play.card))}</button>` : face(look(ctx)(play.card))}
      <figcaption>${ctx.name(play.seat)}${shown.picked === play.card || shown.taken.includes(play.card) ? " ✓" : ""}</figcaption></figure>`)}</div>
    <span class="counts" aria-label=${word("sums")}>${word("sums")} ${shown.sums.map((sum, colour) => (sum ? html`<span class="chip suit-${COLOURS[colour]}">${symbol(COLOURS[colour])}${sum}</span>` : nothing))}</span>
  </section>`;
}

function own(ctx) {
  const legal = (ctx.question?.legal ?? []).filter((command) => command.type === "meister-coup.play-card");
  return hand(ctx.table.hand, look(ctx), {
    choices: (card) => legal.filter((command) => command.card === card),
    reason: () => null,
    told: (command) => ctx.sheet.told(command, ctx.name),
    give: (card, found) => found.length && ctx.give(found[0]),
  });
}

function pad(ctx) {
  const { table } = ctx;
  return html`<details><summary>${word("sheet")}</summary><div class="scroll"><table><thead><tr><th></th>${table.seats.map((seat) => html`<th>${ctx.name(seat.seat)}</th>`)}</tr></thead>
    <tbody>${table.rounds.map((round) => html`<tr><th>${round.round}</th>${round.points.map((points, seat) => html`<td>${round.entered.includes(seat) ? html`<strong>${points}</strong>` : points} ${"✪".repeat(round.meistercoups[seat])}</td>`)}</tr>`)}</tbody></table></div></details>`;
}
