// The worker as pages have it: a page that has just come waits for it, and does not say that there is none.

import "./browser.js";
import assert from "node:assert/strict";
import { mock, test } from "node:test";

const ready = { pushManager: {} };
/** @type {object | undefined} */
let there;
const serviceWorker = {
  register: async () => void (there = ready),
  getRegistration: async () => there,
  ready: Promise.resolve(ready),
};
Object.defineProperty(globalThis, "navigator", { value: { language: "en", languages: ["en"], serviceWorker, onLine: true } });
const { registration, useWorker } = await import("../../../api/web/core/offline.js");

test("a page that uses no worker has none", async () => {
  assert.equal(await registration(), null);
});

test("a page that is about to ask for the worker has it once it is there", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  useWorker();
  const found = registration();
  mock.timers.runAll();
  assert.equal(await found, ready);
});
