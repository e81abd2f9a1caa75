// The card beside the hand that says what a game's roles and signs do, in the words of the service.

import { html, nothing } from "../vendor/lit.js";
import { symbol } from "../core/symbols.js";

/** @import { Scene } from "../drawing" */
/** @typedef {{key: string, name?: string | null, sign?: string | null}} Row */

/**
 * *rows*: the keys of the texts, each with its name and its symbol, if it has them.
 * @type {(ctx: Scene, rows: Row[]) => unknown}
 */
export const aid = (ctx, rows) =>
  html`<ul class="aid-rows">
    ${rows.map(({ key, name = null, sign = null }) => {
      const text = ctx.sheet.text(`${ctx.sheet.id}.tip.${key}`);
      return html`<li class=${sign ? `suit-${sign}` : ""}>
        ${sign ? symbol(sign) : nothing}<span>${name ? html`<strong>${name}</strong> ` : nothing}${text}</span>
      </li>`;
    })}
  </ul>`;

/**
 * The rows of suits or roles with their names.
 * @type {(ctx: Scene, term: string, keys: string[]) => Row[]}
 */
export const named = (ctx, term, keys) => keys.map((key) => ({ key, name: `${capital(ctx.sheet.term(term, key))}:`, sign: key }));

/** @type {(text: string) => string} */
const capital = (text) => text[0].toUpperCase() + text.slice(1);
