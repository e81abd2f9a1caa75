// What is said above the table beside its status: the connection, what went wrong, and for whom computers stand in.

import { html, nothing } from "../vendor/lit.js";
import { messageOf, problemOf } from "../core/client.js";
import { byHand } from "./share.js";
import { fill, listed, word } from "../core/words.js";

/** @import { TablePage } from "./table.js" */
/** @import { Store } from "../core/store.js" */

/**
 * Why nothing can be shown.
 * @type {(refused: unknown) => string}
 */
export const refusedFor = (refused) => (problemOf(refused)?.status === 404 ? word("no_match") : messageOf(refused));

/** @type {(page: TablePage) => unknown} */
export function notices(page) {
  const { store, controls } = page;
  const running = store.view.status === "running";
  return html`${line(store)}
  ${store.client.refusedToken ? html`<p class="notice" role="status">${word("stale")}</p>` : nothing}${notice(store)}${practice(page)}${running ? html`${page.away?.absence(page) ?? nothing}${standIns(page)}${page.vacations?.render() ?? nothing}${controls.wishes()}` : nothing}`;
}

/** @type {(store: Store) => unknown} */
function line({ connected, client }) {
  if (!connected) return html`<p class="notice" role="alert">${word("line")}</p>`;
  return client.hold ? html`<p class="notice" role="status">${client.hold}</p>` : nothing;
}

/** @type {(store: Store) => unknown} */
function notice({ notice: said }) {
  if (!said) return nothing;
  if (typeof said === "string") return html`<p class="notice" role="alert">${word(said)}</p>`;
  if ("caught" in said)
    return html`<p class="notice" role="status">
      ${said.caught === 1 ? word("caught_one") : fill(word("caught_up"), { count: said.caught })}
    </p>`;
  return "text" in said ? byHand(said.text) : html`<p class="notice" role="alert">${messageOf(said)}</p>`;
}

/**
 * A link to the match from which this practice match branches off.
 * @type {(page: TablePage) => unknown}
 */
function practice({ store, links }) {
  const { branch } = store.facts;
  return branch
    ? html`<p class="notice practice">
        ${word("practice")} ${links ? html`<a href=${links.match(branch.match)}>${word("earlier")}</a>` : nothing}
      </p>`
    : nothing;
}

/**
 * Players for whom computers stand in, as they left or do not answer.
 * @type {(page: TablePage) => unknown}
 */
function standIns({ store, away: known }) {
  const { facts, view } = store;
  const away = facts.chairs.filter((chair) => chair.player && chair.bot && chair.seat !== view.seat);
  if (!away.length) return nothing;
  const names = listed(away.map((chair) => store.name(chair.seat)));
  const said = known?.waitsUntil(store) ? known.notThere(names) : fill(word("stood_in"), { names });
  return html`<p class="notice stood-in" role="status">${said}</p>`;
}
