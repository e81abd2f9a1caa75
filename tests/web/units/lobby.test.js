// The lobby shows what was asked for last, and asks for nothing once it is left.

import "./browser.js";
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { Unreachable } from "../../../api/web/core/client.js";
import { Lobby } from "../../../api/web/pages/lobby.js";

const { setTimeout, setInterval } = globalThis;
Object.assign(globalThis, { setInterval: () => 0 });
afterEach(() => void Object.assign(globalThis, { setTimeout }));
after(() => void Object.assign(globalThis, { setInterval }));

const facts = (/** @type {string} */ id) =>
  /** @type {any} */ ({ id, cards: [], bots: ["random"], min_seats: 2, max_seats: 4, messages: {}, characters: [], tables: [] });

test("the form is that of the game that was clicked last", async () => {
  /** @type {Record<string, (sheet: object) => void>} */
  const answers = {};
  const get = (/** @type {string} */ path) => new Promise((done) => (answers[path] = done));
  const lobby = new Lobby(
    /** @type {any} */ ({ get, api: "clicked" }),
    () => {},
    () => {},
  );
  const first = lobby.choose("coup");
  lobby.choose("mondkrone");
  answers["games/mondkrone"](facts("mondkrone"));
  while (!lobby.chosen) await new Promise((done) => setTimeout(done, 1));
  answers["games/coup"](facts("coup"));
  await first;
  assert.equal(lobby.chosen.sheet.id, "mondkrone");
});

test("a lobby that is left does not try again", async () => {
  let tries = 0;
  const get = async () => {
    tries += 1;
    throw new Unreachable();
  };
  Object.assign(globalThis, { setTimeout: (/** @type {() => void} */ act) => setTimeout(act, 0) });
  const lobby = new Lobby(
    /** @type {any} */ ({ get, token: null }),
    () => {},
    () => {},
  );
  const loading = lobby.load();
  lobby.close();
  await loading;
  await new Promise((done) => setTimeout(done, 20));
  assert.equal(tries, 1);
});

test("a second click while a match is opened opens no second one", async () => {
  let opened = 0;
  const change = async () => ({ match: `m${(opened += 1)}` });
  /** @type {string[]} */
  const gone = [];
  const lobby = new Lobby(
    /** @type {any} */ ({ change, signUp: async () => {} }),
    () => {},
    (address) => gone.push(address),
  );
  await Promise.all([lobby.learn("coup"), lobby.learn("coup")]);
  assert.deepEqual(gone, ["#/match/m1"]);
  await lobby.learn("coup");
  assert.equal(opened, 2);
});

test("a lobby that stays open loads what its parts say again, but not quick matches, which do so by themselves", async () => {
  /** @type {string[]} */
  const loaded = [];
  const lobby = new Lobby(
    /** @type {any} */ ({ get: async () => ({ items: [] }), token: "t" }),
    () => {},
    () => {},
  );
  lobby.games = [];
  for (const place of ["invitations", "quick", "tournaments"])
    lobby.parts.set(
      place,
      /** @type {any} */ ({ load: async (/** @type {object} */ games) => void loaded.push(`${place} ${games === lobby.games}`) }),
    );
  await lobby.refresh();
  assert.deepEqual(loaded, ["invitations true", "tournaments true"]);
});
