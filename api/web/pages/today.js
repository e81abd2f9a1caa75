// What today offers: a deal and a puzzle, the reader's own tries, and for how many days they came back.

import { html, nothing } from "../vendor/lit.js";
import { serverNow } from "../core/clock.js";
import { fill, say, word } from "../core/words.js";

/** @import { Got } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @typedef {Got<"daily">} Board */
/** @typedef {Board["items"][number]} Offer */
/** @typedef {Got<"games">["items"][number]} Game */

const WORDS = {
  days: { de: "{count} Tage in Folge", en: "{count} days in a row" },
  days_one: { de: "ein Tag – komm morgen wieder", en: "one day – come back tomorrow" },
  find: { de: "Finde den besten Zug.", en: "Find the best move." },
  missed: { de: "Nicht gefunden. Sieh dir die Lösung an.", en: "Not found. Look at the solution." },
  new: { de: "Heute noch nicht gespielt.", en: "Not played today." },
  place: { de: "Du bist auf Platz {place} von {count}.", en: "You are in place {place} of {count}." },
  running: { de: "Deine Partie läuft noch.", en: "Your match is still running." },
  same: { de: "Zu {seats}, für alle dieselben Karten.", en: "{seats} seats, the same cards for everyone." },
  solved: { de: "Gelöst!", en: "Solved!" },
  unranked: {
    de: "Deine Partie ist beendet und steht nicht in der Rangliste.",
    en: "Your match has ended and is not in the ranking.",
  },
};

const own = (/** @type {keyof typeof WORDS} */ key) => say(WORDS[key]);

/**
 * Return what a try has come to, in a sentence; null without one.
 * @type {(deal: {yours: Offer["yours"], ranked: number}) => string | null}
 */
export function stateOf({ yours, ranked }) {
  if (!yours) return null;
  if (yours.status === "running") return own("running");
  if (yours.place === null) return own("unranked");
  return fill(own("place"), { place: yours.place, count: ranked });
}

/**
 * The one of some offers that is shown today: another one each day, and first those that the reader still has to play.
 * @type {(offers: Offer[], day: string, done: (offer: Offer) => boolean) => Offer | undefined}
 */
export function featured(offers, day, done) {
  const left = offers.filter((each) => !done(each));
  const among = left.length ? left : offers;
  return among[Math.floor(Date.parse(day) / 86_400_000) % among.length];
}

export class Today {
  constructor(/** @type {Client} */ client) {
    this.client = client;
    /** @type {Board | null} */
    this.board = null;
  }

  async load() {
    this.board = await this.client.get("daily");
  }

  /** What is known of today; null once its day is over. */
  get now() {
    return this.board && serverNow() < this.board.ends_ms ? this.board : null;
  }

  /** A deal and a puzzle of today, each of one game; where there is no puzzle, two deals. */
  render(/** @type {Game[]} */ games) {
    const { now } = this;
    if (!now?.items.length) return nothing;
    const played = (/** @type {Offer} */ { yours }) => yours !== null && yours.status !== "running";
    const deal = featured(now.items, now.day, played);
    const puzzles = now.items.filter((each) => each.puzzle);
    const puzzle = featured(puzzles, now.day, ({ solved }) => solved !== null);
    const others = now.items.filter((each) => each !== deal);
    const second = puzzle ? undefined : featured(others, now.day, played);
    const name = (/** @type {Offer} */ { game }) => say(games.find((each) => each.id === game)?.name);
    return html`<section class="today" aria-labelledby="today">
      <h2 id="today">${word("today")} ${this.streak(now.streak)}</h2>
      <div class="todays">
        ${[deal, second].map((each) => (each ? this.card(`#/daily/${each.game}`, word("daily"), name(each), dealt(each)) : nothing))}
        ${puzzle ? this.card(`#/puzzle/${puzzle.game}`, word("puzzle"), name(puzzle), found(puzzle)) : nothing}
      </div>
    </section>`;
  }

  /** @type {(address: string, kind: string, name: string, state: string) => unknown} */
  card(address, kind, name, state) {
    return html`<a class="todays-one" href=${address}
      ><span class="kind">${kind}</span><strong>${name}</strong><span class="quiet">${state}</span></a
    >`;
  }

  streak(/** @type {number} */ count) {
    if (!count) return nothing;
    return html`<span class="badge streak">${count === 1 ? own("days_one") : fill(own("days"), { count })}</span>`;
  }

  /** What today offers in one game. */
  of(/** @type {string} */ game) {
    const offer = this.now?.items.find((each) => each.game === game);
    if (!offer) return nothing;
    return html`<aside class="daily">
      <a class="button" href="#/daily/${game}">${word("daily")}</a>
      <span class="quiet">${stateOf(offer) ?? own("new")}</span>
      ${offer.puzzle ? html`<a class="button" href="#/puzzle/${game}">${word("puzzle")}</a>` : nothing}
    </aside>`;
  }
}

const dealt = (/** @type {Offer} */ offer) => stateOf(offer) ?? fill(own("same"), { seats: offer.seats });

const found = (/** @type {Offer} */ { solved }) => own(solved === null ? "find" : solved ? "solved" : "missed");
