// A game's options as a form, built from the schema in the game's sheet.

import { html, nothing } from "../vendor/lit.js";

/** Return the schema of the options themselves. */
const resolve = (schema) => {
  const name = schema.$ref?.split("/").pop();
  return name ? schema.$defs[name] : schema;
};

/** Return the fields of the form: each with its name, its choices or bounds, and its default. */
export function fields(sheet, seats) {
  const { properties = {} } = resolve(sheet.options);
  return Object.entries(properties).map(([name, schema]) => ({ name, ...kind(schema, seats), default: schema.default }));
}

function kind(schema, seats) {
  const parts = (schema.anyOf ?? [schema]).flatMap((part) => (part.anyOf ? part.anyOf : [part]));
  const words = parts.flatMap((part) => part.enum ?? ("const" in part ? [part.const] : []));
  const number = parts.find((part) => part.type === "integer");
  if (parts.some((part) => part.type === "boolean")) return { input: "check" };
  if (words.length && number) return { input: "choice", choices: [...words, ...Array(seats).keys()], numbers: true };
  if (words.length) return { input: "choice", choices: words };
  if (number) return { input: "number", min: number.minimum, max: number.maximum };
  return { input: "none" };
}

/** Draw one field; *changed* gets the new value, undefined for the default. */
export function draw(sheet, field, value, changed, people) {
  const label = sheet.text(`${sheet.id}.option.${field.name}`) ?? field.name;
  if (field.input === "none") return nothing;
  const shown = value ?? field.default;
  if (field.input === "check") {
    return html`<label class="check"
      ><input type="checkbox" .checked=${shown} @change=${(e) => changed(e.target.checked)} /> ${label}</label
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
        @change=${(e) => changed(Number(e.target.value))}
    /></label>`;
  }
  const called = (choice) =>
    typeof choice === "number" ? people(choice) : (sheet.text(`${sheet.id}.option.${field.name}.${choice}`) ?? choice);
  return html`<label
    >${label}
    <select @change=${(e) => changed(field.choices[e.target.selectedIndex])}>
      ${field.choices.map((choice) => html`<option ?selected=${choice === shown}>${called(choice)}</option>`)}
    </select></label
  >`;
}
