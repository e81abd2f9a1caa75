// Mondkrone: its six suits. Its other cards have scenes, which are in a file of their own: the lobby shows suits alone.

import { drawing } from "./pen.js";

/** @import { Printed } from "./pen.js" */

/**
 * What each suit shows.
 * @type {Record<string, string>}
 */
const SUITS = {
  moons:
    "h M40 4a28 28 0 1 0 18 42A24 24 0 0 1 40 4Z|Q M33 8a24 24 0 0 0 0 46C22 46 20 20 33 8Z|K o 22 30 2 2.6|l M17 24c2-2 5-2 7-1M16 42c3 3 7 3 11 1|y M52 12l2.5 6.5L61 21l-6.5 2.5L52 30l-2.5-6.5L43 21l6.5-2.5Z",
  suns: "h M32 1L37.4 11.7L47.5 5.2L46.8 17.2L58.8 16.5L52.3 26.6L63 32L52.3 37.4L58.8 47.5L46.8 46.8L47.5 58.8L37.4 52.3L32 63L26.6 52.3L16.5 58.8L17.2 46.8L5.2 47.5L11.7 37.4L1 32L11.7 26.6L5.2 16.5L17.2 17.2L16.5 5.2L26.6 11.7Z|u o 32 32 15|2P o 23.5 36 2.6 1.8|2K o 27 30 1.8 2.4|l M27 37c3 3 7 3 10 0",
  waves:
    "q M2 62V40c12 2 14-8 16-18C21 10 34 4 45 10c8 5 8 15 0 17-5 1-8-2-7-6-7 5-6 17 4 20 7 2 13-1 20-5v26Z|H M4 62V44c9 1 13 5 20 5 6 0 9-3 15-2 8 1 13-1 21-5v20Z|l M2 52c7-5 11 3 18 0s10-4 16 0 14 2 26-3|U M24 22c3-7 9-9 15-8-6 2-9 6-10 12Z",
  leaves:
    "h M32 2c20 13 24 36 0 56C8 38 12 15 32 2Z|Q M32 5v50C12 37 15 17 32 5Z|l M32 14v48M32 28l10-8M32 28l-10-8M32 42l12-9M32 42l-12-9",
  wyrms:
    "l M3 32l5-3M3 27l5 2|i M35 7 50 1 45 13Z|i M44 12l15-3-9 11Z|h M12 26C9 15 20 3 34 5c13 2 19 13 15 23-3 8-13 9-17 14-2 4 3 7 8 5 5-2 13-3 17 1 4 6-2 13-16 14-14 1-23-7-21-19 1-8 8-11 13-16-4 2-7 2-10 1l-4-3-3 4Z|Q M24 49c-2-9 6-13 13-19 6-5 9-10 7-16 5 5 6 14-1 18-7 5-15 8-14 15 1 6 8 8 14 6-7 5-17 4-19-4Z|w o 27 15 3.6|K o 26.3 15.3 1.7|l M19 26c3 0 6-1 8-3|K o 16 20 1.1|l M46 54l4-4M53 54l3-4",
  knots:
    "x M32 32C24 20 20 6 32 5s8 15 0 27-8 26 0 27 8-15 0-27Z|x M32 32C20 24 6 20 5 32s15 8 27 0 26-8 27 0-15 8-27 0Z|i o 32 32 5",
};

/**
 * What is drawn on an ace: its suit.
 * @type {(printed: Pick<Printed, "suits">) => unknown}
 */
export const picture = ({ suits: [suit] }) => drawing("suit-sign", SUITS[suit]);

const CREST = SUITS.moons;

/** What the backs of the cards show. */
export const crest = () => drawing("crest", CREST);
