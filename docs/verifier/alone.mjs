// Checks records of finished matches: node docs/verifier/alone.mjs RECORD... [DAY...] [OLD]
// DAY: the answer of GET /log/days/{day}, for records of deals of that day. OLD: service/features/records/old_records.txt.
// Written from docs/fair-dealing.md and docs/records.md alone; it shares no code with the service or its web client. One line for each
// record: "right: ..." (exit code 0), "undecided: ..." (3), "wrong: ..." (1) or "unreadable: ..." (2), with what was not checked.

import { createHash, createHmac } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
const [Wrong, Unreadable] = [class extends Error {}, class extends Error {}];
function attempt(Failed, what, step) {
  try {
    return step();
  } catch (error) {
    throw new Failed(`${what}: ${error.message}`);
  }
}
function check(holds, text) {
  if (!holds) throw new Wrong(text);
}
const json = JSON.stringify;
const same = (found, expected, text) => check(json(found) === json(expected), `${text}: ${json(found)} instead of ${json(expected)}`);
const range = (from, to) => Array.from({ length: to - from }, (_, place) => from + place);
const byNumber = (cards) => [...cards].sort((a, b) => a - b);
const byText = (cards) => [...cards].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)); // all ASCII: code points are units
/** Take the first of these cards out of a list of cards. */
function take(cards, card, text) {
  check(cards.includes(card), `${text}: there is no ${card}`);
  cards.splice(cards.indexOf(card), 1);
}

// Fair dealing, "The secret and the nonces" and "Draws"
const sha = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hmac = (secret, text) => createHmac("sha256", Buffer.from(secret, "hex")).update(text).digest();
function* words(secret, prefix) {
  for (let block = 0; ; block++) {
    const found = hmac(secret, `${prefix}|${block}`);
    for (const at of [0, 8, 16, 24]) yield found.readBigUInt64BE(at);
  }
}
function below(numbers, bound, { value } = numbers.next()) {
  return value < 2n ** 64n - (2n ** 64n % BigInt(bound)) ? Number(value % BigInt(bound)) : below(numbers, bound);
}
function shuffle(secret, prefix, items) {
  const [numbers, deck] = [words(secret, prefix), [...items]];
  for (let i = deck.length - 1; i > 0; i--) {
    const j = below(numbers, i + 1);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck;
}
/** The prefix of the next draw; deals that matches share have a name of their own in the place of the match, and empty nonces. */
function prefixOf(m, label) {
  m.made.push(label);
  m.draws += 1;
  if (!m.keyed) return `tafelrunde/1|${m.id}|${m.nonces.join(",")}|${m.before}|${label}|${m.inCommand++}`;
  const count = m.counts.get(label) ?? 0;
  m.counts.set(label, count + 1);
  const shared = m.day ? `daily-${m.game}-${m.day.day}` : m.lesson && `lesson-${m.game}`; // then no seat has a nonce
  return `tafelrunde/2|${shared || m.id}|${m.nonces.join(",")}|${label}|${count}`;
}
/** A draw, and what is compared with it: nothing for the events that a match takes up from another one. */
const shuffled = (m, label, list) => (m.given ? [] : shuffle(m.secret, prefixOf(m, label), list));
const drawn = (m, found, expected, text) => m.given || same(found, expected, text);
/** Who is first: drawn where the option says so, else what it says. */
const chosen = (m, option, label) => (m.options[option] === "random" ? below(words(m.secret, prefixOf(m, label)), m.seats) : m.options[option]);
const first = (m, option, label) => (m.given ? null : chosen(m, option, label));

// Fair dealing, "What each game draws". Each function follows one event: it repeats its draws, and keeps what hands have.
const named = (names, values) => (card) => `${names[Math.floor(card / values)]}-${(card % values) + 1}`;
const TEXTS = {
  coup: String,
  mondkrone: String,
  matchmaster: named(["dark_orange", "light_orange", "dark_blue", "light_blue"], 13),
  "meister-coup": named(["violet", "blue", "green", "yellow"], 12),
  "stich-meister": named(["fan", "coin", "koi", "torii"], 15),
};
const WEAK = `ace-of-knots ace-of-wyrms ace-of-leaves ace-of-waves ace-of-suns ace-of-moons origin desert author savage painter journey battle
  sailor mountain soldier discovery forest market penitent lunatic cave castle chance-meeting betrayal mill diplomat merchant darkness pact`;
const EXTENDED = "borderland light-keeper watchman harvest window island rite consul";
const STRONG = "windfall calamity end sea bard huntress";
const roles = (m) => byText(["assassin", "captain", "contessa", "duke", m.options.fifth_role]);
const mondkroneCards = (m) => `${WEAK} ${m.options.deck === "extended" ? EXTENDED : ""} ${STRONG}`.split(/\s+/);
/** Runs of cards from the top: for each seat, in seat order. */
const runs = (deck, seats, size) => range(0, seats).map((seat) => deck.slice(seat * size, (seat + 1) * size));
const played = (m, { seat, card }) => take(m.hands[seat], card, `seat ${seat} plays what it does not have`);
/** The dealer of round 1 is drawn or an option, then it is the next seat. */
function dealerIs(m, event) {
  const dealer = event.round === 1 ? first(m, "first_dealer", "first-dealer") : (m.dealer + 1) % m.seats;
  drawn(m, event.dealer, dealer, `dealer of round ${event.round}`);
  m.dealer = event.dealer;
}
/** A shuffle of the court deck with one card put back: the first is drawn. */
function swap(m, seat, card, event) {
  drawn(m, [event.drawn, ...event.court], shuffled(m, "court", [...m.court, card]), "drawn card and court");
  take(m.hands[seat], card, `seat ${seat} shows what it does not have`);
  m.hands[seat].push(event.drawn);
}
const EVENTS = {
  "coup.sets-taken.1"(m, event) {
    drawn(m, [event.first, event.third], [first(m, "first_seat", "first-seat"), shuffled(m, "third-set", roles(m))], "first seat and third set");
    [m.third, m.drafted] = [event.third, []];
  },
  "coup.card-drafted.1": (m, event) => (m.drafted[event.seat] = event.role),
  "coup.dealt.1"(m, event) {
    if (m.third) {
      const hands = [0, 1].map((seat) => byText([m.drafted[seat], m.third[seat]]));
      return same([event.hands, event.court], [hands, m.third.slice(2)], "hands and court after the draft");
    }
    m.firstTurn = first(m, "first_seat", "first-seat");
    const deck = shuffled(m, "deal", roles(m).flatMap((role) => [role, role, role]));
    drawn(m, [event.hands, event.court], [runs(deck, m.seats, 2).map(byText), deck.slice(2 * m.seats)], "hands and court");
  },
  "coup.turn-begun.1"(m, event) {
    same(event.seat, m.firstTurn ?? event.seat, "first seat");
    m.firstTurn = null;
  },
  "coup.claim-proved.1": (m, event) => swap(m, event.seat, event.role, event),
  "coup.card-replaced.1": (m, event) => swap(m, event.target, event.returned, event),
  "coup.influence-lost.1": (m, event) => take(m.hands[event.seat], event.role, `seat ${event.seat} turns up what it does not have`),
  "coup.cards-drawn.1"(m, event) {
    const count = m.options.fifth_role === "inquisitor" ? 1 : 2;
    same([event.count, event.roles], [count, byText(m.court.slice(0, count))], "drawn cards");
    m.exchanged = [...byText(m.hands[event.seat]), ...byText(event.roles)];
    m.hands[event.seat] = [...m.exchanged];
    m.court = m.court.slice(event.roles.length);
  },
  "coup.cards-returned.1"(m, event) {
    event.kept.forEach((role) => take(m.exchanged, role, "kept cards"));
    drawn(m, event.court, shuffled(m, "court", [...m.court, ...m.exchanged]), "court");
    m.hands[event.seat] = [...event.kept];
  },
  "matchmaster.dealt.1"(m, event) {
    dealerIs(m, event);
    same(event.size, [7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7][event.round - 1], "number of cards");
    const found = range(1, m.seats + 1).map((after) => event.hands[(event.dealer + after) % m.seats]);
    drawn(m, found, runs(shuffled(m, `deal-${event.round}`, range(0, 52)), m.seats, event.size).map(byNumber), "hands after the dealer");
  },
  "meister-coup.dealt.1"(m, event) {
    if (event.round === 1) drawn(m, event.leader, first(m, "first_leader", "first-leader"), "leader of round 1");
    const deck = shuffled(m, "cards", range(0, 48));
    drawn(m, event.hands, range(0, m.seats).map((seat) => byNumber(range(0, 8).map((turn) => deck[turn * m.seats + seat]))), "hands");
    const ofColour = (hand, colour) => hand.filter((card) => Math.floor(card / 12) === colour).length;
    same(event.colours, event.hands.map((hand) => range(0, 4).map((colour) => ofColour(hand, colour))), "colours of the hands");
  },
  "mondkrone.round-dealt.1"(m, event) {
    const all = mondkroneCards(m);
    const list = all.filter((card) => card !== "ace-of-moons" && !m.laidAside.includes(card));
    const size = Math.min(m.seats === 4 ? 6 : 7, Math.floor(list.length / m.seats) - 1);
    const deck = shuffled(m, "deal", list);
    const sorted = (cards) => [...cards].sort((a, b) => all.indexOf(a) - all.indexOf(b));
    drawn(m, event.hands, runs(deck, m.seats, size).map(sorted), "hands");
    drawn(m, [...event.palette_cards, ...event.deck], deck.slice(m.seats * size), "open cards and deck");
    same([event.pile_card, event.hand_size, event.deck_size], ["ace-of-moons", event.hands[0].length, event.deck.length], "first card of the pile, and numbers of cards");
  },
  "mondkrone.cards-drawn.1"(m, event) {
    same(event.cards, m.deck.slice(0, event.count), "drawn cards");
    m.deck = m.deck.slice(event.count);
    m.hands[event.seat].push(...event.cards);
  },
  "mondkrone.cards-laid-aside.1": (m, event) => m.laidAside.push(...event.cards),
  "stich-meister.dealt.1"(m, event) {
    dealerIs(m, event);
    if (event.round === 1 && !m.options.rules) m.ruleDeck = shuffled(m, "rule-cards", range(1, 61));
    const rules = m.options.rules ? [] : [...m.ruleDeck];
    const refilled = m.rules.map((held) => (m.options.rules ? [] : rules.splice(0, 3 - held.length)));
    drawn(m, [event.new_rules, event.rule_deck], [refilled, rules], "rule cards, up to three for each seat");
    const list = range(0, 60).filter((card) => m.seats !== 3 || ![1, 10, 13].includes((card % 15) + 1));
    drawn(m, event.hands, runs(shuffled(m, "cards", list), m.seats, Math.floor(list.length / m.seats)).map(byNumber), "hands");
    m.ruleDeck = event.rule_deck;
    event.new_rules.forEach((cards, seat) => m.rules[seat].push(...cards));
  },
  "stich-meister.rules-shown.1": (m, { rules }) =>
    ([m.ruleDeck, ...m.rules] = [m.ruleDeck, ...m.rules].map((cards) => cards.filter((card) => !rules.includes(card)))),
  "stich-meister.cards-passed.1": (m, event) => event.cards.forEach((card) => played(m, { seat: event.seat, card })),
  "stich-meister.cards-received.1": (m, event) => event.received.forEach((cards, seat) => m.hands[seat].push(...cards)),
  "stich-meister.cards-turned-up.1": (m, event) => event.plays.forEach((play) => played(m, play)),
};

// Fair dealing, "Commitments to cards"
const DEALT = ["coup.dealt.1", "matchmaster.dealt.1", "meister-coup.dealt.1", "mondkrone.round-dealt.1", "stich-meister.dealt.1"];
const OF_SEAT = ["coup.claim-proved.1", "coup.cards-drawn.1", "coup.cards-returned.1", "mondkrone.cards-drawn.1"];
function dealtTo(m, { type, seat, target }) {
  if (DEALT.includes(type) || type === "stich-meister.cards-received.1") return range(0, m.seats);
  return OF_SEAT.includes(type) ? [seat] : type === "coup.card-replaced.1" ? [target] : [];
}
const inner = (left, right) => sha(Buffer.of(1), left, right);
function rootOf(leaves) {
  const left = 1 << (31 - Math.clz32(leaves.length - 1)); // the largest power of two below
  return leaves.length === 1 ? leaves[0] : inner(rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left)));
}
function deal(m, seats) {
  const texts = (owner) => byText([...m.hands[owner].map(TEXTS[m.game]), ...m.rules[owner].map((rule) => `rule-${rule}`)]);
  const listed = seats.flatMap((owner) => texts(owner).map((card) => [owner, card]));
  const number = m.deals.length + 1;
  const cards = shuffle(m.secret, `tafelrunde/order/1|${m.id}|${number}`, listed);
  const salt = (index) => hmac(m.secret, `tafelrunde/salt/1|${m.id}|${number}|${index}`);
  const leaf = ([owner, card], index) => sha(Buffer.of(0), salt(index), `${m.id}|${number}|${index}|${owner}|${card}`);
  const root = rootOf(cards.map(leaf)).toString("hex");
  m.deals.push({ line: "deal", deal: number, root, cards });
  return { type: "match.cards-committed.1", deal: number, size: cards.length, root };
}

// Fair dealing, "Draws": the nonces of the seats, the version of draws, and the announced labels
const ENDS = ["match.ended.1", "match.aborted.1"];
const SITTING = ["match.seat-taken.1", "match.bot-seated.1", "match.seat-left.1", "match.seat-cleared.1"]; // the first has a nonce
const CHANCE = { "match.draws-keyed.1": "keyed", "match.deal-of-day.1": "day", "match.lesson-begun.1": "lesson", "match.branched.1": "branch" };
/** The number of each edition of each lesson, and the newest version of the rules, that are on the page. */
const LESSONS = { coup: { 1: 93 }, matchmaster: { 1: 1 }, "meister-coup": { 1: 3 }, mondkrone: { 1: 1 }, "stich-meister": { 1: 281 } };
const RULES = { coup: 2, matchmaster: 1, "meister-coup": 1, mondkrone: 1, "stich-meister": 1 };
function matchEvent(m, event) {
  const { type } = event;
  check(!SITTING.includes(type) || !m.draws, "a seat changes hands after the first draw");
  check(!CHANCE[type] || (m.before === 0 && !m[CHANCE[type]]), `${type} is not once in the opening`);
  if (SITTING.includes(type)) m.nonces[event.seat] = event.nonce ?? "";
  if (CHANCE[type]) m[CHANCE[type]] = event;
  check(!m.day || !m.lesson, "a match that is a lesson, or the deal of a day");
  check(!(m.day || m.lesson) || !m.nonces.some(Boolean), "a nonce in a match whose draws take none");
  const { version } = m.keyed ?? { version: 2 };
  check(Number.isInteger(version) && version > 1, "draws that are keyed have version 2 or a later one");
  m.given = type === "match.branched.1" || version > 2 || (m.given && type !== "match.decision-opened.1");
  if (ENDS.includes(type)) m.placings = event.placings ?? null;
}
function follow(m, event) {
  const { expected } = m;
  m.expected = null;
  if (expected) return same(event, expected, "commitment to the cards");
  check(event.type !== "match.cards-committed.1", "a commitment follows no deal");
  if (event.type === "match.drawn.1") return void (m.announced = event.labels);
  m.made = [];
  if (DEALT.includes(event.type) && event.round) same(event.round, (m.round += 1), "number of the round");
  if (event.type.startsWith("match.")) matchEvent(m, event);
  else if (/\.card-(played|discarded)\.1$/.test(event.type)) played(m, event);
  else EVENTS[event.type]?.(m, event);
  if (event.hands) m.hands = event.hands.map((hand) => [...hand]);
  for (const pile of ["court", "deck"]) m[pile] = event[pile] ?? m[pile];
  if (m.given && m.branch) m.taken += 1;
  if (m.keyed?.version === 2) same(m.announced, m.made, "labels of the draws");
  m.announced = [];
  const seats = m.dealing === "cards" ? dealtTo(m, event) : [];
  if (seats.length) m.expected = deal(m, seats);
}

// Fair dealing, "The log of a match", and "The lines" in records.md
/** Forms of MessagePack with a number behind the tag: its size in bytes, and the least that needs the form (a map may be shorter). */
const BINARIES = { 0xc4: [1, 0], 0xc5: [2, 256], 0xc6: [4, 65536] };
const NEGATIVES = { 0xd0: [1, 33], 0xd1: [2, 129], 0xd2: [4, 32769], 0xd3: [8, 2 ** 31 + 1] };
const TEXTS_LISTS_MAPS = { 0xd9: [1, 32], 0xda: [2, 256], 0xdb: [4, 65536], 0xdc: [2, 16], 0xdd: [4, 65536], 0xde: [2, 0] };
const FORMS = { ...BINARIES, 0xcc: [1, 128], 0xcd: [2, 256], 0xce: [4, 65536], 0xcf: [8, 2 ** 32], ...NEGATIVES, ...TEXTS_LISTS_MAPS };
function unpack(bytes) {
  let at = 0;
  const cut = (size) => {
    check(at + size <= bytes.length, "bytes of an entry are cut off");
    return bytes.subarray(at, (at += size));
  };
  const number = ([size, least], sign = 1n) => {
    const found = BigInt(`0x${cut(size).toString("hex")}`);
    const value = sign * (sign < 0n ? BigInt.asIntN(8 * size, found) : found);
    check(value >= least, "a form in MessagePack is not the shortest");
    return Number(sign * value);
  };
  const text = (size) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(cut(size));
  const list = (size) => Array.from({ length: size }, value);
  const map = (size) => Object.fromEntries(Array.from({ length: size }, () => [value(), value()]));
  function value() {
    const tag = number([1, 0]);
    if (tag < 0x80 || tag >= 0xe0) return tag < 0x80 ? tag : tag - 256;
    if (tag < 0xa0) return tag < 0x90 ? map(tag & 0x0f) : list(tag & 0x0f);
    if (tag < 0xc0) return text(tag & 0x1f);
    if ([0xc0, 0xc2, 0xc3].includes(tag)) return tag === 0xc0 ? null : tag === 0xc3;
    check(FORMS[tag], "there is a form of MessagePack that entries do not have");
    const found = number(FORMS[tag], NEGATIVES[tag] ? -1n : 1n);
    if (BINARIES[tag]) return cut(found);
    if (tag < 0xd9) return found;
    return tag < 0xdc ? text(found) : tag < 0xde ? list(found) : map(found);
  }
  const found = value();
  check(at === bytes.length, "bytes of an entry go on behind their end");
  return found;
}
function lineOf(version, bytes, chain) {
  const [time_ms, actor, command_id, correlation_id, event, packed, state] = unpack(bytes);
  const [command, digest] = [packed.length ? unpack(packed) : null, state.length ? state.toString("hex") : null];
  const line = { line: "entry", version, bytes: bytes.toString("base64"), chain: chain.toString("hex"), time_ms };
  return { ...line, actor, command_id, correlation_id, event, command, digest };
}
function entries(m, lines) {
  let chain = Buffer.alloc(32);
  for (const [place, line] of lines.entries()) {
    const bytes = Buffer.from(String(line.bytes), "base64");
    chain = sha(chain, bytes);
    const said = lineOf(place + 1, bytes, chain);
    check(json(said) === json(line), `entry ${place + 1} is not what its bytes and the chain before it say`);
    check((said.command !== null) === (m.digest !== null), `entry ${place + 1} has a command in the wrong place`);
    check(!said.command || typeof said.command.type === "string", `entry ${place + 1} has a command without a type`);
    if (said.command) [m.before, m.inCommand, m.answers] = [place, 0, m.answers + Number(said.command.type === "match.bot-play")];
    check([m.game, "match"].includes(said.event.type.split(".")[0]), `entry ${place + 1} has an event of no such game: ${said.event.type}`);
    attempt(Wrong, `entry ${place + 1} (${said.event.type})`, () => follow(m, said.event));
    if ((m.digest = said.digest)) check(/^(00|.{64})$/.test(m.digest), `entry ${place + 1} has neither a digest nor a zero byte`);
  }
  check(m.digest?.length === 64 && !m.expected, "the log is cut off");
  return chain.toString("hex");
}
/** The lines as they stand; the document form has the same ones between commas. */
function linesOf(content) {
  const text = attempt(Unreadable, "no text", () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content));
  if (!text.startsWith('{"lines":[')) return text.split("\n").slice(0, -1);
  const lines = attempt(Unreadable, "no JSON", () => JSON.parse(text).lines.map((line) => json(line)));
  if (`{"lines":[${lines.join(",")}]}` !== text.trimEnd()) throw new Unreadable("the document was written again");
  return lines;
}
const FIELDS = /^line format match game rules_version rules software seats options commitment entries schemas( lesson)?, line status secret nonces placings chain state, line sum$/;
/** Parse all lines, each in the usual form, and check their sum, order and fields. */
function parsed(texts) {
  if (!texts[0]?.startsWith('{"line":"head","format":"tafelrunde.record.1",')) throw new Unreadable("no record of this format");
  const lines = texts.map((text, place) => attempt(Wrong, `line ${place + 1} is no JSON`, () => JSON.parse(text)));
  lines.forEach((line, place) => check(json(line) === texts[place], `line ${place + 1} is not in the usual form`));
  check(/^head( entry)+( deal)* end sum$/.test(lines.map(({ line }) => line).join(" ")), "the record is cut off, or its lines are in another order");
  same(lines.at(-1).sum, sha(...texts.slice(0, -1).map((text) => `${text}\n`)).toString("hex"), "sum");
  const fields = [lines[0], ...lines.slice(-2)].map((line) => Object.keys(line).join(" ")).join(", "); // entries and deals are compared as a whole
  check(FIELDS.test(fields), "the head, the end or the sum has other fields");
  return lines;
}
/** Check one record; return what is to be said of it. The answers about days are by day, old records are listed by their chains. */
function verify(content, days, old) {
  const lines = parsed(linesOf(content));
  const of = (kind) => lines.filter(({ line }) => line === kind);
  const [[head], log, [end], [{ event: opened, command }]] = [of("head"), of("entry"), of("end"), of("entry")];
  const shaped = end.nonces.every((nonce) => /^[A-Za-z0-9_-]{0,64}$/.test(nonce)) && /^[0-9a-f]{64}$/.test(end.secret);
  check(shaped && /^m[a-z2-7]{24}$/.test(head.match), "the match, the secret or a nonce does not have its shape");
  check(Object.hasOwn(TEXTS, head.game), `the page has no game ${head.game}`);
  check(![...(command?.seating ?? [])].some(({ bot, nonce }) => bot && nonce), "a bot with a nonce");
  same(head.commitment, sha(`tafelrunde/commitment/1|${head.match}|${end.secret}`).toString("hex"), "commitment to the secret");
  for (const name of ["game", "rules_version", "seats", "options", "commitment"]) same(head[name], opened[name], `${name} of the head`);
  same([head.entries, opened.type, opened.secret], [log.length, "match.opened.1", end.secret], "number of entries of the log, opening and secret");
  same(Object.keys(head.schemas), byText(new Set(log.map(({ event }) => event.type))), "kinds of events that have a schema");
  const m = start(head, end.secret, opened.dealing);
  same([end.chain, end.state], [entries(m, log), m.digest], "last chain and state digest");
  same([end.nonces, end.placings], [m.nonces, m.placings], "nonces and placings of the end");
  same(of("deal"), m.deals, "lines of the deals");
  const reached = log.flatMap(({ event: { type, secret } }) => (ENDS.includes(type) ? [[type === ENDS[0] ? "over" : "aborted", secret]] : []));
  same(reached, [[end.status, m.day ? "" : m.secret]], "status of the end, and the secret that it reveals"); // the deal of a day reveals none
  const listed = LESSONS[m.game][json(m.lesson?.edition)];
  const number = listed ?? m.number; // old heads have none
  check(m.number === undefined || (m.lesson && Number.isInteger(number) && m.number === number), "the head has the number of a lesson");
  if (number !== undefined) same(m.secret, sha(`tafelrunde/lesson/1|${m.game}|${number}`).toString("hex"), "secret of the lesson");
  const { day, commitment } = m.day ?? {};
  const isInLog = commitment !== undefined && Object.hasOwn(days, day) && ofDay(m, day, days[day]);
  return told(m, log.length, [
    [m.keyed?.version > 2, `draws of version ${m.keyed?.version}: no deck was dealt again`],
    [!range(1, RULES[m.game] + 1).includes(head.rules_version), `version ${head.rules_version} of the rules`],
    [!m.keyed && !old.includes(end.chain.slice(0, 32)), "that no shuffle was chosen: draws of version 1, in none of the listed old records"],
    [m.dealing === undefined, "roots of cards: there are none"],
    [m.lesson && listed === undefined, "the secret of the lesson: its edition is not listed"],
    [m.branch, `${m.taken} events that were taken up as they are given`],
    [m.day && !isInLog, commitment === undefined ? "the secret of the day: it has no commitment" : "the leaf of the day"],
  ]);
}
/** Fair dealing, "The deal of a day": the day's secret is the one that was committed to, and gives that of the match. */
function ofDay(m, day, { secret, text, index, size, path, root }) {
  same(sha(`tafelrunde/day-commitment/1|${day}|${secret}`).toString("hex"), m.day.commitment, "commitment of the day");
  same(m.secret, hmac(secret, `tafelrunde/day/1|${m.game}|${day}`).toString("hex"), "secret of the match, from that of the day");
  if (text === undefined) return false;
  same(text, `tafelrunde.day.1\n${day}\n${m.day.commitment}\n`, "leaf of the day");
  let [node, place, last] = [sha(Buffer.of(0), text), index, size - 1];
  for (const sister of path.map((each) => Buffer.from(each, "hex"))) {
    for (; place % 2 === 0 && place === last && last; last >>= 1) place >>= 1; // no sister at this height
    node = place % 2 ? inner(sister, node) : inner(node, sister);
    [place, last] = [place >> 1, last >> 1];
  }
  same([place, last, node.toString("hex")], [0, 0, root], "path from the leaf of the day to the root of the log");
  return true;
}
const start = ({ match: id, game, seats, options, lesson: number }, secret, dealing) => ({
  ...{ id, game, seats, options, number, secret, dealing, keyed: null, day: null, given: false, answers: 0, taken: 0 },
  ...{ nonces: Array(seats).fill(""), counts: new Map(), made: [], announced: [], draws: 0, before: 0, inCommand: 0 },
  ...{ hands: [], rules: range(0, seats).map(() => []), court: [], deck: [], ruleDeck: [], laidAside: [], third: null },
  ...{ firstTurn: null, deals: [], expected: null, round: 0, dealer: null, placings: null, digest: "" },
});
function told(m, count, doubts) {
  const open = [...doubts, [m.answers, `${m.answers} of ${m.answers} bot answers`]].flatMap(([isOpen, text]) => (isOpen ? [text] : []));
  const done = `${m.id} (${m.game}): ${count} entries chained, secret as committed to, ${m.draws} draws made again, ${m.deals.length} roots`;
  return [doubts.some(([isOpen]) => isOpen) ? "undecided" : "right", `${done}; not checked: ${["moves, scores and state digests", ...open].join(", ")}`];
}
function main(files) {
  if (!files.length) console.error("usage: node alone.mjs RECORD... [DAY...] [OLD]");
  const begins = (text) => (file) => existsSync(file) && readFileSync(file).subarray(0, text.length).equals(Buffer.from(text));
  const [isDay, isOld] = ['{"day":', "tafelrunde.old-records.1\n"].map(begins);
  const days = Object.fromEntries(files.filter(isDay).map((file) => JSON.parse(readFileSync(file))).map((each) => [each.day, each]));
  const old = files.filter(isOld).flatMap((file) => readFileSync(file, "utf8").split("\n").slice(1, -1));
  const found = files.filter((each) => !isDay(each) && !isOld(each)).map((file) => {
    try {
      return verify(readFileSync(file), days, old);
    } catch (error) {
      return [error instanceof Unreadable || error.code ? "unreadable" : "wrong", error.message];
    }
  });
  for (const [conclusion, text] of found) console.log(`${conclusion}: ${text.replace(/[^\x20-\x7e]/g, "?")}`); // nothing that moves the cursor
  const worst = ["unreadable", "wrong", "undecided"].find((each) => found.some(([conclusion]) => conclusion === each));
  return files.length ? { unreadable: 2, wrong: 1, undecided: 3 }[worst] ?? 0 : 2;
}
process.exitCode = main(process.argv.slice(2));
