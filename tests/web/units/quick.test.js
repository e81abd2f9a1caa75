// Play now: what is sought is what the form shows.

import "./browser.js";
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { PlayNow } from "../../../api/web/pages/quick.js";

const { setInterval } = globalThis;
Object.assign(globalThis, { setInterval: () => 0 });
after(() => void Object.assign(globalThis, { setInterval }));

const offers = (/** @type {string[]} */ ...bots) => bots.map((bot) => ({ bot, measured: null }));
const SHEET = /** @type {any} */ ({
  characters: ["honest", "search"].map((bot) => ({ bot })),
  tables: [
    { seats: 2, teams: false, offers: offers("honest") },
    { seats: 3, teams: false, offers: offers("honest", "search") },
  ],
});

test("a bot that is no longer offered with another number of players is not sought", () => {
  const page = new PlayNow(
    /** @type {any} */ ({}),
    () => {},
    () => {},
  );
  Object.assign(page, { games: [{ id: "coup", min_seats: 2, max_seats: 3 }], bots: { game: "coup", sheet: SHEET } });
  page.wish = { game: "coup", seats: 3, pace: "quick", patience_seconds: 30, bot: null };
  page.change({ bot: "search" });
  assert.equal(page.wish.bot, "search");
  page.change({ seats: 2 });
  assert.equal(page.wish.bot, null);
});
