// The page: the part of the address after # selects the view.

import { BASE, Client } from "./core/client.js";
import { asked, askEarly } from "./early.js";
import { Focus } from "./core/focus.js";
import { oncePerFrame } from "./core/frames.js";
import { forgetPlayer, offlineLine, useWorker } from "./core/offline.js";
import { deadEnd } from "./pages/dead-end.js";
import { html, keyed, nothing, render } from "./vendor/lit.js";
import { settings } from "./core/settings.js";
import { LANGUAGES, speak, spoken, word } from "./core/words.js";

/** @typedef {import("./page").Page} Page */
/** @typedef {import("./core/words.js").Language} Language */

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const client = new Client({ keep: true });
const focus = new Focus(root);
const LANGUAGE = "tafelrunde.language";
const SETTINGS = "tafelrunde.settings";
/** @type {import("./page").Links} */
const links = {
  lobby: "#/",
  rules: (game) => `#/rules/${game}`,
  match: (match) => `#/match/${match}`,
  go: (match) => go(`#/match/${match}`),
  /** The item of the feed, and the perspective, that the part after # asks for. */
  wanted() {
    const [, , , n, perspective = null] = location.hash.split("/");
    return /^\d+$/.test(n ?? "") ? { n: Number(n), perspective } : null;
  },
  /** Point the address at an item of the feed; null: at the table as it is now. */
  lead(match, at) {
    const place = at ? `/${at.n}${at.perspective === null ? "" : `/${at.perspective}`}` : "";
    history.replaceState(null, "", `#/match/${match}${place}`);
  },
  entitle: (text) => {
    taken = text;
    entitle(false);
  },
  invitation: (match) => new URL(`match/${match}`, BASE).href,
};
/** @type {import("./page").Page} */
let page = { render: () => nothing };
let turned = false;
/** How many seats of the reader's open table are taken. @type {string | null} */
let taken = null;

const go = (/** @type {string} */ address) => {
  location.hash = address;
};

/** Lead to another page from the one that is shown now, unless that was left meanwhile. */
const goOn =
  (here = location.hash) =>
  (/** @type {string} */ address) => {
    if (location.hash === here) go(address);
  };

const changed = oncePerFrame(() => draw());

function loadTable() {
  askEarly("of-table");
  return import("./game-table.js");
}

function loadLobby() {
  askEarly("of-lobby");
  return import("./pages/lobby.js");
}

/** The table of a match; a new one for every navigation, since an address may lead to another point of the same match. */
class Table {
  constructor(/** @type {string} */ match) {
    this.match = match;
    this.lost = false;
    loadTable().catch(() => {
      this.lost = true;
      changed();
    });
  }

  render() {
    if (this.lost) return html`<p class="quiet">${word("unreachable")}</p>`;
    const table = html`<game-table
      .client=${client}
      .links=${links}
      .keys=${document}
      match=${this.match}
      language=${spoken()}
      @state=${(/** @type {CustomEvent<{your_turn: boolean}>} */ event) => entitle(event.detail.your_turn)}
    ></game-table>`;
    return keyed(this, table);
  }
}

/** An address that leads nowhere; the key is that of what is said of it. */
const nowhere = (key = "no_page") => ({ render: () => deadEnd(word(key)) });

function entitle(/** @type {boolean} */ turn) {
  document.title = `${turn ? "● " : ""}${taken ? `${taken} ` : ""}Tafelrunde`;
}

function choose(/** @type {Language} */ language) {
  localStorage.setItem(LANGUAGE, language);
  use(language);
  page.load?.();
  changed();
}

function use(/** @type {Language} */ language) {
  speak(language);
  document.documentElement.lang = language;
}

function draw() {
  focus.keep(() => render(whole(), root));
  if (turned) root.querySelector("main")?.focus({ preventScroll: true });
  turned = false;
}

/** Said above the page of someone whom the service no longer knows. A table says it itself. */
function stale() {
  return client.refusedToken && !(page instanceof Table) ? html`<p class="notice" role="status">${word("stale")}</p>` : nothing;
}

/** Said above the page while a request waits to be repeated. A table says it itself, and an error says more. */
function busy() {
  return client.hold && !(page instanceof Table) && !page.error
    ? html`<p class="notice" role="status">${client.hold}</p>`
    : nothing;
}

function whole() {
  return html`<header class="top">
      <a class="brand" href="#/">Tafelrunde</a><span class="quiet tagline">${word("tagline")}</span>
      <a href="#/me">${word("me")}</a
      ><span class="languages"
        >${Object.entries(LANGUAGES).map(
          ([name, title]) =>
            html`<button lang=${name} aria-pressed=${name === spoken()} @click=${() => choose(/** @type {Language} */ (name))}>
              ${title}
            </button>`,
        )}</span
      >
    </header>
    <main tabindex="-1">${page instanceof Table ? nothing : offlineLine()}${stale()}${busy()}${page.render()}</main>`;
}

/**
 * Show a page whose module is loaded when it is asked for first, unless another one is asked for meanwhile.
 * @template Module
 * @param {Promise<Module>} module
 * @param {(module: Module) => Page} made
 */
function show(module, made) {
  const saying = (/** @type {string} */ key) => ({ render: () => html`<p class="quiet">${word(key)}</p>` });
  const here = (page = saying("loading"));
  const put = (/** @type {Page} */ next) => {
    if (page !== here) return;
    page = next;
    page.load?.();
    changed();
  };
  module.then(
    (loaded) => put(made(loaded)),
    () => put(saying("unreachable")),
  );
}

/** What the second part of an address looks like, where not every name will do. @type {Record<string, RegExp>} */
const SHAPES = {
  match: /^m[a-z2-7]{24}$/,
  tournaments: /^c[a-z2-7]{24}$/,
  player: /^p[0-9a-f]{26}$/,
  "sign-in": /^openid$/, // with what a provider has sent back
};

/** Show what an address leads to by its first part, with a name as the second. @type {Record<string, (name: string) => void>} */
const NAMED = {
  match: (name) => (page = new Table(name)),
  boards: (name) => show(import("./pages/leaderboards.js"), ({ Leaderboards }) => new Leaderboards(client, name, changed)),
  daily: (name) => show(import("./pages/daily.js"), ({ Daily }) => new Daily(client, name, changed, goOn())),
  puzzle: (name) => show(import("./pages/puzzle.js"), ({ PuzzlePage }) => new PuzzlePage(client, name, changed, goOn())),
  tournaments: (name) => show(import("./pages/tournament.js"), ({ TournamentPage }) => new TournamentPage(client, name, changed)),
  player: (name) => show(import("./pages/people.js"), ({ PlayerPage }) => new PlayerPage(client, name, changed)),
  "sign-in": () => ALONE["sign-in"](),
  rules: (name) => show(import("./pages/rules.js"), ({ Rules }) => new Rules(client, name, changed)),
  carry(name) {
    history.replaceState(null, "", "#/carry"); // the code must not stay in the history
    show(import("./pages/devices.js"), ({ Transfer }) => new Transfer(client, name, changed, goOn()));
  },
};

/** The same without a name. @type {Record<string, () => void>} */
const ALONE = {
  "": () => show(loadLobby(), ({ Lobby }) => new Lobby(client, changed, goOn())),
  tournaments: () => show(import("./pages/tournaments.js"), ({ Tournaments }) => new Tournaments(client, changed, goOn())),
  authorize: () => show(import("./pages/consent.js"), ({ Consent }) => new Consent(client, location.hash.split("?")[1], changed)),
  me: () => show(import("./pages/profile.js"), ({ Profile }) => new Profile(client, changed, goOn())),
  "sign-in"() {
    const [, back] = location.hash.split("?");
    history.replaceState(null, "", "#/sign-in"); // what came back must not stay in the history
    show(import("./pages/sign-in.js"), ({ SignIn }) => new SignIn(client, changed, goOn(), back));
  },
};

function open() {
  taken = null;
  entitle(false);
  client.onWaiting = changed;
  page.close?.();
  const [, kind = "", name = ""] = location.hash
    .split("?")[0]
    .replace(/^#(?!\/)/, "#/")
    .split("/");
  if (Object.hasOwn(NAMED, kind) && (SHAPES[kind] ?? /./).test(name)) NAMED[kind](name);
  else if (Object.hasOwn(ALONE, kind) && !name) ALONE[kind]();
  else page = nowhere(kind === "match" ? "no_match" : "no_page");
  changed();
  window.scrollTo(0, 0);
}

/** Every match has a public address; here it is one of the client's views. */
const [entered] = /m[a-z2-7]{24}$/.exec(location.pathname) ?? [];
// Here sounds are on until they are switched off; a table on another site's page stays silent until they are switched on.
Object.assign(settings, { sound: true }, JSON.parse(localStorage.getItem(SETTINGS) ?? "{}"), {
  kept: (/** @type {import("./core/settings.js").Kept} */ chosen) => localStorage.setItem(SETTINGS, JSON.stringify(chosen)),
  speak: choose,
});
const stored = localStorage.getItem(LANGUAGE) ?? "";
use(stored in LANGUAGES ? /** @type {Language} */ (stored) : spoken());
client.asked = asked;
client.onOther = () => forgetPlayer().catch(() => {});
for (const turn of ["online", "offline"]) addEventListener(turn, changed);
addEventListener("load", () => useWorker().catch(() => {}));
addEventListener("hashchange", () => {
  turned = true;
  client.asked.clear();
  open();
});
if (entered) location.replace(new URL(`#/match/${entered}`, BASE).href);
else open();
