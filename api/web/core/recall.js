// The feed of a finished match for times without a connection: its pages have the same addresses whenever they are asked for, so
// the worker can keep them.

/** @import { Client, Feed } from "./client.js" */
/** @import { Item } from "../drawing" */

/** The most items of a page. */
const MOST = 500;

/**
 * All of a feed behind a cursor, page by page; the last one is empty.
 * @param {(path: string) => Promise<{items: Item[]}>} get
 * @param {string} match
 * @param {string | number | null} [after]
 */
async function* pages(get, match, after = null) {
  for (;;) {
    const { items } = await get(`matches/${match}/feed?limit=${MOST}${after ? `&after=${after}` : ""}`);
    if (!items.length) return;
    yield items;
    after = items[items.length - 1].cursor;
  }
}

/** Have the feed of a match that is over kept in this browser, if it keeps any: what came over the socket no worker has seen. */
export async function remember(/** @type {Client} */ client, /** @type {string} */ match) {
  if (!client.keep || !navigator.serviceWorker?.controller) return;
  for await (const items of pages((path) => client.get(path), match)) if (!items.length) return;
}

/**
 * Tell a feed what is kept of it, until *signal* aborts; it is not over by that: with a connection there may be more. Each page is
 * asked for once: without a connection another try finds no more.
 * @param {Client} client
 * @param {Feed} feed
 * @param {AbortSignal} signal
 */
export async function recall(client, feed, signal) {
  const get = async (/** @type {string} */ path) => client.read(await client.send("GET", path, null, null, { signal }));
  for await (const items of pages(get, feed.match, feed.after)) {
    if (signal.aborted) break;
    for (const item of items) feed.hear("item", item);
  }
  return false;
}
