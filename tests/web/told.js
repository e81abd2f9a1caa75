// What the web client says of events: keys and sentences by api/web/core/sheet.js, for tests/web/test_told.py.
// It reads {sheets, readings, events} and writes {keys, said}.

import "./units/browser.js";
import { readFileSync } from "node:fs";
import { Sheet } from "../../api/web/core/sheet.js";
import { speak } from "../../api/web/core/words.js";

const NAMES = ["Ada", "Bruno", "Cleo", "Dario", "Emil", "Fritz", "Greta"];
const people = (/** @type {number} */ seat) => NAMES[seat] ?? "nobody";

/** @type {any} */
const asked = JSON.parse(readFileSync(0, "utf8"));
const sheets = new Map(Object.entries(asked.sheets).map(([id, facts]) => [id, new Sheet(/** @type {any} */ (facts))]));
const sheetOf = (/** @type {string} */ id) => /** @type {Sheet} */ (sheets.get(id));

/** Names of arguments of texts whose values have no name of their own, and are said as numbers. */
/** @type {Set<string>} */
const numbers = new Set();

/** @type {(sheet: Sheet, thing: any, seat: number | null) => void} */
function count(sheet, thing, seat) {
  const template = sheet.text(sheet.wording(thing.type, thing, seat)) ?? "";
  for (const [, name] of template.matchAll(/\{(\w+)\}/g)) {
    for (const value of [thing[name]].flat()) {
      const plain = sheet.word(name.replace(/s$/, ""), value, people);
      if (typeof value === "number" && plain === String(value)) numbers.add(name);
    }
  }
}

const said = [];
for (const language of /** @type {const} */ (["de", "en"])) {
  speak(language);
  for (const { game, seat, thing } of asked.events) {
    said.push(sheetOf(game).told(thing, people, seat));
    count(sheetOf(game), thing, seat);
  }
}
const keys = asked.readings.map((/** @type {any} */ { game, key, given, seat }) => sheetOf(game).wording(key, given, seat));
process.stdout.write(JSON.stringify({ keys, said, numbers: [...numbers].sort() }));
