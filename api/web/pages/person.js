// A person in a list or on a page: avatar, name, and what can be done.

import { avatar, avatarOf } from "../art/avatars.js";
import { html, nothing, svg } from "../vendor/lit.js";
import { fill, say, word } from "../core/words.js";

/** @import { Shapes } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @typedef {Pick<Shapes["PersonFacts"], "player" | "name" | "guest" | "program" | "avatar">} Person */
/** @typedef {{at_ms: number, rating: number}} Point */

const OVER_TIME = {
  de: "Stärke nach {count} Partien: von {first} auf {last}",
  en: "Rating after {count} matches: from {first} to {last}",
};

/** What a person is called. @type {(person: {name: string, guest: boolean}) => string} */
export const nameOf = ({ name, guest }) => (guest ? word("guest") : name);

/**
 * All whom the reader follows or blocks: the list comes in pages.
 * @type {(client: Client, relation: "followed" | "blocked") => Promise<Shapes["PersonFacts"][]>}
 */
export async function peopleOf(client, relation) {
  /** @type {Shapes["PersonFacts"][]} */
  const found = [];
  const list = /** @type {"me/followed"} */ (`me/${relation}`);
  for (let after = ""; ;) {
    const { items, cursor } = await client.get(`${list}?limit=100${after}`);
    found.push(...items);
    if (!cursor) return found;
    after = `&after=${cursor}`;
  }
}

/** A person with a link to its page; *more* follows the name. @type {(person: Person, more?: unknown) => unknown} */
export const personLine = (person, more = nothing) =>
  html`<li class="person">
    <a href="#/player/${person.player}">${avatar(person.avatar ?? avatarOf(person.player))}<span>${nameOf(person)}</span></a
    >${person.program ? html` <span class="quiet">(${word("program")})</span>` : nothing} ${more}
  </li>`;

/** Ratings over time as a line; nothing for less than two points. @type {(points: readonly Point[]) => unknown} */
export function plot(points) {
  if (points.length < 2) return nothing;
  const ratings = points.map(({ rating }) => rating);
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const across = (/** @type {number} */ place) => 4 + (place / (points.length - 1)) * 292;
  const up = (/** @type {number} */ rating) => 84 - ((rating - low) / Math.max(1, high - low)) * 76;
  const line = ratings.map((rating, place) => `${across(place).toFixed(1)},${up(rating).toFixed(1)}`).join(" ");
  const told = fill(say(OVER_TIME), { count: points.length, first: ratings[0], last: ratings[ratings.length - 1] });
  return svg`<svg class="plot" viewBox="0 0 300 92" role="img" aria-label=${told}>
    <title>${told}</title>
    <line x1="4" x2="296" y1=${up(high)} y2=${up(high)} /><line x1="4" x2="296" y1=${up(low)} y2=${up(low)} />
    <polyline points=${line} />
    <text x="4" y=${up(high) - 2} aria-hidden="true">${high}</text>
    ${low === high ? nothing : svg`<text x="4" y=${up(low) + 7.5} aria-hidden="true">${low}</text>`}
  </svg>`;
}
