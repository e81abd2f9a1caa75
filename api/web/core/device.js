// What this browser keeps of the people who play in it, and how that ends: tokens of earlier players, and all that is stored.

import { Client, problemOf } from "./client.js";

/** What the names of all that the client stores begin with. */
const PREFIX = "tafelrunde.";
/** How the device shows things: that is of no player, and stays. */
const STAYS = ["tafelrunde.language", "tafelrunde.settings"];
/** Where the players are kept who were here before, the last one last. */
const BEFORE = "tafelrunde.before";

/** @typedef {{text: string, name: string, by: string}} Before token and name of an earlier player, and the id of the token that came then */

/** The players who were here before, and can be again. @returns {Before[]} */
export const earlierPlayers = () => JSON.parse(localStorage.getItem(BEFORE) ?? "[]");

/** Store who was here before. */
export function storeEarlier(/** @type {Before[]} */ before) {
  if (before.length) localStorage.setItem(BEFORE, JSON.stringify(before));
  else localStorage.removeItem(BEFORE);
}

/** End a token by itself; one that has ended already is no failure. */
export async function endToken(/** @type {string} */ text, /** @type {string} */ id) {
  const holder = new Client({ token: text });
  await holder.change(`me/tokens/${id}`, null, "DELETE").catch((error) => {
    if (![401, 404].includes(problemOf(error)?.status ?? 0)) throw error;
  });
}

/** Sign this device out of all players who were here before. */
export async function signOutEarlier() {
  for (const { text } of earlierPlayers()) {
    const tokens = await new Client({ token: text }).own("me/tokens");
    const [current] = tokens?.items.filter((each) => each.current) ?? [];
    if (current) await endToken(text, current.id);
  }
  storeEarlier([]);
}

/** Forget all that this browser has stored of its players: tokens, matches, nonces, marks, what was sought and learned. */
export function clearDevice() {
  for (const storage of [localStorage, sessionStorage])
    for (const name of Object.keys(storage)) if (name.startsWith(PREFIX) && !STAYS.includes(name)) storage.removeItem(name);
}
