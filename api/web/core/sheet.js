// A game's sheet and its texts: every command, event and term of a game has a message key.

import { fill, say, word } from "./words.js";

/** @typedef {(seat: number) => string} People the names of the seats */
/** @typedef {Record<string, unknown>} Given the arguments of a text, by their names */

/** @type {Map<string, Sheet>} */
const sheets = new Map();

/** Return the service's description of a game; fetched once. */
export async function sheetOf(/** @type {import("./client.js").Client} */ client, /** @type {string} */ game) {
  const place = `${client.api} ${game}`;
  const sheet = sheets.get(place) ?? new Sheet(await client.get(`games/${game}`));
  sheets.set(place, sheet);
  return sheet;
}

export class Sheet {
  /** @param {import("../contract").Got<`games/${string}`>} facts */
  constructor(facts) {
    this.id = facts.id;
    this.name = facts.name;
    this.about = facts.about;
    this.pictured = facts.pictured;
    this.min_seats = facts.min_seats;
    this.max_seats = facts.max_seats;
    this.options = facts.options;
    this.bots = facts.bots;
    this.cards = facts.cards;
    this.messages = facts.messages;
    this.audiences = facts.audiences;
    this.characters = facts.characters;
    this.tables = facts.tables;
    this.faces = new Map(facts.cards.map((each) => [each.card, each]));
  }

  /** Return what is printed on a card. Throws if the game has no card of that name. */
  card(/** @type {string | number} */ card) {
    const found = this.faces.get(card);
    if (!found) throw new RangeError(`${this.id} has no card ${card}`);
    return found;
  }

  /** Return the message of a key in the chosen language, null if there is none. */
  text(/** @type {string} */ key) {
    const found = this.messages[key];
    return found ? say(found) : null;
  }

  /** Return the word for a value, for instance of a role or a card: `<game>.<name>.<value>`. */
  term(/** @type {string} */ name, /** @type {unknown} */ value) {
    return this.text(`${this.id}.${name}.${value}`) ?? String(value);
  }

  /**
   * Return a command or an event in words; `people` names the seats, `you` is the reader's own.
   * @param {{type: string, [name: string]: unknown}} thing
   * @param {People} people
   * @param {number | null} [you]
   */
  told(thing, people, you = null) {
    return this.sentence(thing.type, thing, people, you);
  }

  /**
   * Return the message of a key with its arguments. Where it says "seat 2", the player's name stands alone.
   * @param {string} key
   * @param {Given} given
   * @param {People} people
   * @param {number | null} [you]
   */
  sentence(key, given, people, you = null) {
    const template = (this.text(this.wording(key, given, you)) ?? key).replace(/(?:Platz|[Ss]eat) (\{\w+\})/g, "$1");
    return fill(
      template,
      Object.fromEntries(Object.entries(given).map(([name, value]) => [name, this.word(name, value, people, you)])),
    );
  }

  /**
   * Return the key of the most specific text for these arguments and this reader, as `domain/wording.py` defines it.
   * @param {string} key
   * @param {Given} given
   * @param {number | null} you
   * @returns {string}
   */
  wording(key, given, you) {
    const endings = Object.entries(given).flatMap(([name, values]) => {
      const alone = Array.isArray(values) && values.length === 1;
      const value = alone ? values[0] : values;
      return [
        ...(value === you && you !== null ? [`${name}.you`] : []),
        ...(alone ? [`${name}.one`] : Array.isArray(value) ? [] : [`${name}.${value}`]),
      ];
    });
    const found = endings.map((each) => `${key}.${each}`).find((each) => this.messages[each]);
    return found ? this.wording(found, given, you) : key;
  }

  /**
   * Return an argument in words.
   * @param {string} name
   * @param {unknown} value
   * @param {People} people
   * @param {number | null} [you]
   * @returns {string}
   */
  word(name, value, people, you) {
    if (value === null || value === undefined) return "–";
    if (name === "rules" && Array.isArray(value)) return value.join(", ");
    if (Array.isArray(value) && BY_SEAT.has(name))
      return value.map((each, seat) => `${seat === you ? word("you") : people(seat)} ${each}`).join(", ");
    if (Array.isArray(value))
      return value
        .map((each) => (SEATS.has(name) && each === you ? word("you") : this.word(singular(name), each, people)))
        .join(", ");
    if (SEATS.has(name) && typeof value === "number") return people(value);
    if (typeof value === "object")
      return Object.entries(value)
        .map(([key, each]) => this.word(key, each, people))
        .join(" ");
    return this.term(name.replace(/^(palette|pile)_/, ""), value);
  }
}

const SEATS = new Set(
  "seat seats winners target victim winner runner_up challenger claimant leader dealer holder actor blocker loser member to".split(
    " ",
  ),
);
/** Lists with a number for each seat. */
const BY_SEAT = new Set("bids coins points scores".split(" "));
const singular = (/** @type {string} */ name) => (name === "winners" ? "winner" : name.replace(/s$/, ""));
