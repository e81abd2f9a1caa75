// MatchMaster: what flies, floats and glows at a fair, in the four shapes of the suits.

import { drawing, honour } from "./pen.js";

/** @import { Printed } from "./pen.js" */

/**
 * What each suit shows: a kite, a balloon, a lantern and a sail.
 * @type {Record<string, string>}
 */
const SUITS = {
  dark_orange:
    "l M32 52c-9 2 3 7-6 10|i M32 2 55 24 32 52 9 24Z|H M32 4v20H11.5Z|H M32 49.5V24h20.5Z|l M32 2v50M9 24h46|h M29 56l-7-3v6Z|h M28 57l6-4 1 6Z",
  light_orange:
    "l M22 46l5 8M42 46l-5 8|h M32 3c14 0 23 9 23 21 0 10-8 16-14 23H23C17 40 9 34 9 24 9 12 18 3 32 3Z|I M32 4c-8 3-10 11-10 20 0 9 2 16 5 23h10c3-7 5-14 5-23 0-9-2-17-10-20Z|U M32 4c-3 3-4 11-4 20 0 9 1 16 2 23h4c1-7 2-14 2-23 0-9-1-17-4-20Z|l M32 3c14 0 23 9 23 21 0 10-8 16-14 23H23C17 40 9 34 9 24 9 12 18 3 32 3Z|i M26 53h12l-1.5 9h-9Z",
  dark_blue:
    "l M32 10V2M32 55v7|q M13 14h38v36H13Z|Y o 32 33 11 14|W o 32 36 5.5 8|l M26 14v36M38 14v36M13 26h38M13 38h38|i M9 8h46v7.5H9Z|i M9 48.5h46V56H9Z",
  light_blue:
    "h M29 3v43H7C9 29 18 14 29 3Z|q M34 11c10 9 17 21 19 35H34Z|Q M26 14v29h-7c0-10 3-20 7-29Z|l M31.5 2v49|i M4 51h56c-3 7-8 11-15 11H19C12 62 7 58 4 51Z|U M14 54h36l-1.5 3h-33Z",
};

/**
 * What is drawn on a card; the highest values are honoured.
 * @type {(printed: Pick<Printed, "suits" | "rank">) => unknown}
 */
export const picture = ({ suits: [suit], rank }) => drawing("suit-sign", honour(14 - Number(rank)) + SUITS[suit]);

const CREST = SUITS.dark_orange;

/** What the backs of the cards show. */
export const crest = () => drawing("crest", CREST);
