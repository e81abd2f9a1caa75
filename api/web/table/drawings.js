// The drawing of a game: `games/<game>.js`, loaded on first use. For a game without one the service delivers the plain drawing.

/** @import { View } from "../contract" */
/** @import { Ctx, Drawing, OwnCtx, Seen } from "../drawing" */

/** @type {Map<string, Drawing>} */
const drawings = new Map();

/** @returns {Promise<Drawing>} */
export async function drawingOf(/** @type {string} */ game) {
  const found = drawings.get(game) ?? (await import(`../games/${game}.js`));
  drawings.set(game, found);
  return found;
}

/**
 * Whether a view has a table: it has none before the match has started.
 * @param {View} view
 * @returns {view is Seen}
 */
export const hasTable = (view) => view.table !== null;

/**
 * Whether what is drawn is the view of one who plays, and not that of a spectator.
 * @param {Ctx} ctx
 * @returns {ctx is OwnCtx}
 */
export const isSeated = (ctx) => ctx.table.seat !== null;
