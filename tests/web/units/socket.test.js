// The socket of a page: what goes over it, when a page goes on over HTTP, and that nothing is heard or done twice.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BASE,
  Fake,
  MATCH,
  WAITING,
  around,
  commands,
  elapse,
  following,
  item,
  json,
  newest,
  settled,
  stream,
  streams,
} from "./wire.js";
import { Client } from "../../../api/web/core/client.js";

const command = { decision: 3, command: { type: "coup.pass" } };
const give = (/** @type {Client} */ client, key = "k1") =>
  client.change(/** @type {any} */ (`matches/${MATCH}/commands?signed=true`), /** @type {any} */ (command), "POST", key);

test("a page says who it is in the first frame, and follows what it has not heard yet", async () => {
  const { heard, lines } = following(undefined, "4-00000000");
  const { url, protocol } = /** @type {any} */ (newest());
  assert.deepEqual([url, protocol], ["wss://table.test/tafel/api/v1/socket", "tafelrunde.v1"]);
  newest().welcome().accept();
  assert.deepEqual(newest().sent, [
    { type: "hello", token: "t" },
    { type: "subscribe", match: MATCH, after: "4-00000000", id: "1" },
  ]);
  newest().say({ type: "items", match: MATCH, items: [item(5), item(6)], cursor: "6-00000000" });
  assert.deepEqual(heard, [5, 6]);
  assert.deepEqual(lines, [true]);
  assert.deepEqual(around.asked, []);
});

test("a page without HTTPS asks for a socket without it", () => {
  Object.assign(globalThis, { origin: "http://table.test" });
  following(new Client({ base: "http://table.test/" }));
  assert.equal(/** @type {any} */ (newest()).url, "ws://table.test/api/v1/socket");
});

test("a command goes over the socket, and its items are heard before its receipt is there", async () => {
  const { client, heard } = following();
  newest().welcome().accept();
  const given = give(client);
  await settled();
  const [sent] = newest().of("command");
  assert.deepEqual(sent, { type: "command", match: MATCH, ...command, key: "k1", signed: true, id: sent.id });
  newest().say({ type: "items", match: MATCH, items: [item(1)], cursor: "1-00000000" });
  newest().say({
    type: "receipt",
    id: sent.id,
    replayed: false,
    receipt: { items: [item(2)], cursor: "2-00000000", signed: "note" },
  });
  assert.deepEqual(heard, [1, 2]);
  assert.equal(/** @type {any} */ (await given).signed, "note");
  assert.deepEqual(around.asked, []);
});

test("a refused command is refused as over HTTP, and a wait that the service asks for is kept", async () => {
  const { client } = following();
  newest().welcome().accept();
  const refused = assert.rejects(
    give(client),
    (/** @type {any} */ error) => error.problem.type === "urn:tafelrunde:problem:decision-closed",
  );
  const late = give(client, "k2");
  await settled();
  const [one, two] = newest().of("command");
  newest().say({
    type: "problem",
    id: one.id,
    problem: { type: "urn:tafelrunde:problem:decision-closed", title: "", status: 409 },
  });
  newest().say({ type: "problem", id: two.id, problem: { title: "", status: 429 }, retry_after: 7 });
  await refused;
  await settled();
  assert.ok(client.limitedUntil > Date.now());
  const again = newest().of("command")[2];
  assert.equal(again.key, "k2");
  newest().say({ type: "receipt", id: again.id, replayed: false, receipt: { items: [], cursor: "0-00000000" } });
  await late;
});

test("a command without an answer is repeated over HTTP under the same key, once", async () => {
  around.answer = (path) => (path.includes("/commands") ? json({ items: [item(1)], cursor: "1-00000000" }) : WAITING);
  const { client, heard } = following();
  newest().welcome().accept();
  const given = give(client);
  await settled();
  assert.equal(newest().of("command").length, 1);
  newest().end();
  await given;
  assert.deepEqual(
    commands().map(({ headers, body }) => [headers["Idempotency-Key"], body]),
    [["k1", command]],
  );
  await settled();
  newest()
    .welcome()
    .accept()
    .say({ type: "items", match: MATCH, items: [item(1)], cursor: "1-00000000" });
  assert.deepEqual(heard, [1]); // the receipt of HTTP brings none, the feed does
});

test("a command on a connection that has died is repeated over HTTP once no answer comes", async () => {
  around.answer = (path) => (path.includes("/commands") ? json({ items: [item(1)], cursor: "1-00000000" }) : WAITING);
  const { client } = following();
  newest().welcome().accept();
  const given = give(client);
  await settled();
  elapse("answer");
  await given;
  assert.deepEqual(
    commands().map(({ headers }) => headers["Idempotency-Key"]),
    ["k1"],
  );
});

test("a repeated receipt tells only what is not known, and the feed goes on behind it", async () => {
  const { client, heard } = following();
  newest()
    .welcome()
    .accept()
    .say({ type: "items", match: MATCH, items: [item(1), item(2)], cursor: "2-00000000" });
  const given = give(client);
  await settled();
  const [{ id }] = newest().of("command");
  newest().say({ type: "receipt", id, replayed: true, receipt: { items: [item(2), item(3)], cursor: "3-00000000" } });
  await given;
  newest().end();
  await settled();
  assert.deepEqual(heard, [1, 2, 3]);
  assert.equal(newest().welcome().of("subscribe")[0].after, "3-00000000");
});

test("a lost connection is said, and the next one goes on at the cursor", async () => {
  const { heard, lines } = following();
  newest()
    .welcome()
    .accept()
    .say({ type: "items", match: MATCH, items: [item(1)], cursor: "1-00000000" });
  newest().say({ type: "bye" });
  newest().end(1012);
  await settled();
  assert.equal(Fake.made.length, 2);
  newest()
    .welcome()
    .accept()
    .say({ type: "items", match: MATCH, items: [item(2)], cursor: "2-00000000" });
  assert.equal(newest().of("subscribe")[0].after, "1-00000000");
  assert.deepEqual(
    [heard, lines],
    [
      [1, 2],
      [true, false, true],
    ],
  );
  assert.deepEqual(around.asked, []);
});

for (const [what, fail] of /** @type {[string, (line: Fake) => void][]} */ ([
  ["it is refused", (line) => line.end()],
  ["no welcome comes", () => elapse("welcome")],
  ["it is closed before the welcome", (line) => (line.onopen(), line.end(1011))],
]))
  test(`a page goes on over HTTP for good, and nothing is said, when ${what}`, async () => {
    around.answer = (path) => (path.endsWith("/stream") ? stream(1, 2) : json({ items: [], cursor: "2-00000000" }));
    const { client, stop, heard, lines } = following();
    fail(newest());
    for (let turn = 0; turn < 20 && streams().length < 2; turn += 1) await settled();
    await give(client);
    stop.abort();
    assert.equal(Fake.made.length, 1);
    assert.equal(newest().closed, true);
    assert.deepEqual(heard, [1, 2]);
    assert.deepEqual(lines.slice(0, 2), [true, false]); // the stream of this test ends each time
    assert.equal(streams()[1].headers["Last-Event-ID"], "2-00000000");
    assert.equal(commands().length, 1);
  });

test("a page without sockets goes on over HTTP", async () => {
  Object.assign(globalThis, { WebSocket: undefined });
  around.answer = () => stream(1);
  const { stop, heard } = following();
  await settled();
  stop.abort();
  assert.deepEqual(heard.slice(0, 1), [1]);
});

test("the socket is tried again after a failure of everything, and given up after three connections that brought nothing", async () => {
  const { stop, heard } = following();
  newest()
    .welcome()
    .accept()
    .say({ type: "items", match: MATCH, items: [item(1)], cursor: "1-00000000" });
  newest().end();
  for (let count = 2; count < 6; count += 1) {
    await settled();
    newest().end(); // the service is down: neither is answered
    await settled();
    assert.ok(Fake.made.length > count);
  }
  for (let left = 3; left; left -= 1) {
    newest().welcome().end();
    await settled();
  }
  const count = Fake.made.length;
  around.answer = (path) => (path.endsWith("/stream") ? stream(2) : null);
  for (let turn = 0; turn < 20 && heard.length < 2; turn += 1) await settled();
  stop.abort();
  assert.deepEqual(heard, [1, 2]);
  assert.equal(Fake.made.length, count);
});

test("a silent connection is asked for a word, and given up when none comes", async () => {
  const { heard, lines } = following();
  newest().welcome().accept();
  elapse("silence");
  newest().say({ type: "unsubscribed", id: newest().of("unsubscribe")[0].id, match: newest().of("unsubscribe")[0].match });
  elapse("silence");
  elapse("answer");
  await settled();
  assert.equal(Fake.made[0].closed, true);
  assert.equal(Fake.made.length, 2);
  assert.deepEqual([heard, lines], [[], [true, false]]);
});

test("one connection serves all matches of a page, until nothing is followed for a while", async () => {
  const other = `m${"c".repeat(24)}`;
  const one = following();
  const two = following(one.client, null, other);
  newest().welcome().accept().accept(other);
  newest().say({ type: "items", match: other, items: [item(1)], cursor: "1-00000000" });
  assert.deepEqual([one.heard, two.heard, Fake.made.length], [[], [1], 1]);
  one.stop.abort();
  assert.equal(newest().of("unsubscribe")[0].match, MATCH);
  newest().say({ type: "items", match: MATCH, items: [item(1)], cursor: "1-00000000" });
  newest().say({ type: "end", match: other });
  await two.over;
  assert.deepEqual([one.heard, two.heard], [[], [1, "end"]]);
  assert.equal(newest().closed, false);
  elapse("idle");
  assert.equal(newest().closed, true);
});

test("items of a feed that was left do not reach the one that follows it again", async () => {
  const one = following();
  newest().welcome().accept();
  one.stop.abort();
  const two = following(one.client, "1-00000000");
  newest().say({ type: "items", match: MATCH, items: [item(2)], cursor: "2-00000000" });
  assert.deepEqual(two.heard, []);
  newest()
    .accept()
    .say({ type: "items", match: MATCH, items: [item(2)], cursor: "2-00000000" });
  assert.deepEqual([one.heard, two.heard, Fake.made.length], [[], [2], 1]);
});

test("a match that is left and opened again is heard from its beginning", async () => {
  const one = following();
  newest()
    .welcome()
    .accept()
    .say({ type: "items", match: MATCH, items: [item(1), item(2)], cursor: "2-00000000" });
  one.stop.abort();
  await one.over;
  const two = following(one.client);
  newest()
    .accept()
    .say({ type: "items", match: MATCH, items: [item(1), item(2)], cursor: "2-00000000" });
  assert.deepEqual(
    [one.heard, two.heard],
    [
      [1, 2],
      [1, 2],
    ],
  );
});

test("a feed that starts over is heard from its beginning", async () => {
  const { heard } = following(undefined, "8-00000000");
  newest().welcome().accept();
  newest().say({ type: "reset", match: MATCH }, { type: "items", match: MATCH, items: [item(1)], cursor: "1-00000000" });
  assert.deepEqual(heard, ["reset", 1]);
});

test("what was followed without a token is followed as the player who has signed in, from the last item on", async () => {
  const { client, heard, lines } = following(new Client({ base: BASE }));
  newest().welcome().accept();
  newest().say({ type: "items", match: MATCH, items: [item(1)], cursor: "1-00000000" });
  const before = newest();
  client.signIn("mine");
  await settled();
  assert.ok(before.closed);
  newest().welcome().accept();
  newest().say({ type: "items", match: MATCH, items: [item(2)], cursor: "2-00000000" });
  assert.deepEqual(newest().sent.slice(0, 2), [
    { type: "hello", token: "mine" },
    { type: "subscribe", match: MATCH, after: item(1).cursor, id: "1" },
  ]);
  assert.deepEqual(
    [heard, lines],
    [
      [1, 2],
      [true, true],
    ],
  ); // the line was never down
});

test("a match that may not be followed is refused with the reason, and one that may later is tried again", async () => {
  const { heard, over } = following();
  newest().welcome();
  newest().say({ type: "problem", id: "1", problem: { title: "", status: 503 } });
  await settled();
  newest().say({ type: "problem", id: newest().of("subscribe")[1].id, problem: { title: "", status: 404 } });
  await over;
  assert.deepEqual(heard, ["refused"]);
  assert.equal(Fake.made.length, 1);
});

test("after a token was exchanged, nothing goes over the connection of the old one", async () => {
  around.answer = () => json({ items: [], cursor: "0-00000000" });
  const { client } = following();
  newest().welcome().accept();
  client.token = "fresh";
  await give(client);
  assert.deepEqual([newest().of("command"), commands().length], [[], 1]);
  newest().say({ type: "bye" });
  newest().end(4401);
  await settled();
  assert.equal(newest().welcome().of("hello")[0].token, "fresh");
});

test("a token that the service does not know is refused once, as over HTTP", async () => {
  around.answer = () => json({ title: "", status: 401 }, 401);
  const { heard, over } = following();
  newest().onopen();
  newest().say({ type: "problem", problem: { title: "", status: 401 } });
  newest().end(4401);
  await over;
  assert.deepEqual(heard, ["refused"]);
  assert.equal(Fake.made.length, 1);
});

test("without a token, a page of another origin does not try", async () => {
  Object.assign(globalThis, { origin: "https://elsewhere.test" });
  around.answer = () => WAITING;
  const { stop } = following(new Client({ base: BASE }));
  await settled();
  stop.abort();
  assert.deepEqual([Fake.made.length, streams().length], [0, 1]);
  following().stop.abort();
  assert.equal(Fake.made.length, 1);
});

test("a browser without a network leaves at once, and what was given goes on over HTTP", async () => {
  around.answer = (path) => (path.includes("/commands") ? json({ items: [], cursor: "0-00000000" }) : WAITING);
  const { client, lines } = following();
  newest().welcome().accept();
  const given = give(client);
  await settled();
  for (const act of [...around.offline]) act();
  await given;
  assert.equal(Fake.made[0].closed, true);
  assert.deepEqual(lines, [true, false]);
  assert.equal(commands().length, 1);
});
