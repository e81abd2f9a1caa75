// Checks the record of a finished match on the reader's own machine: chain, commitment, nonces, every deal, and what the reader has kept
// of it. Written from docs/fair-dealing.md and docs/records.md; it needs WebCrypto and nothing else, in browsers and in Node.js. It does
// not judge moves or scores: `tafelrunde verify` does.

import { base64, hex, isPlain, joined, need, packed, range, said, same, sha256, unbase64, unhex, utf8, Wrong } from "./bytes.js";
import { chanceOf, checkChance, conclusionOf, doubtsOf } from "./doubts.js";
import { below, committed, keyOf, numbers, shuffled } from "./draws.js";
import { compared } from "./kept.js";

/** @import { AnyEvent, Audiences, Deal, Entry, Head, Kept, Line, Lying, Unchecked, Verdict } from "../record" */
/** @import { IsOld } from "./doubts.js" */
/** @typedef {number | string} Card */
/** What follows from an event; returns the seats whose hands changed unseen. @typedef {(match: Match, event: AnyEvent) => Unchecked} Follow */

// The games (docs/fair-dealing.md): their cards in order, and what follows from their events.

/** @type {(suits: string[], values: number) => string[]} */
const suited = (suits, values) => suits.flatMap((suit) => range(values, 1).map((value) => `${suit}-${value}`));
const DECKTET = `ace-of-knots ace-of-wyrms ace-of-leaves ace-of-waves ace-of-suns ace-of-moons origin desert author savage painter
  journey battle sailor mountain soldier discovery forest market penitent lunatic cave castle chance-meeting betrayal mill diplomat
  merchant darkness pact borderland light-keeper watchman harvest window island rite consul windfall calamity end sea bard huntress`;
const EXTENDED = ["borderland", "light-keeper", "watchman", "harvest", "window", "island", "rite", "consul"];
/** @type {Record<string, string[]>} */
const CARDS = {
  coup: ["ambassador", "assassin", "captain", "contessa", "duke", "inquisitor"],
  matchmaster: suited(["dark_orange", "light_orange", "dark_blue", "light_blue"], 13),
  "meister-coup": suited(["violet", "blue", "green", "yellow"], 12),
  mondkrone: DECKTET.split(/\s+/),
  "stich-meister": suited(["fan", "coin", "koi", "torii"], 15),
};

const roles = (/** @type {Match} */ { sorted, head }) =>
  sorted(["assassin", "captain", "contessa", "duke", head.options.fifth_role]);
/** @type {Follow} */
const played = (match, { seat, card }) => match.drop(seat, card);
/** A card goes back into the court, and another one comes for it. @type {(match: Match, seat: number, card: Card, event: AnyEvent) => unknown} */
async function swapped(match, seat, card, event) {
  const [drawn, ...court] = await match.shuffle("court", [...match.deck, card]);
  match.gives(event, { drawn, court }, "the court deck");
  match.drop(seat, card);
  match.hands[seat].push(event.drawn);
  match.deck = event.court;
  return [seat];
}

/** @type {Record<string, Follow>} */
const FOLLOWS = {
  "coup.sets-taken.1": async (match, event) => {
    match.first = await match.begins("first_seat");
    match.gives(event, { first: match.first, third: await match.shuffle("third-set", roles(match)) }, "the third set");
    match.deck = event.third;
  },
  "coup.card-drafted.1": (match, { seat, role }) => void (match.aside[seat] = role),
  "coup.dealt.1": async (match, event) => {
    const { duel_draft } = match.head.options;
    if (!duel_draft) match.first = await match.begins("first_seat");
    const all = roles(match).flatMap((role) => [role, role, role]);
    const drafted = match.aside.map((role) => match.sorted([role, ...(duel_draft ? match.deal(1) : [])]));
    const hands = duel_draft ? drafted : await match.dealt("deal", all, 2);
    match.gives(event, { hands, court: match.deck }, "the hands dealt");
    return match.take(event);
  },
  "coup.turn-begun.1": (match, event) => {
    match.gives(event, { seat: match.first ?? event.seat }, "who begins: first_seat");
    match.first = null;
  },
  "coup.claim-proved.1": (match, event) => swapped(match, event.seat, event.role, event),
  "coup.card-replaced.1": (match, event) => swapped(match, event.target, event.returned, event),
  "coup.influence-lost.1": (match, { seat, role }) => match.drop(seat, role),
  "coup.cards-drawn.1": (match, event) => {
    const count = match.head.options.fifth_role === "inquisitor" ? 1 : 2;
    match.gives(event, { count, roles: match.sorted(match.deal(count)) }, "the cards drawn");
    match.hands[event.seat] = [...match.sorted(match.hands[event.seat]), ...event.roles];
    return [event.seat];
  },
  "coup.cards-returned.1": async (match, event) => {
    for (const role of event.kept) match.drop(event.seat, role);
    const court = await match.shuffle("court", [...match.deck, ...match.hands[event.seat]]);
    match.gives(event, { court }, "the court deck");
    [match.hands[event.seat], match.deck] = [[...event.kept], event.court];
    return [event.seat];
  },
  "matchmaster.dealt.1": async (match, event) => {
    await match.begin(event, "dealer");
    const size = [7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7][event.round - 1] ?? 0;
    const hands = await match.dealt(`deal-${event.round}`, range(52), size);
    const turn = (/** @type {number} */ seat) => (seat - event.dealer - 1 + match.head.seats) % match.head.seats;
    match.gives(event, { size, hands: match.all.map((seat) => hands[turn(seat)]) }, "the hands dealt");
    return match.take(event);
  },
  "matchmaster.card-played.1": played,
  "meister-coup.dealt.1": async (match, event) => {
    await match.begin(event, "leader");
    const deck = await match.shuffle("cards", range(48));
    const hands = match.all.map((seat) => match.sorted(range(8).map((turn) => deck[turn * match.head.seats + seat])));
    const suits = hands.map((hand) => hand.map((card) => Math.floor(Number(card) / 12)));
    const colours = suits.map((hand) => range(4).map((colour) => hand.filter((each) => each === colour).length));
    match.gives(event, { hands, colours }, "the hands dealt");
    return match.take(event);
  },
  "meister-coup.card-played.1": played,
  "mondkrone.round-dealt.1": async (match, event) => {
    const out = ["ace-of-moons", ...match.aside, ...(match.head.options.deck === "extended" ? [] : EXTENDED)];
    const cards = CARDS.mondkrone.filter((card) => !out.includes(card));
    const size = Math.min(match.head.seats === 4 ? 6 : 7, Math.floor(cards.length / match.head.seats) - 1);
    const hands = await match.dealt("deal", cards, size);
    const open = { round: match.round + 1, pile_card: "ace-of-moons", palette_cards: match.deal(match.head.seats) };
    match.gives(event, { ...open, hand_size: size, deck_size: match.deck.length, hands, deck: match.deck }, "the hands dealt");
    return match.take(event);
  },
  "mondkrone.cards-drawn.1": (match, event) => {
    match.gives(event, { cards: match.deal(event.count) }, "the cards drawn");
    match.hands[event.seat].push(...event.cards);
    return [event.seat];
  },
  "mondkrone.card-played.1": played,
  "mondkrone.card-discarded.1": played,
  "mondkrone.cards-laid-aside.1": (match, { cards }) => void match.aside.push(...cards),
  "stich-meister.dealt.1": async (match, event) => {
    await match.begin(event, "dealer");
    const chosen = match.head.options.rules === null;
    if (event.round === 1 && chosen) match.aside = await match.shuffle("rule-cards", range(60, 1));
    const cards = range(60).filter((card) => match.head.seats !== 3 || ![0, 9, 12].includes(card % 15));
    const hands = await match.dealt("cards", cards, Math.floor(cards.length / match.head.seats));
    const rule_deck = [...match.aside];
    const new_rules = match.rules.map((rules) => rule_deck.splice(0, chosen ? 3 - rules.length : 0));
    match.gives(event, { hands, new_rules, rule_deck }, "the hands dealt");
    match.rules = match.rules.map((rules, seat) => [...rules, ...event.new_rules[seat]]);
    match.aside = event.rule_deck;
    return match.take(event);
  },
  "stich-meister.rules-shown.1": (match, { rules }) => {
    const left = (/** @type {Card[]} */ cards) => cards.filter((rule) => !rules.includes(rule));
    [match.aside, match.rules] = [left(match.aside), match.rules.map(left)];
  },
  "stich-meister.cards-received.1": (match, { received }) => {
    const moved = received.flat();
    const passed = match.hands.flat().filter((card) => moved.includes(card));
    same(match.sorted(passed), match.sorted(moved), "the cards passed on");
    match.hands = match.hands.map((hand, seat) => [...hand.filter((card) => !moved.includes(card)), ...received[seat]]);
    return match.all;
  },
  "stich-meister.cards-set-aside.1": (match, { cards }) => {
    for (const seat of match.all) need(match.hands[seat].includes(cards[seat]), "a card that the seat does not have");
  },
  "stich-meister.card-played.1": played,
  "stich-meister.cards-turned-up.1": (match, { plays }) => plays.forEach((/** @type {AnyEvent} */ play) => played(match, play)),
};

const SEATED = ["match.seat-taken.1", "match.bot-seated.1", "match.seat-left.1", "match.seat-cleared.1"];
/** @type {Record<string, string>} */
const ENDS = { "match.ended.1": "over", "match.aborted.1": "aborted" };

/** A match on its way through its record: its nonces and draws, its hands and decks. */
class Match {
  /** @type {Card[][]} */ hands = [];
  /** @type {Card[]} */ deck = [];
  /** Roles that were drafted, cards that were laid aside, or the deck of rule cards. @type {Card[]} */ aside = [];
  /** Who begins, until the first turn. @type {number | null} */ first = null;
  /** The seats whose hands the last event has changed unseen. @type {number[] | null} */ changed = null;
  /** Labels of draws that are noted and still to be made. @type {string[]} */ noted = [];
  /** How often there was a draw with a label. @type {Map<string, number>} */ counts = new Map();
  /** What there was before the command. */
  before = { version: 0, draws: 0 };
  given = false;
  ended = false;
  dealer = 0;
  round = 0;
  draws = 0;
  done = 0;

  constructor(/** @type {Head} */ head, /** @type {AnyEvent[]} */ events, /** @type {CryptoKey} */ key) {
    const { keyed, lesson, day } = chanceOf(events);
    this.head = head;
    this.key = key;
    this.all = range(head.seats);
    this.version = keyed?.version ?? 1;
    this.day = day?.day;
    /** What names the draws of a deal that matches share. @type {string | undefined} */
    this.shared = lesson ? `lesson-${head.game}` : this.day && `daily-${head.game}-${this.day}`;
    this.nonces = this.all.map(() => "");
    this.rules = this.all.map(() => /** @type {Card[]} */ ([]));
    this.commits = "dealing" in events[0];
    const isDealt = (!this.commits || events[0].dealing === "cards") && [1, 2].includes(this.version);
    this.known = isDealt && Object.hasOwn(CARDS, head.game) && events.every(({ type }) => type.endsWith(".1"));
  }

  /** The numbers of the next draw with a label. */
  draw(/** @type {string} */ label) {
    if (this.version > 1) same(this.noted.shift(), label, "match.drawn.1: its labels");
    const [count, { version, draws }, { match }] = [this.counts.get(label) ?? 0, this.before, this.head];
    this.counts.set(label, count + 1);
    this.draws += 1;
    const nonces = this.nonces.map((nonce) => (this.shared ? "" : nonce)).join(",");
    const first = `tafelrunde/1|${match}|${nonces}|${version}|${label}|${this.draws - draws - 1}`;
    return numbers(this.key, this.version === 1 ? first : `tafelrunde/2|${this.shared ?? match}|${nonces}|${label}|${count}`);
  }
  /** @type {(label: string, cards: Card[]) => Promise<Card[]>} */
  async shuffle(label, cards) {
    return this.given ? [] : shuffled(this.draw(label), cards);
  }
  /** Who begins, as an option says, or chance. @type {(option: string) => Promise<number | null>} */
  async begins(option) {
    if (this.given || this.head.options[option] !== "random") return this.given ? null : this.head.options[option];
    return Number(await below(this.draw(option.replace("_", "-")), BigInt(this.head.seats)));
  }
  /** Check the next round, and who begins it; after the first one the next dealer deals, and who leads follows from the play. */
  async begin(/** @type {AnyEvent} */ event, /** @type {"dealer" | "leader"} */ role) {
    const later = role === "dealer" ? (this.dealer + 1) % this.head.seats : event.leader;
    const first = event.round === 1 ? await this.begins(`first_${role}`) : later;
    this.gives(event, { round: this.round + 1, [role]: first }, "the round, and who begins it");
  }
  /** Check what an event says, unless it was taken up as it is. @type {(event: AnyEvent, facts: object, what: string) => void} */
  gives(event, facts, what) {
    if (!this.given) same(event, { ...event, ...facts }, what);
  }
  /** Deal cards from the top of the deck. */
  deal(/** @type {number} */ count) {
    const cards = this.deck.slice(0, count);
    this.deck = this.deck.slice(count);
    return cards;
  }
  /** Shuffle cards, and deal to each seat in turn; the rest is the deck. @type {(label: string, cards: Card[], size: number) => Promise<Card[][]>} */
  async dealt(label, cards, size) {
    this.deck = await this.shuffle(label, cards);
    return this.all.map(() => this.sorted(this.deal(size)));
  }
  /** Take over what an event has dealt to all seats. */
  take(/** @type {AnyEvent} */ { hands, court = [], deck = court, round = 0, dealer = 0 }) {
    this.hands = hands.map((/** @type {Card[]} */ hand) => [...hand]);
    [this.deck, this.round, this.dealer] = [deck, round, dealer];
    return this.all;
  }
  drop(/** @type {number} */ seat, /** @type {Card} */ card) {
    need(this.hands[seat].includes(card), "a card that the seat does not have");
    this.hands[seat].splice(this.hands[seat].indexOf(card), 1);
  }
  place = (/** @type {Card} */ card) => (typeof card === "number" ? card : CARDS[this.head.game].indexOf(card));
  sorted = (/** @type {Card[]} */ cards) => [...cards].sort((one, other) => this.place(one) - this.place(other));
  /** What lies hidden at a seat. @type {(seat: number) => Lying[]} */
  lying = (seat) => {
    const cards = this.hands[seat].map((card) => CARDS[this.head.game][this.place(card)]);
    return [...cards, ...this.rules[seat].map((rule) => `rule-${rule}`)].map((card) => [seat, card]);
  };

  /** Follow an event: deal again what it deals, and check the commitment to that. */
  async follow(/** @type {Entry} */ { event, command }, /** @type {number} */ place, /** @type {Deal[]} */ deals) {
    const { type } = event;
    if (command) this.before = { version: place, draws: this.draws };
    need(!(SEATED.includes(type) && this.draws), `entry ${place + 1}: a seat that changes hands after the first draw`);
    if (SEATED.includes(type)) this.nonces = this.nonces.with(event.seat, event.nonce ?? "");
    if (type === "match.drawn.1") this.noted.push(...event.labels);
    this.given = type === "match.branched.1" || (this.given && type !== "match.decision-opened.1");
    const committed = type === "match.cards-committed.1";
    const isDue = this.known ? this.commits && this.changed !== null : committed;
    need(committed === isDue, `entry ${place + 1}: a commitment where hands changed, and only there`);
    need(!(committed && this.ended), `entry ${place + 1}: a commitment after the end`);
    if (committed) await this.commit(event, deals[this.done]);
    this.ended ||= Object.hasOwn(ENDS, type);
    this.changed = (this.known && (await FOLLOWS[type]?.(this, event))) || null;
  }

  /** Check a commitment to cards: its number, its root, and where the cards lie. */
  async commit(/** @type {AnyEvent} */ event, /** @type {Deal} */ line) {
    const deal = (this.done += 1);
    const lying = this.changed ? this.changed.flatMap(this.lying) : line.cards;
    const isShaped = lying.every(([seat, card]) => Number.isInteger(seat) && typeof card === "string");
    need(isShaped, `deal ${deal}: seats and cards`);
    const { cards, root } = await committed(this.key, this.head.match, deal, lying);
    same(line, { line: "deal", deal, root, cards }, `deal ${deal}: its line`);
    same(event, { type: event.type, deal, size: cards.length, root }, `deal ${deal}: its commitment`);
  }
}

// The log of a match

const HEAD = "line format match game rules_version rules software seats options commitment entries schemas";
const LATEST_MS = 253_402_300_800_000;
/** @type {(pattern: RegExp, value: unknown) => boolean} */
const fits = (pattern, value) => typeof value === "string" && pattern.test(value);

/** Return the lines of a record by their kinds: of the lines themselves, or of the document that the service gives by default. */
async function linesOf(/** @type {BufferSource} */ content) {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  const document = text.startsWith('{"lines":[') ? JSON.parse(text) : null;
  /** @type {string[]} */
  const rows = document ? document.lines.map(said) : text.split("\n").slice(0, -1);
  need(document ? said({ lines: document.lines }) === text.trimEnd() : text.endsWith("\n"), "the end of the last line");
  const lines = rows.map((row) => JSON.parse(row));
  for (const [place, line] of lines.entries()) same(said(line), rows[place], `line ${place + 1}: the usual way to write it`);
  const [entries, deals] = ["entry", "deal"].map((kind) => lines.filter(({ line }) => line === kind));
  const kinds = ["head", ...entries.map(() => "entry"), ...deals.map(() => "deal"), "end", "sum"];
  for (const [place, kind] of kinds.entries()) same(lines[place]?.line, kind, "the order of the lines");
  const sum = hex(await sha256(utf8(`${rows.slice(0, -1).join("\n")}\n`)));
  same(lines.slice(kinds.length - 1), [{ line: "sum", sum }], "the sum over all lines");
  return { head: lines[0], entries, deals, end: lines[kinds.length - 2] };
}

/** Check that an entry goes on from the one before, and that its bytes say the same. @type {(line: Entry, version: number, before?: Entry) => Promise<void>} */
async function checkEntry(line, version, before) {
  const at = `entry ${version}`;
  const { time_ms, actor, command_id, correlation_id, event, command, digest } = line;
  const facts = { time_ms, actor, command_id, correlation_id, event, command, digest };
  const content = unbase64(line.bytes);
  const chain = hex(await sha256(joined(before ? unhex(before.chain) : new Uint8Array(32), content)));
  same(line, { line: "entry", version, bytes: base64(content), chain, ...facts }, `${at}: its number, or the chain`);
  const isTyped = (/** @type {Unchecked} */ each) => isPlain(each) && fits(/./, each.type);
  need(isTyped(event) && (command === null || isTyped(command)), `${at}: its event or command`);
  need(Number.isInteger(time_ms) && time_ms >= 0 && time_ms < LATEST_MS, `${at}: its time`);
  need((command !== null) === (before?.digest !== null), `${at}: a command where the one before is complete, and only there`);
  need(digest === null || fits(/^(00|[0-9a-f]{64})$/, digest), `${at}: its digest`);
  const parts = [time_ms, actor, command_id, correlation_id, event];
  const state = unhex(digest ?? "");
  /** The bytes of the entry, with a command in its short form, or in that of a map with 16 names or more. */
  const form = (/** @type {number} */ few) => packed([...parts, Uint8Array.from(command ? packed(command, few) : []), state]);
  const isSaid = [16, 0].some((few) => hex(form(few)) === hex(content));
  need(isSaid, `${at}: what it says`);
}

/** Check what the head says of the entries, and where the secret comes from. @type {(head: Head, entries: Entry[]) => Promise<void>} */
async function checkHead(head, entries) {
  const events = entries.map(({ event }) => event);
  const [opened] = events;
  const types = events.map(({ type }) => type);
  same(
    Object.keys(head)
      .join(" ")
      .replace(/ lesson$/, ""),
    HEAD,
    "head: its names",
  );
  same([head.format, head.entries], ["tafelrunde.record.1", events.length], "head: its format and number of entries");
  need(types.findLastIndex((type) => type.startsWith("match.opened.")) === 0, "one opening, as the first entry");
  for (const name of /** @type {const} */ (["game", "rules_version", "seats", "options", "commitment"]))
    same(head[name], opened[name], `head: ${name}`);
  need(isPlain(head.schemas) && Object.keys(head.schemas).every((type) => types.includes(type)), "head: schemas");
  need(Number.isInteger(head.seats) && head.seats > 0 && head.seats < 100, "head: seats");
  need(opened.type === "match.opened.1" && fits(/^m[a-z2-7]{24}$/, head.match), "the match's id");
  need(fits(/^[0-9a-f]{64}$/, opened.secret), "a secret of 64 hex digits");
  await checkChance(head, entries);
}

/** Check the line about the end, and that nothing is left over. @type {(end: Line, entries: Entry[], match: Match) => void} */
function checkEnd(end, entries, match) {
  const ends = entries.map(({ event }) => event).filter(({ type }) => Object.hasOwn(ENDS, type));
  need(ends.length === 1, "one end");
  const [{ type, secret, placings = null }] = ends;
  const { nonces } = match;
  const { chain, digest: state } = entries[entries.length - 1];
  const opened = entries[0].event.secret;
  same(secret, match.day ? "" : opened, "the secret of the opening, or none in the deal of a day");
  same(end, { line: "end", status: ENDS[type], secret: opened, nonces, placings, chain, state }, "end: what the entries say");
  for (const nonce of nonces) need(fits(/^[A-Za-z0-9_-]{0,64}$/, nonce), "the nonces");
  const seating = entries[0].command?.seating ?? [];
  need(
    [...seating].every(({ bot, nonce }) => !bot || !nonce),
    "a bot with a nonce",
  );
  need(fits(/^[0-9a-f]{64}$/, state), "the state after the last command");
  need(!(match.commits && match.changed), "a commitment to the last hands");
  if (match.known) same(match.noted, [], "match.drawn.1: its labels");
}

/**
 * Check a record (bytes: its lines, or one document), and compare it with what was kept of its match (null: nothing). Never throws.
 * `sheet`: who may know which events, from the sheet of the game (null: as the record says).
 * `conclusion`: "right", "wrong" (`wrong` says what), or "undecided" where nothing shows that the cards were not chosen, or how the match
 * went (`open` says why, by names). `answers` of bots are not computed again. `isOld`: which old records are listed; none by default.
 * @type {(content: BufferSource, kept?: Kept | null, sheet?: Audiences | null, isOld?: IsOld) => Promise<Verdict>}
 */
export async function verify(content, kept = null, sheet = null, isOld = () => false) {
  try {
    const { head, entries, deals, end } = await linesOf(content);
    for (const [place, entry] of entries.entries()) await checkEntry(entry, place + 1, entries[place - 1]);
    const events = entries.map(({ event }) => event);
    await checkHead(head, entries);
    const match = new Match(head, events, await keyOf(events[0].secret));
    for (const [place, entry] of entries.entries()) await match.follow(entry, place, deals);
    checkEnd(end, entries, match);
    same(match.done, deals.length, "a line for each deal");
    const more = kept ? await compared(kept, head, entries, sheet, match.nonces) : { compared: [], open: [] };
    const open = [...new Set([...doubtsOf(head, events, end.chain, match.known, isOld), ...more.open])];
    const { match: id, game, commitment } = head;
    const answers = entries.filter(({ command }) => command?.type === "match.bot-play").length;
    const counts = { chain: end.chain, entries: entries.length, deals: match.done, draws: match.draws, answers };
    return { conclusion: conclusionOf(open), wrong: null, match: id, game, commitment, ...counts, ...more, open };
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    return { conclusion: "wrong", wrong: error instanceof Wrong ? message : `a record that can be read (${name}: ${message})` };
  }
}
