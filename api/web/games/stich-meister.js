// Stich-Meister: the rules in force by number, the trump ladder, the trick, hands of sixteen, and choices of several cards.

import { html, nothing } from "../vendor/lit.js";
import {
  around,
  back,
  chip,
  dealt,
  face,
  hand,
  held,
  onlyCard,
  plus,
  reasons,
  scoreTable,
  seatLine,
  signed,
  trickOf,
} from "../table/cards.js";
import { aid as aidOf } from "../table/aid.js";
import { symbol } from "../core/symbols.js";
import { word } from "../core/words.js";

/** @typedef {import("../contract").Ctx<"StichMeisterView">} Ctx */

/** The event that ends a trick. */
export const trickDone = /^stich-meister\.trick-taken\./;

const FIELDS = {
  "stich-meister.play-card": "card",
  "stich-meister.set-card-aside": "card",
  "stich-meister.take-card-out": "card",
};
const SEVERAL = new Set(["stich-meister.pass-cards", "stich-meister.open-cards"]);
const CLICKED = new Set([...Object.keys(FIELDS), ...SEVERAL, "stich-meister.choose-rule"]);

const look = (/** @type {Ctx} */ ctx) => (card) => {
  const { suits, rank, kinds } = ctx.sheet.card(card);
  return {
    card,
    suit: suits[0],
    mark: rank,
    name: ctx.sheet.term("card", card),
    extra: kinds.includes("samurai")
      ? html`<span class="long">${word("samurai")}</span><span class="short">${word("samurai_short")}</span>`
      : nothing,
  };
};

/** These commands are given by clicking cards, so they need no buttons. */
export const handles = () => CLICKED;

export function draw(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  const count = table.seats.length;
  const order =
    table.leader === null || ["choose-rule", "over"].includes(table.stage)
      ? []
      : table.seats.map((_, place) => (((table.leader + table.step * place) % count) + count) % count);
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
      ${table.rules.map((number) => html`<li value=${number}>${sheet.term("rule", number)}</li>`)}
    </ol>
    ${
      table.trumps.length
        ? html`<div
            class="ladder"
            role="img"
            aria-label="${word("trumps")}: ${table.trumps.map((rung) => rung.cards.map((card) => sheet.term("card", card)).join(", ")).join("; ")}"
          >
            <span class="quiet">${word("trump")}</span>${steps(ctx, table.trumps).map(
              (step) =>
                html`<span class="rung" title=${step.rules.map((number) => `${number}. ${sheet.term("rule", number)}`).join(" ")}>
                  ${step.cards.map((cards) => chip(sheet.card(cards[0]).suits[0], cards.map((card) => sheet.card(card).rank).join("›")))}</span
                >`,
            )}
          </div>`
        : nothing
    }
  </section>`;
}

/** The rungs of the ladder; consecutive rungs of one card each, of the same suit and rule, are shown as one. */
function steps(/** @type {Ctx} */ { sheet }, rungs) {
  const suit = (card) => sheet.card(card).suits[0];
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

function place(/** @type {Ctx} */ ctx, seat) {
  const { table } = ctx;
  const own = seat.seat === ctx.view.seat;
  const open =
    seat.open_cards.length && !own
      ? html`<div class="cards" title=${word("open_cards")}>${seat.open_cards.map((card) => face(look(ctx)(card)))}</div>`
      : nothing;
  const marks = [seat.seat === table.dealer ? word("dealer") : null, seat.aside && !own ? word("set_aside") : null].filter(
    Boolean,
  );
  return seatLine(
    ctx,
    seat.seat,
    html`${own ? nothing : held(seat.hand_size)}<span
        role="img"
        class="held"
        title=${word("tricks")}
        aria-label="${seat.tricks} ${word("tricks")}"
        ><b>${seat.tricks}</b> ${symbol("trick")}</span
      ><span>${seat.score} ${word("points_short")}</span>`,
    open,
    marks.length ? html`<small class="quiet">${marks.join(" · ")}</small>` : nothing,
  );
}

export function own(/** @type {Ctx} */ ctx) {
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
  const { table, question, sheet } = ctx;
  const legal = question?.legal ?? [];
  const kind = legal[0]?.type;
  if (kind === "stich-meister.take-card-out")
    return cards(
      ctx,
      table.trick.map((play) => play.card),
      kind,
    );
  const several = SEVERAL.has(kind);
  return html`${kind === "stich-meister.choose-rule" ? html`<div class="rulecards">${legal.map((command) => html`<button class="rulecard" @click=${() => ctx.give(command)}>${ctx.star([command])}<strong>${command.rule}</strong> <span>${sheet.term("rule", command.rule)}</span></button>`)}</div>` : nothing}
  ${cards(ctx, table.hand, several || kind === "stich-meister.choose-rule" ? null : kind)}
  ${several ? confirm(ctx, legal) : nothing}`;
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
      : html`<p class="quiet aside">${back()} ${word("set_aside")}: ${sheet.term("card", table.aside)}</p>`;
  return html`${answer}${aside}`;
}

function cards(/** @type {Ctx} */ ctx, list, kind) {
  const legal = ctx.question?.legal ?? [];
  const reason = reasons(ctx);
  const choices = kind
    ? (card) => legal.filter((command) => command.card === card)
    : (card) => (legal.some((command) => command.cards?.includes(card)) ? [card] : []);
  const give = (card, found, why) => {
    if (!found.length) return ctx.explain(why);
    return kind ? ctx.give(found[0]) : ctx.pick(card);
  };
  return hand(list, look(ctx), {
    choices,
    reason,
    give,
    picked: kind ? null : ctx.picked,
    told: kind ? (command) => ctx.sheet.told(command, ctx.name) : null,
    star: kind ? ctx.star : null,
  });
}

/** The picked cards as one command, once there are enough of them. */
function confirm(/** @type {Ctx} */ ctx, legal) {
  const picked = [...ctx.picked].sort((one, other) => one - other).join();
  const found = legal.find((command) => [...command.cards].sort((one, other) => one - other).join() === picked);
  const wanted = legal[0].cards.length;
  return html`<div class="buttons">
    <button class="main confirm" ?disabled=${!found} @click=${() => ctx.give(found)}>
      ${found ? ctx.sheet.told(found, ctx.name) : `${word("choose_cards")} ${ctx.picked.size}/${wanted}`}
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

/** The card that won a trick, and why, as the service reports it; null for a card of rule 40, which was never played. */
export function reason({ sheet, name }, { plays, winner, holder, reason: found }) {
  if (!found) return null;
  const { card } = plays.find((play) => play.seat === winner);
  const rules = found.rules.map((number) => ` ${number}. ${sheet.term("rule", number)}`).join("");
  return `${sheet.term("card", card)} – ${sheet.term("trick-reason", found.deciding)}.${rules}${holder === winner ? "" : ` → ${name(holder)}`}`;
}

/** The tricks that ended between two tables, each with the table it lies on. Those of rule 40 were never played. */
export function rested(before, after) {
  const played = (tricks) => tricks.filter((trick) => trick.number > 0);
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
  const left = (seat) => done.filter((trick) => !trick.number && trick.winner === seat);
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
  const { round, lines, scores } = rounds.at(-1);
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

/** Points of every round, with how each of its rules changed them. */
export function sheet(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  if (!table.rounds.length) return nothing;
  const rows = table.rounds.flatMap((round) => [
    [`${word("round")} ${round.round}`, round.scores],
    ...round.lines.map((line) => [
      html`<span class="quiet" title=${line.rule ? ctx.sheet.term("rule", line.rule) : ""}
        >${line.rule ? `${word("rule")} ${line.rule}` : word("tricks")}</span
      >`,
      line.totals.map((total) => html`<span class="quiet">${total}</span>`),
    ]),
  ]);
  return scoreTable(ctx, table.seats, rows, ["Σ", table.seats.map((seat) => seat.score)]);
}

export function text(/** @type {Ctx} */ ctx) {
  const { table, sheet: words } = ctx;
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

/** The viewer's last card, if nothing else can be done. */
export const lastCard = (view) => onlyCard(view, "stich-meister.play-card");

/** What moves when something happens: cards to the trick, the trick to its holder, a new hand. */
export function motions({ event }, before, after) {
  switch (event.type) {
    case "stich-meister.card-played.1":
      return [{ kind: "card", card: event.card, from: `seat:${event.seat}`, to: "trick" }];
    case "stich-meister.cards-turned-up.1":
      return event.plays.map(({ seat, card }) => ({ kind: "card", card, from: `seat:${seat}`, to: "trick" }));
    case "stich-meister.trick-taken.1":
      return before.table.trick.map(({ card }) => ({ kind: "card", card, from: "trick", to: `seat:${event.seat}` }));
    case "stich-meister.dealt.1":
      return dealt(after);
    default:
      return [];
  }
}

/** What counts, and what the signs mean. */
export const aid = (/** @type {Ctx} */ ctx) =>
  aidOf(ctx, [{ key: "rules" }, { key: "samurai" }, { key: "held" }, { key: "point" }]);

/** The pictures of the rule sheet: cards, and the place of the one that wins. */
export const examples = [
  { key: "plain", cards: [35, 41, 59], wins: 1 },
  { key: "trump", cards: [41, 17, 43], wins: 1 },
  { key: "small", cards: [41, 33], wins: 1 },
];
