// Plays a match of every game with the generated client: node play.js <address of a service>

import { randomUUID } from "node:crypto";
import { createPlayer, getFeed, getView, giveCommand, listGames, openMatch } from "./client.js";
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

/** Plays a match against bots to its end, and returns the last view. */
async function play(game: GameFacts): Promise<View> {
  const bots = Array.from({ length: game.min_seats - 1 }, (_, place) => ({ seat: place + 1, bot: "random" }));
  const request = { game: game.id as MatchRequest["game"], seats: game.min_seats, bots, start: true };
  const opened = await openMatch(request, key());
  if (opened.status !== 201) throw new Error(JSON.stringify(opened.data));
  const { match } = opened.data;
  let after: string | undefined;
  for (;;) {
    const view = await look(match);
    if (view.status === "over") return view;
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
