// The drawing of a game: `games/<game>.js`, loaded on first use. For a game without one the service delivers the plain drawing.

/** @type {Map<string, import("../drawing").Drawing>} */
const drawings = new Map();

/** @returns {Promise<import("../drawing").Drawing>} */
export async function drawingOf(/** @type {string} */ game) {
  const found = drawings.get(game) ?? (await import(`../games/${game}.js`));
  drawings.set(game, found);
  return found;
}

/**
 * Whether a view has a table: it has none before the match has started.
 * @param {import("../contract").View} view
 * @returns {view is import("../drawing").Seen}
 */
export const hasTable = (view) => view.table !== null;

/**
 * Whether what is drawn is the view of one who plays, and not that of a spectator.
 * @param {import("../drawing").Ctx} ctx
 * @returns {ctx is import("../drawing").OwnCtx}
 */
export const isSeated = (ctx) => ctx.table.seat !== null;
