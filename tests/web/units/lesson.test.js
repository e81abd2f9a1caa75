// A lesson goes on where it was after a reload of the service's own page, and stores nothing on another site's.

import "./browser.js";
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Lesson } from "../../../api/web/table/lesson.js";

afterEach(() => void Reflect.deleteProperty(globalThis, "sessionStorage"));

const line = {
  key: "one",
  when: { prompt: null, legal: null, refused: null, event: null, fields: {} },
  text: {},
  suggested: null,
};

/** A lesson whose learner is asked. @type {(keep: boolean) => Lesson} */
function asked(keep) {
  const view = {
    seat: 0,
    status: "running",
    question: { decision: 1, legal: [], refused: [] },
    waiting: { prompt: { key: "p" } },
  };
  const store = { client: { keep }, match: "m", items: [], view };
  const lesson = new Lesson(/** @type {any} */ ({ store, stage: { busy: false } }), /** @type {any} */ ({ lines: [line] }));
  lesson.find();
  return lesson;
}

test("a lesson on another site's page asks for no storage", () => {
  const forbidden = () => {
    throw new DOMException("no storage here", "SecurityError");
  };
  Object.defineProperty(globalThis, "sessionStorage", { configurable: true, get: forbidden });
  assert.deepEqual(
    asked(false).lines.map(({ key }) => key),
    ["one"],
  );
});

test("on the service's own page it knows after a reload what it was asked", () => {
  /** @type {Record<string, string>} */
  const kept = {};
  const sessionStorage = {
    getItem: (/** @type {string} */ name) => kept[name] ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ text) => void (kept[name] = text),
  };
  Object.defineProperty(globalThis, "sessionStorage", { configurable: true, value: sessionStorage });
  asked(true);
  assert.equal(asked(true).decision, 1);
  assert.equal(Object.keys(kept).length, 1);
});
