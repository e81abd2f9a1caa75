// "Play again": who has agreed waits for the others, and is led to the new match as soon as there is one.

import { problemOf } from "../core/client.js";
import { html, nothing } from "../vendor/lit.js";
import { fill, listed, say, word } from "../core/words.js";

/** @typedef {import("../contract").Chair} Chair */

const WORDS = {
  again_begins: { de: "Gleich geht es weiter …", en: "The next match is about to begin …" },
  again_waits: { de: "Warten auf die Zustimmung von {names} …", en: "Waiting for {names} to agree …" },
  again_wish: { de: "Noch einmal spielen wollen: {names}.", en: "Want to play again: {names}." },
};

/** The service says so of who sits there already, or of a match that began without the player. */
const REFUSED = 409;

export class Again {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    this.store = page.store;
    /** Whether the viewer has agreed, and no rematch was known yet. */
    this.waits = false;
    this.going = false;
  }

  /** Go as soon as the rematch is known, but only from a page that waited for it: an old match leads nowhere by itself. */
  hear() {
    const { facts, view } = this.store;
    const own = view.seat === null ? null : facts.chairs[view.seat];
    if (view.status !== "over" || !own?.agrees_to_rematch) return;
    if (!facts.rematch) this.waits = true;
    else if (this.waits) this.go(facts.rematch);
  }

  async agree() {
    this.waits = true;
    this.store.linger();
    if (!(await this.store.act("rematch"))) this.waits = false;
  }

  /** Take the reserved seat, with a nonce that is drawn when the commitment is kept, and go there. */
  async go(/** @type {string} */ match) {
    const { client, stop } = this.store;
    const { links } = this.page;
    this.waits = false;
    if (this.going || !links || stop.signal.aborted) return;
    this.going = true;
    await this.page.attempt(async () => {
      const { sit } = await import("../proof/evidence.js");
      await sit(client, match).catch((/** @type {unknown} */ error) => {
        if (problemOf(error)?.status !== REFUSED) throw error;
      });
      if (!stop.signal.aborted) links.go(match);
    });
    this.going = false;
  }

  render(/** @type {Chair | null} */ own) {
    const { rematch } = this.store.facts;
    const { links } = this.page;
    if (this.going || (rematch && own && !links)) return html`<p class="wishes" role="status">${say(WORDS.again_begins)}</p>`;
    if (rematch && own) return html`<button class="main" @click=${() => this.go(rematch)}>${word("again")}</button>`;
    if (rematch) return links ? html`<a class="button main" href=${links.match(rematch)}>${word("again")}</a>` : nothing;
    const missing = own?.agrees_to_rematch ?? false;
    const names = this.names((chair) => chair.agrees_to_rematch !== missing);
    if (missing && !names) return html`<p class="wishes" role="status">${say(WORDS.again_begins)}</p>`;
    if (missing) return html`<p class="wishes" role="status">${fill(say(WORDS.again_waits), { names })}</p>`;
    return html`${names ? html`<p class="wishes" role="status">${fill(say(WORDS.again_wish), { names })}</p>` : nothing}${own ? html`<button class="main" ?disabled=${this.store.sending} @click=${() => this.agree()}>${word("again")}</button>` : nothing}`;
  }

  names(/** @type {(chair: Chair) => boolean} */ chosen) {
    const chairs = this.store.facts.chairs.filter((chair) => chair.player && chosen(chair));
    return listed(chairs.map((chair) => this.store.name(chair.seat)));
  }
}
