// Plays a match of every game with the generated client: node play.js <address of a service>

import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { client } from "./client/client.gen.js";
import {
  createPlayer,
  getCheckpoint,
  getFeed,
  getMatch,
  getSigningKeys,
  getView,
  giveCommand,
  listGames,
  listProofs,
  openMatch,
  startMatch,
  takeSeat,
} from "./client/sdk.gen.js";
import type { FeedEntry, GameFacts, MatchRequest, View } from "./client/types.gen.js";

client.setConfig({ baseUrl: `${process.argv[2]}/api/v1`, throwOnError: true });

function headers() {
  return { "Idempotency-Key": randomUUID() };
}

/** Opens a match against bots and begins it; returns what proves how it is dealt, with the commitment to its secret. */
async function sit(game: GameFacts) {
  const bots = Array.from({ length: game.min_seats - 1 }, (_, place) => ({ seat: place + 1, bot: "random" }));
  const body = { game: game.id as MatchRequest["game"], seats: game.min_seats, bots, seat: null };
  const { match } = (await openMatch({ body, headers: headers(), throwOnError: true })).data;
  const path = { match };
  const { commitment } = (await getMatch({ path, throwOnError: true })).data;
  const { origin, keys } = (await getSigningKeys({ throwOnError: true })).data;
  const checkpoints = [(await getCheckpoint({ throwOnError: true })).data.signed];
  // The secret is fixed: a nonce that is drawn now is one that it could not be chosen for.
  const seat = { seat: 0, nonce: randomUUID() };
  const marks = [(await takeSeat({ path, body: seat, throwOnError: true })).data.signed];
  await startMatch({ path, throwOnError: true });
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
  const page = (await getFeed({ path: { match: kept.match }, query, throwOnError: true })).data;
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
  const { secret } = (await listProofs({ path: { match }, throwOnError: true })).data;
  const text = `tafelrunde/commitment/1|${match}|${secret}`;
  if (createHash("sha256").update(text).digest("hex") !== commitment) throw new Error(`${match}: another secret`);
}

/** Plays a match against bots to its end, and returns the last view. */
async function play(game: GameFacts): Promise<View> {
  const kept = await sit(game);
  const { match } = kept;
  let after: string | undefined;
  for (;;) {
    const view = (await getView({ path: { match }, throwOnError: true })).data;
    if (view.status === "over") {
      await hear(kept, after);
      await check(kept);
      return view;
    }
    if (view.question === null || view.question.answered !== null) {
      after = await hear(kept, after, 10);
      continue;
    }
    const { decision, legal } = view.question;
    const command = legal[Math.floor(Math.random() * legal.length)]!;
    const { error } = await giveCommand({ path: { match }, body: { decision, command }, headers: headers(), throwOnError: false });
    // Somebody else may have closed the decision meanwhile.
    if (error !== undefined && error.type !== "/problems/decision-closed") throw new Error(JSON.stringify(error));
  }
}

/** Reads the whole feed. An event of a kind that the types do not have passes: look at its `type`, and ignore it. */
async function read(match: string): Promise<FeedEntry[]> {
  let page = (await getFeed({ path: { match }, throwOnError: true })).data;
  const items = [...page.items];
  while (page.more) {
    page = (await getFeed({ path: { match }, query: { after: page.cursor }, throwOnError: true })).data;
    items.push(...page.items);
  }
  return items;
}

const issued = (await createPlayer({ body: {}, throwOnError: true })).data;
client.setConfig({ auth: issued.text });
for (const game of (await listGames({ throwOnError: true })).data.items) {
  const view = await play(game);
  const places = view.placings?.map((placing) => placing.rank).join(", ");
  console.log(`${game.id}: ${(await read(view.match)).length} events, places [${places}]`);
}
