// A browser allows six connections per host: a tab that stays hidden closes its stream, and reopens it when it becomes visible.

/** Milliseconds hidden before the stream is closed, and the polling interval from then on, so that the title still shows whose turn it is. */
export const REST = { after: 60_000, every: 30_000 };

export class Rest {
  /** @type {number | undefined} */
  #timer;
  /** @type {number | null} */
  #looks = null;
  #turn = () => this.turn();

  /** *store* must be following its match already. */
  constructor(/** @type {import("./store.js").Store} */ store) {
    this.store = store;
    document.addEventListener("visibilitychange", this.#turn);
    this.turn();
  }

  turn() {
    clearTimeout(this.#timer);
    if (document.hidden) this.#timer = setTimeout(() => this.begin(), REST.after);
    else this.end();
  }

  begin() {
    if (this.#looks) return;
    this.store.unfollow();
    this.#looks = setInterval(() => this.store.look().catch(() => {}), REST.every);
  }

  end() {
    if (!this.#looks) return;
    clearInterval(this.#looks);
    this.#looks = null;
    this.store.follow();
  }

  close() {
    clearTimeout(this.#timer);
    clearInterval(this.#looks ?? undefined);
    document.removeEventListener("visibilitychange", this.#turn);
  }
}
