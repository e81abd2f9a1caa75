// The rules beside the table: a dialog over it, with the game's pictures and its sheet. The table stays as it is.

import { html, nothing, ref } from "../vendor/lit.js";
import { Rules } from "../pages/rules.js";
import { spoken, word } from "../core/words.js";

export class Drawer {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    this.open = false;
    this.language = null;
    this.rules = null;
  }

  show() {
    const { client, facts } = this.page.store;
    if (this.language !== spoken()) {
      this.language = spoken();
      this.rules = new Rules(client, facts.game, this.page.changed);
      this.rules.load();
    }
    this.open = true;
    this.page.changed();
  }

  hide() {
    this.open = false;
    this.page.changed();
  }

  render() {
    if (!this.open) return nothing;
    return html`<dialog
      class="drawer"
      aria-label=${word("rules")}
      ${ref(show)}
      @close=${() => this.hide()}
      @keydown=${(event) => event.stopPropagation()}
      @click=${(event) => event.target === event.currentTarget && event.target.close()}
    >
      <div class="drawer-head">
        <button autofocus @click=${(event) => event.target.closest("dialog").close()}>${word("close")}</button>
      </div>
      ${this.rules.content()}
    </dialog>`;
  }
}

/** A dialog can only be opened once it is in the page. */
function show(dialog) {
  if (dialog) queueMicrotask(() => dialog.isConnected && !dialog.open && dialog.showModal());
}
