// Stich-Meister: the rules in force by number, the trump ladder, the trick, hands of sixteen, and choices of several cards.

import { html, nothing } from "./lit.js";
import { back, face, hand, reasons, seatLine, trickOf } from "./cards.js";
import { word } from "./words.js";

const SUITS = ["fan", "coin", "koi", "torii"];
const SAMURAI = new Set([1, 10, 13]);
const FIELDS = { "stich-meister.play-card": "card", "stich-meister.set-card-aside": "card", "stich-meister.take-card-out": "card" };
const SEVERAL = new Set(["stich-meister.pass-cards", "stich-meister.open-cards"]);

const suit = (card) => SUITS[Math.floor(card / 15)];
const value = (card) => (card % 15) + 1;

const look = (ctx) => (card) => ({
  suit: suit(card),
  mark: value(card),
  name: ctx.sheet.term("card", card),
  extra: SAMURAI.has(value(card)) ? html`<small>侍</small>` : nothing,
});

/** These commands are given by clicking cards, so they need no buttons. */
export const handles = () => new Set([...Object.keys(FIELDS), ...SEVERAL, "stich-meister.choose-rule"]);

export function draw(ctx) {
  const { table } = ctx;
  return html`
    ${rules(ctx)}
    <div class="ring">${table.seats.map((seat) => place(ctx, seat))}</div>
    <div class="middle trick">${trickOf(ctx, table.trick, table.winner, look(ctx))}</div>
    ${table.seat === null ? nothing : own(ctx)}
    ${table.tricks.length ? html`<details><summary>${word("last_trick")}</summary><div class="trick">${trickOf(ctx, table.tricks.at(-1).plays, table.tricks.at(-1).winner, look(ctx))}</div></details>` : nothing}
    ${table.rounds.length ? scores(ctx) : nothing}`;
}

function rules(ctx) {
  const { table, sheet } = ctx;
  if (!table.rules.length) return nothing;
  return html`<section class="active"><ol>${table.rules.map((number) => html`<li value=${number}>${sheet.term("rule", number)}</li>`)}</ol>
    ${table.trumps.length ? html`<div class="ladder" aria-label=${word("trumps")}>${table.trumps.map(
      (rung) => html`<span class="rung" title=${rung.rules.map((number) => sheet.term("rule", number)).join(" ")}>
        ${rung.cards.map((card) => html`<span class="chip suit-${suit(card)}">${sheet.term("suit", suit(card)).slice(0, 2)} ${value(card)}</span>`)}</span>`,
    )}</div>` : nothing}</section>`;
}

function place(ctx, seat) {
  const open = seat.open_cards.length ? html`<div class="cards">${seat.open_cards.map((card) => face(look(ctx)(card)))}</div>` : nothing;
  return seatLine(ctx, seat.seat, html`${seat.hand_size} 🂠 · ${seat.tricks} ✓ · ${seat.score}`, html`${open}${seat.aside ? back("hidden") : nothing}`);
}

function own(ctx) {
  const { table, question, sheet } = ctx;
  const legal = question?.legal ?? [];
  const kind = legal[0]?.type;
  if (kind === "stich-meister.choose-rule") {
    return html`<div class="rulecards">${legal.map((command) => html`<button class="rulecard" @click=${() => ctx.give(command)}><strong>${command.rule}</strong> ${sheet.term("rule", command.rule)}</button>`)}</div>`;
  }
  if (kind === "stich-meister.take-card-out") return cards(ctx, table.trick.map((play) => play.card), kind);
  const several = SEVERAL.has(kind);
  return html`${cards(ctx, table.hand, several ? null : kind)}
    ${table.aside === null ? nothing : html`<p class="quiet">${face(look(ctx)(table.aside))}</p>`}
    ${several ? confirm(ctx, legal) : nothing}
    ${table.rule_cards.length ? html`<details><summary>${word("rule_cards")}</summary><ol class="active">${table.rule_cards.map((number) => html`<li value=${number}>${sheet.term("rule", number)}</li>`)}</ol></details>` : nothing}`;
}

function cards(ctx, held, kind) {
  const legal = ctx.question?.legal ?? [];
  const reason = reasons(ctx.question);
  const choices = kind ? (card) => legal.filter((command) => command.card === card) : (card) => (legal.some((command) => command.cards?.includes(card)) ? [card] : []);
  const give = (card, found, why) => {
    if (!found.length) return ctx.explain(why);
    return kind ? ctx.give(found[0]) : ctx.pick(card);
  };
  return hand(held, look(ctx), { choices, reason, give, picked: kind ? null : ctx.picked, told: kind ? (command) => ctx.sheet.told(command, ctx.name) : null });
}

/** The picked cards as one command, once they are as many as are wanted. */
function confirm(ctx, legal) {
  const picked = [...ctx.picked].sort((one, other) => one - other).join();
  const found = legal.find((command) => [...command.cards].sort((one, other) => one - other).join() === picked);
  return html`<div class="buttons"><button class="main confirm" ?disabled=${!found} @click=${() => ctx.give(found)}>${ctx.sheet.told(found ?? legal[0], ctx.name)}</button></div>`;
}

function scores(ctx) {
  const { table } = ctx;
  return html`<div class="scroll"><table><thead><tr><th></th>${table.seats.map((seat) => html`<th>${ctx.name(seat.seat)}</th>`)}</tr></thead>
    <tbody>${table.rounds.map((round) => html`<tr><th>${round.round}</th>${round.scores.map((score) => html`<td>${score}</td>`)}</tr>`)}</tbody></table></div>`;
}
