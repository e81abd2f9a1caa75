// The line above the table: whose turn it is, and how much time is left.

import { html, nothing } from "../vendor/lit.js";
import { contextOf } from "./context.js";
import { hasTable } from "./drawings.js";
import { told } from "./log.js";
import { fill, word } from "../core/words.js";

/** @typedef {import("../contract").View} View */
/** @typedef {NonNullable<View["waiting"]>} Waiting */
/** @typedef {import("./table.js").TablePage} TablePage */

/** Why a deal of the day ended without a result. */
const DAY_OVER = "match.expired.1.reason.day-over";

/** The clock is shown when fewer seconds than this are left. */
const SHORT = 100;

/** Whether a question belongs to the viewer's own turn: no one else is asked, and no one else is acting. */
/** @type {(waiting: Waiting, seat: number | null) => boolean} */
const isTurn = ({ seats, prompt }, seat) => seats.length === 1 && (prompt.arguments.actor ?? seat) === seat;

/** What the table waits for now, in words. */
/** @type {(page: TablePage) => unknown} */
export function status(page) {
  const { store, stage } = page;
  const { view, shown: rests } = stage;
  if (rests?.kind === "trick" && rests.trick) return taken(page, rests.view, rests.trick);
  if (rests) return word("round_over");
  if (view.status === "open") return page.room?.missing(page) ?? word("loading");
  if (view.status === "aborted")
    return (store.facts.daily && !page.ending.sealed && store.sheet.text(DAY_OVER)) || word("aborted");
  if (view.status === "over") return word("over");
  const { question, waiting, seat } = view;
  if (!waiting) return word("loading");
  const wait = page.away?.waiting(store);
  if (wait) return wait;
  const left = clock(store.facts, waiting);
  if (question?.answered) return html`${word("stands")}${left}`;
  const { key, arguments: given } = waiting.prompt;
  const sentence = store.sheet.sentence(key, given, (each) => store.name(each), seat);
  const asked = question ? html`<strong>${isTurn(waiting, seat) ? word("turn") : word("answer")}:</strong> ` : nothing;
  return html`${asked}${sentence}${cause(page, view)}${left}`;
}

/** What led to the question. */
/** @type {(page: TablePage, view: View) => unknown} */
function cause({ store, drawing }, view) {
  const led = view.question && hasTable(view) ? drawing?.because?.(view, store.items) : null;
  const line = led ? told(led.event, store.sheet, (each) => store.name(each), view.seat) : null;
  return line ? html` <span class="quiet">${line}</span>` : nothing;
}

/** Who took the trick on display, and why. */
/** @type {(page: TablePage, view: import("../drawing").Seen, trick: import("../drawing").Trick) => unknown} */
function taken(page, view, trick) {
  const why = page.drawing?.reason?.(contextOf(page, view), trick) ?? null;
  const name = page.store.name(trick.winner);
  const taken = trick.winner === view.seat ? word("take_trick") : fill(word("takes_trick"), { name });
  return html`${taken}${why ? html`: ${why}` : "."}`;
}

/** @type {(facts: import("../contract").Facts, waiting: Waiting) => unknown} */
function clock(facts, { deadline_ms: deadline, seats }) {
  const left = Math.max(0, Math.round((deadline - Date.now()) / 1000));
  if (left >= SHORT) return nothing;
  const whole = seats.length > 1 ? facts.clock.reaction_seconds : facts.clock.turn_seconds;
  return html` <span aria-hidden="true" class="clock ${left < 10 ? "short" : ""}">${left} s</span
    ><span class="fuse" .style=${`width: ${Math.min(100, (100 * left) / (whole ?? SHORT))}%`}></span>`;
}
