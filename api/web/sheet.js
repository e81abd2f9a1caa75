// A game's sheet, and how its texts are said: every command, event and word of a game has a message key.

import { fill, say } from "./words.js";

const sheets = new Map();

/** Return what the service tells of a game; asked for once. */
export async function sheetOf(/** @type {import("./client.js").Client} */ client, game) {
  const place = `${client.api} ${game}`;
  if (!sheets.has(place)) sheets.set(place, new Sheet(await client.get(`games/${game}`)));
  return sheets.get(place);
}

export class Sheet {
  /** @param {import("./contract").Got<`games/${string}`>} facts */
  constructor(facts) {
    this.id = facts.id;
    this.name = facts.name;
    this.min_seats = facts.min_seats;
    this.max_seats = facts.max_seats;
    this.options = facts.options;
    this.bots = facts.bots;
    this.cards = facts.cards;
    this.messages = facts.messages;
    this.characters = facts.characters;
    this.faces = new Map(facts.cards.map((each) => [each.card, each]));
  }

  /** Return what is printed on a card. */
  card(card) {
    return this.faces.get(card);
  }

  /** Return the message of a key in the chosen language, null if there is none. */
  text(key) {
    const found = this.messages[key];
    return found ? say(found) : null;
  }

  /** Return the word for a value, for instance of a role or a card: `<game>.<name>.<value>`. */
  term(name, value) {
    return this.text(`${this.id}.${name}.${value}`) ?? String(value);
  }

  /** Return a command or an event in words; `people` names the seats. */
  told(thing, people) {
    return this.sentence(thing.type, thing, people);
  }

  /** Return the message of a key with its arguments. Where it says "seat 2", the player's name stands alone. */
  sentence(key, given, people) {
    const template = (this.text(key) ?? key).replace(/(?:Platz|[Ss]eat) (\{\w+\})/g, "$1");
    return fill(template, Object.fromEntries(Object.entries(given).map(([name, value]) => [name, this.word(name, value, people)])));
  }

  word(name, value, people) {
    if (value === null || value === undefined) return "–";
    if (name === "rules") return value.join(", ");
    if (Array.isArray(value)) return value.map((each) => this.word(singular(name), each, people)).join(", ");
    if (SEATS.has(name) && typeof value === "number") return people(value);
    if (typeof value === "object") return Object.entries(value).map(([key, each]) => this.word(key, each, people)).join(" ");
    return this.term(name.replace(/^(palette|pile)_/, ""), value);
  }
}

const SEATS = new Set(
  "seat seats target victim winner runner_up challenger claimant leader dealer holder actor blocker loser member to".split(" "),
);
const singular = (name) => (name === "winners" ? "winner" : name.replace(/s$/, ""));
