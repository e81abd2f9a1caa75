// What a game's drawing is given: what is to be seen of a match, and what its buttons may do.

import { secondsUntil } from "../core/clock.js";
import { html, nothing } from "../vendor/lit.js";
import { say, word } from "../core/words.js";

/** @import { TablePage } from "./table.js" */
/** @import { Store } from "../core/store.js" */
/** @import { Card, Command, Ctx, Item, Refused, Seen } from "../drawing" */

/** Events that put a card on the table. */
const CARD = /\.card-(played|discarded)\./;

/**
 * The card that was played most recently.
 * @type {(items: Item[]) => Card | null}
 */
function newestOf(items) {
  const event = items.findLast((item) => CARD.test(item.event.type))?.event;
  return event && "card" in event ? event.card : null;
}

/**
 * The label of a button's key, which gives the command while the button is there.
 * @type {(page: TablePage, view: Seen, command: Command, key?: string) => unknown}
 */
function keyOf(page, { question }, command, key = String((question?.legal.indexOf(command) ?? -1) + 1)) {
  if (key.length > 1 || (page.stage.shown && !page.replay)) return nothing;
  page.keyed.set(key, command);
  return html`<kbd>${key}</kbd>`;
}

/**
 * Why something is refused, with names in place of seats.
 * @type {(store: Store, each: Refused) => string}
 */
function refusalOf(store, { code, arguments: given, message }) {
  const { sheet } = store;
  const key = code.replace(`${sheet.id}.`, `${sheet.id}.refusal.`);
  return sheet.text(key) ? sheet.sentence(key, given, (seat) => store.name(seat)) : say(message);
}

/**
 * The time that a seat has left.
 * @type {(store: Store, view: Seen, seat: number) => ReturnType<Ctx["time"]>}
 */
function timeOf({ facts }, { waiting }, seat) {
  if (!waiting?.seats.includes(seat)) return null;
  const whole = waiting.seats.length > 1 ? facts.clock.reaction_seconds : facts.clock.turn_seconds;
  const seconds = secondsUntil(waiting.deadline_ms);
  return whole === null || whole === undefined ? null : { share: Math.min(1, seconds / whole), seconds, whole };
}

/**
 * Without *ask*, what is drawn only shows what was: nothing in it asks, and no card is the newest.
 * @type {(page: TablePage, view: Seen, ask?: boolean, newest?: Card | null) => Ctx}
 */
export function contextOf(page, view, ask = true, newest = ask ? newestOf(page.store.items) : null) {
  const { store, hints, picked } = page;
  const question = ask ? view.question : null;
  return {
    view,
    you: store.view.seat,
    table: view.table,
    sheet: store.sheet,
    question,
    newest,
    opened: view.status === "over" ? (page.ending?.opened ?? new Map()) : new Map(),
    chair: (seat) => store.facts.chairs[seat],
    key: (command, key) => html`${hints.star(view.question, [command])}${keyOf(page, view, command, key)}`,
    star: (commands) => hints.star(question, commands),
    label: (command) => {
      const told = store.sheet.told(command, (seat) => store.name(seat));
      return hints.recommends(question, [command]) ? `${word("recommended")}: ${told}` : told;
    },
    named: (command, card, name) =>
      store.sheet.told(command, (seat) => store.name(seat)).replace(store.sheet.term("card", card), name),
    picked,
    name: (seat) => store.name(seat),
    away: (seat) => page.vacations?.at(seat) ?? null,
    time: (seat) => (ask ? timeOf(store, view, seat) : null),
    give: (command) => page.give(command),
    pick: (card) => {
      if (!picked.delete(card)) picked.add(card);
      page.changed();
    },
    refusal: (each) => refusalOf(store, each),
    explain: (why) => {
      page.reason = why;
      page.changed();
    },
  };
}
