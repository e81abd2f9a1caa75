// Meister Coup: the coloured backs of every hand, the sums of the trick, who takes what, sets of four colours, and the score pad.

import { html, nothing } from "../vendor/lit.js";
import { picture } from "../art/meister-coup.js";
import {
  around,
  chip,
  dealt,
  face,
  figure,
  hand,
  isNew,
  onlyCard,
  plus,
  scoreTable,
  seatLine,
  winningCard,
} from "../table/cards.js";
import { aid as aidOf } from "../table/aid.js";
import { symbol } from "../core/symbols.js";
import { fill, word } from "../core/words.js";

/** @import { Shapes } from "../contract" */
/** @import { Sheet } from "../core/sheet.js" */
/** @import * as drawing from "../drawing" */
/** @import { Face } from "../table/cards.js" */
/** @typedef {drawing.Ctx<"meister-coup">} Ctx */
/** @typedef {drawing.Seen<"meister-coup">} View */
/** @typedef {drawing.Table<"meister-coup">} Table */
/** @typedef {drawing.Seat<"meister-coup">} Seat */
/** @typedef {drawing.Motion} Motion */
/** @typedef {Shapes["MeisterCoupTrickView"]} Trick */

/** The event that ends a trick. */
export const trickDone = /^meister-coup\.trick-cleared\./;

/**
 * Six players play in teams only.
 * @type {(seats: number) => {mode?: string}}
 */
export const needs = (seats) => (seats === 6 ? { mode: "team" } : {});

const COLOURS = ["violet", "blue", "green", "yellow"];
const WANTED = 3;

/** @type {(ctx: Ctx) => (card: number) => Face} */
const look = (ctx) => (card) => {
  const { suits, rank } = ctx.sheet.card(card);
  const diamonds = ctx.table.diamonds[Number(rank) - 1];
  return {
    card,
    suit: suits[0],
    mark: rank,
    picture: picture({ suits, rank }),
    name: [ctx.sheet.term("card", card), ...(diamonds ? [diamondsOf(diamonds)] : [])].join(", "),
    extra: diamonds ? "◆".repeat(diamonds) : nothing,
    tip: diamonds ? "diamonds" : null,
  };
};
/** @type {(count: number) => string} */
const diamondsOf = (count) => (count === 1 ? word("diamond_one") : fill(word("diamond_count"), { count }));
/** @type {(ctx: Ctx, place: number) => string} */
const named = (ctx, place) => ctx.sheet.term("colour", COLOURS[place]);

const CLICKED = new Set(["meister-coup.play-card", "meister-coup.pick-card"]);

/** Commands that are given by clicking cards. */
export const handles = () => CLICKED;

export function draw(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  const shown = table.trick.plays.length || !table.last_trick ? table.trick : table.last_trick;
  return html`${around(ctx, (seat) => place(ctx, seat))}${table.stage === "vote" ? votes(ctx) : trick(ctx, shown, shown === table.trick)}`;
}

/** The votes of the teams: whom each member proposes, and who is in favour. */
function votes(/** @type {Ctx} */ ctx) {
  /** @type {(vote: Table["votes"][number]) => unknown} */
  const told = ({ seats, voices, proposed, entered }) => {
    if (entered !== null) return html`<strong>${ctx.name(entered)}</strong> ✓ ${word("entered")}`;
    if (proposed === null) return word("nobody");
    return html`<strong>${ctx.name(proposed)}</strong> (${word("votes_for")}:
      ${seats
        .filter((_, place) => voices[place] === proposed)
        .map((seat) => ctx.name(seat))
        .join(", ")})`;
  };
  return html`<section class="middle">
    <dl class="pairs votes">
      ${ctx.table.votes.map(
        (vote) =>
          html`<dt><span class="badge team${vote.team}">${ctx.sheet.term("team", vote.team)}</span> ${word("proposes")}</dt>
            <dd>${told(vote)}</dd>`,
      )}
    </dl>
  </section>`;
}

/**
 * The backs of a hand show their colours to everyone.
 * @type {(ctx: Ctx, numbers: number[]) => unknown}
 */
const backs = (ctx, numbers) =>
  html`<span class="backs" role="img" aria-label=${spell(ctx, numbers)}
    >${numbers.flatMap((count, place) => Array.from({ length: count }, () => html`<span class="mini suit-${COLOURS[place]}" data-tip="squares" title=${named(ctx, place)}>${symbol(COLOURS[place])}</span>`))}</span
  >`;
/** @type {(ctx: Ctx, numbers: number[]) => string} */
const spell = (ctx, numbers) => numbers.map((count, place) => `${count} ${named(ctx, place)}`).join(", ");
/** @type {(ctx: Ctx, numbers: number[]) => unknown} */
const counts = (ctx, numbers) =>
  html`<span class="counts"
    >${numbers.map((count, place) => html`<span class=${count ? "" : "none"}>${chip(COLOURS[place], count, named(ctx, place))}</span>`)}</span
  >`;

/** @type {(ctx: Ctx, seat: Seat) => unknown} */
function place(ctx, seat) {
  const own = seat.seat === ctx.view.seat;
  const side =
    seat.team === null
      ? nothing
      : html`<span class="badge team${seat.team}" data-tip="team">${ctx.sheet.term("team", seat.team)}</span>`;
  const got = seat.total_meistercoups;
  const ticks = html`<span
    role="img"
    class="ticks"
    data-tip="meistercoup"
    title=${word("meistercoups")}
    aria-label="${got} ${word("meistercoups")}"
    >${Array.from({ length: WANTED }, (_, place) => html`<span class=${place < got ? "got" : ""}>${place < got ? "✔" : ""}</span>`)}</span
  >`;
  return seatLine(
    ctx,
    seat.seat,
    html`${ticks}<span data-tip="score" title=${word("points_round")}
        ><span class="long">${word("round")}</span> ${plus(seat.points)}</span
      ><span data-tip="score" title=${word("points_match")}>Σ <b>${totalOf(ctx.table, seat)}</b></span>`,
    html`<div class="lines">
      ${own ? nothing : html`<span>${word("hand")}</span>${backs(ctx, seat.hand)}`}<span data-tip="taken">${word("taken")}</span
      >${counts(ctx, seat.collected)}
    </div>`,
    side,
  );
}

/** @type {(ctx: Ctx, shown: Trick, running: boolean) => unknown} */
function trick(ctx, shown, running) {
  const { table } = ctx;
  const picks = running ? (ctx.question?.legal ?? []).filter((command) => command.type === "meister-coup.pick-card") : [];
  const first = shown.plays[0]?.seat ?? table.leader ?? 0;
  const waiting =
    running && !shown.colour && table.stage !== "over"
      ? table.seats.map((_, place) => (first + place) % table.seats.length).slice(shown.plays.length)
      : [];
  return html`<section class="middle">
    <div class="trick" data-anchor="trick">
      ${shown.plays.map((play) => card(ctx, shown, play, picks))}${waiting.map((seat) => figure(ctx, seat, html`<span class="face gap"></span>`, "pending"))}
    </div>
    <span class="counts summed" data-tip="sums">${shown.plays.length ? html`${word("sums")} ${sums(ctx, shown)}` : nothing}</span>
  </section>`;
}

/**
 * A card of a trick, with its outcome below.
 * @type {(ctx: Ctx, shown: Trick, play: Trick["plays"][number], picks: {type: "meister-coup.pick-card", card: number}[]) => unknown}
 */
function card(ctx, shown, play, picks) {
  const gone = shown.picked === play.card ? shown.ranking[0] : shown.taken.includes(play.card) ? shown.ranking[1] : null;
  const looks = look(ctx)(play.card);
  const command = picks.find((each) => each.card === play.card);
  const drawn = face({ ...looks, silent: command !== undefined });
  return figure(
    ctx,
    play.seat,
    command
      ? html`<button class="card legal answer" @click=${() => ctx.give(command)}>
          ${drawn}${ctx.star([command])}<span class="spoken">${ctx.named(command, play.card, looks.name)}</span>
        </button>`
      : drawn,
    `${play.seat === shown.ranking[0] ? "winning" : ""} ${isNew(ctx, play.card)}`,
    gone === null
      ? nothing
      : html`<small class="who" data-tip="taking" title="${word("taken")} ${ctx.name(gone)}">→ ${ctx.name(gone)}</small>`,
  );
}

/**
 * The colours of a trick, the strongest first once it is decided.
 * @type {(ctx: Ctx, shown: Trick) => unknown[]}
 */
function sums(ctx, shown) {
  const order = shown.sums.map((sum, place) => ({ sum, place })).filter((each) => each.sum);
  /** @type {(each: {place: number}) => number} */
  const major = ({ place }) => Number(COLOURS[place] === shown.colour);
  order.sort((one, other) => major(other) - major(one) || other.sum - one.sum);
  return order.map(
    ({ sum, place }) =>
      html`<span class=${COLOURS[place] === shown.colour ? "major" : ""}>${chip(COLOURS[place], sum, named(ctx, place))}</span>`,
  );
}

export function own(/** @type {drawing.OwnCtx<"meister-coup">} */ ctx) {
  const { table } = ctx;
  const legal = (ctx.question?.legal ?? []).filter((command) => command.type === "meister-coup.play-card");
  return html`${place(ctx, table.seats[table.seat])}${hand(table.hand, look(ctx), {
    choices: (card) => legal.filter((command) => command.card === card),
    reason: () => null,
    told: (command, name) => ctx.named(command, command.card, name),
    star: ctx.star,
    give: (card, found) => {
      if (found.length) ctx.give(found[0]);
    },
  })}`;
}

/** The last trick, with the sums that decided it and who took which cards. */
export function last(/** @type {Ctx} */ ctx) {
  const shown = ctx.table.last_trick;
  if (!shown) return nothing;
  /** @type {(list: number[]) => unknown[]} */
  const cards = (list) =>
    list.map(look(ctx)).map(({ suit, mark }, place) => chip(suit, mark, ctx.sheet.term("card", list[place])));
  return html`<div class="trick">
      ${shown.plays.map((play) => figure(ctx, play.seat, face(look(ctx)(play.card)), play.seat === shown.ranking[0] ? "winning" : ""))}
    </div>
    <dl class="pairs reason">
      <dt>${word("sums")}</dt>
      <dd class="counts">${sums(ctx, shown)}</dd>
      <dt>1. ${ctx.name(shown.ranking[0])}</dt>
      <dd class="counts">${shown.picked === null ? "–" : cards([shown.picked])}</dd>
      <dt>2. ${ctx.name(shown.ranking[1])}</dt>
      <dd class="counts">${shown.taken.length ? cards(shown.taken) : "–"}</dd>
    </dl>`;
}

/**
 * The card that won the current trick: the best one of its strongest colour.
 * @type {(ctx: Ctx, trick: drawing.Trick) => string | null}
 */
export function reason(ctx, won) {
  const best = winningCard(won);
  const { colour: strongest, sums: all } = ctx.table.last_trick ?? ctx.table.trick;
  if (best === null || strongest === null) return null;
  const place = COLOURS.indexOf(strongest);
  return `${ctx.sheet.term("card", best)} – ${fill(word("strongest"), { colour: named(ctx, place), sum: all[place] })}`;
}

/**
 * The tricks that ended between two tables, each with the table it lies on and who took which cards.
 * @type {(before: Table, after: Table) => drawing.Rested<"meister-coup">[]}
 */
export function rested(before, after) {
  const trick = after.last_trick;
  if (!trick || JSON.stringify(trick) === JSON.stringify(before.last_trick)) return [];
  const same = after.round === before.round;
  const seats = same ? after.seats : before.seats.map((seat) => ({ ...seat, hand: seat.hand.map(() => 0) }));
  const table = same ? after : { ...before, hand: [], last_trick: trick };
  return [
    {
      trick: { plays: trick.plays, winner: trick.ranking[0] },
      table: { ...table, seats, stage: "lead", trick: { ...table.trick, plays: [], colour: null } },
    },
  ];
}

/** @type {(table: Table, sheet: Sheet) => string | null} */
export const wonBy = ({ reason }, sheet) => (reason === "meistercoups" ? sheet.term("reason", reason) : null);

/**
 * What a seat has won together with its team, or alone.
 * @type {(sides: Table["sides"], seat: number) => {points: number, meistercoups: number}}
 */
const sideOf = (sides, seat) => sides.find((each) => each.seats.includes(seat)) ?? { points: 0, meistercoups: 0 };

/**
 * Whether the running round, or the one in which the match ended, is not among the finished ones.
 * @type {(table: Table) => boolean}
 */
const isOpen = ({ round, rounds }) => round > rounds.length;

/**
 * The points of a seat in the whole match; what a team will enter of the running round is not known before.
 * @type {(table: Table, seat: Seat) => number}
 */
const totalOf = (table, { seat, team, points }) =>
  sideOf(table.sides, seat).points + (team === null && isOpen(table) ? points : 0);

/** How the newest round ended. In team mode it is not entered yet. */
export function ended(/** @type {Ctx} */ ctx) {
  const { rounds, seats, sides } = ctx.table;
  const { round, points, meistercoups } = rounds[rounds.length - 1];
  const rows = seats.map(({ seat }) => [
    plus(points[seat]),
    meistercoups[seat] || "–",
    sideOf(sides, seat).points,
    "✔".repeat(sideOf(sides, seat).meistercoups) || "–",
  ]);
  return {
    title: `${word("round")} ${round}`,
    heads: [word("points"), word("meistercoups"), `Σ ${word("points_short")}`, "Σ ✔"],
    rows,
  };
}

/** The score pad: points and Meistercoups of every round; what counts for a team is marked. */
export function sheet(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  if (!table.rounds.length && !table.seats.some(({ points }) => points)) return nothing;
  const teams = table.seats[0].team !== null;
  /** @type {(round: Table["rounds"][number], seat: number) => unknown} */
  const cell = (round, seat) =>
    html`<span
      class=${teams && !round.entered.includes(seat) && round.entered.some((other) => table.seats[other].team === table.seats[seat].team) ? "struck" : ""}
      >${round.points[seat]} ${"✔".repeat(round.meistercoups[seat])}</span
    >`;
  /** @type {(seat: Seat) => unknown} */
  const total = (seat) => html`${totalOf(table, seat)} ${"✔".repeat(seat.total_meistercoups)}`;
  /** @type {[unknown, unknown[]][]} */
  const rows = table.rounds.map((round) => [round.round, round.points.map((_, seat) => cell(round, seat))]);
  if (isOpen(table))
    rows.push([
      html`${table.round} <span class="quiet" title=${word("points_round")}>…</span>`,
      table.seats.map(({ points, meistercoups }) => html`<span class="quiet">${points} ${"✔".repeat(meistercoups)}</span>`),
    ]);
  return scoreTable(ctx, table.seats, rows, ["Σ", table.seats.map((seat) => total(seat))]);
}

export function text(/** @type {Ctx} */ ctx) {
  const { table, sheet: words } = ctx;
  /** @type {(seat: Seat) => string} */
  const side = (seat) => (seat.team === null ? "" : ` (${words.term("team", seat.team)})`);
  return [
    ...table.seats.flatMap((seat) => [
      `${ctx.name(seat.seat)}${side(seat)}: ${totalOf(table, seat)} ${word("points_match")}, ${seat.points} ${word("points_round")}, ${seat.total_meistercoups} ${word("meistercoups")}`,
      `   ${word("hand")} ${spell(ctx, seat.hand)}`,
      `   ${word("taken")} ${spell(ctx, seat.collected)}`,
    ]),
    ...table.trick.plays.map((play) => `${word("trick")}: ${ctx.name(play.seat)} ${words.term("card", play.card)}`),
    ...(table.trick.plays.length ? [`${word("sums")} ${spell(ctx, table.trick.sums)}`] : []),
    ...(table.seat === null ? [] : [`${word("hand")} ${table.hand.map((each) => look(ctx)(each).name).join("; ")}`]),
  ];
}

/**
 * The viewer's last card, if nothing else can be done.
 * @param {View} view
 */
export const lastCard = (view) => onlyCard(view, "meister-coup.play-card");

/**
 * What moves when something happens: a card to the trick, cards to those who take them, the cards of a new hand.
 * @type {(item: drawing.Item, before: View, after: View) => Motion[]}
 */
export function motions({ event }, before, after) {
  /** @type {(cards: number[], seat: number) => Motion[]} */
  const take = (cards, seat) => cards.map((each) => ({ kind: "card", card: each, from: "trick", to: `seat:${seat}` }));
  switch (event.type) {
    case "meister-coup.card-played.1":
      return [{ kind: "card", card: event.card, from: `seat:${event.seat}`, to: "trick" }];
    case "meister-coup.card-picked.1":
      return take([event.card], event.seat);
    case "meister-coup.cards-taken.1":
      return take(event.cards, event.seat);
    case "meister-coup.dealt.1":
      return dealt(after);
    default:
      return [];
  }
}

/** What counts, and what the signs mean. */
export const aid = (/** @type {Ctx} */ ctx) =>
  aidOf(ctx, [{ key: "sums" }, { key: "taking" }, { key: "squares" }, { key: "diamonds" }, { key: "meistercoup" }]);

export { picture };

/** The pictures of the rule sheet: cards, and the place of the one that wins. */
export const examples = [
  { key: "majority", cards: [8, 17, 16, 31], wins: 1 },
  { key: "set", cards: [2, 18, 25, 45], wins: null },
];
