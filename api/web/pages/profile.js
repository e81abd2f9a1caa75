// The reader's own player: its name, its ratings, how to use it on another device, and its deletion.

import { html, nothing } from "../vendor/lit.js";
import { Client, messageOf } from "../core/client.js";
import { Confirm } from "../table/confirm.js";
import { fill, say, word } from "../core/words.js";

/** @import { At, Got } from "../contract" */

/** The address that carries a player to another device; what follows # is never sent to a server. */
const carrier = (/** @type {string} */ token) => `${location.href.split("#")[0]}#/carry/${token}`;

/** @typedef {Got<"me">} Player */

export class Profile {
  /**
   * @param {Client} client
   * @param {() => void} changed
   * @param {(address: string) => void} go
   */
  constructor(client, changed, go) {
    this.client = client;
    this.changed = changed;
    this.go = go;
    this.confirm = new Confirm(changed);
    /** @type {Player | null} */
    this.player = null;
    /** @type {Got<"games">["items"]} */
    this.games = [];
    this.ready = false;
    /** @type {unknown} */
    this.error = null;
    /** Whether the address that carries the player is shown. */
    this.shown = false;
    this.renamed = false;
  }

  load() {
    return this.attempt(async () => {
      const { client } = this;
      [this.games, this.player] = await Promise.all([
        client.get("games").then(({ items }) => items),
        client.token ? client.get("me") : null,
      ]);
      this.ready = true;
    });
  }

  /** Do something with the service; what goes wrong is shown on the page. */
  async attempt(/** @type {() => Promise<void>} */ act) {
    this.error = null;
    await act().catch((error) => (this.error = error));
    this.changed();
  }

  rename(/** @type {At<HTMLFormElement>} */ event) {
    event.preventDefault();
    const name = String(new FormData(event.target).get("name"));
    return this.attempt(async () => {
      if (this.player) this.player = await this.client.change("me", { name }, "PATCH");
      else await this.client.signUp(name).then(() => this.load());
      this.renamed = true;
    });
  }

  remove() {
    return this.attempt(async () => {
      await this.client.change("me", null, "DELETE");
      this.client.signOut();
      this.go("#/");
    });
  }

  render() {
    if (this.error)
      return html`<p class="notice" role="alert">${messageOf(this.error)}</p>
        ${this.back()}`;
    if (!this.ready) return html`<p class="quiet">${word("loading")}</p>`;
    return html`<section class="me-page">
      ${this.back()}
      <h1>${word("me")}</h1>
      ${this.confirm.render()}
      <form class="by-link" @submit=${(/** @type {At<HTMLFormElement>} */ event) => this.rename(event)}>
        <label
          >${word("name")}
          <input
            type="text"
            name="name"
            required
            maxlength="40"
            .value=${this.player?.guest === false ? this.player.name : ""}
            placeholder=${word("guest")} /></label
        ><button>${word("save")}</button>
      </form>
      ${this.renamed ? html`<p role="status" class="quiet">${word("saved")}</p>` : nothing}
      ${this.player ? html`${this.ratings(this.player)}${this.elsewhere()}${this.removal()}` : html`<p class="quiet">${word("me_none")}</p>`}
    </section>`;
  }

  back() {
    return html`<p><a href="#/">${word("back")}</a></p>`;
  }

  ratings(/** @type {Player} */ { ratings }) {
    const named = (/** @type {string} */ game) => say(this.games.find((each) => each.id === game)?.name) || game;
    if (!ratings.length) return html`<p class="quiet">${word("board_empty_own")}</p>`;
    return html`<h2>${word("rating")}</h2>
      <ul>
        ${ratings.map((each) => html`<li><a href="#/boards/${each.game}">${named(each.game)}</a>: ${each.rating}${each.provisional ? html`<abbr title=${word("provisional")}>?</abbr>` : nothing}</li>`)}
      </ul>`;
  }

  elsewhere() {
    const show = () => ((this.shown = true), this.changed());
    const { token } = this.client;
    const address =
      this.shown && token
        ? html`<input
            type="text"
            readonly
            aria-label=${word("carry_link")}
            .value=${carrier(token)}
            @focus=${(/** @type {{target: HTMLInputElement}} */ { target }) => target.select()}
          />`
        : html`<button @click=${show}>${word("carry_show")}</button>`;
    return html`<h2>${word("carry")}</h2>
      <p>${word("carry_note")}</p>
      <p>${address}</p>`;
  }

  removal() {
    const ask = () => this.confirm.ask(word("remove_sure"), word("remove"), () => this.remove());
    return html`<h2>${word("remove")}</h2>
      <p>${word("remove_note")}</p>
      <p><button @click=${ask}>${word("remove")}</button></p>`;
  }
}

/** What stands at the address that carries a player: nothing changes before the reader has agreed. */
export class Transfer {
  /**
   * @param {Client} client
   * @param {string} token
   * @param {() => void} changed
   * @param {(address: string) => void} go
   */
  constructor(client, token, changed, go) {
    this.client = client;
    this.token = token;
    this.changed = changed;
    this.go = go;
    /** @type {Player | null} */
    this.player = null;
    /** @type {unknown} */
    this.error = null;
  }

  async load() {
    await new Client({ base: this.client.base, token: this.token }).get("me").then(
      (player) => (this.player = player),
      (error) => (this.error = error),
    );
    this.changed();
  }

  render() {
    if (this.error)
      return html`<p class="notice" role="alert">${messageOf(this.error)}</p>
        <p><a href="#/">${word("back")}</a></p>`;
    if (!this.player) return html`<p class="quiet">${word("loading")}</p>`;
    const take = () => {
      this.client.signIn(this.token);
      this.go("#/me");
    };
    const name = this.player.guest ? word("guest") : this.player.name;
    return html`<section class="me-page">
      <h1>${word("carry_here")}</h1>
      <p>${fill(word("carry_ask"), { name })}${this.client.token ? ` ${word("carry_replaces")}` : ""}</p>
      <p class="buttons">
        <button class="main" @click=${take}>${word("carry_take")}</button> <a class="button" href="#/">${word("stay")}</a>
      </p>
    </section>`;
  }
}
