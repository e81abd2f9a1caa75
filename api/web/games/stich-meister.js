// Stich-Meister: the rules in force by number, the trump ladder, the trick, hands of sixteen, and choices of several cards.

import { html, nothing } from "../vendor/lit.js";
import { crest, picture } from "../art/stich-meister.js";
import {
  around,
  back,
  chip,
  dealer,
  dealt,
  face,
  hand,
  held,
  onlyCard,
  plus,
  points,
  reasons,
  scoreTable,
  seatLine,
  signed,
  trickOf,
  winningCard,
} from "../table/cards.js";
import { aid as aidOf } from "../table/aid.js";
import { symbol } from "../core/symbols.js";
import { fill, word } from "../core/words.js";

/** @import { Shapes } from "../contract" */
/** @import * as drawing from "../drawing" */
/** @import { Face } from "../table/cards.js" */
/** @typedef {drawing.Ctx<"stich-meister">} Ctx */
/** @typedef {drawing.Seen<"stich-meister">} View */
/** @typedef {drawing.Table<"stich-meister">} Table */
/** @typedef {drawing.Seat<"stich-meister">} Seat */
/** @typedef {Extract<drawing.Command<"stich-meister">, {card: number}>} Single */
/** @typedef {Extract<drawing.Command<"stich-meister">, {cards: number[]}>} Several */
/** @typedef {Shapes["StichMeisterTrickView"]} Trick */

/** The event that ends a trick. */
export const trickDone = /^stich-meister\.trick-taken\./;

const CLICKED = new Set([
  "stich-meister.play-card",
  "stich-meister.set-card-aside",
  "stich-meister.take-card-out",
  "stich-meister.pass-cards",
  "stich-meister.open-cards",
  "stich-meister.choose-rule",
]);

/** @type {(ctx: Ctx) => (card: number) => Face} */
const look = (ctx) => (card) => {
  const { suits, rank, kinds } = ctx.sheet.card(card);
  return {
    card,
    suit: suits[0],
    mark: rank,
    picture: picture({ suits, rank, kinds }),
    name: [ctx.sheet.term("card", card), ...(kinds.includes("samurai") ? [word("samurai")] : [])].join(", "),
    extra: kinds.includes("samurai")
      ? html`<span class="long">${word("samurai")}</span><span class="short">${word("samurai_short")}</span>`
      : nothing,
    tip: kinds.includes("samurai") ? "samurai" : "plain",
  };
};

/** These commands are given by clicking cards, so they need no buttons. */
export const handles = () => CLICKED;

export function draw(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  const { leader, step } = table;
  const count = table.seats.length;
  const order =
    leader === null || ["choose-rule", "over"].includes(table.stage)
      ? []
      : table.seats.map((_, place) => (((leader + step * place) % count) + count) % count);
  return html`${around(ctx, (seat) => place(ctx, seat))} ${rules(ctx)}
    <div class="middle">
      <div class="trick" data-anchor="trick">${trickOf(ctx, table.trick, table.winner, look(ctx), order)}</div>
    </div>`;
}

function rules(/** @type {Ctx} */ ctx) {
  const { table, sheet } = ctx;
  if (!table.rules.length) return nothing;
  return html`<section class="active">
    <ol>
      ${table.rules.map((number) => html`<li value=${number} data-tip="rules">${sheet.term("rule", number)}</li>`)}
    </ol>
    ${
      table.trumps.length
        ? html`<div
            class="ladder"
            role="img"
            aria-label="${word("trumps")}: ${table.trumps.map((rung) => rung.cards.map((card) => sheet.term("card", card)).join(", ")).join("; ")}"
          >
            <span class="quiet" data-tip="trumps">${word("trump")}</span>${steps(ctx, table.trumps).map(
              (step) =>
                html`<span
                  class="rung"
                  data-tip="trumps"
                  title=${step.rules.map((number) => `${number}. ${sheet.term("rule", number)}`).join(" ")}
                >
                  ${step.cards.map((cards) => chip(sheet.card(cards[0]).suits[0], cards.map((card) => sheet.card(card).rank).join("›")))}</span
                >`,
            )}
          </div>`
        : nothing
    }
  </section>`;
}

/** @typedef {{single: boolean, rules: number[], cards: number[][]}} Step */

/**
 * The rungs of the ladder; consecutive rungs of one card each, of the same suit and rule, are shown as one.
 * @type {(ctx: Ctx, rungs: Table["trumps"]) => Step[]}
 */
function steps({ sheet }, rungs) {
  /** @type {(card: number) => string} */
  const suit = (card) => sheet.card(card).suits[0];
  /** @type {Step[]} */
  const found = [];
  for (const rung of rungs) {
    const before = found.at(-1);
    const single = rung.cards.length === 1;
    if (before?.single && single && suit(before.cards[0][0]) === suit(rung.cards[0]) && before.rules.join() === rung.rules.join())
      before.cards[0].push(rung.cards[0]);
    else found.push({ single, rules: rung.rules, cards: rung.cards.map((card) => [card]) });
  }
  return found;
}

/** @type {(ctx: Ctx, seat: Seat) => unknown} */
function place(ctx, seat) {
  const { table } = ctx;
  const own = seat.seat === ctx.view.seat;
  const open =
    seat.open_cards.length && !own
      ? html`<div class="cards" data-tip="open" title=${word("open_cards")}>
          ${seat.open_cards.map((card) => face(look(ctx)(card)))}
        </div>`
      : nothing;
  const aside = seat.aside && !own ? html`<small class="quiet" data-tip="aside">${word("set_aside")}</small>` : nothing;
  return seatLine(
    ctx,
    seat.seat,
    html`${own ? nothing : held(seat.hand_size)}<span
        role="img"
        class="held"
        data-tip="trick"
        title=${word("tricks")}
        aria-label="${seat.tricks} ${word("tricks")}"
        ><b>${seat.tricks}</b> ${symbol("trick")}</span
      >${points(seat.score)}`,
    open,
    html`${seat.seat === table.dealer ? dealer() : nothing}${aside}`,
  );
}

export function own(/** @type {drawing.OwnCtx<"stich-meister">} */ ctx) {
  const { table } = ctx;
  return html`${place(ctx, table.seats[table.seat])}${ownCards(ctx)}${chosen(ctx)}
  ${
    table.rule_cards.length && ctx.question?.legal[0]?.type !== "stich-meister.choose-rule"
      ? html`<details class="folded">
          <summary>${word("rule_cards")}</summary>
          <ol class="active">
            ${table.rule_cards.map((number) => html`<li value=${number}>${ctx.sheet.term("rule", number)}</li>`)}
          </ol>
        </details>`
      : nothing
  }`;
}

function ownCards(/** @type {Ctx} */ ctx) {
  const { table, question } = ctx;
  const legal = question?.legal ?? [];
  const single = legal.filter((command) => "card" in command);
  const several = legal.filter((command) => "cards" in command);
  if (single[0]?.type === "stich-meister.take-card-out")
    return playable(
      ctx,
      table.trick.map((play) => play.card),
      single,
    );
  return html`${ruleCards(ctx)} ${several.length ? choosable(ctx, several) : playable(ctx, table.hand, single)}
  ${several.length ? confirm(ctx, several) : nothing}`;
}

/** The rules among which the viewer chooses. */
function ruleCards(/** @type {Ctx} */ ctx) {
  const legal = (ctx.question?.legal ?? []).filter((command) => command.type === "stich-meister.choose-rule");
  if (!legal.length) return nothing;
  return html`<div class="rulecards">
    ${legal.map((command) => html`<button class="rulecard" @click=${() => ctx.give(command)}>${ctx.star([command])}<strong>${command.rule}</strong> <span>${ctx.sheet.term("rule", command.rule)}</span></button>`)}
  </div>`;
}

/** What the viewer has chosen secretly, and what the viewer has set aside. */
function chosen(/** @type {Ctx} */ ctx) {
  const { table, sheet } = ctx;
  const answer = table.answer.length
    ? html`<p class="quiet">
        ✓ ${word("chosen")}:
        ${table.answer.map((each) => (table.stage === "choose-rule" ? `${each}. ${sheet.term("rule", each)}` : sheet.term("card", each))).join(", ")}
      </p>`
    : nothing;
  const aside =
    table.aside === null
      ? nothing
      : html`<p class="quiet aside">${back("hidden", "", crest())} ${word("set_aside")}: ${sheet.term("card", table.aside)}</p>`;
  return html`${answer}${aside}`;
}

/**
 * Cards each of which is an answer.
 * @type {(ctx: Ctx, list: number[], legal: Single[]) => unknown}
 */
const playable = (ctx, list, legal) =>
  hand(list, look(ctx), {
    choices: (card) => legal.filter((command) => command.card === card),
    reason: reasons(ctx),
    give: (_, found, why) => (found.length ? ctx.give(found[0]) : ctx.explain(why)),
    told: (command, name) => ctx.named(command, command.card, name),
    star: ctx.star,
  });

/**
 * The viewer's cards, of which an answer needs several.
 * @type {(ctx: Ctx, legal: Several[]) => unknown}
 */
const choosable = (ctx, legal) =>
  hand(ctx.table.hand, look(ctx), {
    choices: (card) => (legal.some((command) => command.cards.includes(card)) ? [card] : []),
    reason: reasons(ctx),
    give: (card, found, why) => (found.length ? ctx.pick(card) : ctx.explain(why)),
    picked: ctx.picked,
  });

/**
 * The picked cards as one command, once there are enough of them.
 * @type {(ctx: Ctx, legal: Several[]) => unknown}
 */
function confirm(ctx, legal) {
  const { picked } = ctx;
  const found = legal.find(({ cards }) => cards.length === picked.size && cards.every((card) => picked.has(card)));
  return html`<div class="buttons">
    <button class="main confirm" ?disabled=${!found} @click=${() => found && ctx.give(found)}>
      ${found ? ctx.sheet.told(found, ctx.name) : `${word("choose_cards")} ${picked.size}/${legal[0].cards.length}`}
    </button>
  </div>`;
}

/** The last trick, with what decided it. */
export function last(/** @type {Ctx} */ ctx) {
  const trick = ctx.table.tricks.at(-1) ?? ctx.table.last_tricks.at(-1);
  if (!trick) return nothing;
  const why = reason(ctx, trick);
  return html`<div class="trick">${trickOf(ctx, trick.plays, trick.winner, look(ctx))}</div>
    ${why ? html`<p class="reason">${ctx.name(trick.winner)}: ${why}</p>` : nothing}`;
}

/**
 * The card that won a trick, and why, as the service reports it; null for a card of rule 40, which was never played.
 * @type {(ctx: Ctx, trick: Trick) => string | null}
 */
export function reason(ctx, trick) {
  const { winner, holder, reason: found } = trick;
  const card = winningCard(trick);
  if (!found || card === null) return null;
  const { sheet } = ctx;
  const rules = found.rules.map((number) => ` ${number}. ${sheet.term("rule", number)}`).join("");
  return `${sheet.term("card", card)} – ${sheet.term("trick-reason", found.deciding)}.${rules}${holder === winner ? "" : ` ${fill(word("goes_to"), { name: ctx.name(holder) })}`}`;
}

/**
 * The tricks that ended between two tables, each with the table it lies on. Those of rule 40 were never played.
 * @type {(before: Table, after: Table) => drawing.Rested<"stich-meister">[]}
 */
export function rested(before, after) {
  /** @type {(tricks: Trick[]) => Trick[]} */
  const played = (tricks) => tricks.filter((trick) => trick.number > 0);
  /** @type {(table: Table, trick: Trick) => drawing.Rested<"stich-meister">} */
  const lies = (table, trick) => ({
    trick,
    table: { ...table, stage: "play", leader: trick.plays[0].seat, trick: trick.plays, winner: trick.winner },
  });
  if (after.round === before.round)
    return played(after.tricks)
      .slice(played(before.tricks).length)
      .map((trick) => lies(after, trick));
  if (after.round !== before.round + 1) return [];
  const done = after.last_tricks;
  /** @type {(seat: number | null) => Trick[]} */
  const left = (seat) => done.filter((trick) => !trick.number && trick.winner === seat);
  /** @type {(seat: number) => number} */
  const count = (seat) => done.filter((trick) => trick.number && trick.holder === seat).length;
  const seats = before.seats.map((each) => ({ ...each, hand_size: left(each.seat).length, tricks: count(each.seat) }));
  const table = { ...before, seats, aside: null, hand: left(before.seat).map((trick) => trick.plays[0].card) };
  return played(done)
    .slice(played(before.tricks).length)
    .map((trick) => lies(table, trick));
}

/** How the newest round ended: how each of its rules changed the points. */
export function ended(/** @type {Ctx} */ ctx) {
  const { rounds, seats } = ctx.table;
  const { round, lines, scores } = rounds[rounds.length - 1];
  const heads = [
    ...lines.map(({ rule }) =>
      rule ? html`<span title=${ctx.sheet.term("rule", rule)}>${word("rule")} ${rule}</span>` : word("tricks"),
    ),
    word("points"),
    "Σ",
  ];
  const rows = seats.map(({ seat, score }) => [
    ...lines.map(({ totals }) => signed(totals[seat])),
    plus(scores[seat]),
    html`<b>${signed(score)}</b>`,
  ]);
  return { title: `${word("round")} ${round}`, heads, rows };
}

/** @typedef {[unknown, unknown[]]} Row */

/**
 * How a rule of a round changed the points.
 * @type {(ctx: Ctx, line: Shapes["StichMeisterScoreLine"]) => Row}
 */
const lineOf = (ctx, { rule, totals }) => [
  html`<span class="quiet" title=${rule ? ctx.sheet.term("rule", rule) : ""}
    >${rule ? `${word("rule")} ${rule}` : word("tricks")}</span
  >`,
  totals.map((total) => html`<span class="quiet">${total}</span>`),
];

/** Points of every round, with how each of its rules changed them. */
export function sheet(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  if (!table.rounds.length) return nothing;
  const rows = table.rounds.flatMap((round) => [
    /** @type {Row} */ ([`${word("round")} ${round.round}`, round.scores]),
    ...round.lines.map((line) => lineOf(ctx, line)),
  ]);
  return scoreTable(ctx, table.seats, rows, ["Σ", table.seats.map((seat) => seat.score)]);
}

export function text(/** @type {Ctx} */ ctx) {
  const { table, sheet: words } = ctx;
  /** @type {(all: number[]) => string} */
  const list = (all) => all.map((card) => words.term("card", card)).join(", ");
  return [
    ...table.rules.map((number) => `${number}. ${words.term("rule", number)}`),
    ...(table.trumps.length
      ? [
          `${word("trumps")}: ${table.trumps.map((rung) => rung.cards.map((card) => words.term("card", card)).join("/")).join(" > ")}`,
        ]
      : []),
    ...table.seats.map(
      (seat) =>
        `${ctx.name(seat.seat)}: ${seat.hand_size} ${word("in_hand")}, ${seat.tricks} ${word("tricks")}, ${seat.score} ${word("points")}${seat.open_cards.length ? `; ${word("open_cards")}: ${list(seat.open_cards)}` : ""}`,
    ),
    ...table.trick.map((play) => `${word("trick")}: ${ctx.name(play.seat)} ${words.term("card", play.card)}`),
    ...(table.seat === null ? [] : [`${word("hand")} ${list(table.hand)}`]),
  ];
}

/**
 * The viewer's last card, if nothing else can be done.
 * @param {View} view
 */
export const lastCard = (view) => onlyCard(view, "stich-meister.play-card");

/**
 * Cards that all pass on at once, to the left or to the right: only what the viewer gets has a face.
 * @type {(received: (number[] | null)[], before: View["table"], after: View["table"]) => drawing.Motion[]}
 */
function passed(received, before, after) {
  const count = received.length;
  const step = before.stage === "pass-right" ? -1 : 1;
  const most = Math.max(1, ...received.map((cards) => cards?.length ?? 0));
  return received.flatMap((_, seat) => {
    const giver = (((seat - step) % count) + count) % count;
    const cards = (seat === after.seat ? received[seat] : null) ?? Array.from({ length: most }, () => null);
    const from = giver === after.seat ? "hand" : `seat:${giver}`;
    return cards.map((card) => ({
      kind: /** @type {const} */ ("card"),
      card,
      from,
      to: seat === after.seat ? "hand" : `seat:${seat}`,
    }));
  });
}

/**
 * What moves when something happens: cards to the trick, between seats, the trick to its holder, a new hand.
 * @type {(item: drawing.Item, before: View, after: View) => drawing.Motion[]}
 */
export function motions({ event }, before, after) {
  switch (event.type) {
    case "stich-meister.card-played.1":
      return [{ kind: "card", card: event.card, from: `seat:${event.seat}`, to: "trick" }];
    case "stich-meister.cards-turned-up.1":
      return event.plays.map(({ seat, card }) => ({ kind: "card", card, from: `seat:${seat}`, to: "trick" }));
    case "stich-meister.trick-taken.1":
      return before.table.trick.map(({ card }) => ({ kind: "card", card, from: "trick", to: `seat:${event.seat}` }));
    case "stich-meister.cards-received.1":
      return passed(event.received, before.table, after.table);
    case "stich-meister.card-set-aside.1":
      return [{ kind: "card", card: event.card, from: "hand", to: `seat:${event.seat}` }];
    case "stich-meister.card-taken-out.1":
      return [{ kind: "card", card: event.card, from: "trick", to: `seat:${event.seat}` }];
    case "stich-meister.tricks-given-away.1":
      return [{ kind: "card", card: null, from: `seat:${event.seat}`, to: `seat:${event.to}` }];
    case "stich-meister.dealt.1":
      return dealt(after);
    default:
      return [];
  }
}

/** What counts, and what the signs mean. */
export const aid = (/** @type {Ctx} */ ctx) =>
  aidOf(ctx, [{ key: "rules" }, { key: "samurai" }, { key: "held" }, { key: "point" }]);

export { picture };

/** The pictures of the rule sheet: cards, and the place of the one that wins. */
export const examples = [
  { key: "plain", cards: [35, 41, 59], wins: 1 },
  { key: "trump", cards: [41, 17, 43], wins: 1 },
  { key: "small", cards: [41, 33], wins: 1 },
];
