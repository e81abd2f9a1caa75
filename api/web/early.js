// Asks for what the address leads to, modules and answers, before the page's own modules are there: it imports nothing, so it runs first.

/**
 * The answers that were asked for, by the path of the contract: the client finds them here, with when each was asked for and
 * received (milliseconds of the browser's clock).
 * @type {Map<string, Promise<{sent: number, received: number, answer: Response}>>}
 */
export const asked = new Map();

const token = localStorage.getItem("tafelrunde.token");
const API = new URL("../../api/v1/", import.meta.url);

/** Ask the service, as its client does. */
function ask(/** @type {string} */ path) {
  const headers = { Accept: "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const sent = Date.now();
  const found = fetch(new URL(path, API), { headers, credentials: "omit", referrerPolicy: "no-referrer" }).then((answer) => ({
    sent,
    received: Date.now(),
    answer,
  }));
  found.catch(() => {}); // the client asks again
  asked.set(path, found);
  return found;
}

/** Ask for all modules of a part at once: the page knows the names. Each is there once, however often it is asked for. */
export function askEarly(/** @type {"of-table" | "of-lobby"} */ part) {
  const early = document.getElementById(part);
  if (early instanceof HTMLTemplateElement) document.head.append(early.content);
}

/** What the lobby shows at first, with the parts of the features that there are. */
async function lobby() {
  const games = ask("games");
  for (const path of ["matches?status=open", "matches?watchable=true&limit=20", ...(token ? ["me/matches"] : [])]) ask(path);
  askEarly("of-lobby");
  const { features } = await (await games).answer.clone().json();
  for (const [feature, path] of Object.entries({ daily: "daily", quick: "quick-matches" }))
    if (features.includes(feature)) ask(path);
}

function table(/** @type {string} */ match) {
  ask(`matches/${match}/view`);
  ask(`matches/${match}`);
  askEarly("of-table");
}

const [, kind = "", name = ""] = location.hash.split("?")[0].split("/");
if (kind === "match" && /^m[a-z2-7]{24}$/.test(name)) table(name);
else if (kind === "") lobby().catch(() => {});
