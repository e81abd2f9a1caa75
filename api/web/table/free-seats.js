// Seats that are still free: what the lobby knows of them as well as a waiting room.

/** Said to whom a seat is reserved for. */
export const RESERVED = { de: "Dein Platz ist reserviert.", en: "A seat is reserved for you." };

/** Where it is kept until when a quick match waits for players, by its match. */
const FILLS = "tafelrunde.fills.";

/** Keep when bots take the free seats of a quick match (Unix milliseconds of the service). */
export const noteFills = (/** @type {string} */ match, /** @type {number} */ at) =>
  sessionStorage.setItem(FILLS + match, String(at));

/** What was kept of that; null for a match that was not sought. */
export function fillsAt(/** @type {string} */ match) {
  try {
    return Number(sessionStorage.getItem(FILLS + match)) || null;
  } catch {
    return null; // a page that may store nothing sought nothing
  }
}

/** Whether anyone may take a seat: it is empty, and reserved for no one. @type {(chair: import("../contract").Chair) => boolean} */
export const isFree = ({ player, bot, reserved }) => !player && !bot && !reserved;
