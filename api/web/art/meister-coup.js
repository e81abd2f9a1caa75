// Meister Coup: four cuts of stones, and the doors of the safes behind which they lie.

import { drawing, honour } from "./pen.js";

/** @import { Printed } from "./pen.js" */

/**
 * What each colour shows: a stone in its own cut.
 * @type {Record<string, string>}
 */
const STONES = {
  violet:
    "h M16 8h32l13 17-29 35L3 25Z|U M17.5 10h13L23 24H6Z|Q M32 10l8 14H24Z|Q M23.5 26h17L32 56Z|I M42.5 26H58L34 55Z|l M3 25h58M16 8l7 17 9 35 9-35 7-17M23 25 32 8l9 17",
  blue: "h o 32 32 28|I M46 24l13-2c3 14-4 30-18 35l-3-11 8-8Z|U M24 16l-3-9C12 11 7 18 6 26l12-2Z|q M25 15h14l9 9v14l-9 9H25l-9-9V24Z|U M25 17h10L18 34V24Z|l M25 15l-4-8.7M39 15l4-8.7M48 24l9.5-4M48 38l9.5 4M39 47l4 9M25 47l-4 9M16 38 6.5 43M16 24 6.5 20",
  green:
    "h M32 4 62 57H2Z|I M44.5 45.5 59 56H5l14.5-10.5Z|U M31 7v17L19 44 6 54Z|q M32 23 45 45H19Z|l M32 4v19M62 57 45 45M2 57l17-12",
  yellow:
    "h M10 5h44l5 5v44l-5 5H10l-5-5V10Z|I M46 18l12-9v45l-5 4H12l7-12h27Z|U M7 10l4-4h39l-5 11H19L8 44Z|q M20 17h24l3 3v24l-3 3H20l-3-3V20Z|U M20 18.5h15L18.5 36V20Z|l M10 5l8 13M54 5l-8 13M59 54l-12-9M5 54l12-9",
};
/** A safe: the wheel of its door stands for all cards that are turned down. */
const CREST = "h M6 6h52v52H6Z|q o 32 32 19|l M32 7v50M7 32h50M14.5 14.5l35 35M49.5 14.5l-35 35|h o 32 32 9|u o 32 32 4";

/** What the backs of the cards show. */
export const crest = () => drawing("crest", CREST);

/**
 * What is drawn on a card; the highest values are honoured.
 * @type {(printed: Pick<Printed, "suits" | "rank">) => unknown}
 */
export const picture = ({ suits: [suit], rank }) => drawing("suit-sign", honour(13 - Number(rank)) + STONES[suit]);
