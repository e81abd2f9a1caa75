// The scenes on the cards of Mondkrone: one for each place, each event and each person, in the tones of the card's suits.

import { picture as suit } from "./mondkrone.js";
import { drawing } from "./pen.js";

/** @import { Printed } from "./pen.js" */

/**
 * The tones of each suit: sky, land, and what is dark.
 * @type {Record<string, [string, string, string]>}
 */
const TONES = {
  moons: ["#c3c8d6", "#7c86a3", "#454d68"],
  suns: ["#f8e3a6", "#e0b453", "#94701a"],
  waves: ["#cfe2ef", "#6b9cc4", "#27507a"],
  leaves: ["#d9ecca", "#7db36b", "#2f6b42"],
  wyrms: ["#ecd3c5", "#b57662", "#5e241b"],
  knots: ["#e7dbf5", "#a582d0", "#5d3691"],
};
const SKY = "A M0 0h64v40H0Z";
const BODY = "s M29.5 19h5v6h-5Z|b M15 42c0-12.5 6-18 17-18s17 5.5 17 18Z";
const FACE = "s o 32 14.5 6.2 6.8|2K o 29.6 14.5 1 1.2|l M30.3 18.3c1 .7 2.4 .7 3.4 0";

/** A person in the middle: what is worn and what is held stand behind the `*`, and what is behind the head before it. */
const person = (/** @type {string} */ worn, behind = "") => `${behind ? `${behind}|` : ""}${BODY}|${FACE}|${worn}`;

/** @type {Record<string, string>} */
const SCENES = {
  // Places
  desert:
    "Y o 50 9 6|b M-2 30c16-12 26-4 36 0 10-7 22-7 32-2v14H-2Z|c M-2 36c18-6 40 2 68-2v8H-2Z|g M12 33V17c0-3.5 5-3.5 5 0v5h2.5v-4.5c0-2.5 4-2.5 4 0V26H17v7Z",
  mountain: "w o 50 10 5|b M2 42 23 7l11 17 8-9 20 27Z|w M23 7l-7 12 4-1.5 3 3 3-3 4.5 1Z|c M-2 38c20-5 44-5 68 0v4H-2Z",
  forest:
    "w o 52 8 5|c M-2 34h68v8H-2Z|g M6 35 15 11l9 24Z|b M40 35l9-24 9 24Z|b M20 37 32 5l12 32Z|l M15 35v4M49 35v4M32 37v4M27 24h5M32 29h6",
  cave: "b M-2 42V17C8 3 22 9 30 4c9-5 28 0 36 14v24Z|k M15 42c-2-27 34-27 34 0Z|2Y o 28.5 30 1.5 2|w M22 22l2.5 6 2.5-8ZM37 20l2.5 8 2.5-6Z",
  castle:
    "Y o 10 9 4|c M-2 37h68v5H-2Z|b M12 38V16h4v3h4v-3h4v6h16v-6h4v3h4v-3h4v22Z|b M25 22V10h3.5v3h3v-3H35v3h4v9Z|k M27.5 38v-7c0-6 9-6 9 0v7Z|r M32 10V2l8 2.5-8 2.5|l M18 26v4M46 26v4",
  mill: "b M-2 35c20-5 44-5 68 0v7H-2Z|w M24 40l4-22h8l4 22Z|c M27 19c0-7 10-7 10 0Z|k M30 40v-6h4v6Z|w M31 16 17 7l-2.5 4L30 19Z|w M34 15 43 1l4.5 3L35 17Z|w M33 18l15 8-2.5 4.5L32 19Z|w M31 18 22 33l-4.5-3L30 17Z|y o 32 17 2",
  darkness:
    "K M0 0h64v40H0Z|C M-2 42c4-18 8-24 8-34 4 6 2 14 4 34ZM52 42c0-20 4-26 4-36 5 8 2 20 9 36Z|2Y o 18 15 2.6 1.8|2K o 18 15 .8 1.8|Y o 29 28 2.2 1.5|Y o 35.5 28 2.2 1.5|K o 29 28 .7 1.5|K o 35.5 28 .7 1.5",
  borderland:
    "b M-2 24c20-8 40 2 68-4v24H-2Z|A M22 42c2-8 12-9 8-15-2-3 4-5 8-6l3 1c-4 2-6 3-4 6 4 6-3 8-4 14Z|c M8 42V16h4v26ZM48 42V16h4v26Z|w M2 18h16l4 3-4 3H2Z|w M62 18H46l-4 3 4 3h16Z",
  window:
    "c M-2-2h68v44H-2Z|a M14 40V18C14-3 50-3 50 18v22Z|Y o 38 15 5|B M15 39v-8c8-6 12 1 18-3s10-3 16 1v10Z|l M32 3v37M14 24h36|w M10 36.5h44V42H10Z|r M14 36V18c6 4 4 12 2 18Z|r M50 36V18c-6 4-4 12-2 18Z",
  island:
    "Y o 12 9 5|b M-2 28h68v14H-2Z|y M12 31c8-7 32-7 40 0-8 5-32 5-40 0Z|c M31 28c-1-8 0-13 3-17l2.5 1c-2.5 5-3 9-2.5 16Z|g M35 11c-6-4-12-2-14 3 5-1 9-1 14-3Z|g M35 11c6-5 13-2 15 3-6-1-10-1-15-3Z|g M35 11c-3-7-1-10 3-10 1 4 0 7-3 10Z|l M4 35h10M44 37h12",
  sea: "Y o 46 12 7|b M-2 22c8-4 10 3 17 0s9-3 16 0 9 3 16 0 11-3 19 0v20H-2Z|c M-2 31c8-4 10 3 17 0s9-3 16 0 9 3 16 0 11-3 19 0v11H-2Z|w M18 4v16h11c-1-7-5-13-11-16Z|k M12 22h20c-1 4-4 6-8 6h-5c-4 0-6-2-7-6Z",
  origin:
    "Y M14 34a18 18 0 0 1 36 0Z|l M32 11V4M17 17l-4-5M47 17l4-5M10 30H4M54 30h6|b M-2 33c20-6 44-6 68 0v9H-2Z|g M32 32c0-6 0-9-.5-13 -8 1-11-3-12-8 7-1 11 2 12 7 1-7 5-10 12-9 0 6-4 10-11 10 .5 4 .5 7 .5 13Z",
  market:
    "c M-2 36h68v6H-2Z|w M10 38V18h3v20ZM51 38V18h3v20Z|b M10 28h44v10H10Z|w M8 18 14 5h36l6 13Z|R M14 5h7l-3 13H8ZM28.5 5h7l1.5 13H27ZM43 5h7l6 13H46Z|l M8 18 14 5h36l6 13Z|o o 20 26 3.5|r o 27 26 3.5|g o 38 25.5 4 3.5|y o 46 26 3.5",
  end: "O M10 32a22 22 0 0 1 44 0Z|b M-2 32c20-7 44-7 68 0v10H-2Z|c M29 33c2-7 1-11-1-15-4-1-7-4-8-8 3 1 6 2 8 4 0-4 0-8-1-11 3 2 5 6 5 10 2-3 4-5 8-6-1 5-3 8-7 10 0 5 0 10 3 16Z|R M47 17l3 2-3 2ZM16 24l3 1-2 3ZM44 28l3 0-1 3Z",
  // Events
  journey:
    "w o 51 9 4.5|b M-2 24c14-9 30 4 44-3 10-4 16-2 24 1v20H-2Z|w M24 42c-3-7 10-9 6-15l3-1c5 6-4 9 3 16Z|c M43 31V17M43 17h12l4 3-4 3H43|c M42 16h2v20h-2Z|w M43 17h11l4 3-4 3H43Z",
  battle:
    "c M-2 36h68v6H-2Z|w M14 4l4 1 27 25-3 3L15 8Z|w M50 4l-4 1-27 25 3 3L49 8Z|y M38 34l9-9 2.5 2.5-9 9Z|y M26 34l-9-9-2.5 2.5 9 9Z|k M46 33l6 5M18 33l-6 5|2l M10 20l-5-2M10 26H4",
  discovery:
    "Y M32 22 20-2h24Z|Y M32 24 2 2l-6 14ZM32 24 62 2l6 14Z|c M-2 36h68v6H-2Z|b M12 24h40v15H12Z|c M12 24c0-9 6-12 20-12s20 3 20 12Z|Y M16 24c1-5 6-8 16-8s15 3 16 8Z|y M28 22h8v8h-8Z|K o 32 25.5 1.5|w M20 20l2-4 2 4ZM41 20l1.5-4 1.5 4Z",
  "chance-meeting":
    "w o 52 8 5|b M-2 34h68v8H-2Z|s o 20 17 4.6 5|c M10 40c0-11 4-16 10-16s10 5 10 16Z|s o 44 17 4.6 5|r M34 40c0-11 4-16 10-16s10 5 10 16Z|K o 22.5 17 .9|K o 41.5 17 .9|k M13 13h14l-3-6h-8Z|y M37 14c1-8 13-8 14 0Z|l M29 20h2M33 20h2M31 15l1-2",
  betrayal:
    "c M-2 36h68v6H-2Z|s o 38 14 6 6.5|b M22 42c0-13 6-19 16-19s16 6 16 19Z|k M31 12c0-9 14-9 14 0-4-2-10-2-14 0Z|K o 40 14.5 1|w M4 21l17-1.5v5L4 23Z|y M20 16h3v12h-3Z|c M23 20h7v4h-7Z|l M12 14l3 2M12 30l3-2",
  pact: "w M8 5h34v30H8Z|l M13 12h24M13 17h24M13 22h16|y o 46 30 7.5|r o 46 30 4.5|r M42 35l-3 6 4-1 2 2 1-5ZM50 35l3 6-4-1-2 2-1-5Z|w M54 2c4 4 0 14-9 19l-5 2 1-5C44 12 48 5 54 2Z|l M40 24l8-12",
  harvest:
    "Y o 52 9 6|b M-2 33c20-5 44-5 68 0v9H-2Z|y M26 26c-8-6-10-14-8-22 5 4 8 11 9 20ZM38 26c8-6 10-14 8-22-5 4-8 11-9 20ZM32 24c-5-8-4-17 0-23 4 6 5 15 0 23Z|y M26 26h12l6 15H20Z|r M25 25h14v4H25Z|l M29 30l-2 10M35 30l2 10M32 30v10",
  rite: "K M0 0h64v28H0Z|w o 12 8 4|b M-2 28h68v14H-2Z|c M4 34V14c0-3 8-3 8 0v20ZM52 34V14c0-3 8-3 8 0v20Z|o M32 6c8 8 12 13 10 21-1 6-5 9-10 9s-9-3-10-9c-1-4 1-7 4-10l2 5c3-5 4-10 4-16Z|Y M32 20c4 4 6 7 5 11-1 3-3 4-5 4s-4-1-5-4c-1-4 2-6 5-11Z|k M22 35l20 4-1 3-20-4ZM42 35l-20 4 1 3 20-4Z",
  windfall:
    "b M-2 34c20-4 44-4 68 0v8H-2Z|c M27 36c2-6 2-11 1-16h8c-1 5-1 10 1 16Z|g M32 2c8-3 15 1 16 6 5 2 5 10-1 12-4 3-10 3-15 1-5 2-11 2-15-1-6-2-6-10-1-12 1-5 8-9 16-6Z|r o 24 11 2.6|r o 38 8 2.6|r o 43 15 2.6|y o 14 31 3.5|y o 50 29 3.5|y o 56 35 3.5|l M14 22v4M50 20v4",
  calamity:
    "k M4 12c0-7 10-9 13-5 3-6 15-7 18-1 4-4 14-3 15 3 7-1 10 8 2 10H8c-5 0-6-5-4-7Z|y M34 16l-9 12h6l-4 10 13-14h-6l5-8Z|b M-2 36h68v6H-2Z|c M44 38V26l3-3 2 3 3-4 2 5v11ZM10 38V28l3 2 2-4 3 5v7Z",
  // People
  author: person(
    "c M25 14c-1-11 15-11 14 0-3-4-11-4-14 0Z|w M36 33l11-3 11 3v9l-11-3-11 3Z|l M47 30v9|w M62 6c-6 2-10 9-11 20 6-3 11-10 11-20Z|l M51 29l5-13",
  ),
  savage: person(
    "c M50 42l1.5-24c-3-6-1-13 3.5-13s6.5 7 3.5 13L57 42Z|g M25 11c-5-4-6-8-4-11 4 1 6 4 7 7 0-4 2-7 4-9 2 2 4 5 4 9 1-3 3-6 7-7 2 3 1 7-4 11-4-2-10-2-14 0Z|c M25.8 15.5c2 2 4 2 6.2 1 2.2 1 4.2 1 6.2-1 .5 8-2 11-6.2 11s-6.7-3-6.2-11Z|P o 32 19.5 1.8 1",
  ),
  painter: person(
    "r M22 11c-1-7 9-10 15-8 6 1 8 6 5 8-6-2-14-2-20 0Z|l M32 3V0|w M40 31c5-5 18-4 18 3 0 4-5 3-6 6-7 2-16-3-12-9Z|R o 45 31.5 1.6|Y o 50 30.5 1.6|G o 44.5 36 1.6|l M8 34l12-16|c M5 40l1.5-7 4 3Z",
  ),
  sailor: person(
    "w M24 11c-2-2-2-5 0-7h16c2 2 2 5 0 7Z|l M24 8.5h16|W M18 31h28v3H18ZM16 37h32v3H16Z|l M55 18v18M50 22h10M47 30c1 4 4 6 8 6s7-2 8-6|w o 55 15.5 2.5",
  ),
  soldier: person(
    "a M24.5 15C24 5 27 3 32 3s8 2 7.5 12l-3-4h-9Z|r M31 3c2-5 10-4 12 2-4-1-7 0-9 2Z|w M6 21h16v9c0 5-4 9-8 11-4-2-8-6-8-11Z|R M12.5 22h3v17l-1.5 1-1.5-1Z|w M53 4l3 5v21h-6V9Z|y M46 30h14v3H46Z|k M51.5 33h3v7h-3Z",
  ),
  penitent: person(
    "b M21 24C19 8 25 3 32 3s13 5 11 21l-3.5-5c1-9-3-10-7.5-10s-8.5 1-7.5 10Z|w M50 24h6v18h-6Z|y M53 12c4 5 4 8 0 11-4-3-4-6 0-11Z|l M27 33c3-2 7-2 10 0M28 37h8",
  ),
  lunatic: person(
    "c M25 14l-6-1 4-4-5-4 7 0 0-6 5 3 3-4 2 5 6-2-1 6 6 1-4 4 4 4-6-1c-3-5-12-5-15-1Z|w o 29.5 14.5 2.2|K o 29.8 14.5 .9|o M28.5 18.5h7c0 3-7 3-7 0Z|y M58 4a7 7 0 1 0 4 12 8 8 0 0 1-4-12Z",
  ),
  diplomat: person(
    "k M25.5 9V0h13v9Z|k M21 8.5h22V11H21Z|R M22 27l3-1.5 16 16h-6Z|w M47 24h12v16H47Z|l M50 29h6M50 33h6|y o 24 35 2|2L M28 16",
  ),
  merchant: person(
    "w M23 12c-2-12 20-12 18 0-5 2-13 2-18 0Z|l M25 8c5-1 9 0 14 3|r o 32 5 2|l M54 9v28M46 12h16M46 12l-3 9M46 12l3 9M62 12l-2 9|y M41 21h10c0 5-10 5-10 0Z|y M58 21h8c0 5-8 5-8 0Z|y o 54 39 4 2",
  ),
  "light-keeper": person(
    "c M24 11c0-10 16-10 16 0Z|c M22 10h20v2.5H22Z|Y M54 18l-14-8v-6ZM54 18l12-8v-6ZM54 22l12 6v6ZM54 22l-14 8v4Z|c M49 11h10v3H49Z|y M50 14h8v13h-8Z|c M48 27h12v3.5H48Z|l M54 7v4",
  ),
  watchman: person(
    "w o 10 9 4.5|c M24 12C24 2 40 2 40 12l3 2H21Z|l M54 42V4|w M54 8c6-1 9 3 9 9-3-3-6-3-9-2Z|w M54 8c-3 0-5 2-5 4l5 2Z|y M11 25h8v9h-8Z|l M15 22v3M9 36h12",
  ),
  consul: person(
    "2g M25.5 16c-4-1-5-5-4-8 4 1 5 5 4 8Z|2g M27 9.5c-3-2-3-5-1-8 3 2 3 5 1 8Z|w M15 42c0-12.5 6-18 17-18 4 0 8 1 11 4L25 42Z|l M24 28 19 42M32 26 22 42|y o 40 28 2.5|w M52 16h6v22h-6Z|l M52 20h6M52 34h6",
  ),
  bard: person(
    "g M20 11C24 3 36 1 44 8c-8 2-16 3-24 3Z|w M40 6c4-6 10-6 14-5-2 5-7 8-13 8Z|l M45 31 20 27|c M16 24l6 2-1 4-6-2Z|o M38 28c6-4 17 0 17 7 0 6-10 8-16 5-5-2-6-9-1-12Z|K o 45 34 2.8|W M57 10",
  ),
  huntress: person(
    "c M24.5 15C23 4 28 3 32 3s9 1 7.5 12c-2-5-4-6-7.5-6s-5.5 1-7.5 6Z|y M32 2a3 3 0 1 0 2.5 4A3 3 0 0 1 32 2Z|l M50 4v36|x M50 4c13 8 13 28 0 36|l M40 22h22|w M60 19l4 3-4 3Z",
    "c M24 12c-4 6-5 14-3 20h22c2-6 1-14-3-20Z",
  ),
};

/**
 * The scene of a card in the tones of its suits.
 * @type {(card: string, suits: string[]) => unknown}
 */
function scene(card, suits) {
  const [first, second = first, third = second] = suits.map((suit) => TONES[suit]);
  return drawing("scenery", `${SKY}|${SCENES[card]}`, `${first[0]} ${second[1]} ${third[2]}`, "0 0 64 40");
}

/**
 * What is drawn on a card: its scene, or an ace's suit.
 * @type {(printed: Omit<Printed, "kinds">) => unknown}
 */
export const picture = ({ card, suits, rank }) => (rank === "ace" ? suit({ suits }) : scene(String(card), suits));
