// Plays a match of every game with the generated client: node play.js <address of a service>

import { createHash, randomUUID } from "node:crypto";
import { createApiClient, schemas } from "./client.js";

const url = `${process.argv[2]}/api/v1`;
const guest = await createApiClient(url).createPlayer({});
const client = createApiClient(url, { axiosConfig: { headers: { Authorization: `Bearer ${guest.text}` } } });
type Game = Awaited<ReturnType<typeof client.listGames>>["items"][number];

function headers() {
  return { headers: { "Idempotency-Key": randomUUID() } };
}

/** Opens a match against bots and begins it; returns its facts, with the commitment to the secret that its cards come from. */
async function sit(game: Game) {
  const bots = Array.from({ length: game.min_seats - 1 }, (_, place) => ({ seat: place + 1, bot: "random" }));
  const request = { game: game.id as "coup", seats: game.min_seats, bots, seat: null };
  const params = { match: (await client.openMatch(request, headers())).match };
  const facts = await client.getMatch({ params });
  // The secret is fixed: a nonce that is drawn now is one that it could not be chosen for.
  await client.takeSeat({ seat: 0, nonce: randomUUID() }, { params });
  await client.startMatch(undefined, { params });
  return facts;
}

/** Plays a match against bots to its end, and returns the last view. */
async function play(game: Game) {
  const { match, commitment } = await sit(game);
  const params = { match };
  let after: string | undefined;
  for (;;) {
    const view = await client.getView({ params });
    if (view.status === "over") {
      const { secret } = await client.listProofs({ params });
      const text = `tafelrunde/commitment/1|${match}|${secret}`;
      if (createHash("sha256").update(text).digest("hex") !== commitment) throw new Error(`${match}: another secret`);
      return view;
    }
    if (view.question === null || view.question.answered !== null) {
      after = (await client.getFeed({ params, queries: { wait: 10, after } })).cursor;
      continue;
    }
    const { decision, legal } = view.question;
    const command = legal[Math.floor(Math.random() * legal.length)]!;
    await client.giveCommand({ decision, command }, { params, ...headers() }).catch((error) => {
      // Somebody else may have closed the decision meanwhile.
      if (error.response?.data.type !== "/problems/decision-closed") throw error;
    });
  }
}

/** Reads the whole feed, and returns how many events it has, and how many fit no kind but the open one at the end of the union. */
async function read(match: string) {
  const params = { match };
  let page = await client.getFeed({ params });
  const items = [...page.items];
  while (page.more) {
    page = await client.getFeed({ params, queries: { after: page.cursor } });
    items.push(...page.items);
  }
  const kinds = schemas.FeedEvent.options.slice(0, -1);
  const unknown = items.filter(({ event }) => !kinds.some((kind) => kind.safeParse(event).success));
  return `${items.length} events, ${unknown.length} unknown`;
}

for (const game of (await client.listGames()).items) {
  const view = await play(game);
  const places = view.placings?.map((placing) => placing.rank).join(", ");
  console.log(`${game.id}: ${await read(view.match)}, places [${places}]`);
}
