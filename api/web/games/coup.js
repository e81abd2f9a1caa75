// Coup: influence, coins, claims as speech bubbles, and the possible actions, grouped by role.

import { html, keyed, nothing } from "../vendor/lit.js";
import { coin, crest, picture } from "../art/coup.js";
import { around, back, breakable, face, seatLine } from "../table/cards.js";
import { aid as aidOf, named } from "../table/aid.js";
import { symbol } from "../core/symbols.js";
import { fill, word } from "../core/words.js";

/** @import { Shapes } from "../contract" */
/** @import * as drawing from "../drawing" */
/** @import { Face } from "../table/cards.js" */
/** @typedef {drawing.Ctx<"coup">} Ctx */
/** @typedef {drawing.Seen<"coup">} View */
/** @typedef {drawing.Table<"coup">} Table */
/** @typedef {drawing.Seat<"coup">} Seat */
/** @typedef {drawing.Command<"coup">} Command */
/** @typedef {drawing.Item} Item */
/** @typedef {drawing.Motion} Motion */
/** @typedef {Shapes["CoupRole"]} Role */

/**
 * The role that each action claims; shown as its symbol.
 * @type {Record<string, Role>}
 */
const CLAIMS = {
  "coup.claim-tax": "duke",
  "coup.claim-assassination": "assassin",
  "coup.claim-steal": "captain",
  "coup.claim-examine": "inquisitor",
};
/** @type {Record<string, string>} */
const REACTIONS = { "coup.challenge": "question", "coup.pass": "pass" };
const ACTIONS = new Set([
  "coup.take-income",
  "coup.take-foreign-aid",
  "coup.launch-coup",
  "coup.claim-exchange",
  ...Object.keys(CLAIMS),
]);

/** At most this many targets stand beside their action; more of them are asked for when it has been chosen, as always on a phone. */
const FEW = 2;

/**
 * The viewer's own turn has a panel of its own.
 * @type {(view: View) => Set<string>}
 */
export const handles = ({ table }) => (table.stage === "action" ? ACTIONS : new Set());

export function draw(/** @type {Ctx} */ ctx) {
  const { table } = ctx;
  return html`${around(ctx, (seat) => place(ctx, seat))}
    <div class="middle court" data-anchor="deck">
      <span class="cards">${cover()}</span><span data-tip="court">${word("court")}: ${table.court_size}</span>
    </div>`;
}

/** @type {(ctx: Ctx, role: Role, lost?: boolean) => Face} */
const look = (ctx, role, lost = false) => ({
  suit: role,
  mark: title(ctx.sheet.term("role", role))[0],
  name: lost ? `${ctx.sheet.term("role", role)}, ${word("lost_card")}` : ctx.sheet.term("role", role),
  label: title(ctx.sheet.term("role", role)),
  picture: picture({ card: role }),
});
const cover = () => back("hidden", "", crest());
/** @type {(text: string) => string} */
const title = (text) => text[0].toUpperCase() + text.slice(1);

/** @type {(seat: Seat) => string} */
const money = ({ coins }) => `${coins} ${coins === 1 ? word("coin") : word("coins")}`;

/** @type {(ctx: Ctx, seat: Seat) => unknown} */
function place(ctx, seat) {
  const own = seat.seat === ctx.view.seat;
  const cards = html`<div class="cards">${influence(ctx, seat)}</div>`;
  const coins = html`<span
    role="img"
    class="coins"
    data-tip="coins"
    data-anchor="coins:${seat.seat}"
    aria-label=${money(seat)}
    title=${money(seat)}
    ><b>${seat.coins}</b> ${coin()}</span
  >`;
  const bubble = html`<div class="said ${seat.out ? "idle" : ""}" data-anchor="claim:${seat.seat}">${said(ctx, seat.seat)}</div>`;
  return html`${seatLine(ctx, seat.seat, coins, own ? nothing : html`${cards}${bubble}`, html`${seat.out ? html`<em class="fallen">${word("out")}</em>` : nothing}${own ? bubble : nothing}`, ctx.table.turn)}`;
}

/** Where a lost card lies. */
const turned = (/** @type {number} */ seat, /** @type {number} */ number) => `lost:${seat}:${number}`;

/**
 * A seat's cards, those that it has lost from the right: each stays where it is when another one is lost.
 * @type {(ctx: Ctx, seat: Seat) => unknown[]}
 */
function influence(ctx, seat) {
  const open = ctx.opened.get(seat.seat)?.map((role) => html`<span class="turned-up">${face(look(ctx, role))}</span>`);
  const lost = seat.face_up
    .map(
      (role, number) => html`<span class="lost" data-anchor=${turned(seat.seat, number)}>${face(look(ctx, role, true))}</span>`,
    )
    .reverse();
  const covered = seat.influence === 1 ? word("influence_one") : fill(word("influences"), { count: seat.influence });
  const backs = [
    ...Array.from({ length: seat.influence }, cover),
    seat.influence ? html`<span class="spoken">${covered}</span>` : nothing,
  ];
  return [...(open ?? backs), ...lost];
}

/**
 * What a seat has just claimed.
 * @type {(ctx: Ctx, seat: number) => unknown}
 */
function said(ctx, seat) {
  const { table, sheet } = ctx;
  /** @type {(role: Role | null, text: string, claim?: unknown) => unknown} */
  const speech = (role, text, claim = nothing) =>
    html`<p class="speech suit-${role ?? "hidden"}" data-tip="claim">
      ${role ? symbol(role) : nothing}<span>${claim}${text}</span>
    </p>`;
  if (seat === table.blocker && table.block_role)
    return speech(table.block_role, `${breakable(title(sheet.term("role", table.block_role)))}!`);
  if (seat === table.challenger) return speech(null, word("challenges"));
  if (seat !== table.turn || !table.action) return nothing;
  const claim = table.role ? html`<span class="claimed">${title(sheet.term("role", table.role))}: </span>` : nothing;
  const target = table.target === null ? "" : ` → ${ctx.name(table.target)}`;
  return speech(table.role, `${breakable(sheet.term("action", table.action))}${target}`, claim);
}

/** The viewer's cards; the places of the others do not change when one is turned up. */
export function own(/** @type {drawing.OwnCtx<"coup">} */ ctx) {
  const { table } = ctx;
  const mine = table.seats[table.seat];
  const cards = [
    ...[...table.hand, ...table.drawn].map((role) => ({ kind: "", role, at: nothing })),
    ...mine.face_up.map((role, number) => ({ kind: "lost", role, at: turned(mine.seat, number) })),
    ...(table.examined ? [{ kind: "shown", role: table.examined, at: nothing }] : []),
  ];
  return html`${place(ctx, mine)}
    <div class="hand" data-anchor="hand" role="list" aria-label=${word("own_cards")}>
      ${cards.map(({ kind, role, at }) => html`<span class=${kind} data-anchor=${at} title=${kind === "lost" ? word("lost_card") : nothing} role="listitem">${keyed(role, face(look(ctx, role, kind === "lost")))}</span>`)}
    </div>`;
}

/** @type {(table: Table, seat: number) => boolean} */
export const out = (table, seat) => !table.seats[seat].influence;

/**
 * Seats whose cards are still hidden at the end.
 * @type {(table: Table) => number[]}
 */
export const hidden = (table) =>
  table.seats.filter((seat) => seat.influence && seat.seat !== table.seat).map((seat) => seat.seat);

/** The actions of a turn: each once, with its possible targets; those that are refused are there with the reason. */
export function panel(/** @type {Ctx} */ ctx) {
  const { table, question } = ctx;
  if (table.stage !== "action" || !question) return nothing;
  const kinds = [...new Set(question.legal.map((command) => command.type))];
  const ways = kinds
    .map((type) => question.legal.filter((command) => command.type === type))
    .sort((one, other) => Number("target" in one[0]) - Number("target" in other[0]));
  const drawn = ways.flat();
  /** @type {(command: Command) => unknown} */
  const key = (command) => (drawn.length <= 9 ? ctx.key(command, String(drawn.indexOf(command) + 1)) : nothing);
  const closed = question.refused.filter(
    ({ command: { type } }, place, all) => !kinds.includes(type) && all.findIndex((each) => each.command.type === type) === place,
  );
  const most = Math.max(...ways.map((commands) => commands.length));
  return html`<div class="acts ${most > FEW ? "many" : ""}">
    ${ways.map((commands) => action(ctx, commands, key))}${closed.map((each) => refused(ctx, each))}
  </div>`;
}

/**
 * An action that is not possible now; a click says why.
 * @type {(ctx: Ctx, each: drawing.Refused<"coup">) => unknown}
 */
function refused(ctx, each) {
  const { command } = each;
  const why = ctx.refusal(each);
  const role = roleOf(ctx.table, command.type);
  return html`<div class="act">
    <button class="refused ${role ? `suit-${role}` : ""}" aria-disabled="true" title=${why} @click=${() => ctx.explain(why)}>
      ${role ? symbol(role) : nothing}${ctx.sheet.sentence(command.type, { target: "…" }, () => "…")}<span class="spoken">
        ${why}</span
      >
    </button>
  </div>`;
}

/** @type {(table: Table, type: string) => Role | undefined} */
const roleOf = (table, type) => (type === "coup.claim-exchange" ? exchanger(table) : CLAIMS[type]);

/** @type {(ctx: Ctx, commands: Command[], key: (command: Command) => unknown) => unknown} */
function action(ctx, commands, key) {
  const { table, sheet } = ctx;
  const { type } = commands[0];
  const role = roleOf(table, type);
  const bluff = risk(ctx, { role });
  const sign = role ? symbol(role) : nothing;
  const aimed = commands.filter((command) => "target" in command);
  if (!aimed.length)
    return html`<div class="act">
      <button class="suit-${role}" @click=${() => ctx.give(commands[0])}>
        ${key(commands[0])}${sign}${sheet.told(commands[0], ctx.name)}</button
      >${bluff}
    </div>`;
  const told = sheet.sentence(type, { target: "…" }, () => "…");
  const open = ctx.picked.has(type);
  return html`<div class="act ${open ? "open" : ""}">
    <span class="told">${sign}<span>${told}</span></span
    ><button class="aim ${role ? `suit-${role}` : ""}" aria-expanded=${open} @click=${() => ctx.pick(type)}>${sign}${told}</button
    >${bluff}
    <span class="targets"
      >${aimed.map((command) => html`<button @click=${() => ctx.give(command)}>${key(command)}<span class="spoken">${sheet.told(command, ctx.name)}</span><span aria-hidden="true">${ctx.name(command.target)}</span></button>`)}</span
    >
  </div>`;
}

/** @type {(table: Table) => Role} */
const exchanger = (table) => (table.fifth_role === "inquisitor" ? "inquisitor" : "ambassador");

/**
 * The symbol of an answer.
 * @type {(command: Command) => unknown}
 */
export const mark = (command) => {
  const sign = "role" in command ? command.role : REACTIONS[command.type];
  return sign ? symbol(sign) : nothing;
};

/**
 * Who loses a card wants to know by what.
 * @type {(view: View, items: Item[]) => Item | null}
 */
export function because(view, items) {
  if (view.table.stage !== "lose") return null;
  const turn = items.slice(items.findLastIndex(({ event }) => event.type === "coup.action-declared.1"));
  const challenged = turn.findLastIndex(({ event }) => event.type === "coup.claim-challenged.1" && event.seat === view.seat);
  const proved = turn.slice(challenged).find(({ event }) => event.type === "coup.claim-proved.1");
  return (challenged < 0 ? null : proved) ?? turn[0] ?? null;
}

/**
 * Marks a claim of a role that the viewer does not hold.
 * @type {(ctx: Ctx, command: {role?: Role | null} | Command) => unknown}
 */
export const risk = ({ table, sheet }, command) =>
  "role" in command && command.role && !table.hand.includes(command.role)
    ? html`<span class="bluff" data-tip="bluff" title=${sheet.text("coup.tip.bluff") ?? ""}>${word("bluff")}</span>`
    : nothing;

/**
 * The command that lets an action pass, unless the viewer is its target.
 * @type {(view: View) => Command | null | undefined}
 */
export const pass = ({ table, seat, question }) =>
  table.target === seat ? null : question?.legal.find((command) => command.type === "coup.pass");

/**
 * Whether letting it pass leaves the viewer's own coins, cards and claims alone.
 * @type {(view: View) => boolean}
 */
export const passesBy = (view) => view.table.turn !== view.seat && Boolean(pass(view));

/**
 * A number that identifies the current turn.
 * @type {(items: Item[]) => number}
 */
export const turnOf = (items) => items.findLast((item) => item.event.type.startsWith("coup.turn-begun."))?.n ?? 0;

export function text(/** @type {Ctx} */ ctx) {
  const { table, sheet } = ctx;
  /** @type {(list: Role[]) => string} */
  const roles = (list) => list.map((role) => sheet.term("role", role)).join(", ");
  return [
    ...table.seats.map(
      (seat) =>
        `${ctx.name(seat.seat)}: ${money(seat)}, ${seat.influence} ${word("influence")}${seat.face_up.length ? ` (✗ ${roles(seat.face_up)})` : ""}`,
    ),
    `${word("court")}: ${table.court_size}`,
    ...(table.seat === null ? [] : [`${word("hand")} ${roles([...table.hand, ...table.drawn])}`]),
  ];
}

const DECK = "deck";
/** @type {(count: number, from: string, to: string) => Motion[]} */
const cards = (count, from, to) => Array.from({ length: Math.abs(count) }, () => ({ kind: "card", card: null, from, to }));
/** @type {(count: number, from: string, to: string) => Motion[]} */
const paid = (count, from, to) => (count ? [{ kind: "coins", count, from, to }] : []);

/**
 * What moves when something happens: coins, claims, cards that are turned up, and cards that are exchanged with the court deck.
 * @type {(item: Item, before: View, after: View) => Motion[]}
 */
export function motions({ event }, _before, after) {
  if (!("seat" in event)) return [];
  const [seat, coins] = [`seat:${event.seat}`, `coins:${event.seat}`];
  switch (event.type) {
    case "coup.action-declared.1":
      return [{ kind: "claim", seat: event.seat }, ...paid(event.cost, coins, DECK)];
    case "coup.action-blocked.1":
    case "coup.claim-challenged.1":
      return [{ kind: "claim", seat: event.seat }];
    case "coup.coins-taken.1":
      return event.coins > 0 ? paid(event.coins, DECK, coins) : paid(event.coins, coins, DECK);
    case "coup.coins-stolen.1":
      return paid(event.coins, `coins:${event.victim}`, coins);
    case "coup.claim-proved.1":
      return [...cards(1, seat, DECK), ...cards(1, DECK, seat)];
    case "coup.cards-drawn.1":
      return cards(event.count, DECK, seat);
    case "coup.cards-returned.1":
      return cards(2, seat, DECK);
    case "coup.influence-lost.1":
      return [{ kind: "turn", at: turned(event.seat, after.table.seats[event.seat].face_up.lastIndexOf(event.role)) }];
    case "coup.card-replaced.1":
      return [...cards(1, `seat:${event.target}`, DECK), ...cards(1, DECK, `seat:${event.target}`)];
    default:
      return [];
  }
}

/** What each role in play does. */
export const aid = (/** @type {Ctx} */ ctx) =>
  aidOf(ctx, [
    ...named(ctx, "role", ["duke", "assassin", "captain", exchanger(ctx.table), "contessa"]),
    { key: "coins", name: `${title(word("coins"))}:` },
  ]);

/** Whether an option means something with that many seats. @type {(option: string, seats: number) => boolean} */
export const matters = (option, seats) => seats === 2 || !option.startsWith("duel_");

export { picture };

/** The pictures of the rule sheet: cards, and the place of the one that wins. */
export const examples = [
  { key: "proof", cards: ["duke"], wins: null },
  { key: "bluff", cards: ["ambassador"], wins: null },
  { key: "block", cards: ["assassin", "contessa"], wins: 1 },
];
