// Who sits at a seat: the avatar, its ring with the time that is left, and the sign of a computer.

import { avatar, likeness } from "../art/avatars.js";
import { html, nothing, svg } from "../vendor/lit.js";
import { symbol } from "../core/symbols.js";
import { word } from "../core/words.js";

/** @import { Scene } from "../drawing" */

/** From then on the seconds stand beside the ring. */
const FEW = 60;

/**
 * Marks a seat without a person: a computer, also one that stands in for a player.
 * @type {(ctx: Scene, seat: number) => unknown}
 */
function sits(ctx, seat) {
  const { bot, player } = ctx.chair(seat) ?? {};
  if (!bot) return nothing;
  const title = player ? word("stands_in") : word("computer");
  return html`<span role="img" class="robot ${player ? "badge" : ""}" data-tip="robot" title=${title} aria-label=${title}
    >${symbol("robot")}</span
  >`;
}

/**
 * The time that a seat has left, as a part of its ring and, when it is short, in seconds. The sentence above the table says it to screen readers.
 * @type {(left: {share: number, seconds: number} | null) => unknown}
 */
const time = (left) =>
  left === null
    ? nothing
    : html`${svg`<svg class="time" viewBox="0 0 40 40" aria-hidden="true" focusable="false"><circle cx="20" cy="20" r="18" pathLength="100" stroke-dasharray="${Math.round(100 * left.share)} 100" /></svg>`}${left.seconds < FEW ? html`<span class="seconds" aria-hidden="true">${left.seconds}</span>` : nothing}`;

/**
 * Draw who sits at a seat.
 * @type {(ctx: Scene, seat: number) => unknown}
 */
export const plate = (ctx, seat) =>
  html`<span class="likeness"
    >${avatar(likeness(ctx.chair(seat), ctx.name(seat)))}${time(ctx.time(seat))}${sits(ctx, seat)}</span
  >`;
