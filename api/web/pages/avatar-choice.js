// Choosing an avatar: sixteen animals, eight colours.

import { avatar, COLOURS, FIGURES } from "../art/avatars.js";
import { html } from "../vendor/lit.js";
import { say } from "../core/words.js";

/** @import { Shapes } from "../contract" */
/** @typedef {Shapes["Avatar"]} Avatar */

const LEGEND = { de: "Bild", en: "Picture" };
const COLOUR = { de: "Farbe", en: "Colour" };

/** @type {Record<string, {de: string, en: string}>} */
const NAMES = {
  badger: { de: "Dachs", en: "badger" },
  bear: { de: "Bär", en: "bear" },
  blue: { de: "Blau", en: "blue" },
  cat: { de: "Katze", en: "cat" },
  fox: { de: "Fuchs", en: "fox" },
  frog: { de: "Frosch", en: "frog" },
  goose: { de: "Gans", en: "goose" },
  green: { de: "Grün", en: "green" },
  grey: { de: "Grau", en: "grey" },
  hare: { de: "Hase", en: "hare" },
  hedgehog: { de: "Igel", en: "hedgehog" },
  lynx: { de: "Luchs", en: "lynx" },
  mouse: { de: "Maus", en: "mouse" },
  orange: { de: "Orange", en: "orange" },
  otter: { de: "Otter", en: "otter" },
  owl: { de: "Eule", en: "owl" },
  raven: { de: "Rabe", en: "raven" },
  red: { de: "Rot", en: "red" },
  squirrel: { de: "Eichhörnchen", en: "squirrel" },
  stag: { de: "Hirsch", en: "stag" },
  teal: { de: "Petrol", en: "teal" },
  violet: { de: "Violett", en: "violet" },
  wolf: { de: "Wolf", en: "wolf" },
  yellow: { de: "Gelb", en: "yellow" },
};

/**
 * Both choices; *choose* is called with the part that changes: what was drawn may be of before the last one.
 * @type {(chosen: import("../art/avatars.js").Avatar, choose: (part: Partial<Avatar>) => void) => unknown}
 */
export function avatarChoice(chosen, choose) {
  const option = (/** @type {"figure" | "colour"} */ part, /** @type {string} */ value) => {
    const next = /** @type {Avatar} */ ({ ...chosen, [part]: value });
    return html`<label class="choice"
      ><input
        type="radio"
        class="spoken"
        name=${part}
        .checked=${chosen[part] === value}
        @change=${() => choose(/** @type {Partial<Avatar>} */ ({ [part]: value }))}
      />${avatar(next)}<span class="spoken">${say(NAMES[value])}</span></label
    >`;
  };
  return html`<fieldset class="avatar-choice">
      <legend>${say(LEGEND)}</legend>
      ${FIGURES.map((each) => option("figure", each))}
    </fieldset>
    <fieldset class="avatar-choice">
      <legend>${say(COLOUR)}</legend>
      ${COLOURS.map((each) => option("colour", each))}
    </fieldset>`;
}
