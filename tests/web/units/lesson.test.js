// A lesson goes on where it was after a reload of the service's own page, and stores nothing on another site's.

import "./browser.js";
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { lessons } from "../../../api/web/table/lesson-progress.js";
import { Lesson } from "../../../api/web/table/lesson.js";

afterEach(() => {
  for (const name of ["sessionStorage", "localStorage"]) Reflect.deleteProperty(globalThis, name);
});

/** A storage of the browser. @type {(kept: Record<string, string>) => object} */
const storage = (kept) => ({
  getItem: (/** @type {string} */ name) => kept[name] ?? null,
  setItem: (/** @type {string} */ name, /** @type {string} */ text) => void (kept[name] = text),
});

const line = {
  key: "one",
  when: { prompt: null, legal: null, refused: null, event: null, fields: {} },
  text: {},
  suggested: null,
};

const question = (/** @type {number} */ decision) => ({
  seat: 0,
  status: "running",
  question: { decision, legal: [], refused: [] },
  waiting: { prompt: { key: "p" } },
});

/** A lesson whose learner is asked. @type {(keep: boolean, lines?: object[]) => Lesson} */
function asked(keep, lines = [line]) {
  const store = { client: { keep }, facts: { game: "g" }, match: "m", items: [], view: question(1) };
  const lesson = new Lesson(/** @type {any} */ ({ store, stage: { busy: false }, links: {} }), /** @type {any} */ ({ lines }));
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
  /** @type {Record<string, string>[]} */
  const [tab, browser] = [{}, {}];
  Object.defineProperty(globalThis, "sessionStorage", { configurable: true, value: storage(tab) });
  Object.defineProperty(globalThis, "localStorage", { configurable: true, value: storage(browser) });
  asked(true);
  assert.equal(asked(true).decision, 1);
  assert.equal(Object.keys(tab).length, 1);
  assert.deepEqual(lessons.of("g"), { said: 1, count: 1, done: false });
});

test("once its sentences are said there is a way out, and it stays", () => {
  const late = { ...line, key: "two", when: { ...line.when, prompt: "late" } };
  const lesson = asked(false, [line, late]);
  const { store } = lesson.page;
  assert.ok(!lesson.done);
  Object.assign(store, { view: question(2) });
  lesson.find();
  assert.ok(lesson.done);
  Object.assign(store, { view: { ...question(3), waiting: { prompt: { key: "late" } } } });
  lesson.find();
  assert.deepEqual(lesson.told, "two");
  assert.ok(lesson.done);
});

test("a lesson that is over has a way out, whatever was said", () => {
  const lesson = asked(false);
  Object.assign(lesson.page.store, { view: { ...question(2), status: "over", question: null } });
  lesson.find();
  assert.ok(lesson.done);
});

test("how far a lesson came stays, also when it is begun again", () => {
  Object.defineProperty(globalThis, "localStorage", { configurable: true, value: storage({}) });
  assert.deepEqual(lessons.of("g"), {});
  lessons.keep("g", { said: 3, count: 9, done: true });
  lessons.keep("g", { said: 1, count: 9 });
  lessons.keep("h", { said: 2, count: 5 });
  assert.deepEqual(lessons.of("g"), { said: 3, count: 9, done: true });
  assert.deepEqual(lessons.of("h"), { said: 2, count: 5, done: false });
});
