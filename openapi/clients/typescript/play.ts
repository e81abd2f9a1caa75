// Plays a match of every game with the generated types: node out/play.js <address of a service>

import { randomUUID } from "node:crypto";
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

/** Plays a match against bots to its end, and returns the last view. */
async function play(game: Game, seats: number): Promise<View> {
  const bots = Array.from({ length: seats - 1 }, (_, place) => ({ seat: place + 1, bot: "random" }));
  const body = { game, seats, bots, seat: null };
  const { match } = told(await client.POST("/matches", { params: { header: header() }, body }));
  const path = { match };
  // The answer had the commitment to the secret that is dealt from: a nonce that is drawn now could not be known before.
  const nonce = crypto.randomUUID();
  told(await client.POST("/matches/{match}/seats", { params: { path, header: header() }, body: { seat: 0, nonce } }));
  told(await client.POST("/matches/{match}/start", { params: { path, header: header() } }));
  let cursor: string | undefined;
  for (;;) {
    const view = told(await client.GET("/matches/{match}/view", { params: { path } }));
    if (view.status === "over") return view;
    if (view.question === null || view.question.answered !== null) {
      const query = cursor === undefined ? { wait: 10 } : { wait: 10, after: cursor };
      cursor = told(await client.GET("/matches/{match}/feed", { params: { path, query } })).cursor;
      continue;
    }
    const { decision, legal } = view.question;
    const command = legal[Math.floor(Math.random() * legal.length)]!;
    const given = await client.POST("/matches/{match}/commands", {
      params: { path, header: header() },
      body: { decision, command },
    });
    if (given.error?.type === "/problems/decision-closed") continue; // somebody else has closed the decision meanwhile
    cursor = told(given).cursor;
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
