// The reader's own page, lists of people and progress: what is shown follows what was chosen last, and all of it is there.

import "./browser.js";
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ApiError } from "../../../api/web/core/client.js";
import { Devices } from "../../../api/web/pages/devices.js";
import { Notices } from "../../../api/web/pages/notices.js";
import { peopleOf } from "../../../api/web/pages/person.js";
import { Profile } from "../../../api/web/pages/profile.js";
import { TournamentPage } from "../../../api/web/pages/tournament.js";
import { lessons } from "../../../api/web/table/lesson-progress.js";

const { setInterval, clearInterval } = globalThis;
/** @type {number[]} */
const ended = [];
Object.assign(globalThis, { setInterval: () => 7, clearInterval: (/** @type {number} */ timer) => ended.push(timer) });
after(() => void Object.assign(globalThis, { setInterval, clearInterval }));

const idle = () => {};
const refused = new ApiError({ status: 503, title: "Not now" });

/** A client whose changes are answered, or fail, when the test wants it. */
function service() {
  /** @type {{body: any, done: (answer: object) => void, failed: (error: unknown) => void}[]} */
  const sent = [];
  const change = (/** @type {string} */ _, /** @type {object} */ body) =>
    new Promise((done, failed) => sent.push({ body, done, failed }));
  return { sent, client: /** @type {any} */ ({ change, token: "t" }) };
}

test("a second tick goes on from the first, also before the service has answered", async () => {
  const { sent, client } = service();
  const notices = new Notices(client, idle);
  notices.chosen = /** @type {any} */ ({ occasions: ["turn", "invitation", "round", "end"], ways: [], browsers: [] });
  const both = [notices.choose("turn", false), notices.choose("end", false)];
  assert.deepEqual(sent[1].body, { occasions: ["invitation", "round"] });
  sent[0].done({ occasions: ["invitation", "round", "end"] });
  sent[1].done({ occasions: ["invitation", "round"] });
  await Promise.all(both);
  assert.deepEqual(notices.chosen?.occasions, ["invitation", "round"]);
});

test("a tick that could not be sent is taken back", async () => {
  const { sent, client } = service();
  const notices = new Notices(client, idle);
  notices.chosen = /** @type {any} */ ({ occasions: ["turn"], ways: [], browsers: [] });
  const choosing = notices.choose("turn", false);
  assert.deepEqual(notices.chosen?.occasions, []);
  sent[0].failed(refused);
  await choosing;
  assert.deepEqual(notices.chosen?.occasions, ["turn"]);
  assert.equal(notices.error, refused);
});

test("what the reader shows of itself changes at once, and back if that fails", async () => {
  const { sent, client } = service();
  const page = new Profile(client, idle, idle);
  page.player = /** @type {any} */ ({ id: "p", languages: [] });
  const first = page.show({ languages: ["de"] });
  assert.deepEqual(page.player?.languages, ["de"]);
  sent[0].failed(refused);
  await first;
  assert.deepEqual(page.player?.languages, []);
});

test("who signs out the device in hand is led to the lobby", async () => {
  /** @type {string[]} */
  const gone = [];
  const client = /** @type {any} */ ({
    token: "t",
    change: async () => null,
    get: async () => ({ items: [] }),
    signOut: () => gone.push("signed out"),
  });
  const attempt = (/** @type {() => Promise<void>} */ act) => act();
  const devices = new Devices(client, /** @type {any} */ (null), attempt, (address) => gone.push(address));
  await devices.signOut("other", false);
  assert.deepEqual(gone, []);
  await devices.signOut("own", true);
  assert.deepEqual(gone, ["signed out", "#/"]);
});

test("a list of people has all of its pages", async () => {
  const pages = [
    { items: ["a", "b"], cursor: "2" },
    { items: ["c"], cursor: null },
  ];
  /** @type {string[]} */
  const asked = [];
  const get = async (/** @type {string} */ path) => pages[asked.push(path) - 1];
  assert.deepEqual(await peopleOf(/** @type {any} */ ({ get }), "followed"), ["a", "b", "c"]);
  assert.deepEqual(asked, ["me/followed?limit=100", "me/followed?limit=100&after=2"]);
});

test("a tournament that there is not is asked for once", async () => {
  let asked = 0;
  const get = async () => {
    asked += 1;
    throw new ApiError({ status: 404 });
  };
  const page = new TournamentPage(/** @type {any} */ ({ get, token: null }), "c", idle);
  await page.load();
  await page.refresh();
  assert.equal(asked, 1);
  assert.deepEqual(ended, [7]);
});

test("progress that cannot be read is none", () => {
  for (const kept of ["{", "null"]) {
    Object.assign(globalThis, { localStorage: { getItem: () => kept } });
    assert.deepEqual(lessons.of("coup"), {});
  }
});
