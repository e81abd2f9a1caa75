// Every code by which a check on the device names a fault has a sentence in both languages.

import "./browser.js";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { within } from "../../../api/web/core/words.js";
import { explain, FAULTS, OTHER } from "../../../api/web/proof/faults.js";
import { SAID, IMPOSSIBLE, KEPT, OPEN } from "../../../api/web/proof/result.js";

const PROOF = new URL("../../../api/web/proof/", import.meta.url);
const CHECKS = readdirSync(PROOF).filter((name) => name.endsWith(".js") && !["faults.js", "result.js"].includes(name));

/** What starts a call that names a fault: the calls of the checks, and a verdict that is given at once. */
const NAMING = /\b(?:need|same|gives|Contradiction|Wrong)\(|\bwrong: |\bconst what = /g;
/** The names that stand for a whole part of a code in the checks. @type {Record<string, string[]>} */
const PARTS = { at: ["entry 7"], what: ["opening", "end"] };

/** Return what stands between the bracket that was opened before *from* and its end, or the rest of the statement. */
function statement(/** @type {string} */ code, /** @type {number} */ from, /** @type {boolean} */ isCall) {
  let depth = 0;
  for (let at = from; at < code.length; at += 1) {
    if ("([{".includes(code[at])) depth += 1;
    if (")]}".includes(code[at]) && (depth -= 1) < 0) return code.slice(from, at);
    if (!isCall && code[at] === ";" && depth <= 0) return code.slice(from, at);
  }
  return code.slice(from);
}

/** The codes in a piece of a check, with a number in each hole. */
function codesIn(/** @type {string} */ piece) {
  const literals = [...piece.matchAll(/"((?:[^"\\\n]|\\.)*)"|`([^`]*)`/g)].map((each) => each[1] ?? each[2]);
  return literals.filter((each) => /\w \w/.test(each)).flatMap(filled);
}

/** @returns {string[]} */
function filled(/** @type {string} */ literal) {
  const [hole, name] = /\$\{([^}]*)\}/.exec(literal) ?? [];
  if (hole === undefined) return [literal];
  return (PARTS[name] ?? ["7"]).flatMap((part) => filled(literal.replace(hole, part)));
}

/** All codes in the checks. */
function codes() {
  const found = new Set();
  for (const name of CHECKS) {
    const code = readFileSync(new URL(name, PROOF), "utf-8");
    for (const naming of code.matchAll(NAMING)) {
      const isCall = naming[0].endsWith("(");
      for (const each of codesIn(statement(code, naming.index + naming[0].length, isCall))) found.add(each);
    }
  }
  return [...found].filter((each) => !NO_CODES.some((pattern) => pattern.test(each)));
}

/** What else is compared in the same calls: texts of the formats, not codes. */
const NO_CODES = [/^tafelrunde[./]/, /^line format match/];

test("every code of the checks has a sentence of its own", () => {
  const all = codes();
  assert.ok(all.length > 60, String(all.length));
  for (const expected of ["kept: your feed", "entry 7: its time", "the log: the end of the match, which is long due"])
    assert.ok(all.includes(expected), expected);
  assert.deepEqual(
    all.filter((each) => explain(each) === OTHER.en),
    [],
  );
});

test("a sentence says the number that the code has, and leaves no hole", () => {
  for (const language of /** @type {const} */ (["de", "en"]))
    within(language, () => {
      assert.match(explain("entry 12: its number, or the chain"), /12/);
      for (const each of codes()) assert.doesNotMatch(explain(each), /[{}]/);
    });
});

test("every sentence is one, in German and in English", () => {
  const texts = [...Object.values(FAULTS), OTHER, ...Object.values(IMPOSSIBLE), ...Object.values(OPEN)];
  for (const { de, en } of texts) {
    assert.notEqual(de, en);
    for (const text of [de, en]) assert.match(text, /^[A-ZÄÖÜ].* .*[.)]$/s, text);
  }
  for (const { de, en } of [...Object.values(KEPT), ...Object.values(SAID)]) assert.notEqual(de, en);
});

test("a code that no one knows is still said in both languages", () => {
  assert.equal(
    within("de", () => explain("something new")),
    OTHER.de,
  );
  assert.equal(
    within("en", () => explain("something new")),
    OTHER.en,
  );
});

test("all that a check compares or leaves open has its words", () => {
  const code = CHECKS.map((name) => readFileSync(new URL(name, PROOF), "utf-8")).join("\n");
  const named = (/** @type {RegExp} */ pattern) =>
    [...code.matchAll(pattern)].flatMap(([, names]) => [...names.matchAll(/"(\w+)"/g)].map(([, name]) => name));
  const compared = named(/\bcompared(?:\.(?:push|add)\(|: \[)([^)\]]*)[)\]]/g);
  const open = named(/\bopen(?:\.(?:push|add)\(|: \[)([^)\]]*)[)\]]/g);
  assert.ok(compared.length > 5 && open.length > 4, `${compared} ${open}`);
  assert.deepEqual(
    compared.filter((each) => !(each in KEPT)),
    [],
  );
  assert.deepEqual(
    open.filter((each) => !(each in OPEN)),
    [],
  );
});
