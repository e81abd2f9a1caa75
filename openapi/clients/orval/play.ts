// Plays a match of every game with the generated client: node play.js <address of a service>

import { createHash, randomUUID } from "node:crypto";
import {
  createPlayer,
  getFeed,
  getMatch,
  getView,
  giveCommand,
  listGames,
  listProofs,
  openMatch,
  startMatch,
  takeSeat,
} from "./client.js";
import type { FeedEntry, GameFacts, MatchRequest, View } from "./client.js";

// The generated functions call fetch with paths: here they get the address and the token.
const plain = globalThis.fetch;
let token = "";
globalThis.fetch = (path, init) => {
  const headers = new Headers(init?.headers);
  if (token) headers.set("Authorization", `Bearer ${token}`);
  return plain(`${process.argv[2]}/api/v1${path}`, { ...init, headers });
};

function key() {
  return { headers: { "Idempotency-Key": randomUUID() } };
}

/** Opens a match against bots and begins it; returns it, and the commitment to the secret that its cards come from. */
async function sit(game: GameFacts) {
  const bots = Array.from({ length: game.min_seats - 1 }, (_, place) => ({ seat: place + 1, bot: "random" }));
  const request = { game: game.id as MatchRequest["game"], seats: game.min_seats, bots, seat: null };
  const opened = await openMatch(request, key());
  if (opened.status !== 201) throw new Error(JSON.stringify(opened.data));
  const { match } = opened.data;
  const facts = await getMatch(match);
  if (facts.status !== 200) throw new Error(JSON.stringify(facts.data));
  // The secret is fixed: a nonce that is drawn now is one that it could not be chosen for.
  const seated = await takeSeat(match, { seat: 0, nonce: randomUUID() }, key());
  if (seated.status !== 200) throw new Error(JSON.stringify(seated.data));
  const started = await startMatch(match, key());
  if (started.status !== 200) throw new Error(JSON.stringify(started.data));
  return facts.data;
}

/** Checks that a finished match was dealt from the secret that was committed to before it began. */
async function check(match: string, commitment: string) {
  const proofs = await listProofs(match);
  if (proofs.status !== 200) throw new Error(JSON.stringify(proofs.data));
  const text = `tafelrunde/commitment/1|${match}|${proofs.data.secret}`;
  if (createHash("sha256").update(text).digest("hex") !== commitment) throw new Error(`${match}: another secret`);
}

/** Plays a match against bots to its end, and returns the last view. */
async function play(game: GameFacts): Promise<View> {
  const { match, commitment } = await sit(game);
  let after: string | undefined;
  for (;;) {
    const view = await look(match);
    if (view.status === "over") {
      await check(match, commitment);
      return view;
    }
    if (view.question === null || view.question.answered !== null) {
      after = (await page(match, after, 10)).cursor;
      continue;
    }
    const { decision, legal } = view.question;
    const given = await giveCommand(match, { decision, command: legal[Math.floor(Math.random() * legal.length)]! }, {}, key());
    if (given.status === 409 && given.data.type === "/problems/decision-closed") continue; // somebody else has closed it
    if (given.status !== 200) throw new Error(JSON.stringify(given.data));
  }
}

async function look(match: string): Promise<View> {
  const answer = await getView(match);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.data));
  return answer.data;
}

async function page(match: string, after: string | undefined, wait: number) {
  const answer = await getFeed(match, after === undefined ? { wait } : { wait, after });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.data));
  return answer.data;
}

/** Reads the whole feed. An event of a kind that the types do not have passes: look at its `type`, and ignore it. */
async function read(match: string): Promise<FeedEntry[]> {
  let found = await page(match, undefined, 0);
  const items = [...found.items];
  while (found.more) {
    found = await page(match, found.cursor, 0);
    items.push(...found.items);
  }
  return items;
}

const issued = await createPlayer({});
if (issued.status !== 201) throw new Error(JSON.stringify(issued.data));
token = issued.data.text;
const games = await listGames();
if (games.status !== 200) throw new Error(JSON.stringify(games.data));
for (const game of games.data.items) {
  const view = await play(game);
  const places = view.placings?.map((placing) => placing.rank).join(", ");
  console.log(`${game.id}: ${(await read(view.match)).length} events, places [${places}]`);
}
