// Cards, hands and seats: shared by the drawings of all games.

import { html, nothing } from "../vendor/lit.js";
import { rove } from "../core/focus.js";
import { settings } from "../core/settings.js";
import { symbol } from "../core/symbols.js";
import { others, sideOf } from "./places.js";
import { say, word } from "../core/words.js";
import { plate } from "./plate.js";

/** @import { Shapes } from "../contract" */
/** @import { Card, Game, Motion, Scene, Trick } from "../drawing" */

/**
 * Suits differ in shape and in colour, and have these letters.
 * @type {Record<string, Shapes["Text"]>}
 */
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
/** @type {(suit: string) => string} */
export const letter = (suit) => say(LETTERS[suit]);

/** @typedef {{suit: string, mark: string | number, name: string, card?: Card | null, suits?: string[], extra?: unknown, label?: string | null, types?: string | null, tip?: string | null, silent?: boolean, picture?: unknown}} Face */

/** One card's face: `suit` selects symbol and colour, `mark` is its value, `name` says all that is printed on it, `extra` goes below; a `picture` stands in place of the suits' signs, which then are small beside their letters; `card` tells it from others, `tip` is the key of what it means. What stands beside a *silent* one says its name. */
export const face = (
  /** @type {Face} */ {
    suit,
    mark,
    name,
    card = null,
    suits = [suit],
    extra = nothing,
    label = null,
    types = null,
    tip = null,
    silent = false,
    picture: drawn = null,
  },
) => {
  const picture = settings.deck === "plain" ? null : drawn;
  return html` <span
    class="face suit-${suit} ${kinds({ several: suits.length > 1, labelled: label, pictured: picture })}"
    role=${silent ? nothing : "img"}
    aria-label=${silent ? nothing : name}
    aria-hidden=${silent ? "true" : nothing}
    title=${name}
    data-tip=${tip ?? nothing}
    data-card=${card ?? nothing}
  >
    <span class="corner" aria-hidden="true"
      ><span><b>${mark}</b>${types ? html`<em>${types}</em>` : nothing}</span
      ><i
        >${suits.map((each) => html`<span class="suit-${each}">${picture ? symbol(each) : nothing}${letter(each)}</span>`)}</i
      ></span
    >
    <span class="art">${picture ?? suits.map((each) => html`<span class="suit-${each}">${symbol(each)}</span>`)}</span>
    ${extra === nothing ? nothing : html`<small aria-hidden="true">${extra}</small>`}${label ? html`<small class="label" aria-hidden="true">${breakable(label)}</small>` : nothing}
  </span>`;
};

/**
 * The names of what is there, as classes.
 * @type {(found: Record<string, unknown>) => string}
 */
const kinds = (found) =>
  Object.keys(found)
    .filter((name) => found[name])
    .join(" ");

const [VOWEL, SOUND] = ["[aeiouyäöü]", "(?:sch|ch|ck|ph|th|[bcdfghjklmnpqrstvwxzß])"];
const BREAKS = [
  new RegExp(`(${VOWEL})(?=${SOUND}${VOWEL})`, "giu"),
  new RegExp(
    `(${VOWEL}(?:(?!sch|ch|ck|ph|th)[bcdfghjklmnpqrstvwxzß]|sch|ch|ck|ph|th)+?)(?=(?:sp[rl]?|st[r]?|${SOUND})${VOWEL})`,
    "giu",
  ),
];

/**
 * Allow a line break in a long word, where its letters suggest one.
 * @type {(text: string) => string}
 */
export const breakable = (text) =>
  text.replace(/\p{L}{8,}/gu, (long) => BREAKS.reduce((so, each) => so.replace(each, "$1\u00ad"), long));

/** A card's back, with the crest of the game; with a suit, for games whose backs show it. */
export const back = (suit = "hidden", name = "", crest = /** @type {unknown} */ (symbol(suit))) =>
  html`<span class="face back suit-${suit}" data-tip="back" title=${name}
    >${crest}${name ? html`<span class="spoken">${name}</span>` : nothing}</span
  >`;

/** The card of a hand to which Tab leads, once one has had the focus, and whether it has it. */
const stop = { card: /** @type {Card | null} */ (null), held: false };

/**
 * The card of a hand to which Tab leads: the one with the focus, or else one that can be played.
 * @template {Card} Of
 * @param {Of[]} cards
 * @param {Of[]} playable
 */
function stopOf(cards, playable) {
  const last = cards.find((card) => card === stop.card);
  return last !== undefined && (stop.held || playable.includes(last)) ? last : (playable[0] ?? last ?? cards[0]);
}

/**
 * Let Tab lead to the card that has the focus now.
 * @type {(event: FocusEvent, cards: Card[]) => void}
 */
function hold(event, cards) {
  const list = /** @type {HTMLElement} */ (event.currentTarget);
  const buttons = [...list.querySelectorAll("button")];
  const place = buttons.findIndex((each) => each === event.target);
  Object.assign(stop, { card: cards[place] ?? null, held: true });
  buttons.forEach((each, at) => (each.tabIndex = at === place ? 0 : -1));
}

/**
 * A hand whose cards are buttons, one stop of Tab together. `choices(card)` gives what can be done with a card, `reason(card)` why nothing can, `told(choice, name)` names what a click does with the card of that name, `star(choices)` marks a recommended one.
 * @template {Card} Of
 * @template Choice
 * @param {Of[]} cards
 * @param {(card: Of) => Face} look
 * @param {{
 *   choices: (card: Of) => Choice[],
 *   reason: (card: Of) => string | null,
 *   give: (card: Of, found: Choice[], why: string | null) => void,
 *   picked?: Set<Card> | null,
 *   told?: ((choice: Choice, name: string) => string) | null,
 *   star?: ((choices: Choice[]) => unknown) | null,
 * }} ways
 */
export function hand(cards, look, { choices, reason, give, picked = null, told = null, star = null }) {
  const playable = cards.filter((card) => choices(card).length);
  const first = stopOf(cards, playable);
  return html`<ul
    data-anchor="hand"
    aria-label=${word("own_cards")}
    class="hand ${cards.length > 9 ? "large" : cards.length > 5 ? "many" : ""} ${playable.length ? "" : "idle"} row${Math.ceil(cards.length / 2)}"
    @keydown=${rove}
    @focusin=${(/** @type {FocusEvent} */ event) => hold(event, cards)}
    @focusout=${() => (stop.held = false)}
  >
    ${cards.map((card) => {
      const found = choices(card);
      const why = found.length ? null : reason(card);
      const shown = look(card);
      const label = told && found.length ? told(found[0], shown.name) : null;
      return html`<li>
        <button
          class="card ${found.length ? "legal" : "illegal"} ${picked?.has(card) ? "picked" : ""}"
          tabindex=${card === first ? 0 : -1}
          aria-pressed=${picked ? picked.has(card) : nothing}
          aria-disabled=${!found.length}
          title=${why ?? ""}
          @click=${() => give(card, found, why)}
        >
          ${face({ ...shown, silent: label !== null })}${star?.(found) ?? nothing}${label || why ? html`<span class="spoken">${label ?? why}</span>` : nothing}
        </button>
      </li>`;
    })}
  </ul>`;
}

/**
 * The cards of a trick and who played them, in the order of *seats*, with an empty place for a seat that has not played; *best* is winning.
 * @template {Card} Of
 * @param {Scene} ctx
 * @param {{seat: number, card: Of}[]} plays
 * @param {number | null} best
 * @param {(card: Of) => Face} look
 */
export function trickOf(ctx, plays, best, look, seats = plays.map((play) => play.seat)) {
  const empty = seats.filter((seat) => !plays.some((play) => play.seat === seat));
  return html`${plays.map((play) => figure(ctx, play.seat, face(look(play.card)), `${play.seat === best ? "winning" : ""} ${isNew(ctx, play.card)}`))}
  ${empty.map((seat) => figure(ctx, seat, html`<span class="face gap"></span>`, "pending"))}`;
}

/**
 * The card that won a trick; null if its winner has played none.
 * @type {(trick: Trick) => number | null}
 */
export const winningCard = ({ plays, winner }) => plays.find((play) => play.seat === winner)?.card ?? null;

/**
 * The newest card on the table is marked; it slides in, unless reduced motion is on.
 * @type {(ctx: Scene, card: Card | null) => string}
 */
export const isNew = (ctx, card) => (card !== null && card === ctx.newest ? "new" : "");

/** @type {(ctx: Scene, seat: number, card: unknown, kind: string, more?: unknown) => unknown} */
export const figure = (ctx, seat, card, kind, more = nothing) =>
  html`<figure class=${kind} .style=${sideOf(ctx.table, seat)}>
    ${card}
    <figcaption><span class="who" title=${ctx.name(seat)}>${ctx.name(seat)}</span>${more}</figcaption>
  </figure>`;

/**
 * The points of a seat.
 * @type {(shown: unknown) => unknown}
 */
export const points = (shown) => html`<span data-tip="score">${shown} ${word("points_short")}</span>`;

/**
 * The mark of the seat that deals.
 * @type {() => unknown}
 */
export const dealer = () => html`<small class="quiet" data-tip="dealer">${word("dealer")}</small>`;

/**
 * The number of cards in a hand, drawn like the back of a card.
 * @type {(count: number) => unknown}
 */
export const held = (count) =>
  html`<span role="img" class="held" data-tip="held" title=${word("in_hand")} aria-label="${count} ${word("in_hand")}"
    ><b>${count}</b> <span class="mini back"></span
  ></span>`;

/**
 * A small suit symbol with a number or a few letters.
 * @type {(suit: string, text: string | number, title?: string) => unknown}
 */
export const chip = (suit, text, title = "") =>
  html`<span class="chip suit-${suit}" title=${title}>${symbol(suit)}${text}</span>`;

/**
 * Return a function that says why a card cannot be played, from the refusals that came with the question.
 * @template {{command: {type: string, card?: Card}}} Refused
 * @param {{question: {refused: Refused[]} | null, refusal: (each: Refused) => string}} ctx
 * @returns {(card: Card) => string | null}
 */
export function reasons({ question, refusal }) {
  const known = new Map((question?.refused ?? []).map((each) => [each.command.card, refusal(each)]));
  return (card) => known.get(card) ?? null;
}

/**
 * A seat's line: name, turn mark, facts. In a game in which others may answer within a *turn*, its seat has the mark of the turn,
 * and those that are asked have another one.
 * @type {(ctx: Scene, seat: number, facts: unknown, more?: unknown, mark?: unknown, turn?: number | null) => unknown}
 */
export function seatLine(ctx, seat, facts, more = nothing, mark = nothing, turn = null) {
  const { waiting } = ctx.view;
  const asked = waiting?.seats.includes(seat);
  const acts = turn === null ? asked : waiting && seat === turn;
  const own = ctx.you === seat;
  return html`<article
    class="seat ${acts ? "asked" : asked ? "may" : ""} ${own ? "own" : ""}"
    aria-label=${ctx.name(seat)}
    data-anchor="seat:${seat}"
  >
    <header>
      ${plate(ctx, seat)}<strong data-tip="seat" title=${ctx.name(seat)}>${ctx.name(seat)}</strong
      >${own ? html` <em>(${word("you")})</em>` : nothing}${mark}<span class="facts">${facts}</span>
    </header>
    ${more}
  </article>`;
}

/**
 * The other seats around the table.
 * @template {{seat: number}} Seat
 * @param {{table: {seats: Seat[], seat: number | null}}} ctx
 * @param {(seat: Seat) => unknown} draw
 */
export function around({ table }, draw) {
  const found = others(table);
  return html`<div class="ring n${found.length}">${found.map((each) => draw(each))}</div>`;
}

/**
 * Points with their sign, as in a sum.
 * @type {(points: number) => string}
 */
export const signed = (points) => `${points < 0 ? "−" : ""}${Math.abs(points)}`;
/** @type {(points: number) => string} */
export const plus = (points) => (points < 0 ? signed(points) : `+${points}`);

/**
 * A score table: one column per seat, and rows of cells.
 * @type {(ctx: Scene, seats: {seat: number}[], rows: [unknown, unknown[]][], foot?: [unknown, unknown[]] | null) => unknown}
 */
export const scoreTable = (ctx, seats, rows, foot = null) =>
  html`<div class="scroll" tabindex="0" role="group">
    <table class="scores">
      <thead>
        <tr>
          <th scope="col">${word("round")}</th>
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

/**
 * The cards of a new hand, which come to the viewer.
 * @type {(view: {table: {seat: number | null, hand: Card[]}}) => Motion[]}
 */
export const dealt = ({ table }) =>
  table.seat === null ? [] : table.hand.map((card) => ({ kind: "card", card, from: "deck", to: "hand" }));

/**
 * The command of one type that plays the viewer's last card; null if there are more cards, or more that can be done.
 * @template {{type: string}} Of
 * @param {{table: {hand: Card[]}, question: {legal: Of[]} | null}} view
 * @param {Of["type"]} type
 */
export function onlyCard({ table, question }, type) {
  const [command, ...others] = question?.legal ?? [];
  return table.hand.length === 1 && command?.type === type && !others.length ? command : null;
}
