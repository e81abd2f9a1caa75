// Mondkrone: the pile with its conditions and all standings in them, palettes, and what a card would do before it is played.

import { html, keyed, nothing, ref } from "../vendor/lit.js";
import { crest } from "../art/mondkrone.js";
import { picture } from "../art/scenes.js";
import { around, back, dealt, face, hand, held, isNew, plus, seatLine } from "../table/cards.js";
import { aid as aidOf } from "../table/aid.js";
import { symbol } from "../core/symbols.js";
import { listed, say, word } from "../core/words.js";

/** @import { Shapes } from "../contract" */
/** @import * as drawing from "../drawing" */
/** @import { Face } from "../table/cards.js" */
/** @typedef {drawing.Ctx<"mondkrone">} Ctx */
/** @typedef {drawing.Seen<"mondkrone">} View */
/** @typedef {drawing.Seat<"mondkrone">} Seat */
/** @typedef {drawing.Command<"mondkrone">} Command */
/** @typedef {drawing.Question<"mondkrone">} Question */
/** @typedef {drawing.Card} Card */
/** @typedef {drawing.Motion} Motion */
/** @typedef {Shapes["MondkroneResultView"]} Result */

/** @type {Record<string, string>} */
const LETTERS = { ace: "A", pawn: "P", court: "C", crown: "♛" };

/** @type {(ctx: Ctx) => (card: Card) => Face & {suits: string[]}} */
const look = (ctx) => (card) => {
  const { suits, rank, name, kinds } = ctx.sheet.card(card);
  const types = kinds.map(kindWord).filter((type) => type !== null);
  return {
    card,
    suit: suits[0],
    suits,
    mark: LETTERS[rank] ?? rank,
    name: [say(name), RANKS[rank]?.() ?? rank, listed(suits.map((suit) => suitName(ctx, suit))), ...types].join(", "),
    label: say(name),
    picture: picture({ card, suits, rank }),
    types: types.map((type) => type[0].toUpperCase()).join(""),
    tip: "letters",
  };
};
/** @type {Record<string, () => string>} */
const KINDS = {
  location: () => word("kind_location"),
  event: () => word("kind_event"),
  personality: () => word("kind_personality"),
};
/** @type {(kind: string) => string | null} */
const kindWord = (kind) => KINDS[kind]?.() ?? null;
/** @type {Record<string, () => string>} */
const RANKS = {
  ace: () => word("rank_ace"),
  pawn: () => word("rank_pawn"),
  court: () => word("rank_court"),
  crown: () => word("rank_crown"),
};
/**
 * A suit, without what it counts as a condition.
 * @type {(ctx: Ctx, suit: string) => string}
 */
const suitName = (ctx, suit) => ctx.sheet.term("condition", suit).replace(/ \(.*/, "");
/**
 * All that is printed on a card, as text mode has it.
 * @type {(ctx: Ctx, card: Card) => string}
 */
const printed = (ctx, card) => look(ctx)(card).name.replace(", ", " (").concat(")");
/** @type {(ctx: Ctx, card: Card) => string} */
const cardName = (ctx, card) => ctx.sheet.term("card", card);

const CLICKED = new Set(["mondkrone.play-to-palette", "mondkrone.discard-to-pile", "mondkrone.play-and-discard"]);

/** Once a card is picked, its actions appear below it. */
export const handles = () => CLICKED;

export function draw(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  return html`${around(ctx, (seat) => place(ctx, seat))}
    <section class="middle pile">
      <figure data-anchor="pile" class=${isNew(ctx, table.top)}>
        ${table.top ? face(look(ctx)(table.top)) : nothing}
        <figcaption data-tip="pile">${word("pile")}</figcaption>
      </figure>
      <ul class="conditions">
        ${table.conditions.map((each) => condition(ctx, each))}
      </ul>
      <figure data-anchor="deck">
        ${back("hidden", "", crest())}
        <figcaption data-tip="deck">${table.deck_size}</figcaption>
      </figure>
    </section>`;
}

/**
 * A result as it is compared: a count, or that card's rank where a single card decides.
 * @type {(ctx: Ctx, result: Result) => number | string}
 */
function amount({ sheet }, { suit, count, best }) {
  if (suit !== "moons" || best === null) return count;
  const { rank } = sheet.card(best);
  return LETTERS[rank] ?? rank;
}

/**
 * A condition: who leads, with what, and how the others stand; each seat has a place of its own.
 * @type {(ctx: Ctx, condition: View["table"]["conditions"][number]) => unknown}
 */
function condition(ctx, { suit, leader, cards }) {
  const stands = (/** @type {Seat} */ { results }) => {
    const result = results.find((each) => each.suit === suit);
    return result ? amount(ctx, result) : "–";
  };
  const stand = (/** @type {Seat} */ each) =>
    html`<span class="stand ${each.seat === leader ? "leads" : ""}" ?hidden=${each.out}
      >${each.seat === leader ? html`<span role="img" aria-label=${word("leads")}>♛</span>` : nothing}<span class="who"
        >${ctx.name(each.seat)}</span
      >
      <b>${stands(each)}</b></span
    >`;
  const counting = cards.map((card) => cardName(ctx, card)).join(", ");
  return html`<li class="suit-${suit}" data-tip="condition">
    ${symbol(suit)}
    <span class="what">${ctx.sheet.term("condition", suit)}</span>
    <span class="stands">${ctx.table.seats.map(stand)}</span>
    <span class="by" title=${counting}>${counting}</span>
  </li>`;
}

/** @type {(ctx: Ctx, seat: Seat) => unknown} */
function place(ctx, seat) {
  const { table } = ctx;
  const own = seat.seat === ctx.view.seat;
  const led = table.conditions.filter((each) => each.leader === seat.seat);
  const leading = new Set(led.flatMap((each) => each.cards));
  const scored = seat.scored.length ? `${word("scored")}: ${seat.scored.map((card) => cardName(ctx, card)).join(", ")}` : "";
  return html`${seatLine(
    ctx,
    seat.seat,
    html`${own ? nothing : held(seat.hand_size)}<span data-tip="scores" title=${word("points")}
        ><b>${seat.score}</b>/${table.target} ${word("points_short")}</span
      >`,
    html`<div class="cards ${seat.out ? "lost" : ""}">
        ${seat.palette.map((card) => html`<span class="${leading.has(card) ? "leading" : ""} ${isNew(ctx, card)}">${face(look(ctx)(card))}</span>`)}
      </div>
      <p class="quiet scored" title=${scored} data-tip="scores">${scored}</p>`,
    led.length
      ? html`<span class="badge" data-tip="leads">♛ ${word("leads")}</span>`
      : seat.out
        ? html`<em data-tip="dropped">${word("dropped_out")}</em>`
        : nothing,
  )}`;
}

/**
 * The cards of the hand that a command plays.
 * @type {(command: Command) => Card[]}
 */
const cardsOf = (command) =>
  "palette_card" in command ? [command.palette_card, command.pile_card] : "card" in command ? [command.card] : [];

export function own(/** @type {drawing.OwnCtx<"mondkrone">} */ ctx) {
  const { table, question, picked } = ctx;
  const legal = question?.legal ?? [];
  const uses = (/** @type {Card} */ card) => legal.filter((command) => cardsOf(command).includes(card));
  const against = (/** @type {Card} */ card) => {
    const found = question?.refused.find(({ command }) => "card" in command && command.card === card);
    return found ? ctx.refusal(found) : word("no_move");
  };
  return html`${place(ctx, table.seats[table.seat])}${hand(table.hand, look(ctx), {
    choices: uses,
    reason: (card) => (question ? against(card) : null),
    give: (card) => {
      if (!question) return;
      if (!picked.has(card)) picked.clear();
      ctx.pick(card);
    },
    picked,
    star: ctx.star,
  })}`;
}

/** @typedef {"palette_card" | "pile_card"} Half */

/**
 * The ways to play a card: alone, or together with another card, which then goes the other way.
 * @type {{alone: string, own: Half, other: Half, also: () => string}[]}
 */
const WAYS = [
  { alone: "mondkrone.play-to-palette", own: "palette_card", other: "pile_card", also: () => word("also_pile") },
  { alone: "mondkrone.discard-to-pile", own: "pile_card", other: "palette_card", also: () => word("also_palette") },
];

/** What the picked card can do, each action with its effect, and why the others are not possible. */
export function offers(/** @type {Ctx} */ ctx) {
  const { question } = ctx;
  const [chosen] = ctx.picked;
  if (!question) return nothing;
  if (!chosen)
    return question.legal.some((command) => CLICKED.has(command.type))
      ? html`<p class="quiet hint">${word("choose_card")}</p>`
      : nothing;
  return keyed(chosen, html`<div class="offers" ${ref(reveal)}>${WAYS.map((each) => way(ctx, question, chosen, each))}</div>`);
}

/**
 * On a small screen the offers may be below the edge; a player who has moved on to something else is not scrolled back.
 * @type {(offers: Element | undefined) => void}
 */
function reveal(offers) {
  if (!offers) return;
  offers.parentElement?.scrollTo(0, 0);
  requestAnimationFrame(() => {
    const active = /** @type {Document | ShadowRoot} */ (offers.getRootNode()).activeElement;
    if (!active || active.closest(".hand")) offers.scrollIntoView({ block: "nearest" });
  });
}

/** @type {(ctx: Ctx, question: Question, chosen: Card, way: typeof WAYS[number]) => unknown} */
function way(ctx, question, chosen, { alone, own, other, also }) {
  const { sheet } = ctx;
  const is = (/** @type {Command} */ command) => command.type === alone && "card" in command && command.card === chosen;
  const single = question.legal.find(is);
  const refused = question.refused.find((each) => is(each.command));
  const pairs = question.legal.filter((command) => "palette_card" in command).filter((command) => command[own] === chosen);
  return html`<section class="way">
    <h3>${sheet.told({ type: alone, card: chosen }, ctx.name)}</h3>
    ${refused ? html`<p class="refused">${ctx.refusal(refused)}</p>` : nothing}
    ${single ? offer(ctx, single, word("alone")) : nothing}
    ${pairs.length ? html`<span class="also">${also()}</span>${pairs.map((command) => offer(ctx, command, small(ctx, command[other])))}` : nothing}
  </section>`;
}

/** @type {(ctx: Ctx, command: Command, shown: unknown) => unknown} */
const offer = (ctx, command, shown) =>
  html`<button class="answer" @click=${() => ctx.give(command)}>
    ${ctx.star([command])}
    <span class="spoken">${ctx.sheet.told(command, ctx.name)}: </span><span class="which" aria-hidden="true">${shown}</span
    ><span class="effects">${effect(ctx, command)}</span>
  </button>`;

/**
 * A card in a few letters.
 * @type {(ctx: Ctx, card: Card) => unknown}
 */
function small(ctx, card) {
  const { mark, suits, label } = look(ctx)(card);
  return html`<b>${mark}</b>${suits.map((each) => html`<span class="suit-${each}">${symbol(each)}</span>`)} ${label}`;
}

/**
 * What an action changes, as the service foretells it: the viewer's count in every condition that would apply, and whether the viewer would lead.
 * @type {(ctx: Ctx, command: Command) => unknown}
 */
function effect(ctx, command) {
  const both = "palette_card" in command ? command : { palette_card: null, pile_card: null };
  const played = command.type === "mondkrone.play-to-palette" ? command.card : both.palette_card;
  const put = command.type === "mondkrone.discard-to-pile" ? command.card : both.pile_card;
  const found = ctx.table.effects.find((each) => each.palette_card === played && each.pile_card === put);
  return found?.conditions.map(({ before, after, leads }) => {
    const [was, now] = [amount(ctx, before), amount(ctx, after)];
    return html`<span class="chip suit-${after.suit}" title=${ctx.sheet.term("condition", after.suit)}
      ><span class="spoken">${suitName(ctx, after.suit)} </span
      >${symbol(after.suit)}${was === now ? now : `${was}→${now}`}${leads ? html` ♛<span class="spoken">${word("leads")}</span>` : nothing}</span
    >`;
  });
}

/** How the newest round ended: its winner scored. */
export function ended(/** @type {Ctx} */ ctx) {
  const { rounds, seats, target } = ctx.table;
  const { winner, points, cards } = rounds[rounds.length - 1];
  const scored = cards.map((card) => cardName(ctx, card)).join(", ") || "–";
  const rows = seats.map(({ seat, score }) =>
    seat === winner
      ? [plus(points), html`<span class="wide">${scored}</span>`, html`<b>${score}</b>/${target}`]
      : ["–", "", html`<b>${score}</b>/${target}`],
  );
  return { title: `${word("round")} ${rounds.length}: ${ctx.name(winner)}`, heads: [word("points"), word("scored"), "Σ"], rows };
}

/** The finished rounds, and the points; there from the beginning, so that what is below keeps its place. */
export function sheet(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  return html`<ol class="rounds">
      ${table.rounds.map((round) => html`<li><strong>${ctx.name(round.winner)}</strong> +${round.points} <span class="quiet">${round.cards.map((card) => cardName(ctx, card)).join(", ")}</span></li>`)}
    </ol>
    <p>${table.seats.map((seat) => `${ctx.name(seat.seat)} ${seat.score}`).join(" · ")} / ${table.target}</p>`;
}

export function text(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  const list = (/** @type {Card[]} */ cards) => cards.map((card) => printed(ctx, card)).join(", ") || "–";
  const counting = (/** @type {Card[]} */ cards) => cards.map((card) => cardName(ctx, card)).join(", ");
  return [
    ...(table.top ? [`${word("pile")}: ${printed(ctx, table.top)}`] : []),
    ...table.conditions.map(
      (each) =>
        `${ctx.sheet.term("condition", each.suit)}: ${each.leader === null ? "–" : `${ctx.name(each.leader)} ${each.count} (${counting(each.cards)})`}`,
    ),
    ...table.seats.map(
      (seat) =>
        `${ctx.name(seat.seat)}: ${list(seat.palette)}${seat.out ? ` (${word("dropped_out")})` : ""}; ${seat.hand_size} ${word("in_hand")}, ${seat.score}/${table.target} ${word("points")}`,
    ),
    ...(table.seat === null ? [] : [`${word("hand")} ${list(table.hand)}`]),
  ];
}

/**
 * What moves when something happens: cards to a palette, to the pile, and from the deck.
 * @type {(item: drawing.Item, before: View, after: View) => Motion[]}
 */
export function motions({ event }, before, after) {
  if (event.type === "mondkrone.round-dealt.1") return dealt(after);
  if (!("seat" in event)) return [];
  const seat = `seat:${event.seat}`;
  /** @type {(cards: (Card | null)[]) => Motion[]} */
  const drawn = (cards) => cards.map((card) => ({ kind: "card", card, from: "deck", to: card === null ? seat : "hand" }));
  switch (event.type) {
    case "mondkrone.card-played.1":
      return [{ kind: "card", card: event.card, from: seat, to: seat }];
    case "mondkrone.card-discarded.1":
      return [{ kind: "card", card: event.card, from: seat, to: "pile" }];
    case "mondkrone.cards-drawn.1":
      return drawn(event.cards ?? Array(event.count).fill(null));
    default:
      return [];
  }
}

/** What counts, and what the signs mean. */
export const aid = (/** @type {Ctx} */ ctx) =>
  aidOf(ctx, [
    ...["moons", "suns", "waves", "leaves", "wyrms", "knots"].map((key) => ({ key, sign: key })),
    { key: "letters" },
    { key: "even" },
    { key: "scores" },
  ]);

export { picture };

/** The pictures of the rule sheet: cards, and the place of the one that wins. */
export const examples = [
  { key: "lead", cards: ["betrayal", "darkness"], wins: 1 },
  { key: "change", cards: ["origin"], wins: null },
];
