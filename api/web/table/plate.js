// Who sits at a seat: the avatar, its ring with the time that is left, and the sign of a computer.

import { avatar, likeness } from "../art/avatars.js";
import { html, nothing, svg } from "../vendor/lit.js";
import { shortly } from "../core/clock.js";
import { symbol } from "../core/symbols.js";
import { word } from "../core/words.js";

/** @import { Scene } from "../drawing" */

/** From then on the seconds stand beside the ring, but not for screen readers, which would say each of them. */
const FEW = 60;
/** Who has as much for a decision comes back for it: how much is left stands there all the time. */
const LONG = 3600;

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

/** Marks a seat whose player is on vacation, and says until when. @type {(said: string | null) => unknown} */
const resting = (said) =>
  said === null
    ? nothing
    : html`<span role="img" class="robot badge" data-tip="vacation" title=${said} aria-label=${said}>${symbol("suns")}</span>`;

/**
 * The time that a seat has left, as a part of its ring, and in figures when it is short, or long in all.
 * @type {(left: ReturnType<Scene["time"]>) => unknown}
 */
function time(left) {
  if (left === null) return nothing;
  const ring = svg`<svg class="time" viewBox="0 0 40 40" aria-hidden="true" focusable="false"><circle cx="20" cy="20" r="18" pathLength="100" stroke-dasharray="${Math.round(100 * left.share)} 100" /></svg>`;
  if (left.whole >= LONG) return html`${ring}<span class="seconds">${shortly(left.seconds)}</span>`;
  return left.seconds < FEW ? html`${ring}<span class="seconds" aria-hidden="true">${left.seconds}</span>` : ring;
}

/**
 * Draw who sits at a seat.
 * @type {(ctx: Scene, seat: number) => unknown}
 */
export const plate = (ctx, seat) =>
  html`<span class="likeness"
    >${avatar(likeness(ctx.chair(seat), ctx.name(seat)))}${time(ctx.time(seat))}${sits(ctx, seat)}${resting(ctx.away(seat))}</span
  >`;
