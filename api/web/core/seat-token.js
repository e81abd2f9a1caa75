// The life of a seat token: exchanged at once, so that the one handed over becomes worthless; and again before it expires.

const PART = 0.75;
const PATIENCE = 15_000;

export class SeatToken {
  /**
   * *ask(reason)* asks the page for another token, which arrives by `take`; *keep(token)* receives each fresh one.
   * @param {import("./client.js").Client} client
   * @param {string} match
   * @param {(reason: string) => void} ask
   * @param {(token: string) => void} keep
   */
  constructor(client, match, ask, keep) {
    this.client = client;
    this.match = match;
    this.ask = ask;
    this.keep = keep;
    this.closed = false;
    /** @type {Promise<void> | null} */
    this.exchanging = null;
    /** @type {(() => void) | null} */
    this.taken = null;
    /** @type {Promise<void> | null} */
    this.taking = null;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {number | null} */
    this.seat = null;
    client.refused = (token) => this.refused(token);
  }

  /** Replace the current token by a fresh one for a seat. A viewer without a seat keeps the current token. */
  exchange(/** @type {number | null} */ seat) {
    this.seat = seat;
    if (seat !== null) this.exchanging ??= this.swap(seat).finally(() => (this.exchanging = null));
    return this.exchanging;
  }

  async swap(/** @type {number} */ seat) {
    const { client } = this;
    const { token } = client;
    try {
      const answer = await client.sendAs(token, "POST", `matches/${this.match}/seats/${seat}/tokens`, null, null);
      const made = await client.read(answer);
      if (client.token !== token) return;
      client.token = made.text;
      if (!this.closed) this.keep(made.text);
      if (!this.closed) this.wait(made.token.expires_ms - made.token.created_ms);
    } catch {
      // The next request is refused, and then the page is asked for a token.
    }
  }

  wait(/** @type {number} */ life) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.expiring(), Math.min(PART * life, 2 ** 31 - 1));
  }

  async expiring() {
    const { token } = this.client;
    await this.exchange(this.seat);
    if (this.client.token === token) this.ask("expiring");
  }

  /** The page has supplied another token. */
  take(/** @type {string} */ token) {
    this.client.token = token;
    this.taken?.();
    this.exchange(this.seat);
  }

  /** Return whether there is another token than the refused one, after waiting a while for the page. */
  async refused(/** @type {string | null} */ token) {
    await this.exchanging;
    if (this.client.token !== token) return true;
    if (!this.taking) {
      this.taking = new Promise((/** @type {(value: void) => void} */ done) => {
        this.taken = () => done();
        setTimeout(done, PATIENCE);
      }).finally(() => (this.taking = null));
      this.ask("refused");
    }
    await this.taking;
    return this.client.token !== token;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.taken?.();
  }
}
