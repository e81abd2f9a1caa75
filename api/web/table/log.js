// The log of events, grouped by rounds, tricks and turns. A line leads to the table as it was then.

import { html, nothing, ref, repeat } from "../vendor/lit.js";
import { word } from "../core/words.js";

const MOST = 400;
const ROUND = /\.(round-)?dealt\./;
const TURN = /\.turn-begun\./;
const PLAYED = /\.(card-played|card-hidden-played)\./;
const title = (text) => text[0].toUpperCase() + text.slice(1);
const UNSAID =
  /^match\.(opened|seat-taken|bot-seated|decision-opened|cards-committed|draws-keyed|drawn|misses-forgotten)\.|\.(window-opened|gathering-begun|trick-begun)\./;

/** Return an event in words; null if it does not deserve a line. */
export const told = (event, sheet, people, you = null) => (UNSAID.test(event.type) ? null : sheet.told(event, people, you));

/** Return the items in groups, each with its heading, its lines and their numbers in the feed. *done*: the event that ends a trick. */
export function grouped(items, sheet, done, people, you = null) {
  const groups = [{ title: null, lines: [] }];
  let trick = 0;
  let between = false;
  const begin = (title) => groups.push({ title, lines: [] });
  items.forEach((item) => {
    const { type, round } = item.event;
    if (ROUND.test(type)) {
      begin(round === undefined ? null : `${word("round")} ${round}`);
      [trick, between] = [0, done !== null];
    } else if (TURN.test(type)) {
      return begin(item.event.seat === you ? title(word("you")) : people(item.event.seat));
    } else if (between && PLAYED.test(type)) {
      trick += 1;
      between = false;
      begin(`${word("trick")} ${trick}`);
    }
    const text = told(item.event, sheet, people, you);
    if (text !== null) groups.at(-1).lines.push({ n: item.n, text });
    if (done?.test(type)) between = true;
    return undefined;
  });
  return groups.filter((group) => group.lines.length);
}

/** How far from its end a log may be scrolled and still follow it (pixels). */
const NEAR = 40;

/** Draw the log of a table, the newest line last. Existing elements stay in place, and a log that shows its end follows it. */
export function log(page, ctx) {
  const { items } = page.store;
  const box = page.logBox;
  if (!box || box.scrollHeight - box.scrollTop - box.clientHeight < NEAR)
    queueMicrotask(() => page.logBox?.scrollTo({ top: page.logBox.scrollHeight, behavior: "instant" }));
  const groups = page.open.log ? grouped(items.slice(-MOST), ctx.sheet, page.drawing?.trickDone ?? null, ctx.name, ctx.you) : [];
  return html`<details class="log" part="log" ?open=${page.open.log} @toggle=${(event) => page.toggle("log", event.target.open)}>
    <summary>${word("log")} (${items.length})</summary>
    <div ${ref(page.keepLog)} class="lines-of" tabindex="0" role="region" aria-label=${word("log")}>
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
                    <button @click=${() => page.startReplay(line.n)} title=${word("look_back")}>${line.text}</button>
                  </li>`,
              )}
            </ol>
          </section>`,
      )}
    </div>
  </details>`;
}
