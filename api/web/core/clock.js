// The time of the service, and how long it is until one of its moments.

import { fill, say } from "./words.js";

/** What is left, shorter than in words: there is little room on a seat. */
const LEFT = {
  days: { de: "{days} T", en: "{days} d" },
  hours: { de: "{hours} h", en: "{hours} h" },
  minutes: { de: "{minutes} min", en: "{minutes} min" },
};
const SECOND_MS = 1_000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** From this many seconds on, minutes are enough. */
const COARSE = 10 * MINUTE;
/** With fewer seconds left than this, it is time to hurry. */
const URGENT = 10;

/**
 * How far the clock of the browser is from that of the service. Every answer says what second it was there when it was made: that
 * was between asking and receiving, so each of them narrows it down.
 */
export class ServerClock {
  #least = -Infinity;
  #most = Infinity;

  /** Take note of an answer: when it was asked for and received (milliseconds of the browser), and its header `Date`. */
  note(/** @type {number} */ sent, /** @type {number} */ received, /** @type {string | null} */ date) {
    const at = Date.parse(date ?? "");
    if (Number.isNaN(at)) return;
    const least = at - received;
    const most = at + SECOND_MS - sent;
    if (least > this.#most || most < this.#least)
      this.#set(least, most); // one of the clocks was set
    else this.#set(Math.max(least, this.#least), Math.min(most, this.#most));
  }

  #set(/** @type {number} */ least, /** @type {number} */ most) {
    this.#least = least;
    this.#most = most;
  }

  /** By how much the service is ahead (milliseconds): nothing, as long as the clocks may agree. */
  get ahead() {
    if (this.#least <= 0 && this.#most >= 0) return 0;
    return Math.round((this.#least + this.#most) / 2);
  }
}

export const serverClock = new ServerClock();

/** What time it is for the service (Unix milliseconds). */
export const serverNow = () => Date.now() + serverClock.ahead;

/** How many seconds are left until a moment of the service, never less than none. */
export const secondsUntil = (/** @type {number} */ at) => Math.max(0, Math.ceil((at - serverNow()) / SECOND_MS));

/** Whether so few seconds are left that it should be seen. */
export const isUrgent = (/** @type {number} */ seconds) => seconds < URGENT;

/** Seconds as little text: "9", "1:05", "12 min", "5 h", "3 d". */
export function shortly(/** @type {number} */ seconds) {
  if (seconds < MINUTE) return String(seconds);
  if (seconds < COARSE) return `${Math.floor(seconds / MINUTE)}:${String(seconds % MINUTE).padStart(2, "0")}`;
  if (seconds < HOUR) return fill(say(LEFT.minutes), { minutes: Math.floor(seconds / MINUTE) });
  if (seconds < 2 * DAY) return fill(say(LEFT.hours), { hours: Math.floor(seconds / HOUR) });
  return fill(say(LEFT.days), { days: Math.floor(seconds / DAY) });
}

/** Return a span of time in words, in the largest unit that it is a whole number of: "5 minutes". */
export function lasting(/** @type {number} */ seconds) {
  const [size, ...names] = UNITS.find(([each]) => seconds % each === 0) ?? UNITS[UNITS.length - 1];
  const count = seconds / size;
  return `${String(count).replace(".", say(POINT))} ${say(names[count === 1 ? 0 : 1])}`;
}

/** What stands before the decimals of a number. */
const POINT = { de: ",", en: "." };

/**
 * The units of time: one of it, and several. The browser's own words cost more than all else that a page draws, as it looks for them.
 * @type {[number, {de: string, en: string}, {de: string, en: string}][]}
 */
const UNITS = [
  [7 * DAY, { de: "Woche", en: "week" }, { de: "Wochen", en: "weeks" }],
  [DAY, { de: "Tag", en: "day" }, { de: "Tage", en: "days" }],
  [HOUR, { de: "Stunde", en: "hour" }, { de: "Stunden", en: "hours" }],
  [MINUTE, { de: "Minute", en: "minute" }, { de: "Minuten", en: "minutes" }],
  [1, { de: "Sekunde", en: "second" }, { de: "Sekunden", en: "seconds" }],
];

/** Call *changed* whenever another second of the service has begun, until the returned function is called. */
export function ticking(/** @type {() => void} */ changed) {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  const next = () => {
    timer = setTimeout(
      () => {
        changed();
        next();
      },
      SECOND_MS - (serverNow() % SECOND_MS),
    );
  };
  next();
  return () => clearTimeout(timer);
}
