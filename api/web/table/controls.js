// What concerns the match itself: starting, inviting, playing again, looking back; and, set apart, aborting and leaving.

import { Confirm } from "./confirm.js";
import { html, nothing } from "../vendor/lit.js";
import { fill, listed, word } from "../core/words.js";

export class Controls {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    this.store = page.store;
    this.confirm = new Confirm(page.changed);
    /** Playing again, once the match is over. @type {import("./again.js").Again | null} */
    this.rematch = null;
    this.opening = false;
  }

  get own() {
    const { facts, view } = this.store;
    return view.seat === null ? null : facts.chairs[view.seat];
  }

  /** Whether the viewer can start an open match. */
  get isHost() {
    return this.own !== null && this.own.player === this.store.facts.host;
  }

  act(
    /** @type {string} */ what,
    /** @type {{} | null} */ body = null,
    /** @type {import("../contract").Method} */ method = "POST",
  ) {
    return () => this.store.act(what, body, method);
  }

  render() {
    const { view } = this.store;
    const button = {
      open: () => this.page.room?.buttons(this) ?? nothing,
      running: () => nothing,
      over: () => this.afterwards(),
      aborted: () => this.again(),
    }[view.status];
    return html`${button()}${view.table ? html`<button @click=${() => this.page.startReplay()}>${word("replay")}</button>` : nothing}${this.ends()}${this.confirm.render()}`;
  }

  /** What comes next: the ranking of the day, a first real match after a lesson, or another match of the same people. */
  afterwards() {
    if (this.store.facts.daily) return this.again();
    return this.page.learning.lesson?.wayOut("main") ?? this.rematch?.render(this.own) ?? nothing;
  }

  /** Hear of a match that is over: who waits for a rematch is led to it. */
  async hear() {
    const { Again } = await import("./again.js");
    this.rematch ??= new Again(this.page);
    this.rematch.hear();
  }

  /**
   * After an abort there is no rematch to agree on: open another match with the same settings and computers.
   * A deal of the day has one try, and its ranking.
   */
  again() {
    const { facts, view } = this.store;
    const { links } = this.page;
    if (links && facts.daily) return html`<a class="button main" href="#/daily/${facts.game}">${word("daily_ranking")}</a>`;
    if (!links || !this.own || !view.table || facts.branch) return nothing;
    return html`<button class="main" ?disabled=${this.opening} @click=${() => this.another()}>${word("again")}</button>`;
  }

  async another() {
    const { store, page } = this;
    if (this.opening) return;
    this.opening = true;
    const { chairs, game, lesson, seats } = store.facts;
    const bots = chairs.flatMap(({ seat, bot, player }) => (bot && !player ? [{ seat, bot }] : []));
    try {
      const [{ open }, { defaults, settingsOf }] = await Promise.all([
        import("../proof/evidence.js"),
        import("../pages/match-settings.js"),
      ]);
      // A lesson is not hurried; a match that is opened after it has the clock of any other.
      const settings = { ...settingsOf(store.facts), ...(lesson ? { clock: defaults(game, seats).clock } : {}) };
      const wish = { ...settings, bots, start: bots.length === seats - 1 };
      const match = await open(store.client, wish, store.view.seat ?? 0);
      if (!store.stop.signal.aborted) page.links?.go(match);
    } catch (error) {
      store.fail(error);
    }
    this.opening = false;
    page.changed();
  }

  /** What ends the match for a player needs a confirmation, and is set apart from the rest. */
  ends() {
    const { own, store } = this;
    const running = store.view.status === "running";
    if (!own || !(running || store.view.status === "open")) return nothing;
    const others = store.facts.chairs.filter((chair) => chair.player && chair !== own);
    const alone = others.every((chair) => chair.bot) && !(store.facts.rated && others.length);
    const abort = alone ? word("abort_now") : word("abort");
    return html`<span class="ends"
      >${running && !own.agrees_to_abort ? html`<button @click=${() => this.askToAbort(abort)}>${abort}</button>` : nothing}
      ${own.bot ? nothing : html`<button @click=${() => this.askToLeave(running)}>${word("leave")}</button>`}</span
    >`;
  }

  askToAbort(/** @type {string} */ title) {
    return this.page.attempt(async () => {
      const { aborting } = await this.page.lookAway();
      this.confirm.ask(aborting(this.store), title, this.act("abort"));
    });
  }

  askToLeave(/** @type {boolean} */ running) {
    return this.page.attempt(async () => {
      const text = running ? (await this.page.lookAway()).leaving(this.store) : word("leave_open");
      this.confirm.ask(text, word("leave"), this.act("seats/me", null, "DELETE"));
    });
  }

  /** Who wants to end the match, while some have not agreed. */
  wishes() {
    const { facts } = this.store;
    const names = facts.chairs.filter((chair) => chair.agrees_to_abort).map((chair) => this.store.name(chair.seat));
    if (!names.length) return nothing;
    return html`<p class="wishes notice" role="status">${fill(word("abort_wish"), { names: listed(names) })}</p>`;
  }
}
