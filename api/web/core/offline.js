// The worker of the pages: it is asked for once a page is there, and what it keeps for a player ends with that player here.

import { BASE } from "./client.js";
import { html, nothing } from "../vendor/lit.js";
import { word } from "./words.js";

/** How long a page has for itself before the worker fetches what it keeps (milliseconds). */
const LATER = 3000;
/** The beginning of the names of what the worker keeps of matches that were looked at. */
const SEEN = "tafelrunde-seen";

/** Where workers can be had: on the machine itself, and by https. */
const workers = () => navigator.serviceWorker;

/** The worker, as soon as it works, on a page that has it. @type {Promise<void> | null} */
let used = null;

/** Have the worker, which keeps the client and the rules for times without a connection. */
export const useWorker = () => (used ??= use());

async function use() {
  if (!workers()) return;
  await new Promise((go) => setTimeout(go, LATER));
  await workers().register(new URL("worker.js", BASE));
  (await workers().ready).active?.postMessage("rules");
}

/** The worker's registration, once it works; null where there can be none. A page that has just come waits until it has asked. */
export async function registration() {
  await used?.catch(() => {});
  return registered();
}

async function registered() {
  if (!workers() || !(await workers().getRegistration(BASE))) return null;
  return workers().ready;
}

/** Forget what was kept for the player of this browser, and end its notices here. */
export async function forgetPlayer() {
  if (!workers()) return;
  const seen = (await caches.keys()).filter((name) => name.startsWith(SEEN));
  await Promise.all(seen.map((name) => caches.delete(name)));
  const there = await registered();
  there?.active?.postMessage("forget");
  const subscription = await there?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

/** Said above a page while there is no connection. */
export const offlineLine = () => (navigator.onLine ? nothing : html`<p class="notice" role="status">${word("offline")}</p>`);
