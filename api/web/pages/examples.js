// The pictures of a rule sheet: the cards of the table, with a sentence from the service.

import { html, nothing } from "../vendor/lit.js";
import { face } from "../table/cards.js";
import { say, word } from "../core/words.js";

/** @import { Sheet } from "../core/sheet.js" */
/** @import { Card, Drawing } from "../drawing" */

/** How a card looks by the game's sheet alone: its first suit, its rank or its first letter, its name. */
function look(/** @type {Sheet} */ sheet, /** @type {Card} */ card) {
  const { suits, rank, name } = sheet.card(card);
  const title = say(name);
  return { suit: suits[0], suits, mark: rank || title[0].toUpperCase(), name: title, label: rank ? null : title };
}

/**
 * Draw the pictures; *rows*: what the game's drawing shows, see its `examples`.
 * @param {Sheet} sheet
 * @param {NonNullable<Drawing["examples"]>} rows
 */
export const examples = (sheet, rows) =>
  rows.length
    ? html`<section class="examples" aria-label=${word("examples")}>
        ${rows.map(
          ({ key, cards, wins }) =>
            html`<figure>
              <div class="cards">
                ${cards.map((card, place) => html`<span class=${place === wins ? "wins" : ""}>${face(look(sheet, card))}</span>`)}
              </div>
              <figcaption>${sheet.text(`${sheet.id}.example.${key}`)}</figcaption>
            </figure>`,
        )}
      </section>`
    : nothing;
