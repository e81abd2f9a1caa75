// What is asked for before the page's own modules are there: what the address leads to, and nothing for other pages.

import "./browser.js";
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

const { fetch, location } = globalThis;
afterEach(() => void Object.assign(globalThis, { fetch, location }));
let times = 0;

/**
 * Come to an address; return what is asked for, and with which tokens.
 * @param {string} hash
 * @param {{token?: string | null, features?: string[]}} [browser]
 */
async function come(hash, { token = null, features = [] } = {}) {
  /** @type {string[]} */
  const paths = [];
  const tokens = new Set();
  Object.assign(globalThis, {
    HTMLTemplateElement: class {},
    document: { getElementById: () => null },
    location: { hash },
    localStorage: { getItem: () => token },
    fetch: async (/** @type {URL} */ url, /** @type {any} */ { headers }) => {
      paths.push(url.href.replace(/^.*\/api\/v1\//, ""));
      tokens.add(headers.Authorization ?? null);
      return new Response(JSON.stringify({ items: [{ id: "coup" }], features }));
    },
  });
  const { asked } = await import(`../../../api/web/early.js?${(times += 1)}`);
  await Promise.all(asked.values());
  await new Promise((done) => setTimeout(done, 0));
  assert.deepEqual([...asked.keys()], paths);
  return { paths, tokens: [...tokens] };
}

const LISTS = ["games", "matches?status=open", "matches?watchable=true&limit=20"];

test("the lobby's lists are asked for, and its parts once it is known that they are there", async () => {
  assert.deepEqual(await come("", { features: ["quick"] }), { paths: [...LISTS, "quick-matches"], tokens: [null] });
  assert.deepEqual((await come("#/", { features: ["daily"] })).paths, [...LISTS, "daily"]);
});

test("a player's own matches are asked for as well", async () => {
  const found = await come("#/", { token: "t" });
  assert.deepEqual(found, { paths: [...LISTS, "me/matches"], tokens: ["Bearer t"] });
});

test("a table is asked for as its reader sees it", async () => {
  const match = `m${"a".repeat(24)}`;
  const found = await come(`#/match/${match}/7`, { token: "t" });
  assert.deepEqual(found, { paths: [`matches/${match}/view`, `matches/${match}`], tokens: ["Bearer t"] });
});

test("nothing is asked for any other page", async () => {
  for (const hash of ["#/me", "#/match/none", "#/rules/coup", "#/boards/coup"]) assert.deepEqual((await come(hash)).paths, []);
});
