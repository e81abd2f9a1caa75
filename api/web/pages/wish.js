// The settings with which a match is opened, each named once.

import { html } from "../vendor/lit.js";
import { word } from "../core/words.js";

/** The initial value in the form, and the label of those that have a checkbox. The game's sheet draws the first three. */
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

/** The settings of a match or of a rematch, without anything else. */
export const settingsOf = (match) => Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, match[name]]));

/** The form's initial values, unless a game says otherwise. */
export const beginning = () => settingsOf(Object.fromEntries(Object.entries(SETTINGS).map(([name, { value }]) => [name, value])));

/** The settings that are on or off; `change` gets a changed one by its name. */
export const boxes = (wish, change) =>
  Object.entries(SETTINGS)
    .filter(([, { text }]) => text)
    .map(
      ([name, { text }]) =>
        html`<label class="check"
          ><input type="checkbox" .checked=${wish[name]} @change=${(e) => change({ [name]: e.target.checked })} />
          ${text()}</label
        >`,
    );
