// Asks before something that cannot be undone. Staying is the first answer, and what Escape means.

import { html, nothing, ref } from "../vendor/lit.js";
import { word } from "../core/words.js";

export class Confirm {
  constructor(changed) {
    this.changed = changed;
    /** @type {{text: string, title: string, act: () => void} | null} */
    this.asked = null;
  }

  /** Ask *text*; call *act* if the button labelled *title* is pressed. */
  ask(text, title, act) {
    this.asked = { text, title, act };
    this.changed();
  }

  closed({ target: dialog }) {
    const { act } = this.asked;
    this.asked = null;
    this.changed();
    if (dialog.returnValue === YES) act();
  }

  render() {
    if (!this.asked) return nothing;
    const { text, title } = this.asked;
    return html`<dialog ${ref(show)} class="confirm-box" aria-labelledby="confirm-text" @close=${(event) => this.closed(event)}>
      <p id="confirm-text">${text}</p>
      <div class="buttons">
        <button class="main" autofocus @click=${close("")}>${word("stay")}</button><button @click=${close(YES)}>${title}</button>
      </div>
    </dialog>`;
  }
}

const YES = "yes";
const close = (answer) => (event) => event.target.closest("dialog").close(answer);

/** A dialog can only be opened once it is in the page. */
function show(dialog) {
  if (dialog) queueMicrotask(() => dialog.isConnected && dialog.showModal());
}
