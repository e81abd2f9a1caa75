// Plays a match of every game over the socket: node out/play.js <address of a service>. Node.js 22 or newer has a WebSocket.

import { randomUUID } from "node:crypto";
import type { components } from "./frames.d.ts";

type Frames = components["schemas"];
type Sent = Frames["ServiceFrame"];
type Asked = Exclude<Frames["ClientFrame"], Frames["HelloFrame"]>;
/** A frame before it has its id; the union stays one of frames. */
type Unnamed<Frame> = Frame extends unknown ? Omit<Frame, "id"> : never;
type View = Frames["View"];

const address = `${process.argv[2]}/api/v1`;

/** One connection. What is heard of a match goes to `heard`; what was asked gets its answer, over a new connection if the first is lost. */
class Socket {
  readonly heard = new Map<string, { cursor?: string; items: Frames["FeedEntry"][]; over: boolean; news: () => void }>();
  #waiting = new Map<string, { text: string; answer: (frame: Sent) => void }>();
  #web!: WebSocket;

  constructor(private readonly token: string) {
    this.#connect();
  }

  /** Asks something, and returns the answer. */
  ask(frame: Unnamed<Asked>): Promise<Sent> {
    const id = randomUUID();
    const text = JSON.stringify({ ...frame, id });
    const answered = new Promise<Sent>((answer) => this.#waiting.set(id, { text, answer }));
    if (this.#web.readyState === WebSocket.OPEN) this.#web.send(text);
    return answered;
  }

  /** Follows a match; `news` of it is called for all that happens. */
  async follow(match: string) {
    this.heard.set(match, { items: [], over: false, news: () => {} });
    await this.ask({ type: "subscribe", match });
  }

  /** Waits until something happens in a match. */
  news(match: string): Promise<void> {
    return new Promise((resolve) => (this.heard.get(match)!.news = resolve));
  }

  close() {
    this.#web.onclose = null;
    this.#web.close();
  }

  #connect() {
    this.#web = new WebSocket(`${address.replace("http", "ws")}/socket`, "tafelrunde.v1");
    this.#web.onopen = () => {
      this.#say({ type: "hello", token: this.token });
      // What had no answer is sent once more: a command has its key, so it is carried out once.
      for (const { text } of this.#waiting.values()) this.#web.send(text);
      for (const match of this.heard.keys()) this.#resume(match);
    };
    this.#web.onmessage = ({ data }) => this.#hear(JSON.parse(data) as Sent);
    this.#web.onclose = () => setTimeout(() => this.#connect(), 500);
  }

  /** Follows a match again, from the last item on. */
  #resume(match: string) {
    const { cursor, over } = this.heard.get(match)!;
    if (cursor !== undefined && !over) this.#say({ type: "subscribe", id: randomUUID(), match, after: cursor });
  }

  #say(frame: Frames["ClientFrame"]) {
    this.#web.send(JSON.stringify(frame));
  }

  #hear(frame: Sent) {
    if (frame.type === "items") this.#take(frame.match, frame.items, frame.cursor);
    if (frame.type === "receipt") this.#take(frame.receipt.match, frame.receipt.items, frame.receipt.cursor);
    if (frame.type === "reset") this.heard.get(frame.match)!.items = [];
    if (frame.type === "bye" && frame.match !== undefined) this.#resume(frame.match);
    if (frame.type === "end") this.#take(frame.match, [], undefined, true);
    if (!("id" in frame) || frame.id === undefined) return;
    this.#waiting.get(frame.id)?.answer(frame);
    this.#waiting.delete(frame.id);
  }

  /** Takes items, each once: a repeated receipt may have some that are known. */
  #take(match: string, items: Frames["FeedEntry"][], cursor?: string, over = false) {
    const known = this.heard.get(match);
    if (known === undefined) return;
    for (const item of items) if (item.n === known.items.length + 1) known.items.push(item);
    if (cursor !== undefined) known.cursor = cursor;
    known.over ||= over;
    known.news();
  }
}

/** Asks what is not asked over the socket; a problem ends the program. */
async function http<Answer>(method: string, path: string, token?: string, body?: unknown): Promise<Answer> {
  const headers: Record<string, string> = { "Content-Type": "application/json", "Idempotency-Key": randomUUID() };
  if (token !== undefined) headers["Authorization"] = `Bearer ${token}`;
  const answer = await fetch(address + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Answer;
}

/** Opens a match against bots and begins it. */
async function sit(token: string, game: string, seats: number): Promise<string> {
  const bots = Array.from({ length: seats - 1 }, (_, place) => ({ seat: place + 1, bot: "random" }));
  const { match } = await http<Frames["Receipt"]>("POST", "/matches", token, { game, seats, bots, seat: null });
  await http("POST", `/matches/${match}/seats`, token, { seat: 0, nonce: randomUUID() });
  await http("POST", `/matches/${match}/start`, token);
  return match;
}

/** Plays a match to its end, and returns the last view. */
async function play(socket: Socket, match: string): Promise<View> {
  await socket.follow(match);
  for (;;) {
    const news = socket.news(match);
    const seen = await socket.ask({ type: "view", match });
    if (seen.type !== "view") throw new Error(JSON.stringify(seen));
    const { question, status } = seen.view;
    if (status === "over") {
      while (!socket.heard.get(match)!.over) await socket.news(match);
      return seen.view;
    }
    if (question === null || question.answered !== null) {
      await news;
      continue;
    }
    const command = question.legal[Math.floor(Math.random() * question.legal.length)]!;
    const given = await socket.ask({ type: "command", match, decision: question.decision, command, key: randomUUID() });
    // Somebody else may have closed the decision meanwhile.
    if (given.type === "problem" && given.problem.type !== "urn:tafelrunde:problem:decision-closed") throw new Error(JSON.stringify(given));
  }
}

const { text: token } = await http<{ text: string }>("POST", "/players", undefined, {});
const socket = new Socket(token);
const { items: games } = await http<{ items: { id: string; min_seats: number }[] }>("GET", "/games");
for (const { id, min_seats } of games) {
  const match = await sit(token, id, min_seats);
  const { placings } = await play(socket, match);
  const places = placings?.map(({ rank }) => rank).join(", ");
  console.log(`${id}: ${socket.heard.get(match)!.items.length} events, places [${places}]`);
}
socket.close();
