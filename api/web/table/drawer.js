// The rules beside the table: a dialog over it, with the game's pictures and its sheet. The table stays as it is.

import { html, nothing, ref } from "../vendor/lit.js";
import { show } from "./confirm.js";
import { Rules } from "../pages/rules.js";
import { spoken, word } from "../core/words.js";

/** @type {(event: import("../contract").At<Element>) => void} */
const shut = ({ target }) => target.closest("dialog")?.close();

export class Drawer {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    this.open = false;
    /** @type {import("../core/words.js").Language | null} */
    this.language = null;
    /** @type {Rules | null} */
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
      @keydown=${(/** @type {Event} */ event) => event.stopPropagation()}
      @click=${(/** @type {import("../contract").At<Element>} */ event) => event.target === event.currentTarget && shut(event)}
    >
      <div class="drawer-head">
        <button autofocus @click=${shut}>${word("close")}</button>
      </div>
      ${this.rules?.content()}
    </dialog>`;
  }
}
