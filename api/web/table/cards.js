// Cards, hands and seats: shared by the drawings of all games.

import { html, nothing } from "../vendor/lit.js";
import { symbol } from "../core/symbols.js";
import { say, word } from "../core/words.js";

/** Suits differ in shape and in colour, and have these letters. */
const LETTERS = {
  dark_orange: { de: "DO", en: "DO" },
  light_orange: { de: "HO", en: "LO" },
  dark_blue: { de: "DB", en: "DB" },
  light_blue: { de: "HB", en: "LB" },
  violet: { de: "V", en: "V" },
  blue: { de: "B", en: "B" },
  green: { de: "Gr", en: "G" },
  yellow: { de: "Ge", en: "Y" },
  fan: { de: "F", en: "F" },
  coin: { de: "M", en: "C" },
  koi: { de: "K", en: "K" },
  torii: { de: "T", en: "T" },
  moons: { de: "M", en: "M" },
  suns: { de: "S", en: "S" },
  waves: { de: "We", en: "Wa" },
  leaves: { de: "B", en: "L" },
  wyrms: { de: "Wy", en: "Wy" },
  knots: { de: "K", en: "K" },
};
export const letter = (suit) => say(LETTERS[suit]);

/** @typedef {import("../contract").Ctx} Ctx */
/** @typedef {{suit: string, mark: string | number, name: string, card?: number | string | null, suits?: string[], extra?: unknown, label?: string | null, types?: string | null}} Face */

/** One card's face: `suit` selects symbol and colour, `mark` is its value, `name` its name in words, `extra` goes below; `card` tells it from others. */
export const face = (
  /** @type {Face} */ { suit, mark, name, card = null, suits = [suit], extra = nothing, label = null, types = null },
) =>
  html` <span
    class="face suit-${suit} ${suits.length > 1 ? "several" : ""} ${label ? "labelled" : ""}"
    title=${name}
    data-card=${card ?? nothing}
  >
    <span class="corner" aria-hidden="true"
      ><span><b>${mark}</b>${types ? html`<em>${types}</em>` : nothing}</span
      ><i>${suits.map((each) => html`<span class="suit-${each}">${letter(each)}</span>`)}</i></span
    >
    <span class="art">${suits.map((each) => html`<span class="suit-${each}">${symbol(each)}</span>`)}</span>
    ${extra === nothing ? nothing : html`<small aria-hidden="true">${extra}</small>`}${label ? html`<small class="label" aria-hidden="true">${breakable(label)}</small>` : nothing}<span
      class="spoken"
      >${name}</span
    >
  </span>`;

const [VOWEL, SOUND] = ["[aeiouyäöü]", "(?:sch|ch|ck|ph|th|[bcdfghjklmnpqrstvwxzß])"];
const BREAKS = [
  new RegExp(`(${VOWEL})(?=${SOUND}${VOWEL})`, "giu"),
  new RegExp(`(${VOWEL}(?!sch|ch|ck|ph|th)[bcdfghjklmnpqrstvwxzß])(?=${SOUND}${VOWEL})`, "giu"),
];

/** Allow a line break in a long word, where its letters suggest one. */
export const breakable = (text) =>
  text.replace(/\p{L}{8,}/gu, (long) => BREAKS.reduce((so, each) => so.replace(each, "$1\u00ad"), long));

/** A card's back; with a suit, for games whose backs show it. */
export const back = (suit = "hidden", name = "") =>
  html`<span class="face back suit-${suit}" title=${name}
    >${symbol(suit)}${name ? html`<span class="spoken">${name}</span>` : nothing}</span
  >`;

/** A hand whose cards are buttons. `choices(card)` gives the legal commands of a card, `reason(card)` why it has none, `told(command)` names what a click does, `star(commands)` marks a recommended one. */
export function hand(cards, look, { choices, reason, give, picked = null, told = null, star = null }) {
  const idle = !cards.some((card) => choices(card).length);
  return html`<ul
    data-anchor="hand"
    class="hand ${cards.length > 9 ? "large" : cards.length > 5 ? "many" : ""} ${idle ? "idle" : ""} row${Math.ceil(cards.length / 2)}"
  >
    ${cards.map((card) => {
      const found = choices(card);
      const why = found.length ? null : reason(card);
      return html`<li>
        <button
          class="card ${found.length ? "legal" : "illegal"} ${picked?.has(card) ? "picked" : ""}"
          aria-pressed=${picked ? picked.has(card) : nothing}
          aria-disabled=${!found.length}
          aria-label=${told && found.length ? told(found[0]) : nothing}
          title=${why ?? ""}
          @click=${() => give(card, found, why)}
        >
          ${face(look(card))}${star?.(found) ?? nothing}${why ? html`<span class="spoken">${why}</span>` : nothing}
        </button>
      </li>`;
    })}
  </ul>`;
}

/** The cards of a trick and who played them, in the order of *seats*, with an empty place for a seat that has not played; *best* is winning. */
export function trickOf(/** @type {Ctx} */ ctx, plays, best, look, seats = plays.map((play) => play.seat)) {
  const empty = seats.filter((seat) => !plays.some((play) => play.seat === seat));
  return html`${plays.map((play) => figure(ctx, play.seat, play.card === null ? back() : face(look(play.card)), `${play.seat === best ? "winning" : ""} ${isNew(ctx, play.card)}`))}
  ${empty.map((seat) => figure(ctx, seat, html`<span class="face gap"></span>`, "pending"))}`;
}

/** The newest card on the table is marked; it slides in, unless reduced motion is on. */
export const isNew = (/** @type {Ctx} */ ctx, card) => (card !== null && card === ctx.newest ? "new" : "");

export const figure = (/** @type {Ctx} */ ctx, seat, card, kind, more = nothing) =>
  html`<figure class=${kind}>
    ${card}
    <figcaption><span class="who" title=${ctx.name(seat)}>${ctx.name(seat)}</span>${more}</figcaption>
  </figure>`;

/** The number of cards in a hand, drawn like the back of a card. */
export const held = (count) =>
  html`<span role="img" class="held" title=${word("in_hand")} aria-label="${count} ${word("in_hand")}"
    ><b>${count}</b> <span class="mini back"></span
  ></span>`;

/** A small suit symbol with a number or a few letters. */
export const chip = (suit, text, title = "") =>
  html`<span class="chip suit-${suit}" title=${title}>${symbol(suit)}${text}</span>`;

/** Return a function that says why a card cannot be played, from the refusals that came with the question. */
export function reasons(/** @type {Ctx} */ ctx, field = "card") {
  const known = new Map((ctx.question?.refused ?? []).map((each) => [JSON.stringify(each.command[field]), ctx.refusal(each)]));
  return (card) => known.get(JSON.stringify(card)) ?? null;
}

/** Marks a seat without a person: a computer, also one that stands in for a player. */
function sits(/** @type {Ctx} */ ctx, seat) {
  const { bot, player } = ctx.chair(seat) ?? {};
  if (!bot) return nothing;
  const title = player ? word("stands_in") : word("computer");
  return html`<span role="img" class="robot ${player ? "badge" : ""}" title=${title} aria-label=${title}
    >${symbol("robot")}</span
  >`;
}

/** A seat's line: name, turn mark, facts. */
export function seatLine(/** @type {Ctx} */ ctx, seat, facts, more = nothing, mark = nothing) {
  const asked = ctx.view.waiting?.seats.includes(seat);
  const own = ctx.you === seat;
  return html`<article
    class="seat ${asked ? "asked" : ""} ${own ? "own" : ""}"
    aria-label=${ctx.name(seat)}
    data-anchor="seat:${seat}"
  >
    <header>
      <strong title=${ctx.name(seat)}>${ctx.name(seat)}</strong
      >${own ? html` <em>(${word("you")})</em>` : nothing}${sits(ctx, seat)}${mark}<span class="facts">${facts}</span>
    </header>
    ${more}
  </article>`;
}

/** The seats around the table as the viewer sees them: the others in the order of play, the viewer last. */
export function around(/** @type {Ctx} */ ctx, draw) {
  const { seats, seat } = ctx.table;
  const first = seat === null ? 0 : seat + 1;
  const turned = seats.map((_, place) => seats[(first + place) % seats.length]);
  const others = turned.filter((each) => each.seat !== seat);
  return html`<div class="ring n${others.length}">${others.map(draw)}</div>`;
}

/** Points with their sign, as in a sum. */
export const signed = (points) => `${points < 0 ? "−" : ""}${Math.abs(points)}`;
export const plus = (points) => (points < 0 ? signed(points) : `+${points}`);

/** A score table: one column per seat, and rows of cells. */
export const scoreTable = (/** @type {Ctx} */ ctx, seats, rows, foot = null) =>
  html`<div class="scroll" tabindex="0" role="group">
    <table class="scores">
      <thead>
        <tr>
          <th></th>
          ${seats.map(({ seat }) => html`<th scope="col" title=${ctx.name(seat)}>${ctx.name(seat)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([head, cells]) =>
            html`<tr>
              <th scope="row">${head}</th>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
      ${
        foot
          ? html`<tfoot>
              <tr>
                <th scope="row">${foot[0]}</th>
                ${foot[1].map((cell) => html`<td>${cell}</td>`)}
              </tr>
            </tfoot>`
          : nothing
      }
    </table>
  </div>`;

/** The cards of a new hand, which come to the viewer. */
export const dealt = ({ table }) =>
  table.seat === null ? [] : table.hand.map((card) => ({ kind: "card", card, from: "deck", to: "hand" }));

/** The command of one type that plays the viewer's last card; null if there are more cards, or more that can be done. */
export function onlyCard({ table, question }, type) {
  const [command, ...others] = question?.legal ?? [];
  return table.hand.length === 1 && command?.type === type && !others.length ? command : null;
}
