// An agent that knows no game: it plays a match of each by what the tools say, through the official MCP client.
// `node play.mjs COMMAND ARGUMENT...` starts that server, `node play.mjs http://ADDRESS/mcp TOKEN` asks one over HTTP. It prints
// what a model would have read, in characters.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "agent", version: "1" });
await client.connect(
  command.startsWith("http")
    ? new StreamableHTTPClientTransport(new URL(command), { requestInit: { headers: { Authorization: `Bearer ${args[0]}` } } })
    : new StdioClientTransport({ command, args, env: process.env }),
);

let read = 0;

async function use(name, given) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
  if (isError) throw new Error(`${name}: ${content[0].text}`);
  read += content[0].text.length;
  return structuredContent;
}

const { tools } = await client.listTools(); // from here on, the client checks every answer against its tool's schema
console.log(`tools: ${JSON.stringify(tools.map(({ outputSchema, ...tool }) => tool)).length}`);

for (const { game, min_seats: seats } of (await use("list_games", {})).games) {
  read = 0;
  for (const name of ["rules", "cards", "game"]) await use(name, { game });
  const sheets = read;
  let update = await use("open_match", { game, seats, bots: Array(seats - 1).fill("random") });
  let decisions = 0;
  for (let step; (step = /Call `(\w+)`/.exec(update.next)); ) {
    const { match, question } = update;
    const choice = Number(Object.keys(question?.choices ?? {})[0]);
    update = await use(step[1], step[1] === "play" ? { match, decision: question.decision, choice } : { match });
    if (step[1] === "play") decisions += 1;
  }
  console.log(`${game}: ${sheets} ${read - sheets} ${decisions}`);
}
await client.close();
