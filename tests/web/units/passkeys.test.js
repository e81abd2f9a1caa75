// Passkeys as a browser answers: one that has none, a reader who cancels, and who a device belongs to after signing in.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { PasskeySignIn } from "../../../api/web/pages/passkeys.js";
import { canSignIn, SignIn } from "../../../api/web/pages/sign-in.js";

/** @type {Map<string, string>} */
const kept = new Map();
const localStorage = {
  getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ text) => void kept.set(key, text),
};
Object.assign(globalThis, { localStorage });

/** What the browser answers when it is asked for a passkey. @type {() => Promise<unknown>} */
let answered = async () => null;
const credentials = { get: () => answered() };
Object.defineProperty(globalThis, "navigator", {
  value: { language: "en", userAgent: "Linux", credentials },
  configurable: true,
});

const idle = () => {};
const ISSUED = /** @type {any} */ ({ player: { id: "ada", name: "Ada", guest: false }, token: { id: "t2" }, text: "new" });

/** A page on which a player plays, or none. */
function page(/** @type {object | null} */ player) {
  /** @type {string[]} */
  const done = [];
  const client = /** @type {any} */ ({
    token: player ? "old" : null,
    change: async () => ({ challenge: "AA", rp_id: "table.test" }),
    signIn: (/** @type {string} */ text) => done.push(`sign in ${text}`),
  });
  const made = new SignIn(client, idle, (address) => done.push(address));
  made.player = /** @type {any} */ (player);
  return { done, made };
}

test("signing in is offered where the deployment has a way", () => {
  assert.equal(canSignIn(["people", "passkeys"]), true);
  assert.equal(canSignIn(["people"]), false);
});

test("what a reader cancels is said, and changes nothing", async () => {
  answered = () => Promise.reject(new DOMException("", "NotAllowedError"));
  const { done, made } = page(null);
  const way = new PasskeySignIn(made);
  await way.signIn();
  assert.deepEqual([way.asking.said, way.asking.busy, made.error], ["cancelled", false, null]);
  answered = () => Promise.reject(new DOMException("", "SecurityError"));
  await way.signIn();
  assert.deepEqual([way.asking.said, done], ["refused", []]);
});

test("a device of no one is taken at once", () => {
  const { done, made } = page(null);
  made.become(ISSUED);
  assert.deepEqual(done, ["sign in new", "#/me"]);
  assert.equal(kept.size, 0);
});

test("a device of another player is taken only after a question, and each player before is kept", () => {
  const { done, made } = page({ id: "bert", name: "Bert", guest: false });
  made.become(ISSUED);
  assert.deepEqual(done, []);
  made.confirm.asked?.act();
  assert.deepEqual(done, ["sign in new", "#/me"]);
  const again = page({ id: "cleo", name: "Cleo", guest: false }).made;
  again.take(ISSUED);
  assert.deepEqual(
    JSON.parse(kept.get("tafelrunde.before") ?? "").map((/** @type {{name: string}} */ { name }) => name),
    ["Bert", "Cleo"],
  );
});
