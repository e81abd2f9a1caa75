// Cards and hands: what every game's drawing uses.

import { html, nothing } from "./lit.js";
import { symbol } from "./symbols.js";
import { say, word } from "./words.js";

/** One card's face: `suit` names symbol and colour, `mark` is its value, `name` says it in words. */
export const face = ({ suit, mark, name, second = null, extra = nothing }) => html`
  <span class="face suit-${suit}" title=${name}>
    <span class="corner" aria-hidden="true">${mark}</span>${symbol(suit)}${second ? html`<span class="suit-${second}">${symbol(second)}</span>` : nothing}${extra}
    <span class="spoken">${name}</span>
  </span>`;

export const back = (suit = "hidden", name = "") => html`<span class="face back suit-${suit}" title=${name}>${symbol(suit)}<span class="spoken">${name}</span></span>`;

/** A hand whose cards are buttons. `choices(card)` gives the legal commands of a card, `reason(card)` why there is none, `told(command)` names what a click does. */
export function hand(cards, look, { choices, reason, give, picked, told }) {
  const idle = !cards.some((card) => choices(card).length);
  return html`<ul class="hand ${cards.length > 9 ? "large" : ""} ${idle ? "idle" : ""}">${cards.map((card) => {
    const found = choices(card);
    const why = found.length ? null : reason(card);
    return html`<li><button class="card ${found.length ? "legal" : "illegal"} ${picked?.has(card) ? "picked" : ""}"
      aria-pressed=${picked ? picked.has(card) : nothing} aria-disabled=${!found.length} aria-label=${told && found.length ? told(found[0]) : nothing} title=${why ?? ""}
      @click=${() => give(card, found, why)}>${face(look(card))}${why ? html`<span class="spoken">${why}</span>` : nothing}</button></li>`;
  })}</ul>`;
}

/** The cards of a trick with who played them; *best* is the seat that wins it. */
export const trickOf = (ctx, plays, best, look) =>
  plays.map((play) => html`<figure class=${play.seat === best ? "winning" : ""}>${face(look(play.card))}<figcaption>${ctx.name(play.seat)}</figcaption></figure>`);

/** Return what says why a card cannot be played, from the refusals that came with the question. */
export function reasons(question, field = "card") {
  const known = new Map((question?.refused ?? []).map((each) => [JSON.stringify(each.command[field]), say(each.message)]));
  return (card) => known.get(JSON.stringify(card)) ?? null;
}

/** A seat's line: name, turn mark, facts. */
export function seatLine(ctx, seat, facts, more = nothing) {
  const asked = ctx.view.waiting?.seats.includes(seat);
  const own = ctx.view.seat === seat;
  return html`<article class="seat ${asked ? "asked" : ""} ${own ? "own" : ""}" aria-label=${ctx.name(seat)}>
    <header><strong>${ctx.name(seat)}</strong>${own ? html` <em>(${word("you")})</em>` : nothing} <span class="facts">${facts}</span></header>${more}
  </article>`;
}
