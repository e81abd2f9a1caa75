// Drawn faces of people: sixteen animals on discs of eight colours.

import { nothing, svg } from "../vendor/lit.js";
import { drawn } from "./pen.js";

/** @typedef {{figure: string, colour: string}} Avatar */

export const COLOURS = ["red", "orange", "yellow", "green", "teal", "blue", "violet", "grey"];

const EYES = "2K o 22 34 2.7 3.2|2W o 23 32.8 1 1";
const NOSE = "K M27 42c2-2 8-2 10 0 0 3.2-3 5-5 5s-5-1.8-5-5Z";
const ROUND = "M32 16c14 0 23 9 23 21s-9 20-23 20S9 49 9 37s9-21 23-21Z";

/**
 * The tones of each animal (fur, light, dark), and its parts in the order of drawing.
 * @type {Record<string, [string, string]>}
 */
const DRAWN = {
  fox: [
    "#e07b39 #fff3e0 #4a2c20",
    `2a M11 32 9 9c8 2 15 6 19 12Z|2C M13.5 24 13 14.5c4 1.5 7 4 9 6.5Z|a M8 32c3-8 12-13 24-13s21 5 24 13c-3 12-13 23-24 25C21 55 11 44 8 32Z|2B M9.5 33c9-1 18 6 22 22-10-2-19-11-22-22Z|2K o 22.5 34 2.7 3.2|2W o 23.5 32.8 1 1|K M27 50c2-2 8-2 10 0 0 3.2-3 5.5-5 5.5s-5-2.3-5-5.5Z`,
  ],
  owl: [
    "#96714f #f4e1bf #5c4433",
    `2a M11 11c7 1 13 4 16 9l-14 11Z|a M32 17c13 0 21 8 21 20s-9 20-21 20-21-8-21-20 8-20 21-20Z|2b o 22 34 9.8 9.8|2Y o 22 34 5.6 5.6|2K o 22.3 34 3.2 3.2|2W o 23.4 32.6 1.1 1.1|y M32 38l-3.5 4.5 3.5 6 3.5-6Z|l M25 52c2 2 4 2 7-.5 3 2.5 5 2.5 7 .5`,
  ],
  bear: [
    "#96643c #e8c699 #6e4526",
    `2a o 15.5 19 8 8|2B o 16 19.5 3.8 3.8|a ${ROUND}|b M32 37c8 0 13 4 13 10s-6 9-13 9-13-3-13-9 5-10 13-10Z|${EYES}|${NOSE}|l M32 47v2.5M27.5 50.5c2 2 7 2 9 0`,
  ],
  cat: [
    "#8f929d #f6f1ea #5d5f69",
    `2a M10.5 35 10 11c8 2 14 6 17 11Z|2P M14 26l-.5-9.5c4 1.5 7 4 8.5 6.5Z|a M32 20c13 0 22 8 22 19s-9 18-22 18-22-7-22-18 9-19 22-19Z|C M31 21h2l-.5 8h-1Z|2C M25 22h2l1.5 6.5h-1.5Z|2B o 27.2 47.5 6 5.2|2g o 21.5 37 4.2 4.6|2K o 21.5 37 1.5 3.8|P M28.8 43h6.4L32 46.8Z|2l M21 47 9 45M21 50l-11 2|l M32 47c0 4-4 4.5-5.5 3M32 47c0 4 4 4.5 5.5 3`,
  ],
  hare: [
    "#c9a27a #f8edda #8f6b49",
    `2a M26 27C17 22 14 9 18 2c8 3 12 13 11 23Z|2P M24 21c-4-4-5.5-9-4.5-13.5C23.5 11 25 16 25.5 21Z|a M32 22c11 0 19 8 19 18s-8 18-19 18-19-8-19-18 8-18 19-18Z|2K o 22.5 37 2.7 3.4|2W o 23.5 35.7 1 1|w M29 51h6v5.5h-6Z|2B o 27.3 48.5 6 5|l M32 52v4|P M29 44.5h6l-3 3.5Z|2l M20 48 9 46M20 51l-10 2`,
  ],
  raven: [
    "#3f4557 #7a839f #262a35",
    `a M24 14l1-8 5 4 2-7 3 7 5-4v8Z|a M32 12c14 0 23 10 23 24 0 12-9 21-23 21S9 48 9 36c0-14 9-24 23-24Z|2B o 21 32 7.5 8|2w o 21.5 32 4.2 4.6|2K o 22.2 32.4 2.4 2.8|y M23 37c4-4 14-4 18 0 0 7-5 15-9 18-4-3-9-11-9-18Z|l M32 36v10`,
  ],
  badger: [
    "#6b6a70 #fbf6ec #34333a",
    `2c o 13.5 22 6.2 6.2|2W o 13.5 21.5 2.6 2.6|b M32 14c13 0 22 9 22.5 20C55 46 44 57 32 57S9 46 9.5 34C10 23 19 14 32 14Z|2C M19 18.5c5-3 9-2 9 2 0 9-2 20-5.5 28-6-3-11-9-11-16 0-6 3-11 7.5-14Z|2w o 21 34 3.2 3.2|2K o 21.5 34.2 1.8 2|K M26.5 47c2-2 9-2 11 0 0 3.5-3.5 5.5-5.5 5.5s-5.5-2-5.5-5.5Z`,
  ],
  otter: [
    "#80593d #efdcc0 #57391f",
    `2a o 11.5 27 5.2 5.2|a M32 15c15 0 25 9 25 22s-10 20-25 20S7 50 7 37s10-22 25-22Z|b M32 38c6-4 17-1 17 7.5S41 56 32 56s-17-2-17-10.5S26 34 32 38Z|2K o 20.5 32 2.8 3.2|2W o 21.5 30.8 1 1|K M25.5 39c3-2.5 10-2.5 13 0 0 4-4 6.5-6.5 6.5S25.5 43 25.5 39Z|l M32 45.5v3M27 50c2 2 8 2 10 0|2l M18 46 8 45M18 49l-9 2`,
  ],
  hedgehog: [
    "#6a4c3a #f6e2c6 #4b3327",
    `a M32 4l5 7 7-4 2 8 8-1v9l8 2-3 8 4 6-6 5 2 8-7 1H12l-7-1 2-8-6-5 4-6-3-8 8-2v-9l8 1 2-8 7 4Z|2b o 16.5 28 5 5|b M32 29c3-4 10-6 15-2 3 3 4 8 4 13 0 11-9 17-19 17s-19-6-19-17c0-5 1-10 4-13 5-4 12-2 15 2Z|2K o 23.5 38 2.7 3.2|2W o 24.5 36.8 1 1|K M27 45c2-2 8-2 10 0 0 3.2-3 5-5 5s-5-1.8-5-5Z|2P o 17.5 46 3 2.2`,
  ],
  stag: [
    "#b27a45 #f5e3c8 #6b4423",
    `2x M26 20c-2-6-8-6-11-15M18 12c-4 1-7 0-10-3M22 16c0-4 1-8 3-10|2a M20 30C12 31 7 27 5 22c6-2 14-1 18 4Z|a M32 19c10 0 15 6 15 14 0 7-4 10-5 15s-4 9-10 9-9-4-10-9-5-8-5-15c0-8 5-14 15-14Z|b M32 43c6 0 9 3 9 7s-4 7-9 7-9-3-9-7 3-7 9-7Z|2K o 24 34 2.6 3.2|2W o 25 32.8 1 1|K M27.5 46c2-1.5 7-1.5 9 0 0 3-2.5 4.5-4.5 4.5s-4.5-1.5-4.5-4.5Z|B M32 22l2.5 5-2.5 4-2.5-4Z`,
  ],
  wolf: [
    "#828b97 #f1f3f5 #474e59",
    `2a M12 33 11 7c8 3 14 9 16 15Z|2C M15 25l-.5-10c4 2 6.5 5 8 8Z|a M32 18c10 0 17 4 20 11l5 10-6 0 2 6-7 0-3 6-5 1-6 5-6-5-5-1-3-6-7 0 2-6-6 0 5-10c3-7 10-11 20-11Z|B M32 36c3-7 12-7 16-3-1 9-4 13-8 16l-8 6.5L24 49c-4-3-7-7-8-16 4-4 13-4 16 3Z|2Y o 22.5 34 3.2 3.4|2K o 22.8 34 1.8 2.4|K M27 46c2-2 8-2 10 0 0 3.2-3 5.5-5 5.5s-5-2.3-5-5.5Z|2C M17 29l9 2-9-4.5Z`,
  ],
  goose: [
    "#f8f4eb #e8dfce #8d8474",
    `a M32 8c11 0 17 8 17 17 0 8-3 11-3 17 0 5 4 7 8 9-5 5-13 8-22 8s-17-3-22-8c4-2 8-4 8-9 0-6-3-9-3-17 0-9 6-17 17-17Z|B M18 55c5-5 23-5 28 0-4 2-9 3-14 3s-10-1-14-3Z|o M22 29c5-5 15-5 20 0 3 6-4 12-10 12s-13-6-10-12Z|l M23 33c5 3 13 3 18 0|2K o 29.5 29.5 .8 .8|2K o 23.5 21 2.6 3.2|2W o 24.5 19.8 1 1`,
  ],
  frog: [
    "#6fb04c #dcefbb #3f7a2b",
    `2a o 18.5 20 9.2 9.2|a M32 22c15 0 25 7 25 18S46 57 32 57 7 51 7 40s10-18 25-18Z|B M17 52c5-5 25-5 30 0-4 3-9 4-15 4s-11-1-15-4Z|2w o 18.5 19 5.8 5.8|2K o 19 19.5 2.8 3.4|2W o 20 18 1 1|l M12 39c6 9 34 9 40 0|2K o 29.5 32 1 1|2P o 14 43 3.2 2.2`,
  ],
  mouse: [
    "#b8b3b3 #f3ece8 #77716f",
    `2a o 14.5 20.5 11.5 11.5|2P o 15 21 7 7|a M32 22c12 0 20 8 20 17 0 11-10 18-20 18s-20-7-20-18c0-9 8-17 20-17Z|B M32 43c6 0 10 3 10 7s-5 6-10 6-10-2-10-6 4-7 10-7Z|2K o 22.5 37 2.7 3.3|2W o 23.5 35.8 1 1|p o 32 44.5 3.6 2.8|l M32 47.5v2M28 51c2 1.5 6 1.5 8 0|2l M21 46 9 43M21 49 9 50`,
  ],
  squirrel: [
    "#a8623c #fbe8d2 #5f3219",
    `a M42 60c18 0 24-20 20-34-3-9-15-12-19-4-3 7 5 10 5 18Z|L M51 24c5 1 7 8 4 17|2l M15 9 13 3|2a M14 29C10 22 12 13 15 8c5 3 9 8 11 14Z|2P M17 22c-1-3-1-6-.5-8 2.5 2 4 4 5 6Z|a M31 18c12 0 19 8 19 17 5 3 5 12-2 16-4 4-10 6-17 6s-13-2-17-6c-7-4-7-13-2-16 0-9 7-17 19-17Z|2B o 22.5 46 9.5 8|2K o 22 34 2.9 3.5|2W o 23 32.8 1.1 1.1|K M28 41c2-1.5 6-1.5 8 0 0 2.5-2 4-4 4s-4-1.5-4-4Z|l M32 45v3|w M29.5 48.5h5v5h-5Z|l M32 49v4`,
  ],
  lynx: [
    "#d6a86c #fcf3e1 #4a3626",
    `2a M12 32 12 12c7 1 12 5 15 10Z|2k M11.5 14C9 9 9 5 11 1c3 4 4.5 8 4.5 12.5Z|2P M15 25V17c3 1 5 3 7 5Z|2b M13 34 3 42l6 1-4 7 7-1-1 6 8-3Z|a M32 19c12 0 20 8 20 18s-8 20-20 20-20-10-20-20 8-18 20-18Z|2B o 26.8 47 6.5 6|2g o 22 35 4 4|2K o 22 35 1.4 3.4|K M28.5 42.5h7L32 46.5Z|l M32 46.5v2|2C M19 25l6 1-6-3.5Z|C M31 22h2v5h-2Z|2C o 24.5 46.5 .9 .9|2C o 27 49 .9 .9|2C o 21 48 .9 .9`,
  ],
};

export const FIGURES = Object.keys(DRAWN);

/**
 * The avatar that stands for a text, such as a player's id, until one has been chosen.
 * @type {(text: string) => Avatar}
 */
export function avatarOf(text) {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0;
  return { figure: FIGURES[hash % 16], colour: COLOURS[(hash >>> 8) % 8] };
}

/**
 * The avatar of who sits in a chair: their own, or that of their id, or of the name of a computer.
 * @type {(chair: {avatar?: Avatar | null, player?: string | null} | undefined, name: string) => Avatar}
 */
export const likeness = (chair, name) => chair?.avatar ?? avatarOf(chair?.player ?? name);

/**
 * Draw an avatar. It says its *name* to screen readers; without one it is hidden from them, for places beside a written name.
 * @type {(avatar: Avatar, name?: string) => unknown}
 */
export function avatar({ figure, colour }, name = "") {
  const [tones, parts] = DRAWN[figure] ?? DRAWN.fox;
  return svg`<svg class="avatar avatar-${figure} disc-${colour}" viewBox="0 0 64 64" role=${name ? "img" : nothing} aria-label=${name || nothing} aria-hidden=${name ? nothing : "true"} focusable="false"><circle class="disc" cx="32" cy="32" r="32" />${drawn(parts, tones)}</svg>`;
}
