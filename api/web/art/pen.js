// The hand in which everything is drawn: round lines of one width, and a few flat tones.
//
// A drawing is one text. Its parts are divided by `|`, each a tone, a space and a path; `o x y rx ry` is an ellipse. A tone in small letters
// has an outline, one in capitals has none; a leading 2 draws the part again, mirrored at the middle. `l` is a line alone, `x` a thick one.

import { svg } from "../vendor/lit.js";

/** @typedef {{card: number | string, suits: string[], rank: string, kinds: string[]}} Printed what is printed on a card, as the sheet of its game says it */

/** The side of every drawing. */
export const SIDE = 64;
/**
 * Tones that all drawings share. Those of a drawing of its own are `a`, `b` and `c`; `i` (ink), `h` (half), `q` (quarter) and `u` (paper) follow the suit and the theme.
 * @type {Record<string, string>}
 */
const TONES = {
  k: "#2a2523",
  w: "#fffdf8",
  p: "#eda3a0",
  y: "#f0b93a",
  o: "#ef8b3a",
  g: "#a9c94f",
  s: "#f2cda6",
  t: "#c98f63",
  r: "#c4473a",
};
const THEMED = "ihqu";

/** @type {(path: string) => string} */
const traced = (path) => {
  if (!path.startsWith("o ")) return path;
  const [x, y, rx, ry = rx] = path.slice(2).split(" ").map(Number);
  return `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`;
};

/** @type {(letter: string, own: string[]) => {kind: string, fill: string | null}} */
function toned(letter, own) {
  const tone = letter.toLowerCase();
  const kind = tone === "l" || tone === "x" ? tone : letter === tone ? "" : "bare";
  return THEMED.includes(tone)
    ? { kind: `${kind} tone-${tone}`, fill: null }
    : { kind, fill: kind === "l" ? "none" : (own["abc".indexOf(tone === "x" ? "c" : tone)] ?? TONES[tone]) };
}

/** Drawings that were made before, by their markup. @type {Map<string, TemplateStringsArray>} */
const made = new Map();

/**
 * A template without holes: a browser reads it once, and copies it wherever it is shown. *markup* is made of the project's own
 * drawings alone, never of what someone else has written.
 * @type {(markup: string) => unknown}
 */
function whole(markup) {
  const strings = made.get(markup) ?? Object.assign([markup], { raw: [markup] });
  made.set(markup, strings);
  return svg(strings);
}

/** @type {(name: string, value: string | null) => string} */
const set = (name, value) => (value ? ` ${name}="${value}"` : "");

/** @type {(part: string, own: string[]) => string} */
function shape(part, own) {
  const twice = part.startsWith("2");
  const [letter, path] = [part[Number(twice)], traced(part.slice(Number(twice) + 2))];
  const { kind, fill } = toned(letter, own);
  /** @type {(turned: string) => string} */
  const once = (turned) =>
    kind === "x"
      ? `<g${set("transform", turned)} class="thick"><path d="${path}"/><path d="${path}"${set("stroke", fill)}/></g>`
      : `<path${set("transform", turned)}${set("class", kind.trim())}${set("fill", fill)} d="${path}"/>`;
  return twice ? once("") + once(`matrix(-1 0 0 1 ${SIDE} 0)`) : once("");
}

/** @type {(parts: string, tones: string) => string} */
const shapes = (parts, tones) =>
  parts
    .split("|")
    .map((part) => shape(part, tones ? tones.split(" ") : []))
    .join("");

/**
 * Return the shapes of a drawing; *tones* are its own colours, divided by spaces.
 * @type {(parts: string, tones?: string) => unknown}
 */
export const drawn = (parts, tones = "") => whole(shapes(parts, tones));

/**
 * A drawing as a picture; words stand beside it.
 * @type {(kind: string, parts: string, tones?: string, box?: string) => unknown}
 */
export const drawing = (kind, parts, tones = "", box = `0 0 ${SIDE} ${SIDE}`) =>
  whole(
    `<svg class="drawing ${kind}" viewBox="${box}" preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">${shapes(parts, tones)}</svg>`,
  );

const RAYS =
  "Q M32 32L64.7 27.7 64.7 36.3ZM32 32L62.5 44.6 58.2 52.1ZM32 32L52.1 58.2 44.6 62.5ZM32 32L36.3 64.7 27.7 64.7ZM32 32L19.4 62.5 11.9 58.2ZM32 32L5.8 52.1 1.5 44.6ZM32 32L-0.7 36.3 -0.7 27.7ZM32 32L1.5 19.4 5.8 11.9ZM32 32L11.9 5.8 19.4 1.5ZM32 32L27.7 -0.7 36.3 -0.7ZM32 32L44.6 1.5 52.1 5.8ZM32 32L58.2 11.9 62.5 19.4Z";
const LAUREL =
  "2l M30 63C14 62 3 50 2 30|2q M8 52c-6 0-9-3-10-8 6-1 9 2 10 8ZM3 42c-5-3-7-6-6-11 6 2 8 5 6 11ZM17 60c-5 3-9 2-13-1 4-4 9-4 13 1ZM2 30c-3-5-3-9 1-13 3 5 3 9-1 13Z";

/**
 * What marks the highest ranks of a game behind their suit: rays for the highest, a laurel for the next two.
 * @type {(place: number) => string}
 */
export const honour = (place) => (place === 1 ? `${RAYS}|` : place <= 3 ? `${LAUREL}|` : "");
