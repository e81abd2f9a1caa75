// How far the reader has come in each lesson, as this browser has kept it.

/** @typedef {{said?: number, count?: number, done?: boolean}} Progress how many of a lesson's lines were said, and whether it has led out */

const KEPT = "tafelrunde.lessons";

/** @returns {Record<string, Progress>} */
function all() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") ?? {};
  } catch {
    return {}; // nothing that can be read is kept
  }
}

export const lessons = {
  /** @type {(game: string) => Progress} */
  of: (game) => all()[game] ?? {},

  /** Keep how far a lesson came; what was done stays so. */
  keep(/** @type {string} */ game, /** @type {Progress} */ { said = 0, count = 0, done = false }) {
    const before = all()[game] ?? {};
    const now = { said: Math.max(said, before.said ?? 0), count, done: done || (before.done ?? false) };
    localStorage.setItem(KEPT, JSON.stringify({ ...all(), [game]: now }));
  },
};
