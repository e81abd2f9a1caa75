// What has happened, grouped by rounds, tricks and turns. A line leads to the table as it was then.

import { html, nothing } from "./lit.js";
import { fill, word } from "./words.js";

const MOST = 400;
const ROUND = /\.(round-)?dealt\./;
const TURN = /\.turn-begun\./;
const TRICK_DONE = /^(matchmaster\.trick-won|meister-coup\.trick-cleared|stich-meister\.trick-taken)\./;
const PLAYED = /\.(card-played|card-hidden-played)\./;
const UNSAID = /\.(window-opened|gathering-begun|trick-begun)\./;

/** What happens to a match itself, as far as it is worth a line. */
const SAID = {
  "match.seat-left.1": () => word("event_left"),
  "match.stand-in-seated.1": () => word("event_stand_in"),
  "match.seat-handed-back.1": () => word("event_back"),
  "match.timed-out.1": () => word("event_late"),
  "match.abort-agreed.1": () => word("event_abort"),
  "match.aborted.1": () => word("aborted"),
  "match.rematch-agreed.1": () => word("event_rematch"),
  "match.branched.1": () => word("event_branched"),
};

/** Return an event in words, null if nothing is to be said of it. */
export function told(event, sheet, people) {
  if (!event.type.startsWith("match.")) return UNSAID.test(event.type) ? null : sheet.told(event, people);
  const key = SAID[event.type];
  return key ? fill(key(), { seat: people(event.seat) }) : null;
}

/** Return the items as groups: each with its heading and its lines with their numbers in the feed. */
export function grouped(items, sheet, people) {
  const groups = [{ title: null, lines: [] }];
  let trick = 0;
  let between = false;
  const begin = (title) => groups.push({ title, lines: [] });
  items.forEach((item) => {
    const { type, round } = item.event;
    if (ROUND.test(type)) {
      begin(round === undefined ? null : `${word("round")} ${round}`);
      [trick, between] = [0, sheet.tricks];
    } else if (TURN.test(type)) {
      return begin(people(item.event.seat));
    } else if (between && PLAYED.test(type)) {
      trick += 1;
      between = false;
      begin(`${word("trick")} ${trick}`);
    }
    const text = told(item.event, sheet, people);
    if (text !== null) groups.at(-1).lines.push({ n: item.n, text });
    if (TRICK_DONE.test(type)) between = true;
    return undefined;
  });
  return groups.filter((group) => group.lines.length);
}

/** Draw the log of a table, the newest group first. */
export function log(page, ctx) {
  const { items } = page.store;
  const groups = page.open.log ? grouped(items.slice(-MOST), { told: (...all) => ctx.sheet.told(...all), tricks: ctx.sheet.id !== "coup" && ctx.sheet.id !== "mondkrone" }, ctx.name) : [];
  return html`<details class="log" part="log" ?open=${page.open.log} @toggle=${(event) => page.toggle("log", event.target.open)}><summary>${word("log")} (${items.length})</summary>
    <div class="lines-of">${groups.reverse().map(
      (group) => html`<section>${group.title ? html`<h3>${group.title}</h3>` : nothing}
        <ol>${group.lines.map((line) => html`<li><button @click=${() => page.startReplay(line.n)} title=${word("look_back")}>${line.text}</button></li>`)}</ol></section>`,
    )}</div></details>`;
}
