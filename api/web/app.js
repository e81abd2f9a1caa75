// The page: which of its views is shown follows from the address behind the #.

import { Client } from "./client.js";
import { html, render } from "./lit.js";
import { Lobby } from "./lobby.js";
import { Rules } from "./rules.js";
import { Store } from "./store.js";
import { TablePage } from "./table.js";
import { LANGUAGES, speak, spoken, word } from "./words.js";

const root = document.getElementById("app");
const client = new Client();
let page = null;
let drawn = false;

const go = (address) => {
  location.hash = address;
};

function changed() {
  if (drawn) return;
  drawn = true;
  requestAnimationFrame(() => {
    drawn = false;
    draw();
  });
}

function draw() {
  const turn = page?.store?.view?.question ? "● " : "";
  document.title = `${turn}Tafelrunde`;
  render(
    html`<header class="top"><a class="brand" href="#/">Tafelrunde</a><span class="quiet tagline">${word("tagline")}</span>
      <span class="languages">${Object.entries(LANGUAGES).map(
        ([name, title]) => html`<button lang=${name} aria-pressed=${name === spoken()} @click=${() => (speak(name), page?.load?.(), changed())}>${title}</button>`,
      )}</span></header>
      <main>${page.render()}</main>`,
    root,
  );
}

function open() {
  page?.close?.();
  const [, kind, name] = location.hash.split("/");
  if (kind === "match" && /^m[a-z2-7]{24}$/.test(name)) {
    const store = new Store(client, name, changed);
    page = new TablePage(store, changed, go);
    store.open();
  } else if (kind === "rules" && name) {
    page = new Rules(client, name, changed);
    page.load();
  } else {
    page = new Lobby(client, changed, go);
    page.load();
  }
  changed();
  window.scrollTo(0, 0);
}

addEventListener("hashchange", open);
open();
