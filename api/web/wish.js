// What a match is opened with: its settings, each named once.

import { html } from "./lit.js";
import { word } from "./words.js";

/** The value that the form begins with, and the text of those that have a box to tick. The game's sheet draws the first three. */
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

/** The settings of a match or of a wish, without all else. */
export const settingsOf = (match) => Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, match[name]]));

/** What the form begins with, as far as no game says otherwise. */
export const beginning = () => settingsOf(Object.fromEntries(Object.entries(SETTINGS).map(([name, { value }]) => [name, value])));

/** The settings that are on or off; `change` gets a changed one by its name. */
export const boxes = (wish, change) =>
  Object.entries(SETTINGS)
    .filter(([, { text }]) => text)
    .map(([name, { text }]) => html`<label class="check"><input type="checkbox" .checked=${wish[name]} @change=${(e) => change({ [name]: e.target.checked })} /> ${text()}</label>`);
