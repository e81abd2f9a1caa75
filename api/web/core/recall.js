// The feed of a finished match for times without a connection: its pages have the same addresses whenever they are asked for, so
// the worker can keep them.

/** @import { Client, Feed } from "./client.js" */
/** @import { Item } from "../drawing" */

/** The most items of a page. */
const MOST = 500;

/**
 * All of a feed behind a cursor, page by page; the last one is empty.
 * @param {Client} client
 * @param {string} match
 * @param {string | number | null} [after]
 */
async function* pages(client, match, after = null) {
  for (;;) {
    /** @type {{items: Item[]}} */
    const { items } = await client.get(`matches/${match}/feed?limit=${MOST}${after ? `&after=${after}` : ""}`);
    if (!items.length) return;
    yield items;
    after = items[items.length - 1].cursor;
  }
}

/** Have the feed of a match that is over kept in this browser, if it keeps any: what came over the socket no worker has seen. */
export async function remember(/** @type {Client} */ client, /** @type {string} */ match) {
  if (!client.keep || !navigator.serviceWorker?.controller) return;
  for await (const items of pages(client, match)) if (!items.length) return;
}

/** Tell a feed what is kept of it; it is not over by that: with a connection there may be more. */
export async function recall(/** @type {Client} */ client, /** @type {Feed} */ feed) {
  for await (const items of pages(client, feed.match, feed.after)) for (const item of items) feed.hear("item", item);
  return false;
}
