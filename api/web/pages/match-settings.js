// The settings with which a match is opened, each named once.

import { html } from "../vendor/lit.js";
import { word } from "../core/words.js";

/** @typedef {import("../contract").MatchSettings} Settings */

/**
 * The initial value in the form, and the label of those that have a checkbox. The game's sheet draws the first three.
 * @type {{[Name in keyof Settings]: {value?: Settings[Name], text?: () => string}}}
 */
const SETTINGS = {
  game: {},
  seats: {},
  options: { value: {} },
  clock: { value: { turn_seconds: 600, reaction_seconds: 120 } },
  spectators: { value: "public" },
  visibility: { value: "listed" },
  rated: { value: true },
  hints: { value: false, text: () => word("with_hints") },
};
const NAMES = /** @type {(keyof Settings)[]} */ (Object.keys(SETTINGS));

/** Computers by strength, the weakest first; those that were not measured come last. */
export const byStrength = (/** @type {import("../core/sheet.js").Sheet["characters"]} */ characters) =>
  [...characters].sort((one, other) => (one.rating ?? Infinity) - (other.rating ?? Infinity) || 0);

/** The settings of a match or of a rematch, without anything else. */
export const settingsOf = (/** @type {{[Name in keyof Settings]: unknown}} */ match) =>
  /** @type {Settings} */ (Object.fromEntries(NAMES.map((name) => [name, match[name]])));

/** The form's initial values for a game, unless the game says otherwise. */
export const defaults = (/** @type {string} */ game, /** @type {number} */ seats) =>
  /** @type {Settings} */ ({ ...Object.fromEntries(NAMES.map((name) => [name, SETTINGS[name].value])), game, seats });

/**
 * The settings that are on or off; `change` gets a changed one by its name.
 * @param {Settings} settings
 * @param {(changed: {[name: string]: boolean}) => void} change
 */
export const checkboxes = (settings, change) =>
  NAMES.map((name) => ({ name, text: SETTINGS[name].text }))
    .filter(({ text }) => text)
    .map(
      ({ name, text }) =>
        html`<label class="check"
          ><input
            type="checkbox"
            .checked=${settings[name]}
            @change=${(/** @type {{target: HTMLInputElement}} */ { target }) => change({ [name]: target.checked })}
          />
          ${text?.()}</label
        >`,
    );
