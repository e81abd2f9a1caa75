// The frame: a table on another site's page, which communicates with that page by messages. docs/embedding.md has their shapes.

const given = read();

const PROTOCOL = 1;
const PATIENCE = 1_000;
const EVENTS = ["state", "ended", "error"];

// The page may send messages as soon as the frame exists: they are received from now on, and processed once there is a table.
const loaded = import("./game-table.js");
addEventListener("message", (event) => void loaded.then(() => hear(event)));
await loaded;

const { match = "", mode = "", hosts = "" } = document.documentElement.dataset;
const host = window.parent === window ? null : window.parent;
const allowed = new Set([location.origin, ...hosts.split(" ")]);
const table = /** @type {import("./game-table.js").GameTable} */ (document.createElement("game-table"));
/** @type {Map<string, object>} */
const newest = new Map();
/** The origin of the page, once it has said something. @type {string | null} */
let peer = null;
/** Also while the table is shown without one, as it is to a page that has not spoken for a while. */
let lacksToken = mode === "seat";

/** @typedef {{token?: unknown, language?: unknown}} Given what the address or the page says */

/** Read the part of the address after #, and remove it. */
function read() {
  const found = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, "", location.pathname + location.search);
  return { token: found.get("token"), language: found.get("language") };
}

/** Apply what the page has sent. Spectators never hold a token. */
function take(/** @type {Given} */ { token, language }) {
  if (language === "de" || language === "en") table.language = language;
  if (mode === "seat" && typeof token === "string" && token.length > 0 && token.length <= 256) {
    lacksToken = false;
    table.token = token;
    begin();
  }
}

function begin() {
  if (!table.match) table.match = match;
}

/** Send the page a message once its origin is known; until then the newest of each type is kept. */
function tell(/** @type {string} */ type, /** @type {{event?: string, [name: string]: unknown}} */ content = {}) {
  const message = { tafelrunde: PROTOCOL, type, ...content };
  newest.set(content.event ?? type, message);
  if (peer !== null) post(message, peer);
}

// A page without an origin (a sandbox) cannot be addressed; a frame that may not hold a token only posts what is public.
const post = (/** @type {object} */ message, /** @type {string} */ origin) =>
  host?.postMessage(message, origin === "null" ? "*" : origin);

const isHost = (/** @type {MessageEvent} */ event) =>
  event.source === host && (peer ?? event.origin) === event.origin && (allowed.has("*") || allowed.has(event.origin));

function hear(/** @type {MessageEvent} */ event) {
  const { data } = event;
  if (host === null || !isHost(event) || data?.tafelrunde !== PROTOCOL) return;
  if (data.type === "hello") greet(event.origin, data);
  else if (peer !== null && (data.type === "token" || data.type === "language")) take(data);
}

function greet(/** @type {string} */ origin, /** @type {Given} */ data) {
  const known = peer !== null;
  peer = origin;
  take(data);
  if (!known) newest.forEach((message) => post(message, origin));
  if (lacksToken) tell("token", { match, reason: "missing" });
  else begin();
}

function measure(/** @type {number} */ height) {
  if (height > 0) tell("resize", { height });
}

const on = (/** @type {string} */ name, /** @type {(detail: {[name: string]: unknown}) => void} */ told) =>
  table.addEventListener(name, (event) => told(/** @type {CustomEvent} */ (event).detail));
for (const event of EVENTS) on(event, (detail) => tell("event", { event, detail }));
on("ready", (detail) => tell("ready", detail));
on("token-expiring", (detail) => tell("token", detail));
new ResizeObserver(() => measure(Math.ceil(table.getBoundingClientRect().height))).observe(table);

addEventListener("hashchange", () => location.hash && take(read()));
take(given);
document.body.append(table);
// The origin of the embedding page is not known yet, so this message has nothing that its address does not show.
host?.postMessage({ tafelrunde: PROTOCOL, type: "hello", match, mode }, "*");
if (host === null || mode !== "seat") begin();
else setTimeout(begin, PATIENCE);
