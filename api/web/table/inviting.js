// Inviting people to an open match, and asking a newcomer once for a name and a picture.

import { avatar, avatarOf } from "../art/avatars.js";
import { avatarChoice } from "../pages/avatar-choice.js";
import { hasPeople } from "../pages/people.js";
import { nameOf, peopleOf } from "../pages/person.js";
import { html, nothing } from "../vendor/lit.js";
import { say, word } from "../core/words.js";

/** @import { At, Got, Shapes } from "../contract" */
/** @typedef {import("./table.js").TablePage} TablePage */
/** @typedef {Shapes["PersonFacts"]} Person */

const ASKED = "tafelrunde.asked";
const WORDS = {
  declined: { de: "hat abgelehnt", en: "declined" },
  hello: { de: "Wie heißt du?", en: "What is your name?" },
  invite: { de: "Einladen", en: "Invite" },
  invited: { de: "eingeladen", en: "invited" },
  later: { de: "Später", en: "Later" },
  qr: { de: "QR-Code mit dem Link zu diesem Tisch", en: "QR code with the link to this table" },
  scan: {
    de: "Wer neben dir sitzt, scannt den Code mit dem Handy.",
    en: "Someone next to you can scan the code with a phone.",
  },
  none: {
    de: "Hier stehen Leute, denen du folgst oder mit denen du gespielt hast. Allen anderen schickst du den Link.",
    en: "Those you follow or have played with are listed here. Send the link to everyone else.",
  },
  title: { de: "Leute einladen", en: "Invite people" },
  withdraw: { de: "Zurückziehen", en: "Withdraw" },
};

/** What is known at a table about whom the reader can invite. */
class Inviting {
  constructor(/** @type {TablePage} */ page) {
    this.page = page;
    this.there = false;
    /** @type {readonly Person[]} */
    this.people = [];
    /** @type {readonly Shapes["InvitationFacts"][]} */
    this.invited = [];
    /** The link to the match as a QR code. */
    this.qr = "";
    /** Who the reader is, while it is asked for a name. @type {Got<"me"> | null} */
    this.newcomer = null;
    this.load().catch(() => {});
  }

  async load() {
    const { client } = this.page.store;
    if (!client.keep || !client.token || !(await hasPeople(client))) return;
    this.there = true;
    if (!localStorage.getItem(ASKED)) {
      const me = await client.get("me");
      if (me.guest) this.newcomer = me;
      else localStorage.setItem(ASKED, "1");
    }
    const [followed, recent] = await Promise.all([peopleOf(client, "followed"), client.get("me/recent-players")]);
    const known = new Map([...followed, ...recent.items].map((each) => [each.player, each]));
    this.people = [...known.values()].filter(({ program }) => !program);
    await this.look();
  }

  async look() {
    const { client, match } = this.page.store;
    const { items, qr } = await client.get(`matches/${match}/invitations`);
    Object.assign(this, { invited: items, qr });
    this.page.changed();
  }

  change(/** @type {() => Promise<unknown>} */ act) {
    return this.page.attempt(async () => {
      await act();
      await this.look();
    });
  }

  row(/** @type {Person} */ person) {
    const { client, match, facts } = this.page.store;
    if (facts.chairs.some(({ player }) => player === person.player)) return nothing;
    const invitation = this.invited.find(({ other }) => other.player === person.player);
    const invite = () => this.change(() => client.change(`matches/${match}/invitations`, { player: person.player }));
    const withdraw = () => this.change(() => client.change(`matches/${match}/invitations/${person.player}`, null, "DELETE"));
    const state = !invitation
      ? html`<button class="small" @click=${invite}>${say(WORDS.invite)}</button>`
      : invitation.declined
        ? html`<span class="quiet">${say(WORDS.declined)}</span>`
        : html`<span class="quiet">${say(WORDS.invited)}</span>
            <button class="small" @click=${withdraw}>${say(WORDS.withdraw)}</button>`;
    return html`<li class="person">
      ${avatar(person.avatar ?? avatarOf(person.player))}<span>${nameOf(person)}</span> ${state}
    </li>`;
  }

  /** Ask for a name and a picture, once; both can be left for later. */
  hello(/** @type {Got<"me">} */ me) {
    const { client } = this.page.store;
    const done = () => {
      localStorage.setItem(ASKED, "1");
      this.newcomer = null;
      this.page.changed();
    };
    const choose = (/** @type {Partial<Shapes["Avatar"]>} */ part) => {
      const avatar = { ...(this.newcomer?.avatar ?? avatarOf(me.id)), ...part };
      this.newcomer = { ...me, avatar: /** @type {Shapes["Avatar"]} */ (avatar) };
      this.page.changed();
    };
    const save = (/** @type {At<HTMLFormElement>} */ event) => {
      event.preventDefault();
      const name = String(new FormData(event.target).get("name")).trim();
      return this.page.attempt(async () => {
        if (me.avatar) await client.change("me/profile", { avatar: me.avatar }, "PATCH");
        if (name) await client.change("me", { name }, "PATCH");
        done();
        await this.page.store.reload();
      });
    };
    return html`<form class="hello" @submit=${save}>
      <h2>${say(WORDS.hello)}</h2>
      <label>${word("name")} <input type="text" name="name" maxlength="40" autocomplete="nickname" /></label>
      ${avatarChoice(me.avatar ?? avatarOf(me.id), choose)}
      <p class="buttons"><button>${word("save")}</button><button type="button" @click=${done}>${say(WORDS.later)}</button></p>
    </form>`;
  }

  render() {
    if (!this.there) return nothing;
    return html`${this.newcomer ? this.hello(this.newcomer) : nothing}
      <details class="inviting">
        <summary>${say(WORDS.title)}</summary>
        ${
          this.people.length
            ? html`<ul class="people">
                ${this.people.map((each) => this.row(each))}
              </ul>`
            : html`<p class="quiet">${say(WORDS.none)}</p>`
        }
        ${
          this.qr
            ? html`<figure class="scan">
                <img class="qr" alt=${say(WORDS.qr)} src=${`data:image/svg+xml,${encodeURIComponent(this.qr)}`} />
                <figcaption>${say(WORDS.scan)}</figcaption>
              </figure>`
            : nothing
        }
      </details>`;
  }
}

/** @type {WeakMap<TablePage, Inviting>} */
const known = new WeakMap();

/** What the waiting room offers to its host and to those who sit there, in a deployment with people. @type {(page: TablePage) => unknown} */
export function inviting(page) {
  if (!page.links || !(page.controls.own || page.controls.isHost)) return nothing;
  const there = known.get(page) ?? new Inviting(page);
  known.set(page, there);
  return there.render();
}
