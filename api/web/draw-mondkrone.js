// Mondkrone: the pile with its conditions, who leads in each and with which cards, palettes, and actions chosen by card.

import { html, nothing } from "./lit.js";
import { back, face, hand, seatLine } from "./cards.js";
import { say, word } from "./words.js";

const LETTERS = { ace: "A", pawn: "P", court: "C", crown: "♛" };

const look = (ctx) => (card) => {
  const printed = ctx.sheet.card(card);
  const [suit, second] = printed.suits;
  return { suit, second, mark: LETTERS[printed.rank] ?? printed.rank, name: say(printed.name) };
};

/** The actions of a card are offered below it once it is picked. */
export const handles = () => new Set(["mondkrone.play-to-palette", "mondkrone.discard-to-pile", "mondkrone.play-and-discard"]);

export function draw(ctx) {
  const { table } = ctx;
  return html`
    <section class="pile">${table.top ? face(look(ctx)(table.top)) : nothing}
      <ul class="conditions">${table.conditions.map((each) => condition(ctx, each))}</ul>
      <span class="quiet">${back()} × ${table.deck_size}</span></section>
    <div class="ring wide">${table.seats.map((seat) => place(ctx, seat))}</div>
    ${table.seat === null ? nothing : own(ctx)}`;
}

function condition(ctx, each) {
  const leads = each.leader === null ? "–" : html`<strong>${ctx.name(each.leader)}</strong> (${each.count}: ${each.cards.map((card) => ctx.sheet.term("card", card)).join(", ")})`;
  return html`<li class="suit-${each.suit}">${ctx.sheet.term("condition", each.suit)}: ${leads}</li>`;
}

function place(ctx, seat) {
  const { table } = ctx;
  const scored = seat.scored.length ? html`<p class="quiet">${seat.scored.map((card) => ctx.sheet.term("card", card)).join(", ")}</p>` : nothing;
  return seatLine(
    ctx,
    seat.seat,
    html`${seat.hand_size} ${word("in_hand")} · ${seat.score} / ${table.target}`,
    html`<div class="cards ${seat.out ? "lost" : ""}">${seat.palette.map((card) => face(look(ctx)(card)))}</div>${seat.out ? html`<p class="quiet">${word("dropped_out")}</p>` : nothing}${scored}`,
  );
}

function own(ctx) {
  const { table, question, picked } = ctx;
  const legal = question?.legal ?? [];
  const uses = (card) => legal.filter((command) => [command.card, command.palette_card, command.pile_card].includes(card));
  const [chosen] = picked;
  const offered = chosen ? uses(chosen) : [];
  const refused = (question?.refused ?? []).filter((each) => each.command.card === chosen);
  return html`${hand(table.hand, look(ctx), {
      choices: uses,
      reason: (card) => (question ? say(question.refused.find((each) => each.command.card === card)?.message) || word("no_move") : null),
      give: (card) => {
        if (!question) return;
        if (!picked.has(card)) picked.clear();
        ctx.pick(card);
      },
      picked,
    })}
    ${chosen && question ? html`<div class="buttons">${offered.map((command) => html`<button class="answer" @click=${() => ctx.give(command)}>${ctx.sheet.told(command, ctx.name)}</button>`)}</div>
      <ul class="quiet">${refused.map((each) => html`<li>${ctx.sheet.told(each.command, ctx.name)}: ${say(each.message)}</li>`)}</ul>` : nothing}`;
}
