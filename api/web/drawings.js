// The drawing of a game: `draw-<game>.js`, loaded when it is needed first. The service gives the plain one for a game without.

const drawings = new Map();

/** @returns {Promise<import("./contract").Drawing>} */
export async function drawingOf(game) {
  if (!drawings.has(game)) drawings.set(game, await import(`./draw-${game}.js`));
  return drawings.get(game);
}
