// Talk over the socket of a page: heard beside the feed of its match, and over HTTP where no socket comes through.

import assert from "node:assert/strict";
import { test } from "node:test";
import { BASE, Fake, MATCH, around, following, item, json, newest, settled, stream } from "./wire.js";
import { Client, Feed } from "../../../api/web/core/client.js";

const ROOM = "table";
const line = (/** @type {number} */ n) => ({ n, room: ROOM, kind: "phrase", phrase: "hello" });
const phrase = (/** @type {Client} */ client, key = "k1") =>
  client.change(/** @type {any} */ (`matches/${MATCH}/talk`), /** @type {any} */ ({ phrase: "hello" }), "POST", key);

/** A page that hears a room, with what it hears; `over`: whether it was told that it is over, once the connection is lost. */
function hearing(client = new Client({ base: BASE, token: "t" }), after = 0) {
  const stop = new AbortController();
  around.stops.push(stop);
  /** @type {(string | number)[]} */
  const heard = [];
  const tell = (/** @type {string} */ kind, /** @type {any} */ data) => void heard.push(kind === "item" ? data.n : kind);
  const over = client.hear(new Feed(MATCH, after, tell, () => {}, ROOM), stop.signal);
  return { client, stop, heard, over };
}

/** Let a room be heard. */
function listening(/** @type {Fake} */ wire) {
  wire.say({ type: "listening", id: wire.of("listen").at(-1).id, match: MATCH, room: ROOM, cursor: 0 });
}

test("a room is heard over the connection of its match, and neither takes what is the other's", async () => {
  const match = following();
  const room = hearing(match.client, 3);
  newest().welcome().accept();
  const [asks] = newest().of("listen");
  assert.deepEqual(asks, { type: "listen", match: MATCH, after: 3, room: ROOM, id: asks.id });
  newest().say({ type: "talk", match: MATCH, room: ROOM, items: [line(4)], cursor: 4 }); // of a room that was left
  listening(newest());
  newest().say(
    { type: "items", match: MATCH, items: [item(1)], cursor: "1-00000000" },
    { type: "talk", match: MATCH, room: ROOM, items: [line(4), line(6)], cursor: 7 },
    { type: "talk", match: MATCH, room: ROOM, items: [line(6)], cursor: 7 },
    { type: "talk-reset", match: MATCH, room: ROOM },
    { type: "talk", match: MATCH, room: ROOM, items: [line(1)], cursor: 1 },
  );
  assert.deepEqual([match.heard, room.heard, Fake.made.length, around.asked], [[1], [4, 6, "reset", 1], 1, []]);
  newest().say({ type: "end", match: MATCH });
  await match.over;
  newest().say({ type: "talk", match: MATCH, room: ROOM, items: [line(2)], cursor: 2 });
  assert.equal(room.heard.at(-1), 2); // people talk on after the end
  room.stop.abort();
  assert.deepEqual(newest().of("unlisten")[0].match, MATCH);
  assert.equal(await room.over, false);
});

test("what is said goes over the socket of a room that is heard, and is refused as over HTTP", async () => {
  const { client } = hearing();
  newest().welcome();
  listening(newest());
  const said = phrase(client);
  const refused = assert.rejects(
    phrase(client, "k2"),
    (/** @type {any} */ error) => error.problem.type === "urn:tafelrunde:problem:talk-refused",
  );
  await settled();
  const [one, two] = newest().of("say");
  assert.deepEqual(one, { type: "say", match: MATCH, phrase: "hello", key: "k1", id: one.id });
  newest().say({ type: "said", id: one.id, replayed: false, line: line(1) });
  newest().say({ type: "problem", id: two.id, problem: { type: "urn:tafelrunde:problem:talk-refused", title: "", status: 422 } });
  assert.deepEqual(await said, line(1));
  await refused;
  assert.deepEqual(around.asked, []);
});

test("a line without an answer is said over HTTP under the same key, and so is one of a room that is not heard", async () => {
  around.answer = () => json(line(1));
  const { client, over } = hearing();
  newest().welcome();
  await phrase(client, "k0");
  listening(newest());
  const said = phrase(client);
  await settled();
  newest().end();
  await said;
  assert.equal(await over, false);
  assert.deepEqual(
    around.asked.map(({ path, headers, body }) => [path.split("/").at(-1), headers["Idempotency-Key"], body]),
    [
      ["talk", "k0", { phrase: "hello" }],
      ["talk", "k1", { phrase: "hello" }],
    ],
  );
});

test("a room is over where it is closed to the reader, and lost where it may be heard again", async () => {
  const client = new Client({ base: BASE, token: "t" });
  for (const [frame, over] of /** @type {[object, boolean][]} */ ([
    [{ type: "problem", problem: { title: "", status: 403 } }, true],
    [{ type: "problem", problem: { title: "", status: 503 } }, false],
    [{ type: "talk-bye", match: MATCH, room: ROOM }, false],
  ])) {
    const room = hearing(client);
    if (Fake.made.length && !newest().of("listen").length) newest().welcome();
    if ("match" in frame) listening(newest());
    newest().say({ id: newest().of("listen").at(-1).id, ...frame });
    assert.deepEqual([await room.over, room.heard], [over, over ? ["refused"] : []]);
  }
  assert.equal(Fake.made.length, 1);
});

test("a room is heard by a stream where no socket comes through, and none is tried again", async () => {
  around.answer = (path) => (path.includes("/talk/stream?room=table") ? stream(5, 6) : null);
  const room = hearing(undefined, 4);
  newest().end();
  assert.equal(await room.over, false);
  assert.deepEqual(room.heard, [5, 6]);
  assert.equal(around.asked[0].headers["Last-Event-ID"], "4");
  await hearing(room.client).over;
  assert.equal(Fake.made.length, 1);
});
