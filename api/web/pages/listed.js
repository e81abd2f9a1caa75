// Lists of matches in the lobby: one's own, those that can be joined, and those that can be watched.

import { avatar } from "../art/avatars.js";
import { html, nothing } from "../vendor/lit.js";
import { serverNow } from "../core/clock.js";
import { called } from "../core/store.js";
import { fill, say, spoken, word } from "../core/words.js";
import { RESERVED } from "../table/free-seats.js";

/** @import { Got } from "../contract" */
/** @typedef {Got<"matches">["items"][number]} Match */
/** @typedef {Got<"games">["items"][number]} Game */

const WORDS = {
  continue: { de: "Weiterspielen", en: "Continue" },
  delayed: { de: "eine Minute später", en: "a minute late" },
  free: { de: "{count} Plätze frei", en: "{count} seats free" },
  free_one: { de: "ein Platz frei", en: "one seat free" },
  live: { de: "live", en: "live" },
  past: { de: "Zuletzt beendet", en: "Recently finished" },
  time: { de: "Bedenkzeit endet {when}", en: "time ends {when}" },
  watch: { de: "Zusehen", en: "Watch" },
};

/** How many faces are shown of a match. */
const FACES = 3;

/** How many finished matches of one's own are listed. */
const PAST = 5;

/** What is said of a match in which the reader is not asked. */
const STATES = {
  open: () => word("waiting"),
  running: () => word("others_turn"),
  over: () => word("over"),
  aborted: () => word("aborted"),
};

const UNITS = /** @type {const} */ ([
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
]);

/** Return when a moment is, from now on: "in 3 hours". */
export function when(/** @type {number} */ at, now = serverNow()) {
  const left = Math.max(at - now, 0);
  const [unit, length] = UNITS.find((each) => left >= each[1]) ?? ["second", 1000];
  return new Intl.RelativeTimeFormat(spoken()).format(Math.round(left / length), unit);
}

const isOn = (/** @type {Match} */ { status }) => status === "running" || status === "open";

/** One's own matches that go on: those that wait for the reader first, then by the time that is left. */
export const going = (/** @type {Match[]} */ matches) =>
  matches
    .filter(isOn)
    .sort(
      (one, other) =>
        Number(other.your_turn ?? false) - Number(one.your_turn ?? false) ||
        (one.deadline_ms ?? Infinity) - (other.deadline_ms ?? Infinity) ||
        0,
    );

/** Return matches with the most people first; among equals the order stays. */
export const liveliest = (/** @type {Match[]} */ matches) => {
  const people = (/** @type {Match} */ { chairs }) => chairs.filter(({ player, bot }) => player && !bot).length;
  return [...matches].sort((one, other) => people(other) - people(one));
};

export class Lists {
  constructor(/** @type {Game[]} */ games) {
    this.games = games;
  }

  name(/** @type {Match} */ { game }) {
    return say(this.games.find((each) => each.id === game)?.name);
  }

  /** Who sits at a match; of several free seats it is said how many there are. */
  people(/** @type {Match} */ { chairs }) {
    const seated = chairs.filter(({ player, reserved, bot }) => player || reserved || bot);
    const free = chairs.length - seated.length;
    const names = seated.map((chair) => called(chair, chairs));
    const more = free ? [free === 1 ? say(WORDS.free_one) : fill(say(WORDS.free), { count: free })] : [];
    return [...names, ...more].join(", ");
  }

  /** The faces of the people at a match, where the service has them. */
  faces(/** @type {Match} */ { chairs }) {
    const seen = chairs.flatMap((chair) => (chair.avatar && !chair.bot ? [chair.avatar] : [])).slice(0, FACES);
    return seen.length ? html`<span class="faces">${seen.map((each) => avatar(each))}</span>` : nothing;
  }

  /** @type {(match: Match, more?: unknown) => unknown} */
  line(match, more = nothing) {
    return html`${this.faces(match)}<span class="row-text"
        ><strong>${this.name(match)}</strong> <span class="quiet">${this.people(match)}${more}</span></span
      >`;
  }

  /** @type {(key: string, title: unknown, matches: Match[], row: (match: Match) => unknown) => unknown} */
  list(key, title, matches, row) {
    if (!matches.length) return nothing;
    return html`<section aria-labelledby=${key}>
      <h2 id=${key}>${title}</h2>
      <ul class="matches">
        ${matches.map((each) => html`<li class=${each.your_turn ? "mine" : ""}>${row(each)}</li>`)}
      </ul>
    </section>`;
  }

  link(/** @type {Match} */ match) {
    const asked = match.your_turn ? word("turn") : match.reserved_seat === null ? null : say(RESERVED);
    const left = match.your_turn && match.deadline_ms ? fill(say(WORDS.time), { when: when(match.deadline_ms) }) : null;
    const more = left ? html` · ${left}` : nothing;
    const state = asked ? html`<span class="badge">${asked}</span>` : html`<span class="quiet">${STATES[match.status]()}</span>`;
    return html`<a href="#/match/${match.match}">${this.line(match, more)}</a> ${state}`;
  }

  own(/** @type {Match[]} */ matches) {
    return this.list("mine", say(WORDS.continue), going(matches), (match) => this.link(match));
  }

  past(/** @type {Match[]} */ matches) {
    const over = matches.filter((match) => !isOn(match)).slice(0, PAST);
    return this.list("past", say(WORDS.past), over, (match) => this.link(match));
  }

  open(/** @type {Match[]} */ matches, /** @type {(match: string) => void} */ join) {
    const row = (/** @type {Match} */ match) =>
      html`<span class="row-main">${this.line(match)}</span> <button @click=${() => join(match.match)}>${word("join")}</button>`;
    return this.list("open", word("open"), matches, row);
  }

  watched(/** @type {Match[]} */ matches) {
    const row = (/** @type {Match} */ match) =>
      html`<span class="row-main"
          >${this.line(match, html` · ${say(match.spectators === "delayed" ? WORDS.delayed : WORDS.live)}`)}</span
        >
        <a class="button" href="#/match/${match.match}">${say(WORDS.watch)}</a>`;
    return this.list("watched", say(WORDS.watch), liveliest(matches), row);
  }
}
