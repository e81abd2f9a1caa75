// How decks are dealt: draws out of the secret (docs/fair-dealing.md), and the five games that use them.

import { hex, hmac, hmacKey, need, same, sha256, utf8 } from "./bytes.js";

// Draws

/** One draw: 64-bit numbers out of HMAC(prefix|0), HMAC(prefix|1), ... */
export class Draw {
  constructor(key, prefix) {
    this.key = key;
    this.prefix = prefix;
    this.block = 0;
    /** @type {bigint[]} */
    this.words = [];
  }

  async pick(bound) {
    const limit = 2n ** 64n - (2n ** 64n % bound);
    for (;;) {
      if (!this.words.length) {
        const view = new DataView((await hmac(this.key, `${this.prefix}|${this.block++}`)).buffer);
        this.words = [0, 8, 16, 24].map((at) => view.getBigUint64(at));
      }
      const word = this.words.shift();
      if (word < limit) return word % bound;
    }
  }

  async below(bound) {
    return Number(await this.pick(BigInt(bound)));
  }

  async shuffle(items) {
    const deck = [...items];
    for (let place = deck.length - 1; place > 0; place -= 1) {
      const other = await this.below(place + 1);
      [deck[place], deck[other]] = [deck[other], deck[place]];
    }
    return deck;
  }
}

/** A number below a bound, an order, and the 64-bit numbers of a draw, for test vectors. */
export const below = async (secret, prefix, bound) => new Draw(await hmacKey(secret), prefix).pick(BigInt(bound));
export const shuffled = async (secret, prefix, items) => new Draw(await hmacKey(secret), prefix).shuffle(items);
export const commitmentTo = async (match, secret) => hex(await sha256(utf8(`tafelrunde/commitment/1|${match}|${secret}`)));

/** By the version of draws: the prefix of a draw that a game makes. `counts` has the draws with each label so far. */
export const DRAWS = {
  1: ({ match, nonces, version, drawn }, label) => `tafelrunde/1|${match}|${nonces.join(",")}|${version}|${label}|${drawn}`,
  2: ({ name, nonces, counts }, label) => `tafelrunde/2|${name}|${nonces.join(",")}|${label}|${counts.get(label) ?? 0}`,
};

// The games: how each event that deals comes out of the draws (deals), and how events change hands and decks (folds).
// A fold returns the seats whose hands changed unseen: their cards are committed to.

const range = (count) => Array.from({ length: count }, (_, each) => each);
const byNumber = (cards) => [...cards].sort((one, other) => one - other);
const all = (table) => range(table.seats);
const drop = (cards, card) => {
  need(cards.includes(card), "a card that the seat does not have");
  cards.splice(cards.indexOf(card), 1);
};
const without = (cards, gone) => {
  const rest = [...cards];
  for (const each of gone) drop(rest, each);
  return rest;
};
const play = (table, event) => void drop(table.hands[event.seat], event.card);
/** Check who begins: the option names a seat, or leaves it to chance. */
const first = async ({ options, seats }, draw, name, found) =>
  same(
    found,
    options[name] === "random" ? await draw.below(name.replace("_", "-"), seats) : options[name],
    `who begins: ${name}`,
  );
const next = (table) => (table.dealer + 1) % table.seats;

const FIRST = ["ambassador", "assassin", "captain", "contessa", "duke", "inquisitor"];
const roles = ({ options }) => ["assassin", "captain", "contessa", "duke", options.fifth_role].sort();
const held = (hands) => hands.map((hand) => [...hand].sort());
const coup = {
  text: (card) => (need(FIRST.includes(card), "a role"), card),
  deals: {
    "coup.sets-taken.1": async (table, event, draw) => {
      await first(table, draw, "first_seat", (table.first = event.first));
      same(event.third, await draw.shuffle("third-set", roles(table)), "the third set");
    },
    "coup.dealt.1": async (table, event, draw) => {
      if (table.options.duel_draft) {
        same(event.hands, held(table.drafted.map((role, seat) => [role, table.court[seat]])), "the hands of the draft");
        same(event.court, table.court.slice(2), "the court deck");
        return;
      }
      table.first =
        table.options.first_seat === "random" ? await draw.below("first-seat", table.seats) : table.options.first_seat;
      const deck = await draw.shuffle(
        "deal",
        roles(table).flatMap((role) => [role, role, role]),
      );
      same(event.hands, held(all(table).map((seat) => deck.slice(2 * seat, 2 * seat + 2))), "the hands dealt");
      same(event.court, deck.slice(2 * table.seats), "the court deck");
    },
    "coup.turn-begun.1": async (table, event) => {
      same(event.seat, table.first ?? event.seat, "who begins: first_seat");
      table.first = null;
    },
    "coup.claim-proved.1": async (table, event, draw) =>
      same([event.drawn, ...event.court], await draw.shuffle("court", [...table.court, event.role]), "the court deck"),
    "coup.cards-drawn.1": async (table, event) =>
      same(
        [event.roles, event.count],
        [table.court.slice(0, event.count).sort(), table.options.fifth_role === "inquisitor" ? 1 : 2],
        "the cards drawn",
      ),
    "coup.cards-returned.1": async (table, event, draw) => {
      const back = without([...table.hands[event.seat], ...table.drawn], event.kept);
      same(event.court, await draw.shuffle("court", [...table.court, ...back]), "the court deck");
    },
    "coup.card-replaced.1": async (table, event, draw) =>
      same([event.drawn, ...event.court], await draw.shuffle("court", [...table.court, event.returned]), "the court deck"),
  },
  folds: {
    "coup.sets-taken.1": (table, event) => void Object.assign(table, { court: event.third, drafted: [] }),
    "coup.card-drafted.1": (table, event) => void (table.drafted[event.seat] = event.role),
    "coup.dealt.1": (table, event) => (
      Object.assign(table, { hands: held(event.hands), court: event.court, drawn: [] }),
      all(table)
    ),
    "coup.claim-proved.1": (table, event) => {
      table.hands[event.seat] = [...without(table.hands[event.seat], [event.role]), event.drawn].sort();
      table.court = event.court;
      return [event.seat];
    },
    "coup.influence-lost.1": (table, event) => void drop(table.hands[event.seat], event.role),
    "coup.cards-drawn.1": (table, event) => (
      Object.assign(table, { drawn: event.roles, drawer: event.seat, court: table.court.slice(event.count) }),
      [event.seat]
    ),
    "coup.cards-returned.1": (table, event) => {
      table.hands[event.seat] = [...event.kept].sort();
      Object.assign(table, { drawn: [], court: event.court });
      return [event.seat];
    },
    "coup.card-replaced.1": (table, event) => {
      table.hands[event.target] = [...without(table.hands[event.target], [event.returned]), event.drawn].sort();
      table.court = event.court;
      return [event.target];
    },
  },
  extra: (table, seat) => (seat === table.drawer ? table.drawn : []),
};

const SUITS = ["dark_orange", "light_orange", "dark_blue", "light_blue"];
const SIZES = [7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7];
const matchmaster = {
  text: (card) => `${SUITS[Math.floor(card / 13)]}-${(card % 13) + 1}`,
  deals: {
    "matchmaster.dealt.1": async (table, event, draw) => {
      same([event.round, event.size], [table.round + 1, SIZES[table.round]], "the round");
      if (event.round === 1) await first(table, draw, "first_dealer", event.dealer);
      else same(event.dealer, next(table), "the dealer");
      const deck = await draw.shuffle(`deal-${event.round}`, range(52));
      const place = (seat) => (seat - event.dealer - 1 + table.seats) % table.seats;
      const hands = all(table).map((seat) => byNumber(deck.slice(place(seat) * event.size, (place(seat) + 1) * event.size)));
      same(event.hands, hands, "the hands dealt");
    },
  },
  folds: {
    "matchmaster.dealt.1": (table, event) => (
      Object.assign(table, { round: event.round, dealer: event.dealer, hands: event.hands.map(byNumber) }),
      all(table)
    ),
    "matchmaster.card-played.1": play,
  },
};

const COLOURS = ["violet", "blue", "green", "yellow"];
const counted = (hand) => range(4).map((colour) => hand.filter((card) => Math.floor(card / 12) === colour).length);
const meisterCoup = {
  text: (card) => `${COLOURS[Math.floor(card / 12)]}-${(card % 12) + 1}`,
  deals: {
    "meister-coup.dealt.1": async (table, event, draw) => {
      same(event.round, table.round + 1, "the round");
      if (event.round === 1) await first(table, draw, "first_leader", event.leader);
      const deck = (await draw.shuffle("cards", range(48))).slice(0, 8 * table.seats);
      same(
        event.hands,
        all(table).map((seat) => byNumber(deck.filter((_, place) => place % table.seats === seat))),
        "the hands dealt",
      );
      same(event.colours, event.hands.map(counted), "the colours of the hands");
    },
  },
  folds: {
    "meister-coup.dealt.1": (table, event) => (
      Object.assign(table, { round: event.round, hands: event.hands.map(byNumber) }),
      all(table)
    ),
    "meister-coup.card-played.1": play,
  },
};

const DECKTET =
  "ace-of-knots ace-of-wyrms ace-of-leaves ace-of-waves ace-of-suns ace-of-moons origin desert author savage painter journey battle sailor mountain soldier discovery forest market penitent lunatic cave castle chance-meeting betrayal mill diplomat merchant darkness pact borderland light-keeper watchman harvest window island rite consul windfall calamity end sea bard huntress".split(
    " ",
  );
const EXTENDED = new Set(DECKTET.slice(30, 38));
const byPlace = (cards) => [...cards].sort((one, other) => DECKTET.indexOf(one) - DECKTET.indexOf(other));
const mondkrone = {
  text: (card) => (need(DECKTET.includes(card), "a card of the Decktet"), card),
  deals: {
    "mondkrone.round-dealt.1": async (table, event, draw) => {
      const left = DECKTET.filter(
        (card) =>
          card !== "ace-of-moons" && !table.scored.includes(card) && (table.options.deck === "extended" || !EXTENDED.has(card)),
      );
      const size = Math.min({ 2: 7, 3: 7, 4: 6 }[table.seats], Math.floor(left.length / table.seats) - 1);
      const deck = await draw.shuffle("deal", left);
      const given = size * table.seats;
      same(
        event.hands,
        all(table).map((seat) => byPlace(deck.slice(seat * size, (seat + 1) * size))),
        "the hands dealt",
      );
      same(
        [event.palette_cards, event.deck],
        [deck.slice(given, given + table.seats), deck.slice(given + table.seats)],
        "the open cards and the deck",
      );
      same(
        [event.round, event.pile_card, event.hand_size, event.deck_size],
        [table.round + 1, "ace-of-moons", size, event.deck.length],
        "the round",
      );
    },
    "mondkrone.cards-drawn.1": async (table, event) => same(event.cards, table.deck.slice(0, event.count), "the cards drawn"),
  },
  folds: {
    "mondkrone.round-dealt.1": (table, event) => (
      Object.assign(table, { round: event.round, hands: event.hands.map((hand) => [...hand]), deck: event.deck }),
      all(table)
    ),
    "mondkrone.card-played.1": play,
    "mondkrone.card-discarded.1": play,
    "mondkrone.cards-drawn.1": (table, event) => {
      table.hands[event.seat] = byPlace([...table.hands[event.seat], ...event.cards]);
      table.deck = table.deck.slice(event.count);
      return [event.seat];
    },
    "mondkrone.cards-laid-aside.1": (table, event) => void table.scored.push(...event.cards),
  },
};

const PRINTED = ["fan", "coin", "koi", "torii"];
const SAMURAI = [0, 9, 12];
const leave = (table, seat, card) => {
  if (table.aside[seat] === card) table.aside[seat] = null;
  else drop(table.hands[seat], card);
};
const stichMeister = {
  text: (card) => `${PRINTED[Math.floor(card / 15)]}-${(card % 15) + 1}`,
  deals: {
    "stich-meister.dealt.1": async (table, event, draw) => {
      same(event.round, table.round + 1, "the round");
      if (event.round > 1) same(event.dealer, next(table), "the dealer");
      else await first(table, draw, "first_dealer", event.dealer);
      const chosen = table.options.rules === null;
      let rules =
        event.round > 1
          ? table.ruleDeck
          : chosen
            ? await draw.shuffle(
                "rule-cards",
                range(60).map((each) => each + 1),
              )
            : [];
      const deck = await draw.shuffle(
        "cards",
        range(60).filter((card) => table.seats !== 3 || !SAMURAI.includes(card % 15)),
      );
      const size = Math.floor(deck.length / table.seats);
      same(
        event.hands,
        all(table).map((seat) => byNumber(deck.slice(seat * size, (seat + 1) * size))),
        "the hands dealt",
      );
      for (const seat of all(table)) {
        const missing = chosen ? 3 - (table.ruleHands[seat]?.length ?? 0) : 0;
        same(event.new_rules[seat], rules.slice(0, missing), "the rule cards dealt");
        rules = rules.slice(missing);
      }
      same(event.rule_deck, rules, "the deck of rule cards");
    },
  },
  folds: {
    "stich-meister.dealt.1": (table, event) => {
      const ruleHands = event.new_rules.map((rules, seat) => byNumber([...(table.ruleHands[seat] ?? []), ...rules]));
      Object.assign(table, {
        round: event.round,
        dealer: event.dealer,
        hands: event.hands.map(byNumber),
        ruleHands,
        ruleDeck: event.rule_deck,
        aside: [],
      });
      return all(table);
    },
    "stich-meister.rules-shown.1": (table, { rules }) => {
      const left = (cards) => cards.filter((rule) => !rules.includes(rule));
      Object.assign(table, { ruleHands: table.ruleHands.map(left), ruleDeck: left(table.ruleDeck) });
    },
    "stich-meister.cards-received.1": (table, { received }) => {
      const moved = received.flat();
      same(byNumber(table.hands.flat().filter((card) => moved.includes(card))), byNumber(moved), "the cards passed on");
      table.hands = table.hands.map((hand, seat) =>
        byNumber([...hand.filter((card) => !moved.includes(card)), ...received[seat]]),
      );
      return all(table);
    },
    "stich-meister.cards-set-aside.1": (table, { cards }) => {
      for (const seat of all(table)) drop(table.hands[seat], (table.aside[seat] = cards[seat]));
    },
    "stich-meister.card-played.1": play,
    "stich-meister.cards-turned-up.1": (table, { plays }) => {
      for (const { seat, card } of plays) leave(table, seat, card);
    },
  },
  extra: (table, seat) => [table.aside[seat] ?? [], table.ruleHands[seat].map((rule) => `rule-${rule}`)].flat(),
};

/** The games whose decks are dealt again here. Of any other one the chain and the commitments are checked. */
export const GAMES = { coup, matchmaster, "meister-coup": meisterCoup, mondkrone, "stich-meister": stichMeister };

/** Return the cards of a seat as they are committed to: its hand, and what else lies hidden before it. */
export const cardsOf = (game, table, seat) =>
  [...table.hands[seat], ...(game.extra?.(table, seat) ?? [])].map((card) => [
    seat,
    typeof card === "string" && card.startsWith("rule-") ? card : game.text(card),
  ]);
