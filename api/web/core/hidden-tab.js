// A browser allows six connections per host: a tab that stays hidden stops listening, and goes on when it becomes visible.

/** Milliseconds hidden before the stream is closed, and the polling interval from then on, so that the title still shows whose turn it is. */
export const HIDDEN = { after: 60_000, every: 30_000 };

export class HiddenTab {
  /** @type {number | undefined} */
  #timer;
  /** @type {number | null} */
  #polls = null;
  #turn = () => this.turn();

  /** *store* must be following already what it follows. */
  constructor(/** @type {Pick<import("./store.js").Store, "follow" | "unfollow" | "reload">} */ store) {
    this.store = store;
    document.addEventListener("visibilitychange", this.#turn);
    this.turn();
  }

  turn() {
    clearTimeout(this.#timer);
    if (document.hidden) this.#timer = setTimeout(() => this.begin(), HIDDEN.after);
    else this.end();
  }

  begin() {
    if (this.#polls) return;
    this.store.unfollow();
    this.#polls = setInterval(() => this.store.reload().catch(() => {}), HIDDEN.every);
  }

  end() {
    if (!this.#polls) return;
    clearInterval(this.#polls);
    this.#polls = null;
    this.store.follow();
  }

  close() {
    clearTimeout(this.#timer);
    clearInterval(this.#polls ?? undefined);
    document.removeEventListener("visibilitychange", this.#turn);
  }
}
