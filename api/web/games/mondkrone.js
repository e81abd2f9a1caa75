// Mondkrone: the pile with its conditions and all standings in them, palettes, and what a card would do before it is played.

import { html, keyed, nothing, ref } from "../vendor/lit.js";
import { around, back, dealt, face, hand, held, isNew, plus, seatLine } from "../table/cards.js";
import { aid as aidOf } from "../table/aid.js";
import { symbol } from "../core/symbols.js";
import { say, word } from "../core/words.js";

/** @typedef {import("../contract").Ctx<"MondkroneView">} Ctx */

const LETTERS = { ace: "A", pawn: "P", court: "C", crown: "♛" };

const look = (/** @type {Ctx} */ ctx) => (card) => {
  const { suits, rank, name, kinds } = ctx.sheet.card(card);
  const types = kinds.map(kindWord).filter(Boolean);
  return {
    card,
    suit: suits[0],
    suits,
    mark: LETTERS[rank] ?? rank,
    name: [say(name), ...types].join(", "),
    label: say(name),
    types: types.map((type) => type[0].toUpperCase()).join(""),
  };
};
const kindWord = (kind) =>
  ({ location: word("kind_location"), event: word("kind_event"), personality: word("kind_personality") })[kind];
const cardName = (/** @type {Ctx} */ ctx, card) => ctx.sheet.term("card", card);

const CLICKED = new Set(["mondkrone.play-to-palette", "mondkrone.discard-to-pile", "mondkrone.play-and-discard"]);

/** Once a card is picked, its actions appear below it. */
export const handles = () => CLICKED;

export function draw(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  return html`${around(ctx, (seat) => place(ctx, seat))}
    <section class="pile">
      <figure data-anchor="pile" class=${isNew(ctx, table.top)}>
        ${table.top ? face(look(ctx)(table.top)) : nothing}
        <figcaption>${word("pile")}</figcaption>
      </figure>
      <ul class="conditions">
        ${table.conditions.map((each) => condition(ctx, each))}
      </ul>
      <figure data-anchor="deck">
        ${back()}
        <figcaption>${table.deck_size}</figcaption>
      </figure>
    </section>`;
}

/** A result as it is compared: a count, or that card's rank where a single card decides. */
function amount(/** @type {Ctx} */ { sheet }, { suit, count, best }) {
  if (suit !== "moons" || best === null) return count;
  const { rank } = sheet.card(best);
  return LETTERS[rank] ?? rank;
}

/** A condition: who leads, with what, and how the others stand. */
function condition(/** @type {Ctx} */ ctx, { suit, leader, cards }) {
  const stands = (seat) =>
    amount(
      ctx,
      seat.results.find((each) => each.suit === suit),
    );
  const others = ctx.table.seats
    .filter((each) => !each.out && each.seat !== leader)
    .map((each) => `${ctx.name(each.seat)}:\u00a0${stands(each)}`);
  const leads =
    leader === null
      ? "–"
      : html`<strong>${ctx.name(leader)}: ${stands(ctx.table.seats[leader])}</strong>
          <span class="by">(${cards.map((card) => cardName(ctx, card)).join(", ")})</span>`;
  return html`<li class="suit-${suit}">
    ${symbol(suit)}
    <span class="what">${ctx.sheet.term("condition", suit)}</span>
    ${leads}${others.length ? html` <span>· ${others.join(" · ")}</span>` : nothing}
  </li>`;
}

function place(/** @type {Ctx} */ ctx, seat) {
  const { table } = ctx;
  const own = seat.seat === ctx.view.seat;
  const led = table.conditions.filter((each) => each.leader === seat.seat);
  const leading = new Set(led.flatMap((each) => each.cards));
  return html`${seatLine(
    ctx,
    seat.seat,
    html`${own ? nothing : held(seat.hand_size)}<span title=${word("points")}
        ><b>${seat.score}</b>/${table.target} ${word("points_short")}</span
      >`,
    html`${seat.out ? html`<span class="quiet">${word("dropped_out")}</span>` : nothing}
      <div class="cards ${seat.out ? "lost" : ""}">
        ${seat.palette.map((card) => html`<span class="${leading.has(card) ? "leading" : ""} ${isNew(ctx, card)}">${face(look(ctx)(card))}</span>`)}
      </div>
      ${seat.scored.length ? html`<p class="quiet scored">${word("scored")}: ${seat.scored.map((card) => cardName(ctx, card)).join(", ")}</p>` : nothing}`,
    led.length ? html`<span class="badge">♛ ${word("leads")}</span>` : nothing,
  )}`;
}

const cardsOf = (command) => [command.card, command.palette_card, command.pile_card].filter(Boolean);

export function own(/** @type {Ctx} */ ctx) {
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
    star: ctx.star,
  })}${question ? offers(ctx) : nothing}`;
}

/** The ways to play a card: alone, or together with another card, which then goes the other way. */
const WAYS = [
  { alone: "mondkrone.play-to-palette", own: "palette_card", other: "pile_card", also: () => word("also_pile") },
  { alone: "mondkrone.discard-to-pile", own: "pile_card", other: "palette_card", also: () => word("also_palette") },
];

/** What the picked card can do, each action with its effect, and why the others are not possible. */
function offers(/** @type {Ctx} */ ctx) {
  const { question, picked } = ctx;
  const [chosen] = picked;
  if (!chosen)
    return question.legal.some((command) => CLICKED.has(command.type))
      ? html`<p class="quiet hint">${word("choose_card")}</p>`
      : nothing;
  return keyed(chosen, html`<div class="offers" ${ref(reveal)}>${WAYS.map((each) => way(ctx, chosen, each))}</div>`);
}

/** On a small screen the offers may be below the edge; a player who has moved on to something else is not scrolled back. */
function reveal(offers) {
  if (!offers) return;
  requestAnimationFrame(() => {
    const active = offers.getRootNode().activeElement;
    if (!active || active.closest(".hand")) offers.scrollIntoView({ block: "nearest" });
  });
}

function way(/** @type {Ctx} */ ctx, chosen, { alone, own, other, also }) {
  const { question, sheet } = ctx;
  const is = (command) => command.type === alone && command.card === chosen;
  const single = question.legal.find(is);
  const refused = question.refused.find((each) => is(each.command));
  const pairs = question.legal.filter((command) => command[own] === chosen);
  return html`<section class="way">
    <h3>${sheet.told({ type: alone, card: chosen }, ctx.name)}</h3>
    ${refused ? html`<p class="refused">${ctx.refusal(refused)}</p>` : nothing}
    ${single ? offer(ctx, single, word("alone")) : nothing}
    ${pairs.length ? html`<span class="also">${also()}</span>${pairs.map((command) => offer(ctx, command, small(ctx, command[other])))}` : nothing}
  </section>`;
}

const offer = (/** @type {Ctx} */ ctx, command, shown) =>
  html`<button class="answer" @click=${() => ctx.give(command)}>
    ${ctx.star([command])}
    <span class="spoken">${ctx.sheet.told(command, ctx.name)}: </span><span class="which" aria-hidden="true">${shown}</span
    ><span class="effects">${effect(ctx, command)}</span>
  </button>`;

/** A card in a few letters. */
function small(/** @type {Ctx} */ ctx, card) {
  const { mark, suits, label } = look(ctx)(card);
  return html`<b>${mark}</b>${suits.map((each) => html`<span class="suit-${each}">${symbol(each)}</span>`)} ${label}`;
}

/** What an action changes, as the service foretells it: the viewer's count in every condition that would apply, and whether the viewer would lead. */
function effect(/** @type {Ctx} */ ctx, { type, card = null, palette_card = null, pile_card = null }) {
  const played = type === "mondkrone.play-to-palette" ? card : palette_card;
  const put = type === "mondkrone.discard-to-pile" ? card : pile_card;
  const found = ctx.table.effects.find((each) => each.palette_card === played && each.pile_card === put);
  return found?.conditions.map(({ before, after, leads }) => {
    const [was, now] = [amount(ctx, before), amount(ctx, after)];
    return html`<span class="chip suit-${after.suit}" title=${ctx.sheet.term("condition", after.suit)}
      >${symbol(after.suit)}${was === now ? now : `${was}→${now}`}${leads ? html` ♛<span class="spoken">${word("leads")}</span>` : nothing}</span
    >`;
  });
}

/** How the newest round ended: its winner scored. */
export function ended(/** @type {Ctx} */ ctx) {
  const { rounds, seats, target } = ctx.table;
  const { winner, points, cards } = rounds.at(-1);
  const scored = cards.map((card) => cardName(ctx, card)).join(", ") || "–";
  const rows = seats.map(({ seat, score }) =>
    seat === winner
      ? [plus(points), html`<span class="wide">${scored}</span>`, html`<b>${score}</b>/${target}`]
      : ["–", "", html`<b>${score}</b>/${target}`],
  );
  return { title: `${word("round")} ${rounds.length}: ${ctx.name(winner)}`, heads: [word("points"), word("scored"), "Σ"], rows };
}

/** The finished rounds. */
export function sheet(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  if (!table.rounds.length) return nothing;
  return html`<ol class="rounds">
      ${table.rounds.map((round) => html`<li><strong>${ctx.name(round.winner)}</strong> +${round.points} <span class="quiet">${round.cards.map((card) => cardName(ctx, card)).join(", ")}</span></li>`)}
    </ol>
    <p>${table.seats.map((seat) => `${ctx.name(seat.seat)} ${seat.score}`).join(" · ")} / ${table.target}</p>`;
}

export function text(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  const list = (cards) => cards.map((card) => cardName(ctx, card)).join(", ") || "–";
  return [
    ...(table.top ? [`${word("pile")}: ${cardName(ctx, table.top)}`] : []),
    ...table.conditions.map(
      (each) =>
        `${ctx.sheet.term("condition", each.suit)}: ${each.leader === null ? "–" : `${ctx.name(each.leader)} ${each.count} (${list(each.cards)})`}`,
    ),
    ...table.seats.map(
      (seat) =>
        `${ctx.name(seat.seat)}: ${list(seat.palette)}${seat.out ? ` (${word("dropped_out")})` : ""}; ${seat.hand_size} ${word("in_hand")}, ${seat.score}/${table.target} ${word("points")}`,
    ),
    ...(table.seat === null ? [] : [`${word("hand")} ${list(table.hand)}`]),
  ];
}

/** What moves when something happens: cards to a palette, to the pile, and from the deck. */
export function motions({ event }, before, after) {
  const seat = `seat:${event.seat}`;
  const drawn = (cards) => cards.map((card) => ({ kind: "card", card, from: "deck", to: card === null ? seat : "hand" }));
  switch (event.type) {
    case "mondkrone.card-played.1":
      return [{ kind: "card", card: event.card, from: seat, to: seat }];
    case "mondkrone.card-discarded.1":
      return [{ kind: "card", card: event.card, from: seat, to: "pile" }];
    case "mondkrone.cards-drawn.1":
      return drawn(event.cards ?? Array(event.count).fill(null));
    case "mondkrone.round-dealt.1":
      return dealt(after);
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

/** The pictures of the rule sheet: cards, and the place of the one that wins. */
export const examples = [
  { key: "lead", cards: ["betrayal", "darkness"], wins: 1 },
  { key: "change", cards: ["origin"], wins: null },
];
