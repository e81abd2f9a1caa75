// The log of events, grouped by rounds, tricks and turns. A line leads to the table as it was then.

import { html, nothing, ref, repeat } from "../vendor/lit.js";
import { rove } from "../core/focus.js";
import { word } from "../core/words.js";

/** @import { TablePage } from "./table.js" */
/** @import { At } from "../contract" */
/** @import { Sheet } from "../core/sheet.js" */
/** @import { Ctx, Item } from "../drawing" */

const MOST = 400;
const ROUND = /\.(round-)?dealt\./;
const TURN = /\.turn-begun\./;
const PLAYED = /\.(card-played|card-hidden-played)\./;
const title = (/** @type {string} */ text) => text[0].toUpperCase() + text.slice(1);
const UNSAID =
  /^match\.(opened|seat-reserved|seat-taken|bot-seated|decision-opened|cards-committed|draws-keyed|drawn|misses-forgotten)\.|\.(window-opened|gathering-begun|trick-begun)\./;

/** @typedef {{title: string | null, lines: {n: number, text: string}[]}} Group */

/**
 * Return an event in words; null if it does not deserve a line.
 * @type {(event: Item["event"], sheet: Sheet, people: (seat: number) => string, you?: number | null) => string | null}
 */
export const told = (event, sheet, people, you = null) => (UNSAID.test(event.type) ? null : sheet.told(event, people, you));

/**
 * Return the items in groups, each with its heading, its lines and their numbers in the feed. *done*: the event that ends a trick.
 * @param {Item[]} items
 * @param {Sheet} sheet
 * @param {RegExp | null} done
 * @param {(seat: number) => string} people
 * @param {number | null} [you]
 */
export function grouped(items, sheet, done, people, you = null) {
  /** @type {Group[]} */
  const groups = [{ title: null, lines: [] }];
  let trick = 0;
  let between = false;
  const begin = (/** @type {string | null} */ title) => groups.push({ title, lines: [] });
  items.forEach((item) => {
    const { event } = item;
    const { type } = event;
    if (ROUND.test(type)) {
      begin("round" in event ? `${word("round")} ${event.round}` : null);
      [trick, between] = [0, done !== null];
    } else if (TURN.test(type) && "seat" in event) {
      return begin(event.seat === you ? title(word("you")) : people(event.seat));
    } else if (between && PLAYED.test(type)) {
      trick += 1;
      between = false;
      begin(`${word("trick")} ${trick}`);
    }
    const text = told(event, sheet, people, you);
    if (text !== null) groups[groups.length - 1].lines.push({ n: item.n, text });
    if (done?.test(type)) between = true;
    return undefined;
  });
  return groups.filter((group) => group.lines.length);
}

/** How far from its end a log may be scrolled and still follow it (pixels). */
const NEAR = 40;

/**
 * What the table has shown: while a trick or a result rests, what follows it is still to come.
 * @type {(page: TablePage) => Item[]}
 */
export function shown({ store: { items }, stage, drawing }) {
  const kind = stage.shown?.kind;
  const ended = kind === "trick" ? drawing?.trickDone : ROUND;
  if (!kind || !ended) return items;
  const later = stage.next.filter((step) => step.kind === kind).length;
  const known = items.slice(0, items.findLastIndex((item) => item.cursor === stage.seen?.cursor) + 1);
  const ends = known.flatMap((item, place) => (ended.test(item.event.type) ? [place] : []));
  return items.slice(0, ends.at(-1 - later) ?? items.length);
}

/** How many items are looked through for the newest that has a line. */
const LATE = 12;

/**
 * The newest line, which a folded log shows below its title.
 * @type {(items: Item[], ctx: Ctx) => string}
 */
const newest = (items, ctx) =>
  items
    .slice(-LATE)
    .map((item) => told(item.event, ctx.sheet, ctx.name, ctx.you))
    .findLast((line) => line !== null) ?? "";

/**
 * Draw the log of a table, the newest line last. Existing elements stay in place, and a log that shows its end follows it.
 * @type {(page: TablePage, ctx: Ctx) => unknown}
 */
export function log(page, ctx) {
  const items = shown(page);
  const box = page.logBox;
  if (!box || box.scrollHeight - box.scrollTop - box.clientHeight < NEAR)
    queueMicrotask(() => page.logBox?.scrollTo({ top: page.logBox.scrollHeight, behavior: "instant" }));
  const groups = page.open.log ? grouped(items.slice(-MOST), ctx.sheet, page.drawing?.trickDone ?? null, ctx.name, ctx.you) : [];
  return html`<details
    class="log"
    part="log"
    ?open=${page.open.log}
    @toggle=${(/** @type {At<HTMLDetailsElement>} */ event) => page.toggle("log", event.target.open)}
  >
    <summary data-newest=${newest(items, ctx)}>${word("log")} (${items.length})</summary>
    <div ${ref(page.keepLog)} class="lines-of" tabindex="0" role="region" aria-label=${word("log")} @keydown=${rove}>
      ${repeat(
        groups,
        (group) => group.lines[0].n,
        (group) =>
          html`<section>
            ${group.title ? html`<h3>${group.title}</h3>` : nothing}
            <ol>
              ${repeat(
                group.lines,
                (line) => line.n,
                (line) =>
                  html`<li>
                    <button tabindex="-1" @click=${() => page.startReplay(line.n)} title=${word("look_back")}>
                      ${line.text}
                    </button>
                  </li>`,
              )}
            </ol>
          </section>`,
      )}
    </div>
  </details>`;
}
