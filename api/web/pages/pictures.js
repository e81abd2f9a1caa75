// A small picture of each game for the lobby: three of its cards, with the drawings of those on the table.

import { nothing, svg } from "../vendor/lit.js";

/** @typedef {Pick<import("../contract").Got<"games">["items"][number], "id" | "pictured">} Game */
/** @typedef {{picture(printed: {card: string, suits: string[], rank: string, kinds: string[]}): unknown, crest(): unknown}} Art */

const WIDE = 30;
const HIGH = 42;

/** The drawings of each game. @type {Map<string, Art>} */
const arts = new Map();

/** Load the drawings of games; a game without any is shown by its sign. */
export const loadPictures = (/** @type {Game[]} */ games) =>
  Promise.allSettled(
    games
      .filter(({ id, pictured }) => pictured.length && !arts.has(id))
      .map(async ({ id }) => arts.set(id, await import(`../art/${id}.js`))),
  );

/** What stands in the corner of a card: its rank, or the first letter of a word. */
const corner = (/** @type {string} */ rank) => (rank.length > 2 ? rank[0].toUpperCase() : rank);

/** Draw the picture of a game; null for a game without one. */
export function picture(/** @type {Game} */ { id, pictured }) {
  const art = arts.get(id);
  if (!art) return null;
  return svg`<svg class="picture" viewBox="0 0 100 60" aria-hidden="true" focusable="false">
    ${pictured.map(({ suit, rank }, place) => {
      const drawn = suit ? art.picture({ card: suit, suits: [suit], rank, kinds: [] }) : art.crest();
      return svg`<g class=${suit ? `suit-${suit}` : "turned"} transform=${`rotate(${(place - 1) * 12} 50 90) translate(${20 + 15 * place} 8)`}>
          <rect width=${WIDE} height=${HIGH} rx="4" />
          ${rank ? svg`<text x="3" y="11">${corner(rank)}</text>` : nothing}
          <svg x=${rank ? 4 : 2} y=${rank ? 14 : 7} width=${rank ? 22 : 26} height=${rank ? 25 : 28} viewBox="0 0 64 64">${drawn}</svg>
        </g>`;
    })}
  </svg>`;
}
