// Whose players are on vacation at a slow table, and until when.

import { dayOf } from "../pages/vacation.js";
import { html } from "../vendor/lit.js";
import { fill, say } from "../core/words.js";

/** @typedef {import("../core/store.js").Store} Store */

const AWAY = { de: "{name} ist im Urlaub bis {day}.", en: "{name} is on vacation until {day}." };
/** A match with less time than that for a decision waits for no one (seconds). */
const SLOW = 86_400;
/** How often is looked (milliseconds): a vacation may end sooner than it was meant to. */
const AGAIN_MS = 600_000;

/** Whether a match waits for players on vacation. @type {(store: Store) => boolean} */
const waits = ({ facts, view }) =>
  view.status === "running" && Math.min(facts.clock.turn_seconds ?? 0, facts.clock.reaction_seconds ?? 0) >= SLOW;

export class Vacations {
  /**
   * @param {Store} store
   * @param {() => void} changed
   */
  constructor(store, changed) {
    this.store = store;
    this.changed = changed;
    /** Until when, by seat. @type {Map<number, number>} */
    this.away = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  close() {
    clearTimeout(this.timer);
  }

  /** Ask who is away, now and then. */
  async look() {
    const { client, match } = this.store;
    clearTimeout(this.timer);
    if (!waits(this.store) || this.store.stop.signal.aborted) return this.away.clear();
    if (!(await client.get("games")).features.includes("vacation")) return undefined;
    const { items } = await client.get(`matches/${match}/vacations`);
    this.away = new Map(items.map(({ seat, until_ms: until }) => [seat, until]));
    if (!this.store.stop.signal.aborted) this.timer = setTimeout(() => this.look().catch(() => {}), AGAIN_MS);
    return this.changed();
  }

  /** What is said of a seat whose player is away; null of another one. @type {(seat: number) => string | null} */
  at(seat) {
    const until = this.away.get(seat);
    return until === undefined ? null : fill(say(AWAY), { name: this.store.name(seat), day: dayOf(until) });
  }

  render() {
    return [...this.away.keys()].map((seat) => html`<p class="notice" role="status">${this.at(seat)}</p>`);
  }
}
