// The pictures of a rule sheet: the cards of the table, with a sentence from the service.

import { html, nothing } from "../vendor/lit.js";
import { face } from "../table/cards.js";
import { say, word } from "../core/words.js";

/** @import { Sheet } from "../core/sheet.js" */
/** @import { Card, Drawing } from "../drawing" */

/** How a card looks by the game's sheet alone: its first suit, its rank or its first letter, its name. */
function look(/** @type {Sheet} */ sheet, /** @type {Drawing} */ { picture }, /** @type {Card} */ card) {
  const printed = sheet.card(card);
  const { suits, rank, name } = printed;
  const title = say(name).replace(/^./u, (first) => first.toUpperCase());
  const label = rank ? null : title;
  return { suit: suits[0], suits, mark: rank || title[0], name: title, label, picture: picture?.(printed) };
}

/**
 * Draw the pictures that a game's drawing shows, see its `examples`.
 * @param {Sheet} sheet
 * @param {Drawing} drawing
 */
export const examples = (sheet, drawing) =>
  drawing.examples?.length
    ? html`<section class="examples ${sheet.id}" aria-label=${word("examples")}>
        ${drawing.examples.map(
          ({ key, cards, wins }) =>
            html`<figure>
              <div class="cards">
                ${cards.map((card, place) => html`<span class=${place === wins ? "wins" : ""}>${face(look(sheet, drawing, card))}</span>`)}
              </div>
              <figcaption>${sheet.text(`${sheet.id}.example.${key}`)}</figcaption>
            </figure>`,
        )}
      </section>`
    : nothing;
