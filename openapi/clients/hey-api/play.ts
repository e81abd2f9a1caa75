// Plays a match of every game with the generated client: node play.js <address of a service>

import { randomUUID } from "node:crypto";
import { client } from "./client/client.gen.js";
import { createPlayer, getFeed, getView, giveCommand, listGames, openMatch } from "./client/sdk.gen.js";
import type { FeedEntry, GameFacts, MatchRequest, View } from "./client/types.gen.js";

client.setConfig({ baseUrl: `${process.argv[2]}/api/v1`, throwOnError: true });

function headers() {
  return { "Idempotency-Key": randomUUID() };
}

/** Plays a match against bots to its end, and returns the last view. */
async function play(game: GameFacts): Promise<View> {
  const bots = Array.from({ length: game.min_seats - 1 }, (_, place) => ({ seat: place + 1, bot: "random" }));
  const body = { game: game.id as MatchRequest["game"], seats: game.min_seats, bots, start: true };
  const { match } = (await openMatch({ body, headers: headers(), throwOnError: true })).data;
  let after: string | undefined;
  for (;;) {
    const view = (await getView({ path: { match }, throwOnError: true })).data;
    if (view.status === "over") return view;
    if (view.question === null || view.question.answered !== null) {
      const query = after === undefined ? { wait: 10 } : { wait: 10, after };
      after = (await getFeed({ path: { match }, query, throwOnError: true })).data.cursor;
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
