// The client's own symbols: one shape for every suit, role and game, drawn in 24 by 24.

import { svg } from "../vendor/lit.js";

/** @type {Record<string, string>} */
const SHAPES = {
  // Stich-Meister
  fan: "M12 21 2.5 9.5A13 13 0 0 1 21.5 9.5Z M12 21 7 6.2 M12 21V5 M12 21l5-14.8",
  coin: "M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18Z M9 9h6v6H9Z",
  koi: "M3 12c4-6 10-6 14-1l4-4v10l-4-4c-4 5-10 5-14-1Z M7.5 11.5v.1",
  torii: "M2 5c6 1.5 14 1.5 20 0 M4 9.5h16 M7 5.8V21 M17 5.8V21",
  // Mondkrone
  moons: "M16 3a9 9 0 1 0 5 13A8 8 0 0 1 16 3Z",
  suns: "M12 7a5 5 0 1 1 0 10a5 5 0 1 1 0-10Z M12 1v3 M12 20v3 M1 12h3 M20 12h3 M4 4l2 2 M18 18l2 2 M20 4l-2 2 M4 20l2-2",
  waves: "M2 8c3-4 5 4 8 0s5 4 8 0 M2 13c3-4 5 4 8 0s5 4 8 0s2 1 4 0 M2 18c3-4 5 4 8 0s5 4 8 0",
  leaves: "M4 20C4 9 9 4 20 4c0 11-5 16-16 16Z M4 20 14 10",
  wyrms: "M6 21c5 2 13 1 13-4 0-4-9-4-11-8C6 5 10 2 14 3l6-1-2 4c1 2 0 4-2 5 M14.5 6.5v.1 M10 4 7 2",
  knots: "M12 12C8 8 8.5 2 12 2s4 6 0 10-4 10 0 10 4-6 0-10 M12 12C8 8 2 8.5 2 12s6 4 10 0 10-4 10 0-6 4-10 0",
  // MatchMaster and Meister Coup: shapes in addition to the colours
  dark_orange: "M12 2 21 12 12 22 3 12Z M12 7 16.5 12 12 17 7.5 12Z",
  light_orange: "M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18Z",
  dark_blue: "M4 4h16v16H4Z M9 9h6v6H9Z",
  light_blue: "M12 3 22 20H2Z",
  violet: "M12 2 21 12 12 22 3 12Z",
  blue: "M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18Z",
  green: "M12 3 22 20H2Z",
  yellow: "M4 4h16v16H4Z",
  // Coup
  duke: "M3 18h18 M4 18 3 7l5 5 4-7 4 7 5-5-1 11Z",
  assassin: "M12 2l3 12H9Z M6 14h12 M12 14v8",
  captain: "M12 3a2 2 0 1 1 0 4a2 2 0 1 1 0-4Z M12 7v14 M7 10h10 M4 14c1 5 4 7 8 7s7-2 8-7",
  ambassador: "M5 21V4 M5 4h13l-3 4 3 4H5",
  inquisitor: "M10 4a6 6 0 1 1 0 12a6 6 0 1 1 0-12Z M15 15l6 6",
  contessa: "M12 21C4 15 3 10 3 8a4.5 4.5 0 0 1 9-1a4.5 4.5 0 0 1 9 1c0 2-1 7-9 13Z",
  hidden: "M12 4l2 6 6 2-6 2-2 6-2-6-6-2 6-2Z",
  trick: "M4 8h12v13H4Z M7 5h12v13 M10 2h12v13",
  sealed: "M3 6h18v13H3Z M3 7l9 7 9-7",
  robot: "M5 9h14v10H5Z M12 5v4 M9.5 13v1 M14.5 13v1 M9 17h6",
  sliders: "M3 7h9 M16 7h5 M12 5v4h4V5Z M3 17h3 M10 17h11 M6 15v4h4v-4Z",
  back: "M20 12H4 M10 6l-6 6 6 6",
  book: "M4 4h7c1 0 1 1 1 2v14c0-1-1-2-2-2H4Z M20 4h-7c-1 0-1 1-1 2v14c0-1 1-2 2-2h6Z",
  first: "M6 5v14 M19 5 9 12l10 7Z",
  step_back: "M17 5 7 12l10 7Z",
  step_on: "M7 5l10 7-10 7Z",
  end: "M18 5v14 M5 5l10 7-10 7Z",
  run: "M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18Z M10 8l6 4-6 4Z",
  pause: "M8 5v14 M16 5v14",
  shield: "M12 3 4 6v6c0 5 3.5 8 8 9.5 4.5-1.5 8-4.5 8-9.5V6Z M8.5 12l2.5 2.5 4.5-5",
  branch: "M6 4v16 M6 14c8 0 11-2 11-8 M13 8l4-4 4 4",
  talk: "M4 4h16v12h-9l-5 4v-4H4Z",
  question: "M8 9a4 4 0 1 1 5.5 3.7c-1 .5-1.5 1.2-1.5 2.3 M12 19v.1",
  pass: "M4 12h14 M13 7l5 5-5 5",
  // Games
  coup: "M3 18h18 M4 18 3 7l5 5 4-7 4 7 5-5-1 11Z",
  matchmaster: "M4 5h9v14H4Z M15 7l5 1-2 12-5-1 M8.5 9v6",
  "meister-coup": "M12 2 15 9l7 .6-5.3 4.6L18.3 21 12 17.3 5.7 21l1.6-6.8L2 9.6 9 9Z",
  "stich-meister": "M2 5c6 1.5 14 1.5 20 0 M4 9.5h16 M7 5.8V21 M17 5.8V21",
  mondkrone: "M16 3a9 9 0 1 0 5 13A8 8 0 0 1 16 3Z M15 9l1.5 2 2-1-.5 3",
};

/** The path of a symbol. */
export const shape = (/** @type {string} */ name) => SHAPES[name] ?? SHAPES.blue;

/** Draw the symbol of that name; hidden from screen readers, as words stand beside it. */
export const symbol = (/** @type {string} */ name) =>
  svg`<svg class="symbol ${SHAPES[name]?.includes("Z") ? "solid" : ""}" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${SHAPES[name] ?? SHAPES.blue} /></svg>`;

export const emblem = (/** @type {string} */ game) =>
  svg`<svg class="emblem" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${SHAPES[game] ?? SHAPES.violet} /></svg>`;

/** What on a table can be asked about. `data-tip` has the key of the text; cards and chips also have that of their suit. */
export const SIGN = "[data-tip], .face, .chip";
