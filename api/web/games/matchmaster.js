// MatchMaster: sealed bids, bids against tricks, trump marked by a star as well as by its colour, and the score sheet.

import { html, nothing } from "../vendor/lit.js";
import { picture } from "../art/matchmaster.js";
import {
  around,
  dealer,
  dealt,
  hand,
  onlyCard,
  plus,
  points,
  reasons,
  signed,
  scoreTable,
  seatLine,
  trickOf,
  winningCard,
} from "../table/cards.js";
import { aid as aidOf } from "../table/aid.js";
import { symbol } from "../core/symbols.js";
import { word } from "../core/words.js";

/** @import * as drawing from "../drawing" */
/** @import { Face } from "../table/cards.js" */
/** @typedef {drawing.Ctx<"matchmaster">} Ctx */
/** @typedef {drawing.Seen<"matchmaster">} View */
/** @typedef {drawing.Table<"matchmaster">} Table */
/** @typedef {drawing.Seat<"matchmaster">} Seat */
/** @typedef {drawing.Trick} Trick */
/** @typedef {drawing.Item} Item */
/** @typedef {drawing.Rested<"matchmaster">} Rested */

/** The event that ends a trick. */
export const trickDone = /^matchmaster\.trick-won\./;

/** @type {(ctx: Ctx) => (card: number) => Face} */
const look = (ctx) => (card) => {
  const { suits, rank } = ctx.sheet.card(card);
  return {
    card,
    suit: suits[0],
    mark: rank,
    picture: picture({ suits, rank }),
    name: ctx.sheet.term("card", card),
    extra: suits[0] === ctx.table.trump ? "★" : nothing,
  };
};

const BIDS = new Set(["matchmaster.place-bid"]);
const CARDS = new Set(["matchmaster.play-card"]);

/**
 * Cards are played by clicking them; bids have a row of buttons.
 * @type {(view: View) => Set<string>}
 */
export const handles = ({ table }) => (table.stage === "bid" ? BIDS : CARDS);

export function draw(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  const { leader, seats } = table;
  const order = leader === null ? [] : seats.map((_, place) => (leader + place) % seats.length);
  return html`${around(ctx, (seat) => place(ctx, seat))}
    <div class="middle">
      <span class="trump" title=${word("trump")}
        ><span class="chip suit-${table.trump}"
          >${symbol(table.trump)} ★ ${word("trump")}: ${ctx.sheet.term("suit", table.trump)}</span
        ></span
      >
      ${table.stage === "play" ? html`<div class="trick" data-anchor="trick">${trickOf(ctx, table.trick, table.winning, look(ctx), order)}</div>` : nothing}
    </div>`;
}

/**
 * A bid stays sealed until all bids are in; from then on the place shows tricks against bid.
 * @type {(ctx: Ctx, seat: Seat) => unknown}
 */
function place(ctx, seat) {
  const { table } = ctx;
  const met = seat.bid !== null && seat.bid === seat.tricks;
  const mark =
    table.stage === "bid"
      ? sealed(ctx, seat.seat)
      : html`<span class=${met ? "met" : ""} data-tip="bid" title=${word("bid_tricks")}
          >${word("tricks")} <b>${seat.tricks}</b>/${seat.bid}</span
        >`;
  return seatLine(ctx, seat.seat, html`${mark}${points(seat.score)}`, nothing, seat.seat === table.dealer ? dealer() : nothing);
}

/**
 * Viewers cannot see who has bid already; they see their own bid.
 * @type {(ctx: Ctx, seat: number) => unknown}
 */
const sealed = ({ table }, seat) =>
  seat === table.seat && table.bid !== null
    ? html`<span class="met" data-tip="sealed">✓ ${table.bid}</span>`
    : html`<span role="img" data-tip="sealed" title=${word("sealed")} aria-label=${word("sealed")}>${symbol("sealed")}</span>`;

export function own(/** @type {drawing.OwnCtx<"matchmaster">} */ ctx) {
  const { table, question } = ctx;
  const legal = (question?.legal ?? []).filter((command) => command.type === "matchmaster.play-card");
  return html`${place(ctx, table.seats[table.seat])}
  ${hand(table.hand, look(ctx), {
    choices: (card) => legal.filter((command) => command.card === card),
    reason: reasons(ctx),
    give: (card, found, why) => (found.length ? ctx.give(found[0]) : ctx.explain(why)),
    told: (command, name) => ctx.named(command, command.card, name),
    star: ctx.star,
  })}`;
}

/** All bids in a row, each with its number as its key; the current one is marked while it may be changed. */
export function panel(/** @type {Ctx} */ ctx) {
  const { table, question } = ctx;
  if (table.stage !== "bid" || !question) return nothing;
  const legal = question.legal.filter((command) => command.type === "matchmaster.place-bid");
  const bids = Array.from({ length: table.size + 1 }, (_, tricks) => legal.find((command) => command.tricks === tricks) ?? null);
  bids.forEach((command) => command && ctx.key(command, String(command.tricks)));
  return html`<div class="bids">
      <span class="quiet">${word("bid")}</span
      >${bids.map((command, tricks) => html`<button aria-pressed=${command === null} ?disabled=${command === null} aria-label=${command ? ctx.label(command) : String(tricks)} @click=${() => command && ctx.give(command)}>${command ? ctx.star([command]) : nothing}${tricks}</button>`)}
    </div>
    ${table.bid === null ? nothing : html`<p class="quiet">✓ ${word("bid")}: <strong>${table.bid}</strong>. ${word("changeable")}</p>`}`;
}

export function last(/** @type {Ctx} */ ctx) {
  const trick = ctx.table.tricks.at(-1);
  if (!trick) return nothing;
  return html`<div class="trick">${trickOf(ctx, trick.plays, trick.winner, look(ctx))}</div>
    <p class="reason">${ctx.name(trick.winner)}: ${reason(ctx, trick)}</p>`;
}

/**
 * The card that won a trick, and why.
 * @type {(ctx: Ctx, trick: Trick) => string | null}
 */
export function reason(ctx, trick) {
  const card = winningCard(trick);
  if (card === null) return null;
  const { trump } = ctx.table;
  /** @type {(card: number) => string} */
  const suit = (each) => ctx.sheet.card(each).suits[0];
  return `${ctx.sheet.term("card", card)} – ${suit(card) === trump && suit(trick.plays[0].card) !== trump ? word("by_trump") : word("by_suit")}`;
}

/**
 * The tricks that ended between two tables, each with the table it lies on; null while their cards have not arrived.
 * @type {(before: Table, after: Table, items: Item[]) => Rested[] | null}
 */
export function rested(before, after, items) {
  /** @type {(table: Table, trick: Trick) => Rested} */
  const lies = (table, trick) => ({
    trick,
    table: { ...table, stage: "play", leader: trick.plays[0].seat, trick: trick.plays, winning: trick.winner },
  });
  if (after.round === before.round) return after.tricks.slice(before.tricks.length).map((trick) => lies(after, trick));
  if (after.round !== before.round + 1) return [];
  const { bids, tricks } = after.rounds[after.rounds.length - 1];
  const trick = lastOf(items, after);
  return (
    trick && [
      lies(
        { ...before, hand: [], seats: before.seats.map((seat, place) => ({ ...seat, bid: bids[place], tricks: tricks[place] })) },
        trick,
      ),
    ]
  );
}

/**
 * The last trick of the previous round, which no view contains: taken from the events; null until they have arrived.
 * @type {(items: Item[], table: Table) => Trick | null}
 */
function lastOf(items, { round, seats }) {
  const dealt = items.findLastIndex(({ event }) => event.type === "matchmaster.dealt.1" && event.round === round);
  const events = items.slice(0, Math.max(dealt, 0)).map((item) => item.event);
  const won = events.findLast((event) => event.type === "matchmaster.trick-won.1");
  const plays = events.filter((event) => event.type === "matchmaster.card-played.1").slice(-seats.length);
  return won ? { plays: plays.map(({ seat, card }) => ({ seat, card })), winner: won.seat } : null;
}

/** How the newest round ended. */
export function ended(/** @type {Ctx} */ ctx) {
  const { rounds, seats } = ctx.table;
  const { round, bids, tricks, points } = rounds[rounds.length - 1];
  const rows = seats.map(({ seat, score }) => [
    bids[seat],
    html`${tricks[seat]}${tricks[seat] === bids[seat] ? " ✓" : ""}`,
    plus(points[seat]),
    html`<b>${signed(score)}</b>`,
  ]);
  return { title: `${word("round")} ${round}`, heads: [word("bid_short"), word("tricks"), word("points"), "Σ"], rows };
}

export function sheet(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  if (!table.rounds.length) return nothing;
  /** @type {[unknown, unknown[]][]} */
  const rows = table.rounds.map((round) => [
    html`${round.round} <span class="quiet" title="${round.size} ${word("in_hand")}">(${round.size})</span>`,
    round.points.map(
      (points, seat) => html`${signed(points)} <span class="quiet">${round.tricks[seat]}/${round.bids[seat]}</span>`,
    ),
  ]);
  return scoreTable(ctx, table.seats, rows, ["Σ", table.seats.map((seat) => signed(seat.score))]);
}

export function text(/** @type {Ctx} */ ctx) {
  const { table, sheet: words } = ctx;
  /** @type {(seat: Seat) => number | string | null} */
  const bid = (seat) => (table.stage === "bid" ? "?" : seat.bid);
  return [
    `${word("trump")}: ${words.term("suit", table.trump)}`,
    ...table.seats.map(
      (seat) => `${ctx.name(seat.seat)}: ${word("bid_tricks")} ${seat.tricks}/${bid(seat)}, ${seat.score} ${word("points")}`,
    ),
    ...table.trick.map((play) => `${word("trick")}: ${ctx.name(play.seat)} ${words.term("card", play.card)}`),
    ...(table.seat === null ? [] : [`${word("hand")} ${table.hand.map((card) => words.term("card", card)).join(", ")}`]),
  ];
}

/**
 * The viewer's last card, if nothing else can be done.
 * @param {View} view
 */
export const lastCard = (view) => onlyCard(view, "matchmaster.play-card");

/**
 * What moves when something happens: a card to the trick, the trick to its winner, the cards of a new hand.
 * @type {(item: Item, before: View, after: View) => drawing.Motion[]}
 */
export function motions({ event }, before, after) {
  if (event.type === "matchmaster.card-played.1")
    return [{ kind: "card", card: event.card, from: `seat:${event.seat}`, to: "trick" }];
  if (event.type === "matchmaster.trick-won.1")
    return before.table.trick.map(({ card }) => ({ kind: "card", card, from: "trick", to: `seat:${event.seat}` }));
  return event.type === "matchmaster.dealt.1" ? dealt(after) : [];
}

/** What counts, and what the signs mean. */
export const aid = (/** @type {Ctx} */ ctx) =>
  aidOf(ctx, [
    { key: "dark_orange", name: `${ctx.sheet.term("suit", "dark_orange")}:`, sign: "dark_orange" },
    { key: "duty" },
    { key: "exact" },
    { key: "missed" },
  ]);

export { picture };

/** The pictures of the rule sheet: cards, and the place of the one that wins. */
export const examples = [
  { key: "trump", cards: [47, 50, 1], wins: 2 },
  { key: "beat", cards: [4, 8, 6], wins: 1 },
];
