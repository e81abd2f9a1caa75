// Stich-Meister: fan, coin, koi and torii, and the samurai who look out behind three cards of each.

import { drawing, honour } from "./pen.js";

/** @import { Printed } from "./pen.js" */

/**
 * What each suit shows.
 * @type {Record<string, string>}
 */
const SUITS = {
  fan: "h M32 58 3 26C10 12 21 6 32 6s22 6 29 20Z|Q M32 9.5c9 0 18 5 24.5 14.5L46 34.5C42 31 37 29.5 32 29.5S22 31 18 34.5L7.5 24C14 14.5 23 9.5 32 9.5Z|R o 32 20 5.5|l M32 58 12 16.5M32 58 21.5 9.2M32 58V6M32 58 42.5 9.2M32 58 52 16.5|l M17.5 35C22 31 27 29.5 32 29.5s10 1.5 14.5 5.5|i o 32 55.5 4",
  coin: "h o 32 32 27|q o 32 32 20.5|h M24 24h16v16H24Z|U M26 26h12v12H26Z|l M28 15.5h8M32 13v6M28 48.5h8M32 45v6M15.5 28v8M13 32h6M48.5 28v8M45 32h6",
  koi: "i M15 36C7 34 3 28 2 20c8 0 13 4 16 10Z|i M15 38C9 43 7 49 9 56c6-3 10-8 11-14Z|q M26 20c3-9 11-14 20-13-1 7-4 12-9 16Z|q M30 46c1 6 6 11 14 12 0-6-2-10-6-14Z|h M11 37c6-13 19-21 33-18 9 2 15 8 18 15-5 8-13 13-23 14-11 1-21-3-28-11Z|I M24 25.5c5-5 14-6 17-2.5-1 6-11 8-17 2.5Z|I M22 41c4-4 10-4 13 1-4 4-10 3-13-1Z|U M45 36c4 0 9 0 15-2-4 6-9 10-15 11.5Z|l M46 21c-5 8-5 17-1 25|w o 53 29 2.8|K o 53.5 29.3 1.3|l M60 37c2 2 2.5 4 2 7M28 33c2-1.5 4-1.5 6 0M35 34c2-1.5 4-1.5 6 0",
  torii:
    "R o 32 46 10.5|h M2 8c20 6 40 6 60 0l-3 10c-18 4-36 4-54 0Z|i M9 18.8 8 24h48l-1-5.2c-15 3-31 3-46 0Z|2h M14 24h8l-2 36h-8Z|h M8 31h48v7H8Z|h M28 24h8v14h-8Z|l M4 60h20M40 60h20",
};

/** A helmet, with the crest of the suit below its horns. */
const SAMURAI =
  "i M14 40C6 44 4 52 5 60c8 1 14-2 17-8Z|i M50 40c8 4 10 12 9 20-8 1-14-2-17-8Z|s M18 32h28v14c0 8-6 14-14 14s-14-6-14-14Z|K M20 38l9 2.5v3l-8-1Z|K M44 38l-9 2.5v3l8-1Z|h M21 48c6-4 16-4 22 0-1 9-6 13-11 13s-10-4-11-13Z|l M27 53h10M32 41v6|i M32 14c14 0 20 9 20 22-12-5-28-5-40 0 0-13 6-22 20-22Z|l M32 14v17M22 17l-2 16M42 17l2 16|h M10 36c12-7 32-7 44 0l2 5c-14-6-34-6-48 0Z|y M29 24C19 22 13 14 14 2c5 9 10 12 18 13 8-1 13-4 18-13 1 12-5 20-15 22Z|y o 32 22 5";

/**
 * What is drawn on a card; where a samurai looks out, he wears the suit's colour, and the highest values are honoured.
 * @type {(printed: Omit<Printed, "card">) => unknown}
 */
export const picture = ({ suits: [suit], rank, kinds }) =>
  drawing("suit-sign", kinds.includes("samurai") ? SAMURAI : honour(16 - Number(rank)) + SUITS[suit]);

const CREST = SUITS.torii;

/** What the backs of the cards show. */
export const crest = () => drawing("crest", CREST);
