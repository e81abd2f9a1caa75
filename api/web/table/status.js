// The line above the table: whose turn it is, and how much time is left.

import { html, nothing } from "../vendor/lit.js";
import { contextOf } from "./context.js";
import { hasTable } from "./drawings.js";
import { told } from "./log.js";
import { secondsUntil } from "../core/clock.js";
import { fill, word } from "../core/words.js";

/** @typedef {import("../contract").View} View */
/** @typedef {NonNullable<View["waiting"]>} Waiting */
/** @typedef {import("./table.js").TablePage} TablePage */

/** Why a deal of the day ended without a result. */
const DAY_OVER = "match.expired.1.reason.day-over";

/** The clock is shown when fewer seconds than this are left. */
const SHORT = 100;

/**
 * Whether a question belongs to the viewer's own turn: no one else is asked, and no one else is acting.
 * @type {(waiting: Waiting, seat: number | null) => boolean}
 */
const isTurn = ({ seats, prompt }, seat) => seats.length === 1 && (prompt.arguments.actor ?? seat) === seat;

/** @typedef {{asked?: string, text: string, timed?: Waiting | null}} Words what is asked of the viewer, and by when */

/**
 * What the table waits for now, in words.
 * @type {(page: TablePage) => Words}
 */
function words(page) {
  const { store, stage } = page;
  const { view, shown: rests } = stage;
  if (rests?.kind === "trick" && rests.trick) return { text: taken(page, rests.view, rests.trick) };
  if (rests) return { text: word("round_over") };
  if (view.status === "open") return { text: page.room?.missing(page) ?? word("loading") };
  if (view.status === "aborted")
    return { text: (store.facts.daily && !store.sealed && store.sheet.text(DAY_OVER)) || word("aborted") };
  if (view.status === "over") return { text: word("over") };
  const { question, waiting, seat } = view;
  if (!waiting) return { text: word("loading") };
  const wait = page.away?.waiting(store);
  if (wait) return { text: wait };
  if (question?.answered) return { text: word("stands"), timed: waiting };
  const { key, arguments: given } = waiting.prompt;
  const text = store.sheet.sentence(key, given, (each) => store.name(each), seat);
  const asked = question ? (isTurn(waiting, seat) ? word("turn") : word("answer")) : undefined;
  return { asked, text, timed: waiting };
}

/**
 * The same as it is said, without the time that is left.
 * @type {(page: TablePage) => string}
 */
export function said(page) {
  const { asked, text } = words(page);
  return asked ? `${asked}: ${text}` : text;
}

/**
 * The line above the table. It is no live region: the one of the table says the same when its turn comes.
 * @type {(page: TablePage) => unknown}
 */
export function status(page) {
  const { asked, text, timed } = words(page);
  const led = asked ? cause(page, page.stage.view) : nothing;
  return html`${asked ? html`<strong>${asked}:</strong> ` : nothing}${text}${led}${timed ? clock(page.store.facts, timed) : nothing}`;
}

/**
 * What led to the question.
 * @type {(page: TablePage, view: View) => unknown}
 */
function cause({ store, drawing }, view) {
  const led = view.question && hasTable(view) ? drawing?.because?.(view, store.items) : null;
  const line = led ? told(led.event, store.sheet, (each) => store.name(each), view.seat) : null;
  return line ? html` <span class="quiet">${line}</span>` : nothing;
}

/**
 * Who took the trick on display, and why.
 * @type {(page: TablePage, view: import("../drawing").Seen, trick: import("../drawing").Trick) => string}
 */
function taken(page, view, trick) {
  const why = page.drawing?.reason?.(contextOf(page, view), trick) ?? null;
  const name = page.store.name(trick.winner);
  const taken = trick.winner === view.seat ? word("take_trick") : fill(word("takes_trick"), { name });
  return why ? `${taken}: ${why}` : `${taken}.`;
}

/** @type {(facts: import("../contract").Facts, waiting: Waiting) => unknown} */
function clock(facts, { deadline_ms: deadline, seats }) {
  const left = secondsUntil(deadline);
  if (left >= SHORT) return nothing;
  const whole = seats.length > 1 ? facts.clock.reaction_seconds : facts.clock.turn_seconds;
  return html` <span aria-hidden="true" class="clock ${left < 10 ? "short" : ""}">${left} s</span
    ><span class="fuse" .style=${`width: ${Math.min(100, (100 * left) / (whole ?? SHORT))}%`}></span>`;
}
