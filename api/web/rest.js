// A browser has six connections to a service: a tab that is hidden for long gives its stream back, and takes it again once it is seen.

/** After so many milliseconds out of sight, and how often it looks then, so that its title still tells whose turn it is. */
export const REST = { after: 60_000, every: 30_000 };

export class Rest {
  #timer = null;
  #looks = null;
  #turn = () => this.turn();

  /** Where *store* follows its match already. */
  constructor(store) {
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
    clearInterval(this.#looks);
    document.removeEventListener("visibilitychange", this.#turn);
  }
}
