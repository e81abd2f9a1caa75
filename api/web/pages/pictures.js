// A small picture of each game for the lobby: three of its cards, drawn like those on the table.

import { svg } from "../vendor/lit.js";
import { shape } from "../core/symbols.js";

/** @typedef {import("../contract").Got<"games">["items"][number]} Game */

const WIDE = 30;
const HIGH = 42;

/** What stands in the corner of a card: its rank, or the first letter of a word. */
const corner = (/** @type {string} */ rank) => (rank.length > 2 ? rank[0].toUpperCase() : rank);

/** Draw the picture of a game; null for a game without one. */
export function picture(/** @type {Game} */ { pictured }) {
  if (!pictured.length) return null;
  return svg`<svg class="picture" viewBox="0 0 100 60" aria-hidden="true" focusable="false">
    ${pictured.map(({ suit, rank }, place) => {
      const shown = suit ?? "hidden";
      return svg`<g class="suit-${shown}" transform=${`rotate(${(place - 1) * 12} 50 90) translate(${20 + 15 * place} 8)`}>
          <rect width=${WIDE} height=${HIGH} rx="4" class=${suit ? "" : "turned"} />
          <text x="4" y="12">${corner(rank)}</text>
          <path class=${shape(shown).includes("Z") ? "solid" : ""} d=${shape(shown)} transform="translate(7 16) scale(0.68)" />
        </g>`;
    })}
  </svg>`;
}
