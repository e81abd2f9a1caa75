// A game's options as a form, built from the schema in the game's sheet.

import { html, nothing } from "../vendor/lit.js";

/** @import { Sheet } from "../core/sheet.js" */
/** @import { Choice, Field, FieldInput, OptionSchema } from "../page" */

/** Return the schema of the options themselves. */
const resolve = (/** @type {OptionSchema} */ schema) => {
  const name = schema.$ref?.split("/").pop();
  return (name && schema.$defs?.[name]) || schema;
};

/**
 * Return the fields of the form: each with its name, its choices or bounds, and its default.
 * @param {{options: OptionSchema}} sheet
 * @param {number} seats
 * @returns {Field[]}
 */
export function fields(sheet, seats) {
  const { properties = {} } = resolve(sheet.options);
  return Object.entries(properties).map(([name, schema]) => ({ name, ...kind(schema, seats), default: schema.default }));
}

/** @returns {FieldInput} */
function kind(/** @type {OptionSchema} */ schema, /** @type {number} */ seats) {
  const parts = (schema.anyOf ?? [schema]).flatMap((part) => part.anyOf ?? [part]);
  const words = parts.flatMap((part) => part.enum ?? (part.const === undefined ? [] : [part.const]));
  const number = parts.find((part) => part.type === "integer");
  if (parts.some((part) => part.type === "boolean")) return { input: "check" };
  if (words.length && number) return { input: "choice", choices: [...words, ...Array(seats).keys()], numbers: true };
  if (words.length) return { input: "choice", choices: words };
  if (number) return { input: "number", min: number.minimum, max: number.maximum };
  return { input: "none" };
}

/**
 * Draw one field; *changed* gets the new value, undefined for the default.
 * @param {Sheet} sheet
 * @param {Field} field
 * @param {Choice} value
 * @param {(value: Choice) => void} changed
 * @param {(seat: number) => string} people
 */
export function draw(sheet, field, value, changed, people) {
  const label = sheet.text(`${sheet.id}.option.${field.name}`) ?? field.name;
  if (field.input === "none") return nothing;
  const shown = value ?? field.default;
  if (field.input === "check") {
    return html`<label class="check"
      ><input
        type="checkbox"
        .checked=${shown}
        @change=${(/** @type {{target: HTMLInputElement}} */ { target }) => changed(target.checked)}
      />
      ${label}</label
    >`;
  }
  if (field.input === "number") {
    return html`<label
      >${label}
      <input
        type="number"
        min=${field.min}
        max=${field.max}
        .value=${String(shown)}
        @change=${(/** @type {{target: HTMLInputElement}} */ { target }) => changed(Number(target.value))}
    /></label>`;
  }
  const called = (/** @type {string | number} */ choice) =>
    typeof choice === "number" ? people(choice) : (sheet.text(`${sheet.id}.option.${field.name}.${choice}`) ?? choice);
  return html`<label
    >${label}
    <select @change=${(/** @type {{target: HTMLSelectElement}} */ { target }) => changed(field.choices[target.selectedIndex])}>
      ${field.choices.map((choice) => html`<option ?selected=${choice === shown}>${called(choice)}</option>`)}
    </select></label
  >`;
}
