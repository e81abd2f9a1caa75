// Which bots are offered at a table, and how strong each of them is at that very table.

import { html, nothing } from "../vendor/lit.js";
import { fill, say } from "../core/words.js";

/** @typedef {import("../core/sheet.js").Sheet} Sheet */
/** @typedef {Sheet["tables"][number]["offers"][number]["measured"]} Measured */
/** @typedef {Sheet["characters"][number] & {measured: Measured, teams: boolean}} Offered a bot, what shows its strength at a table, and whether that is one of teams */
/** @typedef {{seats: number, options?: Record<string, unknown> | null}} Setting how many play, and by which options */

const WORDS = {
  wins: { de: "Gewinnt {share} gegen {name}.", en: "Wins {share} against {name}." },
  wins_among: {
    de: "Gewinnt {share} gegen {others} Bots „{name}“; bei gleicher Stärke wäre es 1 von {seats}.",
    en: "Wins {share} against {others} bots “{name}”; 1 in {seats} would be even.",
  },
  part: { de: "{won} von {of} Partien", en: "{won} of {of} matches" },
  all: { de: "fast alle Partien", en: "nearly all matches" },
  none: { de: "fast keine Partie", en: "hardly any match" },
  old: { de: "Gemessen mit einer früheren Fassung der Bots.", en: "Measured with an earlier version of the bots." },
  unknown: { de: "Bei dieser Spielerzahl noch nicht gemessen.", en: "Not measured yet with this number of players." },
};
/** Of how many matches a share is said, the first that comes close enough. */
const OUT_OF = [2, 3, 4, 5, 10];
const CLOSE = 0.025;

/**
 * The bots that are offered at a table, the weakest level first. Where the service says nothing of it, all bots are.
 * @type {(sheet: Sheet, setting: Setting) => Offered[]}
 */
export function offersAt(sheet, { seats, options }) {
  const here = sheet.tables.filter((table) => table.seats === seats);
  const table = here.find(({ teams }) => teams === (options?.mode === "team")) ?? here[0];
  const offers = table?.offers ?? sheet.characters.map(({ bot }) => ({ bot, measured: null }));
  return offers.flatMap(({ bot, measured }) =>
    sheet.characters.filter((each) => each.bot === bot).map((each) => ({ ...each, measured, teams: table?.teams ?? false })),
  );
}

/** The bot that is chosen, or the one that is usual at a table where it is not offered. @type {(offers: Offered[], bot: string) => string} */
export const chosenOf = (offers, bot) =>
  (offers.find((each) => each.bot === bot) ?? offers.find((each) => each.bot === "honest") ?? offers[0])?.bot ?? bot;

/** A share of wins as players say it, for instance "3 of 4 matches". */
export function shareOf(/** @type {number} */ share) {
  if (share > 0.95) return say(WORDS.all);
  if (share < 0.05) return say(WORDS.none);
  const far = (/** @type {number} */ of) => Math.abs(Math.round(share * of) / of - share);
  const proper = (/** @type {number} */ of) => Math.round(share * of) % of !== 0;
  const of = OUT_OF.find((each) => proper(each) && far(each) <= CLOSE) ?? 10;
  return fill(say(WORDS.part), { won: Math.min(Math.max(Math.round(share * of), 1), of - 1), of });
}

/** How strong a bot is at a table, in words. @type {(sheet: Sheet, offered: Offered, seats: number) => string} */
export function strengthOf(sheet, { measured, teams }, seats) {
  if (!measured) return say(WORDS.unknown);
  const name = say(sheet.characters.find(({ bot }) => bot === measured.against)?.name) || measured.against;
  const text = fill(say(seats > 2 && !teams ? WORDS.wins_among : WORDS.wins), {
    share: shareOf(measured.share),
    name,
    others: seats - 1,
    seats,
  });
  return measured.current ? text : `${text} ${say(WORDS.old)}`;
}

/** What is said of a chosen bot: how it plays, and how strong it is there. @type {(sheet: Sheet, offered: Offered | undefined, seats: number) => unknown} */
export const about = (sheet, offered, seats) =>
  offered
    ? html`${say(offered.name)}: ${say(offered.style)}.
        <span class="strength"
          >${strengthOf(sheet, offered, seats)}${
            offered.measured ? html` <meter min="0" max="1" value=${offered.measured.share} aria-hidden="true"></meter>` : nothing
          }</span
        >`
    : nothing;
