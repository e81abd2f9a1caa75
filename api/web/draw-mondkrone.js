// Mondkrone: the pile with its conditions and everybody's standing in them, palettes, and what a card would do before it is played.

import { html, nothing } from "./lit.js";
import { around, back, face, hand, held, seatLine } from "./cards.js";
import { standing } from "./conditions.js";
import { symbol } from "./symbols.js";
import { say, word } from "./words.js";

const LETTERS = { ace: "A", pawn: "P", court: "C", crown: "♛" };

const look = (ctx) => (card) => {
  const { suits, rank, name, kinds } = ctx.sheet.card(card);
  const types = kinds.map(kindWord).filter(Boolean);
  return { suit: suits[0], suits, mark: LETTERS[rank] ?? rank, name: [say(name), ...types].join(", "), label: say(name), types: types.map((type) => type[0].toUpperCase()).join("") };
};
const kindWord = (kind) => ({ location: word("kind_location"), event: word("kind_event"), personality: word("kind_personality") })[kind];
const cardName = (ctx, card) => ctx.sheet.term("card", card);

const CLICKED = new Set(["mondkrone.play-to-palette", "mondkrone.discard-to-pile", "mondkrone.play-and-discard"]);

/** The actions of a card are offered below it once it is picked. */
export const handles = () => CLICKED;

export function draw(ctx) {
  const { table } = ctx;
  return html`${around(ctx, (seat) => place(ctx, seat))}
    <section class="pile"><figure>${table.top ? face(look(ctx)(table.top)) : nothing}<figcaption>${word("pile")}</figcaption></figure>
      <ul class="conditions">${table.top ? standing(ctx.sheet, table.top, palettes(table)).map((each, number) => condition(ctx, each, table.conditions[number])) : nothing}</ul>
      <figure>${back()}<figcaption>${table.deck_size}</figcaption></figure></section>`;
}

const palettes = (table) => table.seats.map((seat) => (seat.out ? null : seat.palette));

/** A result as it is compared: a count, or, where one card decides, that card's rank. */
const amount = ({ sheet }, suit, { count, best }) => (suit === "moons" && count ? (LETTERS[sheet.cards[best].rank] ?? sheet.cards[best].rank) : count);

/** A condition: who leads with what, and how the others stand. */
function condition(ctx, each, told) {
  const others = each.seats.map((result, seat) => (result && seat !== each.leader ? `${ctx.name(seat)}: ${amount(ctx, each.suit, result)}` : null)).filter(Boolean);
  const leads = told.leader === null ? "–" : html`<strong>${ctx.name(told.leader)}: ${amount(ctx, each.suit, each.seats[told.leader])}</strong> <span>(${told.cards.map((card) => cardName(ctx, card)).join(", ")})</span>`;
  return html`<li class="suit-${each.suit}">${symbol(each.suit)} <span class="what">${ctx.sheet.term("condition", each.suit)}</span> ${leads}${others.length ? html` <span>· ${others.join(" · ")}</span>` : nothing}</li>`;
}

function place(ctx, seat) {
  const { table } = ctx;
  const own = seat.seat === ctx.view.seat;
  const asked = table.conditions.some((each) => each.leader === seat.seat);
  return html`${seatLine(
    ctx,
    seat.seat,
    html`${own ? nothing : held(seat.hand_size)}<span title=${word("points")}><b>${seat.score}</b>/${table.target} ${word("points_short")}</span>`,
    html`${seat.out ? html`<span class="quiet">${word("dropped_out")}</span>` : nothing}
      <div class="cards ${seat.out ? "lost" : ""}">${seat.palette.map((card) => face(look(ctx)(card)))}</div>
      ${seat.scored.length ? html`<p class="quiet scored">${word("scored")}: ${seat.scored.map((card) => cardName(ctx, card)).join(", ")}</p>` : nothing}`,
    asked ? html`<span class="badge">♛ ${word("leads")}</span>` : nothing,
  )}`;
}

const cardsOf = (command) => [command.card, command.palette_card, command.pile_card].filter(Boolean);

export function own(ctx) {
  const { table, question, picked } = ctx;
  const legal = question?.legal ?? [];
  const uses = (card) => legal.filter((command) => cardsOf(command).includes(card));
  const against = (card) => question?.refused.find((each) => each.command.card === card);
  return html`${place(ctx, table.seats[table.seat])}${hand(table.hand, look(ctx), {
      choices: uses,
      reason: (card) => (question ? (against(card) ? ctx.refusal(against(card)) : word("no_move")) : null),
      give: (card) => {
        if (!question) return;
        if (!picked.has(card)) picked.clear();
        ctx.pick(card);
      },
      picked,
    })}${question ? offers(ctx, uses) : nothing}`;
}

/** What the picked card can do, each with its effect, and why it cannot do the rest. */
function offers(ctx, uses) {
  const { question, picked } = ctx;
  const [chosen] = picked;
  if (!chosen) return question.legal.some((command) => CLICKED.has(command.type)) ? html`<p class="quiet hint">${word("choose_card")}</p>` : nothing;
  const refused = question.refused.filter((each) => each.command.card === chosen);
  return html`<div class="offers">${uses(chosen).map((command) => html`<button class="answer" @click=${() => ctx.give(command)}><span>${ctx.sheet.told(command, ctx.name)}</span><span class="effects">${effect(ctx, command)}</span></button>`)}</div>
    ${refused.length ? html`<ul class="refused">${refused.map((each) => html`<li>${ctx.sheet.told(each.command, ctx.name)}: ${ctx.refusal(each)}</li>`)}</ul>` : nothing}`;
}

/** What an action does to the standing: one's count in every condition that would be asked, and whether one would lead. */
function effect(ctx, command) {
  const { table } = ctx;
  const added = command.type === "mondkrone.discard-to-pile" ? null : (command.palette_card ?? command.card);
  const top = command.type === "mondkrone.play-to-palette" ? table.top : (command.pile_card ?? command.card);
  const then = palettes(table).map((palette, seat) => (seat === table.seat && added ? [...palette, added] : palette));
  const before = standing(ctx.sheet, top, palettes(table));
  return standing(ctx.sheet, top, then).map(({ suit, seats, leader }, number) => {
    const [was, now] = [before[number], { seats }].map((each) => amount(ctx, suit, each.seats[table.seat]));
    return html`<span class="chip suit-${suit}" title=${ctx.sheet.term("condition", suit)}>${symbol(suit)}${was === now ? now : `${was}→${now}`}${leader === table.seat ? html` ♛<span class="spoken">${word("leads")}</span>` : nothing}</span>`;
  });
}

/** The rounds that are over. */
export function sheet(ctx) {
  const { table } = ctx;
  if (!table.rounds.length) return nothing;
  return html`<ol class="rounds">${table.rounds.map((round) => html`<li><strong>${ctx.name(round.winner)}</strong> +${round.points} <span class="quiet">${round.cards.map((card) => cardName(ctx, card)).join(", ")}</span></li>`)}</ol>
    <p>${table.seats.map((seat) => `${ctx.name(seat.seat)} ${seat.score}`).join(" · ")} / ${table.target}</p>`;
}

export function text(ctx) {
  const { table } = ctx;
  const list = (cards) => cards.map((card) => cardName(ctx, card)).join(", ") || "–";
  return [
    ...(table.top ? [`${word("pile")}: ${cardName(ctx, table.top)}`] : []),
    ...table.conditions.map((each) => `${ctx.sheet.term("condition", each.suit)}: ${each.leader === null ? "–" : `${ctx.name(each.leader)} ${each.count} (${list(each.cards)})`}`),
    ...table.seats.map((seat) => `${ctx.name(seat.seat)}: ${list(seat.palette)}${seat.out ? ` (${word("dropped_out")})` : ""}; ${seat.hand_size} ${word("in_hand")}, ${seat.score}/${table.target} ${word("points")}`),
    ...(table.seat === null ? [] : [`${word("hand")} ${list(table.hand)}`]),
  ];
}
