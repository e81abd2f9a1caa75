// A small picture of each game for the lobby: three of its cards, drawn like those on the table.

import { svg } from "../vendor/lit.js";
import { PICTURED, shape } from "../core/symbols.js";

const WIDE = 30;
const HIGH = 42;

/** Draw the picture of a game; null for a game without one. */
export function picture(/** @type {string} */ game) {
  const cards = PICTURED[game];
  if (!cards) return null;
  return svg`<svg class="picture" viewBox="0 0 100 60" aria-hidden="true" focusable="false">
    ${cards.map(
      ([suit, mark], place) =>
        svg`<g class="suit-${suit}" transform=${`rotate(${(place - 1) * 12} 50 90) translate(${20 + 15 * place} 8)`}>
          <rect width=${WIDE} height=${HIGH} rx="4" class=${suit === "hidden" ? "turned" : ""} />
          <text x="4" y="12">${mark}</text>
          <path class=${shape(suit).includes("Z") ? "solid" : ""} d=${shape(suit)} transform="translate(7 16) scale(0.68)" />
        </g>`,
    )}
  </svg>`;
}
