// The drawing of a game: `games/<game>.js`, loaded on first use. For a game without one the service delivers the plain drawing.

const drawings = new Map();

/** @returns {Promise<import("../contract").Drawing>} */
export async function drawingOf(/** @type {string} */ game) {
  if (!drawings.has(game)) drawings.set(game, await import(`../games/${game}.js`));
  return drawings.get(game);
}
