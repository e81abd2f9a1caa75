// The check of a finished match says what each of the two found, also where the other could not be asked.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { speak } from "../../../api/web/core/words.js";
import { Audit } from "../../../api/web/table/audit.js";

const VERDICT = { right: true, conclusion: "right", finding: null, entries: 31, deals: 1, commands: 12, taken_up: null };
const FAILED = "The check is not possible right now.";

/** What is drawn, as text. @type {(drawn: any) => string} */
function textOf(drawn) {
  if (typeof drawn === "string") return drawn;
  if (Array.isArray(drawn)) return drawn.map(textOf).join(" ");
  return drawn?.strings
    ? drawn.strings.map((/** @type {string} */ part, /** @type {number} */ at) => part + textOf(drawn.values[at])).join("")
    : "";
}

/** What is said in the end, where the check on this device finds *own*; null: it cannot be loaded. *verdict*: what the service says. */
async function said(/** @type {object | null} */ own, /** @type {object | null} */ verdict) {
  const get = async () => (verdict ? verdict : Promise.reject(new Error("away")));
  const audit = new Audit(/** @type {any} */ ({ match: "m", client: { get, base: "/" } }), () => {});
  audit.check = async () => {
    if (!own) throw new Error("not loaded");
    Object.assign(audit, { own, shown: () => "this device" });
  };
  await audit.run();
  return textOf(audit.render());
}

test("both verdicts are shown", async () => {
  const text = await said({ conclusion: "right" }, VERDICT);
  assert.match(text, /this device[^]*The server says: everything is correct\./);
  assert.ok(!text.includes(FAILED));
});

test("the service's verdict is shown where the check on this device cannot be loaded", async () => {
  const text = await said(null, VERDICT);
  assert.match(text, /The server says: everything is correct\./);
  assert.ok(text.includes(FAILED));
});

test("the check on this device is shown where the service gives no verdict", async () => {
  const text = await said({ conclusion: "right" }, null);
  assert.match(text, /this device/);
  assert.ok(text.includes(FAILED));
});

test("it is said once that neither was possible", async () => {
  assert.equal((await said(null, null)).split(FAILED).length, 2);
});

test("what the service finds wrong is a sentence with its place, in both languages", async () => {
  const finding = { line: "12", what: "the chain", expected: "a", found: "b" };
  const verdict = { ...VERDICT, right: false, conclusion: "wrong", finding };
  assert.match(await said(null, verdict), /The record is wrong at: 12\./);
  speak("de");
  const german = await said(null, verdict);
  speak("en");
  assert.match(german, /Die Aufzeichnung stimmt nicht bei: 12\./);
});
