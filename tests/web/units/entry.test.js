// A match of a tournament: its id and its secret follow from what the tournament had committed to before any nonce.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import { matchOfTable, placeOf, withTerms } from "../../../api/web/proof/entry.js";

const TOURNAMENT = `c${"a".repeat(24)}`;
const SECRET = "5".repeat(64);
const MATCH = "mcgg7jwe4zjrnn3xn6w2tqirk";
const TABLE = "e4e59719406e68e1a8735f185c10fae6b8feaee6e5accc9eeb6a5a09ff411850";
const TERMS = {
  tournament: TOURNAMENT,
  draw_commitment: "0".repeat(64),
  deal_commitment: "780cbc3683b2476a2b167d42f043f291f4be386de1bfe317c302bd09b5e71847",
  public_ids: true,
  deal_secret: /** @type {string | null} */ (SECRET),
};
const SHARE = { compared: [], open: ["nonce"] };

/** What a player has kept of that match, with other terms of its tournament. @returns {any} */
const kept = (/** @type {object} */ changes = {}, match = MATCH) => ({ match, tournament: { ...TERMS, ...changes } });

test("ids are those of the service", async () => {
  assert.equal(await matchOfTable(TOURNAMENT, 3, 7), MATCH);
  assert.deepEqual(await placeOf(TOURNAMENT, MATCH), [3, 7]);
  assert.equal(await placeOf(`c${"b".repeat(24)}`, MATCH), null);
});

test("a nonce that came with the opening is proved by the terms of the tournament", async () => {
  assert.deepEqual(await withTerms(SHARE, kept(), TABLE), { open: [], compared: ["tournament", "nonce"] });
  assert.deepEqual(await withTerms(SHARE, { ...kept(), tournament: null }, TABLE), SHARE);
});

test("before the secret of the deals is shown, and where ids take a key, it stays open", async () => {
  for (const changes of [{ deal_secret: null }, { public_ids: false }])
    assert.deepEqual(await withTerms(SHARE, kept(changes), TABLE), { compared: [], open: ["deals"] });
});

test("another doubt keeps the nonce unproved", async () => {
  const share = { compared: [], open: ["nonce", "old_draws"] };
  assert.deepEqual(await withTerms(share, kept(), TABLE), { open: ["old_draws"], compared: ["tournament"] });
});

test("another id, another commitment and another secret of the table are wrong", async () => {
  const wrong = [
    [kept({}, `m${"a".repeat(24)}`), TABLE, "kept: the id of the match"],
    [kept({ deal_commitment: "0".repeat(64) }), TABLE, "kept: the commitment to the deals of the tournament"],
    [kept(), "0".repeat(64), "kept: the secret of the table"],
  ];
  for (const [found, secret, message] of wrong)
    await assert.rejects(withTerms(SHARE, found, secret), { message: /** @type {string} */ (message) });
});
