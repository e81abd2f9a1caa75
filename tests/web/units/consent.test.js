// Where an application of others has its reader sent back to, as people read it.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { speak } from "../../../api/web/core/words.js";
import { placeText } from "../../../api/web/pages/applications.js";

test("an application on this device is called so, in both languages", () => {
  speak("en");
  assert.equal(placeText("http://127.0.0.1:4711/back", "127.0.0.1"), "an application on this device (127.0.0.1:4711)");
  assert.equal(placeText("http://[::1]:80/", "::1"), "an application on this device ([::1])");
  speak("de");
  assert.equal(placeText("http://localhost:1/", "localhost"), "einer Anwendung auf diesem Gerät (localhost:1)");
  speak("en");
});

test("every other one has the name of its host", () => {
  assert.equal(placeText("https://clock.example/back", "clock.example"), "clock.example");
  assert.equal(placeText("com.example.app:/127.0.0.1", "com.example.app:"), "com.example.app:");
});
