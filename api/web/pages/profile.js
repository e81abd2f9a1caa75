// The reader's own player: its name and picture, its ratings, its people and devices, its data, and its deletion.

import { avatarOf } from "../art/avatars.js";
import { html, nothing } from "../vendor/lit.js";
import { fill, listed, say, word } from "../core/words.js";
import { clearDevice, earlierPlayers, signOutEarlier } from "../core/device.js";
import { Confirm } from "../table/confirm.js";
import { Applications } from "./applications.js";
import { avatarChoice } from "./avatar-choice.js";
import { Devices } from "./devices.js";
import { Notices } from "./notices.js";
import { OpenIdLink } from "./openid.js";
import { Passkeys } from "./passkeys.js";
import { languageNames, ratingsOf, Relations } from "./people.js";
import { canSignIn } from "./sign-in.js";
import { Vacation } from "./vacation.js";
import { unloaded } from "./dead-end.js";

/** @import { At, Got, Sent } from "../contract" */
/** @import { Client } from "../core/client.js" */
/** @typedef {Got<"me">} Player */

const WORDS = {
  data: { de: "Meine Daten", en: "My data" },
  data_note: {
    de: "Alles, was dieser Dienst über dich gespeichert hat, in einer Datei (JSON).",
    en: "All that this service keeps of you, in one file (JSON).",
  },
  download: { de: "Herunterladen", en: "Download" },
  languages: { de: "Sprachen, die ich spreche", en: "Languages that I speak" },
  remove_note: {
    de: "Name, Bild, Freunde, Nachrichten und alle Schlüssel werden gelöscht. In laufenden Partien spielt ein Bot weiter; von beendeten bleibt nur eine Nummer.",
    en: "Name, picture, friends, messages and all keys are deleted. A bot plays on in running matches; finished ones keep a number only.",
  },
  remove_others: {
    de: "Auf diesem Gerät wird auch {names} abgemeldet.",
    en: "On this device, {names} is signed out as well.",
  },
  sign_in: { de: "Anmelden", en: "Sign in" },
  sign_in_other: { de: "Als jemand anders anmelden", en: "Sign in as someone else" },
  page: { de: "So sehen mich andere", en: "How others see me" },
};

/** The languages that can be chosen here; the service takes any. */
const LANGUAGES = "de en fr es it nl pl tr uk ru pt cs da sv".split(" ");

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
    /** @type {Got<`players/${string}/ratings`>["items"]} */
    this.histories = [];
    this.relations = new Relations(client, changed);
    this.devices = new Devices(client, this.confirm, (act) => this.attempt(act), go);
    /** @type {Passkeys | null} */
    this.passkeys = null;
    /** @type {OpenIdLink | null} */
    this.openid = null;
    /** @type {Applications | null} */
    this.applications = null;
    /** Whether one can sign in here as another player. */
    this.signIn = false;
    this.ready = false;
    /** Whether the deployment has profiles, relations and devices. */
    this.people = false;
    /** @type {unknown} */
    this.error = null;
    this.saved = false;
    /** @type {Notices | null} */
    this.notices = null;
    /** @type {Vacation | null} */
    this.vacation = null;
  }

  load() {
    return this.attempt(async () => {
      const { client } = this;
      const [games, player] = await Promise.all([client.get("games"), client.own("me")]);
      Object.assign(this, { games: games.items, player, people: games.features.includes("people") });
      this.signIn = canSignIn(games.features);
      this.passkeys =
        player && games.features.includes("passkeys")
          ? new Passkeys(client, this.confirm, (act) => this.attempt(act), this.changed)
          : null;
      const linkable = player && games.features.includes("openid");
      this.openid = linkable ? new OpenIdLink(client, this.confirm, (act) => this.attempt(act)) : null;
      const lent = player && games.features.includes("oauth");
      this.applications = lent ? new Applications(client, this.confirm, (act) => this.attempt(act)) : null;
      await Promise.all([this.passkeys?.load(), this.openid?.load(), this.applications?.load()]);
      if (player && games.features.includes("ratings")) {
        this.histories = (await client.get(`players/${player.id}/ratings`)).items;
      }
      if (player) this.later(games.features);
      if (player && this.people) await Promise.all([this.relations.load(), this.devices.load()]);
      this.ready = true;
    });
  }

  /** Load sections for which the page does not wait. */
  later(/** @type {readonly string[]} */ features) {
    this.notices = features.includes("notices") ? new Notices(this.client, this.changed) : null;
    this.vacation = features.includes("vacation") ? new Vacation(this.client, this.changed) : null;
    void this.notices?.load();
    void this.vacation?.load();
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
      this.saved = true;
    });
  }

  /** Change a part of the reader's picture, as it is by now. */
  picture(/** @type {Partial<import("../art/avatars.js").Avatar>} */ part) {
    const { player } = this;
    if (!player) return;
    const avatar = { ...(player.avatar ?? avatarOf(player.id)), ...part };
    this.show(/** @type {Sent<"me/profile", "PATCH">} */ ({ avatar }));
  }

  /** Change what the reader shows of itself. It changes here at once, so that the next tick goes on from there. */
  show(/** @type {Sent<"me/profile", "PATCH">} */ wish) {
    const { player } = this;
    const shown = (this.player = player && /** @type {Player} */ ({ ...player, ...wish }));
    return this.attempt(async () => {
      try {
        const now = await this.client.change("me/profile", wish, "PATCH");
        if (this.player === shown) this.player = now;
        this.saved = true;
      } catch (error) {
        if (this.player === shown) this.player = player;
        throw error;
      }
    });
  }

  /** Save all that the service keeps of the reader as a file. */
  download() {
    return this.attempt(async () => {
      const all = await this.client.get("me/export");
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([JSON.stringify(all, null, 1)], { type: "application/json" }));
      link.download = "tafelrunde.json";
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }

  remove() {
    return this.attempt(async () => {
      await this.client.change("me", null, "DELETE");
      this.client.signOut();
      await signOutEarlier().catch(() => {}); // what is stored of them goes in any case
      clearDevice();
      this.go("#/");
    });
  }

  render() {
    if (this.error) return unloaded(this.error);
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
      ${this.saved ? html`<p role="status" class="quiet">${word("saved")}</p>` : nothing}
      ${this.signIn ? html`<p><a href="#/sign-in">${say(this.player ? WORDS.sign_in_other : WORDS.sign_in)}</a></p>` : nothing}
      ${this.player ? this.parts(this.player) : this.client.refusedToken ? nothing : html`<p class="quiet">${word("me_none")}</p>`}
    </section>`;
  }

  back() {
    return html`<p><a href="#/">${word("back")}</a></p>`;
  }

  parts(/** @type {Player} */ player) {
    const rated = player.ratings.length
      ? ratingsOf(player.ratings, this.histories, this.games)
      : html`<p class="quiet">${word("board_empty_own")}</p>`;
    const access = html`${this.passkeys?.render()}${this.openid?.render()}${this.applications?.render()}`;
    if (!this.people) return html`${rated}${this.notices?.render()}${this.vacation?.render()}${access}${this.removal()}`;
    return html`${avatarChoice(player.avatar ?? avatarOf(player.id), (part) => this.picture(part))}
      ${this.languages(player.languages ?? [])}
      <p><a href="#/player/${player.id}">${say(WORDS.page)}</a></p>
      ${rated}${this.relations.render()}${this.notices?.render()}${this.vacation?.render()}${this.devices.render()}${access}${this.data()}${this.removal()}`;
  }

  languages(/** @type {readonly string[]} */ chosen) {
    const offered = [...new Set([...LANGUAGES, ...chosen])];
    const names = languageNames(offered);
    const choose =
      (/** @type {string} */ code) =>
      (/** @type {At<HTMLInputElement>} */ { target }) =>
        this.show({
          languages: [...(this.player?.languages ?? []).filter((each) => each !== code), ...(target.checked ? [code] : [])].slice(
            -8,
          ),
        });
    return html`<details class="languages-spoken">
      <summary>${say(WORDS.languages)}</summary>
      ${offered.map(
        (code, place) =>
          html`<label
            ><input type="checkbox" .checked=${chosen.includes(code)} @change=${choose(code)} /> ${names[place]}</label
          >`,
      )}
    </details>`;
  }

  data() {
    return html`<h2>${say(WORDS.data)}</h2>
      <p>${say(WORDS.data_note)}</p>
      <p><button @click=${() => this.download()}>${say(WORDS.download)}</button></p>`;
  }

  removal() {
    const others = listed(earlierPlayers().map(({ name }) => name));
    const sure = others ? `${word("remove_sure")} ${fill(say(WORDS.remove_others), { names: others })}` : word("remove_sure");
    const ask = () => this.confirm.ask(sure, word("remove"), () => this.remove());
    return html`<h2>${word("remove")}</h2>
      <p>${say(WORDS.remove_note)}</p>
      <p><button @click=${ask}>${word("remove")}</button></p>`;
  }
}
