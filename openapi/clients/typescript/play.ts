// Plays a match of every game with the generated types: node out/play.js <address of a service>

import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

type Game = components["schemas"]["MatchRequest"]["game"];
type View = components["schemas"]["View"];
type Entry = components["schemas"]["FeedEntry"];

const client = createClient<paths>({ baseUrl: `${process.argv[2]}/api/v1` });

/** Returns the data of an answer; a problem ends the program. */
function told<Data>(answer: { data?: Data; error?: unknown }): NonNullable<Data> {
  if (answer.data === undefined || answer.data === null) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

function header() {
  return { "Idempotency-Key": randomUUID() };
}

/** Opens a match against bots and begins it; returns what proves how it is dealt, with the commitment to its secret. */
async function sit(game: Game, seats: number) {
  const bots = Array.from({ length: seats - 1 }, (_, place) => ({ seat: place + 1, bot: "random" }));
  const body = { game, seats, bots, seat: null };
  const { match } = told(await client.POST("/matches", { params: { header: header() }, body }));
  const path = { match };
  const { commitment } = told(await client.GET("/matches/{match}", { params: { path } }));
  const { origin, keys } = told(await client.GET("/log/keys"));
  const checkpoints = [told(await client.GET("/log/checkpoint")).signed];
  // The secret is fixed: a nonce that is drawn now is one that it could not be chosen for.
  const nonce = randomUUID();
  const seat = { seat: 0, nonce };
  const marks = [told(await client.POST("/matches/{match}/seats", { params: { path, header: header() }, body: seat })).signed];
  told(await client.POST("/matches/{match}/start", { params: { path, header: header() } }));
  const feed = { seat: 0, n: 0, chain: "00".repeat(32) };
  const from = { format: "tafelrunde.kept.1", service: process.argv[2], origin, keys };
  const kept = { ...from, match, commitment, ...seat, feed, marks, checkpoints };
  keep(kept);
  return kept;
}

type Kept = Awaited<ReturnType<typeof sit>>;

/** Writes the file that `tafelrunde verify ADDRESS --kept FILE` compares the match with. */
function keep(kept: { match: string }) {
  mkdirSync("kept", { recursive: true });
  writeFileSync(`kept/${kept.match}.kept.json`, JSON.stringify(kept));
}

/** Reads what is new in the feed, and keeps the chain over all that was sent, and the newest signature; returns the new cursor. */
async function hear(kept: Kept, after?: string, wait = 0): Promise<string> {
  const query = after === undefined ? { wait } : { wait, after };
  const page = told(await client.GET("/matches/{match}/feed", { params: { path: { match: kept.match }, query } }));
  for (const { n, at_ms, event } of page.items) {
    if (n !== kept.feed.n + 1) continue;
    const hash = createHash("sha256").update(Buffer.from(kept.feed.chain, "hex"));
    kept.feed = { seat: 0, n, chain: hash.update(JSON.stringify([n, at_ms, event])).digest("hex") };
  }
  kept.marks.splice(1, 1, page.signed);
  return page.more ? hear(kept, page.cursor) : page.cursor;
}

/** Writes what was kept up to the end, and checks that a match was dealt from the secret that it began with. */
async function check(kept: Kept) {
  const { match, commitment } = kept;
  keep(kept);
  const { secret } = told(await client.GET("/matches/{match}/proofs", { params: { path: { match } } }));
  const text = `tafelrunde/commitment/1|${match}|${secret}`;
  if (createHash("sha256").update(text).digest("hex") !== commitment) throw new Error(`${match}: another secret`);
}

/** Plays a match against bots to its end, and returns the last view. */
async function play(game: Game, seats: number): Promise<View> {
  const kept = await sit(game, seats);
  const path = { match: kept.match };
  let cursor: string | undefined;
  for (;;) {
    const view = told(await client.GET("/matches/{match}/view", { params: { path } }));
    if (view.status === "over") {
      await hear(kept, cursor);
      await check(kept);
      return view;
    }
    if (view.question === null || view.question.answered !== null) {
      cursor = await hear(kept, cursor, 10);
      continue;
    }
    const { decision, legal } = view.question;
    const command = legal[Math.floor(Math.random() * legal.length)]!;
    const given = await client.POST("/matches/{match}/commands", {
      params: { path, header: header() },
      body: { decision, command },
    });
    if (given.error?.type === "urn:tafelrunde:problem:decision-closed") continue; // somebody else has closed the decision meanwhile
    told(given);
  }
}

/** Reads the whole feed. An event of a kind that the types do not have passes: look at its `type`, and ignore it. */
async function read(match: string): Promise<Entry[]> {
  const path = { match };
  let page = told(await client.GET("/matches/{match}/feed", { params: { path } }));
  const items = [...page.items];
  while (page.more) {
    page = told(await client.GET("/matches/{match}/feed", { params: { path, query: { after: page.cursor } } }));
    items.push(...page.items);
  }
  return items;
}

const issued = told(await client.POST("/players", { body: {} }));
client.use({
  onRequest({ request }) {
    request.headers.set("Authorization", `Bearer ${issued.text}`);
  },
});
for (const game of told(await client.GET("/games")).items) {
  const view = await play(game.id as Game, game.min_seats);
  const places = view.placings?.map((placing) => placing.rank).join(", ");
  console.log(`${game.id}: ${(await read(view.match)).length} events, places [${places}]`);
}
