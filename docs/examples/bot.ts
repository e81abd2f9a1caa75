// A bot of your own, without any package: it plays every game of a Tafelrunde service, with Node.js from 22.18 on.
// `node bot.ts http://127.0.0.1:8000 [match...]`

type Command = { type: string; [field: string]: unknown };
type Question = { decision: number; legal: Command[]; answered: Command | null };
type View = { seat: number | null; status: string; table: Record<string, unknown> | null; question: Question | null };

const [url, ...matches] = process.argv.slice(2);
let token = process.env.TAFELRUNDE_TOKEN ?? "";

/** Return one of the legal commands. Here is where a better bot thinks about `view.table`. */
function choose(view: View, question: Question): Command {
  return question.legal[Math.floor(Math.random() * question.legal.length)]!;
}

/** Return an answer, also one with a problem. What got none is repeated with the same key, so that it is carried out once. */
async function ask(method: string, path: string, body?: unknown): Promise<any> {
  const headers: Record<string, string> = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
  if (token) headers.Authorization = `Bearer ${token}`;
  for (let pause = 500; pause < 20_000; pause *= 2) {
    const sent = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
    const answer = await fetch(`${url}/api/v1${path}`, sent).catch(() => null);
    if (answer && ![429, 502, 503, 504].includes(answer.status)) return answer.json();
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new Error("the service does not answer");
}

/** Answer whatever the own seat is asked, until the match is over. */
async function play(match: string): Promise<void> {
  for (let page = { cursor: "", ended: false }; !page.ended; ) {
    const view: View = await ask("GET", `${match}/view`);
    const question = view.question;
    if (question && !question.answered) await ask("POST", `${match}/commands`, { decision: question.decision, command: choose(view, question) });
    page = await ask("GET", `${match}/feed?wait=20&limit=500${page.cursor && `&after=${page.cursor}`}`);
  }
}

const me = token ? await ask("GET", "/me") : await ask("POST", "/players", { name: "Example Bot", bot: true });
token ||= me.text;
const own = (me.player ?? me).id;
if (!matches.length) {
  for (const { id, min_seats: seats } of (await ask("GET", "/games")).items) {
    const bots = Array.from({ length: seats - 1 }, (_, place) => ({ seat: place + 1, bot: "random" }));
    matches.push((await ask("POST", "/matches", { game: id, seats, bots, seat: null })).match);
  }
}
for (const match of matches.map((id) => `/matches/${id}`)) {
  const { chairs, host, status } = await ask("GET", match);
  // The match has committed to the secret of its cards: it could not be chosen for a nonce that is drawn now.
  const nonce = crypto.randomUUID();
  if (!chairs.some((chair: { player: string }) => chair.player === own)) await ask("POST", `${match}/seats`, { nonce });
  if (host === own && status === "open") await ask("POST", `${match}/start`);
  await play(match);
  const { game, seats, placings, chairs: seated } = await ask("GET", match);
  const seat = seated.findIndex((chair: { player: string }) => chair.player === own);
  console.log(`${game}: rank ${placings?.find((each: { seat: number }) => each.seat === seat)?.rank} of ${seats}`);
}
