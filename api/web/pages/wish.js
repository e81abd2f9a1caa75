// The form of a game: with how many, against whom, by which rules.

import { html, nothing, ref } from "../vendor/lit.js";
import { say, word } from "../core/words.js";
import { checkboxes, defaults, paces, watching } from "./match-settings.js";
import { about, chosenOf, offersAt } from "./bot-choice.js";
import { drawingOf } from "../table/drawings.js";
import { draw, fields } from "./options-form.js";
import { reveal } from "./reveal.js";

/** @import { At } from "../contract" */
/** @import { Choice } from "../page" */
/** @import { Lobby, Wish } from "./lobby.js" */
/** @import { Sheet } from "../core/sheet.js" */
/** @typedef {At<HTMLSelectElement>} Chosen */

const MORE = { de: "Tempo, Zuschauer, Varianten", en: "Pace, spectators, rule variants" };
const FOR_STRANGERS = { de: "auch für Fremde: steht in der Übersicht", en: "for strangers as well, in the lobby" };

/** The options of a wish that matter with its seats, and those that the game requires for them: its drawing knows both. */
export async function required(/** @type {Wish} */ { game, seats, options }) {
  const { needs, matters } = await drawingOf(game);
  const kept = Object.entries(/** @type {object} */ (options)).filter(([name]) => matters?.(name, seats) ?? true);
  return { ...Object.fromEntries(kept), ...needs?.(seats) };
}

/** What the form of a game begins with. @type {(sheet: Sheet) => Wish} */
export function usual(sheet) {
  const seats = Math.min(Math.max(sheet.min_seats, 3), sheet.max_seats);
  const bot = sheet.bots.includes("honest") ? "honest" : sheet.bots[0];
  return { ...defaults(sheet.id, seats), bot };
}

/** The match of who chooses nothing: the usual one, against the weakest bots that are offered. @type {(sheet: Sheet) => Wish} */
export function gentle(sheet) {
  const wish = usual(sheet);
  return { ...wish, bot: offersAt(sheet, wish)[0]?.bot ?? wish.bot };
}

/** @type {(lobby: Lobby, chosen: NonNullable<Lobby["chosen"]>) => unknown} */
export function form(lobby, chosen) {
  const { sheet, drawing, wish } = chosen;
  const change = (/** @type {Partial<Wish>} */ values) => {
    Object.assign(wish, values);
    lobby.changed();
  };
  /** Choose a number of seats; the options that the game requires for it follow. */
  const seated = (/** @type {number} */ seats) => {
    change({ seats });
    required(wish).then(
      (options) => wish.seats === seats && change({ options }),
      (error) => lobby.fail(error),
    );
  };
  /** The drawing knows which options matter: only who looks at them waits for it. */
  const unfold = () =>
    drawingOf(sheet.id).then(
      (drawing) => {
        chosen.drawing = drawing;
        lobby.changed();
      },
      (error) => lobby.fail(error),
    );
  const counts = Array.from({ length: sheet.max_seats - sheet.min_seats + 1 }, (_, more) => sheet.min_seats + more);
  const offers = offersAt(sheet, wish);
  wish.bot = chosenOf(offers, wish.bot);
  const options = /** @type {Record<string, Choice>} */ (wish.options);
  return html`<form id="wish" class="wish" ${ref(reveal)} @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <h3>${say(sheet.name)}</h3>
    <div class="fields">
      <label
        >${word("seats_with_you")}
        <select @change=${(/** @type {Chosen} */ { target }) => seated(counts[target.selectedIndex])}>
          ${counts.map((count) => html`<option ?selected=${count === wish.seats}>${count}</option>`)}
        </select></label
      >
      <label
        >${word("level")}
        <select
          aria-describedby="level"
          @change=${(/** @type {Chosen} */ { target }) => change({ bot: offers[target.selectedIndex].bot })}
        >
          ${offers.map((each) => html`<option ?selected=${each.bot === wish.bot}>${say(each.name)}</option>`)}
        </select></label
      >
      <p id="level" class="quiet">
        ${about(
          sheet,
          offers.find((each) => each.bot === wish.bot),
          wish.seats,
        )}
      </p>
    </div>
    ${
      lobby.client.token
        ? nothing
        : html`<div class="fields">
            <label
              >${word("your_name")}
              <input
                type="text"
                maxlength="40"
                autocomplete="nickname"
                .value=${lobby.name}
                @input=${(/** @type {{target: HTMLInputElement}} */ { target }) => (lobby.name = target.value)}
            /></label>
          </div>`
    }
    <details @toggle=${unfold}>
      <summary>${say(MORE)}</summary>
      <div class="fields">${paces(wish, change)} ${watching(wish, change)}</div>
      ${checkboxes(wish, change)}
      <div class="fields">
        ${(drawing ? fields(sheet, wish.seats) : [])
          .filter(({ name }) => drawing?.matters?.(name, wish.seats) ?? true)
          .map((field) =>
            draw(
              sheet,
              field,
              options[field.name],
              (value) => change({ options: { ...options, [field.name]: value } }),
              (seat) => (seat ? `${word("place")} ${seat + 1}` : word("yourself")),
            ),
          )}
      </div>
    </details>
    <div class="buttons">
      <button class="main" @click=${() => lobby.begin(wish, true)}>${word("play")}</button>
      <button @click=${() => lobby.begin(wish, false)}>${word("friends")}</button>
      <label class="check"
        ><input
          type="checkbox"
          .checked=${wish.visible ?? false}
          @change=${(/** @type {{target: HTMLInputElement}} */ { target }) => change({ visible: target.checked })}
        />
        ${say(FOR_STRANGERS)}</label
      >
    </div>
  </form>`;
}
