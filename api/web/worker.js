// The worker of the client's pages. It shows notices, and without a connection what this browser has kept: the client itself,
// the rules of the games, and finished matches that were looked at here. The service writes into it which files there are.

/** @import { Scope, Shown } from "./worker" */

const worker = /** @type {Scope} */ (/** @type {unknown} */ (self));
const VERSION = "{version}";
const FILES = ["{files}"];
const BASE = new URL("./", location.href);
/** Files of one version; rules; and what of finished matches was looked at, by the names that pages and later workers know. */
const SHELL = `tafelrunde-shell ${BASE.pathname} ${VERSION}`;
const RULES = `tafelrunde-rules ${BASE.pathname}`;
const SEEN = `tafelrunde-seen ${BASE.pathname}`;
/** How many answers about finished matches are kept. */
const MOST = 2000;
const GAMES = /^api\/v1\/games(\/[a-z0-9-]+(\/rules)?)?$/;
const MATCH = /^api\/v1\/matches\/m[a-z2-7]{24}(?=$|\/(view|views|feed)$)/;

/** The address of a table. */
const TABLE = /match\/m[a-z2-7]{24}/;

const here = (/** @type {string} */ path) => new URL(path, BASE).href;

worker.addEventListener("install", (event) => {
  event.waitUntil(install().then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(clear().then(() => worker.clients.claim()));
});

/** Keep all files of this version, and the page that asks for them. */
async function install() {
  const shell = await caches.open(SHELL);
  await shell.addAll([here("./"), ...FILES.map((name) => here(`web/${VERSION}/${name}`))]);
}

/** Forget the files of other versions. */
async function clear() {
  const old = (await caches.keys()).filter((name) => name.startsWith(`tafelrunde-shell ${BASE.pathname} `) && name !== SHELL);
  await Promise.all(old.map((name) => caches.delete(name)));
}

worker.addEventListener("message", (event) => {
  if (event.data === "rules") event.waitUntil(keepRules().catch(() => {}));
  if (event.data === "forget") event.waitUntil(forget());
});

/** How often the player of this browser was forgotten: what was asked for before is not kept after it. */
let forgotten = 0;

/** Forget what was seen of matches, and what of it is still on its way. */
async function forget() {
  forgotten += 1;
  await caches.delete(SEEN);
}

/** Keep the rules of all games, in both languages, unless they are there. */
async function keepRules() {
  const rules = await caches.open(RULES);
  const list = await fetch(here("api/v1/games"));
  const { items } = await list.clone().json();
  await rules.put(list.url, list);
  for (const { id } of items)
    for (const path of ["", "/rules?lang=de", "/rules?lang=en"]) {
      const address = here(`api/v1/games/${id}${path}`);
      if (!(await rules.match(address))) await rules.add(address);
    }
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(BASE.href)) return;
  const path = url.pathname.slice(BASE.pathname.length);
  if (request.mode === "navigate") {
    if (path === "" || path.startsWith("match/")) event.respondWith(page(request, path));
  } else if (path.startsWith(`web/${VERSION}/`)) {
    event.respondWith(file(request));
  } else if (GAMES.test(path)) {
    event.respondWith(newest(request, RULES, async () => true));
  } else if (MATCH.test(path) && !url.searchParams.has("wait")) {
    event.respondWith(newest(request, SEEN, (answer) => isOver(request, answer, here(MATCH.exec(path)?.[0] ?? ""))));
  }
});

/** The page as it is now, or the one that was kept; it finds the match by what follows #. */
async function page(/** @type {Request} */ request, /** @type {string} */ path) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(here("./"), { cacheName: SHELL, ignoreVary: true });
    if (!kept) throw error;
    return path ? Response.redirect(here(`./#/${path}`)) : kept;
  }
}

/** A file of this version, which does not change. */
async function file(/** @type {Request} */ request) {
  return (await caches.match(request, { cacheName: SHELL, ignoreVary: true })) ?? fetch(request);
}

/**
 * What the service says now, kept if it is worth it; without a connection what it said to the same token last.
 * @param {Request} request
 * @param {string} name
 * @param {(answer: Response) => Promise<boolean>} isWorth
 */
async function newest(request, name, isWorth) {
  const before = forgotten;
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(request);
  } catch (error) {
    const kept = await caches.match(request, { cacheName: name });
    if (!kept) throw error;
    return kept;
  }
  if (answer.ok && (await isWorth(answer.clone()).catch(() => false))) await keep(name, request, answer.clone());
  if (forgotten !== before) await caches.delete(SEEN);
  return answer;
}

/** Keep an answer; the oldest make room. */
async function keep(/** @type {string} */ name, /** @type {Request} */ request, /** @type {Response} */ answer) {
  const cache = await caches.open(name);
  await cache.put(request, answer).catch(() => {});
  const all = await cache.keys();
  await Promise.all(all.slice(0, Math.max(0, all.length - MOST)).map((each) => cache.delete(each)));
}

/** Whether a match is over: its own facts say so, and all else is kept only once these are. */
async function isOver(/** @type {Request} */ request, /** @type {Response} */ answer, /** @type {string} */ match) {
  if (request.url === match) return ["over", "aborted"].includes((await answer.json()).status);
  return (await caches.match(match, { cacheName: SEEN, ignoreVary: true })) !== undefined;
}

worker.addEventListener("push", (event) => {
  event.waitUntil(show(event.data?.json() ?? {}));
});

/** Whether a page shows a match, if there is one. */
const isAt = (/** @type {{url: string}} */ page, /** @type {string | null} */ match) => !!match && page.url.includes(match);

/** Show a notice, unless its match is being looked at: its page says it itself. */
async function show(/** @type {Shown} */ { title = "Tafelrunde", body = "", match = null, tag = "" }) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.some((each) => each.focused && isAt(each, match))) return;
  const icon = here(`web/${VERSION}/icon.svg`);
  await worker.registration.showNotification(title, { body, tag, icon, data: match });
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** Show a match: in the page that has it, else in one that is not at a table, else in a new one. */
async function open(/** @type {string | null} */ match) {
  const address = here(match ? `./#/match/${match}` : "./");
  const pages = await worker.clients.matchAll({ type: "window" });
  const own = pages.filter(({ frameType }) => frameType === "top-level");
  const page = own.find((each) => isAt(each, match)) ?? own.find(({ url }) => !TABLE.test(url));
  if (!page) return worker.clients.openWindow(address);
  await page.navigate(address).catch(() => {});
  return page.focus();
}
