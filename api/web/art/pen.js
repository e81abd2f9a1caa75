// The hand in which everything is drawn: round lines of one width, and a few flat tones.
//
// A drawing is one text. Its parts are divided by `|`, each a tone, a space and a path; `o x y rx ry` is an ellipse. A tone in small letters
// has an outline, one in capitals has none; a leading 2 draws the part again, mirrored at the middle. `l` is a line alone, `x` a thick one.

import { nothing, svg } from "../vendor/lit.js";

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

/**
 * Return the shapes of a drawing; *tones* are its own colours, divided by spaces.
 * @type {(parts: string, tones?: string) => unknown[]}
 */
export function drawn(parts, tones = "") {
  const own = tones ? tones.split(" ") : [];
  return parts.split("|").map((part) => {
    const twice = part.startsWith("2");
    const [letter, path] = [part[Number(twice)], traced(part.slice(Number(twice) + 2))];
    const { kind, fill } = toned(letter, own);
    /** @type {(turned: string) => unknown} */
    const once = (turned) =>
      kind === "x"
        ? svg`<g transform=${turned || nothing} class="thick"><path d=${path} /><path d=${path} stroke=${fill ?? nothing} /></g>`
        : svg`<path transform=${turned || nothing} class=${kind || nothing} fill=${fill ?? nothing} d=${path} />`;
    return twice ? [once(""), once(`matrix(-1 0 0 1 ${SIDE} 0)`)] : once("");
  });
}

/**
 * A drawing as a picture; words stand beside it.
 * @type {(kind: string, parts: string, tones?: string, box?: string) => unknown}
 */
export const drawing = (kind, parts, tones = "", box = `0 0 ${SIDE} ${SIDE}`) =>
  svg`<svg class="drawing ${kind}" viewBox=${box} aria-hidden="true" focusable="false">${drawn(parts, tones)}</svg>`;
