// The settings with which a match is opened, each named once.

import { lasting } from "../core/clock.js";
import { html, nothing } from "../vendor/lit.js";
import { fill, say, word } from "../core/words.js";

/** @typedef {import("../contract").MatchSettings} Settings */
/** @typedef {import("../contract").At<HTMLSelectElement>} Chosen */
/** @typedef {{de: string, en: string}} Text */

const DAY = 86_400;
const WEEK = 7 * DAY;

/**
 * How fast a match is played, the fastest first. Quick matches have those with the same names, and these clocks.
 * @type {{pace: string, name: {de: string, en: string}, clock: Settings["clock"]}[]}
 */
export const PACES = [
  {
    pace: "blitz",
    name: { de: "Blitz", en: "Blitz" },
    clock: { turn_seconds: 10, reaction_seconds: 5, away_seconds: 60 },
  },
  {
    pace: "quick",
    name: { de: "Zügig", en: "Quick" },
    clock: { turn_seconds: 45, reaction_seconds: 20, away_seconds: 120 },
  },
  { pace: "normal", name: { de: "Normal", en: "Normal" }, clock: { turn_seconds: 120, reaction_seconds: 60 } },
  { pace: "slow", name: { de: "Gemütlich", en: "Relaxed" }, clock: { turn_seconds: 600, reaction_seconds: 120 } },
  {
    pace: "days",
    name: { de: "Ein Tag je Zug", en: "A day a move" },
    clock: { turn_seconds: DAY, reaction_seconds: DAY, away_seconds: DAY },
  },
  {
    pace: "weeks",
    name: { de: "Eine Woche je Zug", en: "A week a move" },
    clock: { turn_seconds: WEEK, reaction_seconds: WEEK, away_seconds: WEEK },
  },
];
/**
 * Who may watch, and when; `linked`: at a table that is listed nowhere.
 * @type {{value: NonNullable<Settings["spectators"]>, name: Text, linked: Text}[]}
 */
const SPECTATORS = [
  {
    value: "public",
    name: { de: "Alle, live", en: "Everyone, live" },
    linked: { de: "Wer den Link hat, live", en: "Anyone with the link, live" },
  },
  {
    value: "delayed",
    name: { de: "Alle, eine Minute später", en: "Everyone, a minute late" },
    linked: { de: "Wer den Link hat, eine Minute später", en: "Anyone with the link, a minute late" },
  },
  { value: "off", name: { de: "Niemand", en: "No one" }, linked: { de: "Niemand", en: "No one" } },
];
export const WATCH = { de: "Wer darf zusehen?", en: "Who may watch?" };
const WORDS = {
  pace: { de: "Tempo", en: "Pace" },
  each: { de: "{turn} für jede Entscheidung.", en: "{turn} for each decision." },
  both: {
    de: "{turn} für einen Zug, {reaction} für eine Antwort darauf.",
    en: "{turn} for a turn, {reaction} for an answer to one.",
  },
};

/**
 * A labelled choice of one of some values, each with its text; `changed` gets the value.
 * @template {string | number} Value
 * @param {{de: string, en: string}} label
 * @param {(readonly [Value, string])[]} choices
 * @param {Value} chosen
 * @param {(value: Value) => void} changed
 * @param {string} line the id of what is said of the choice, if anything is
 */
export const select = (label, choices, chosen, changed, line = "") =>
  html`<label
    >${say(label)}
    <select
      aria-describedby=${line || nothing}
      @change=${(/** @type {Chosen} */ { target }) => changed(choices[target.selectedIndex][0])}
    >
      ${choices.map(([value, text]) => html`<option ?selected=${value === chosen}>${text}</option>`)}
    </select></label
  >`;

/** The pace with that clock, if it has a name. */
export const paceOf = (/** @type {Settings["clock"]} */ { turn_seconds: turn, reaction_seconds: reaction } = {}) =>
  PACES.find(({ clock }) => clock?.turn_seconds === turn && clock?.reaction_seconds === reaction) ?? null;

/** What a clock gives: the time for a turn, and for an answer to one. */
export function timeOf(/** @type {Settings["clock"]} */ { turn_seconds: turn = 120, reaction_seconds: reaction = 30 } = {}) {
  const text = turn === reaction ? WORDS.each : WORDS.both;
  return fill(say(text), { turn: lasting(turn), reaction: lasting(reaction) });
}

/**
 * How fast the match is played, and what that means; `change` gets the clock.
 * @param {Pick<Settings, "clock">} settings
 * @param {(changed: {clock: Settings["clock"]}) => void} change
 */
export const paces = ({ clock }, change) =>
  html`<label class="pace"
      >${say(WORDS.pace)}
      <select
        aria-describedby="pace"
        @change=${(/** @type {Chosen} */ { target }) => change({ clock: PACES[target.selectedIndex].clock })}
      >
        ${PACES.map((each) => html`<option ?selected=${each === paceOf(clock)}>${say(each.name)}</option>`)}
      </select></label
    >
    <p id="pace" class="quiet">${timeOf(clock)}</p>`;

/** Who may watch a match, and when. */
export function watchers(/** @type {Pick<Settings, "spectators" | "visibility">} */ { spectators, visibility }) {
  const found = SPECTATORS.find(({ value }) => value === spectators);
  return say(visibility === "unlisted" ? found?.linked : found?.name);
}

/**
 * Who may watch, and whether that is later than it happens; `change` gets the spectators.
 * @param {Pick<Settings, "spectators">} settings
 * @param {(changed: {spectators: Settings["spectators"]}) => void} change
 */
export const watching = ({ spectators }, change) =>
  select(
    WATCH,
    SPECTATORS.map(({ value, name }) => /** @type {const} */ ([value, say(name)])),
    spectators ?? "public",
    (chosen) => change({ spectators: chosen }),
  );

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
