// Asks before something that cannot be undone. Staying is the first answer, and what Escape means.

import { html, nothing, ref } from "../vendor/lit.js";
import { word } from "../core/words.js";

/** @import { At } from "../contract" */

export class Confirm {
  constructor(/** @type {() => void} */ changed) {
    this.changed = changed;
    /** @type {{text: string, title: string, act: () => void, otherwise?: () => void} | null} */
    this.asked = null;
  }

  /**
   * Ask *text*; call *act* if the button labelled *title* is pressed, and else *otherwise*.
   * @param {string} text
   * @param {string} title
   * @param {() => void} act
   * @param {() => void} [otherwise]
   */
  ask(text, title, act, otherwise) {
    this.asked = { text, title, act, otherwise };
    this.changed();
  }

  closed(/** @type {At<HTMLDialogElement>} */ { target: dialog }) {
    const { asked } = this;
    this.asked = null;
    this.changed();
    if (dialog.returnValue === YES) asked?.act();
    else asked?.otherwise?.();
  }

  render() {
    if (!this.asked) return nothing;
    const { text, title } = this.asked;
    return html`<dialog
      ${ref(show)}
      class="confirm-box"
      aria-labelledby="confirm-text"
      @close=${(/** @type {At<HTMLDialogElement>} */ event) => this.closed(event)}
    >
      <p id="confirm-text">${text}</p>
      <div class="buttons">
        <button class="main" autofocus @click=${close("")}>${word("stay")}</button><button @click=${close(YES)}>${title}</button>
      </div>
    </dialog>`;
  }
}

const YES = "yes";
/** @type {(answer: string) => (event: At<HTMLElement>) => void} */
const close = (answer) => (event) => event.target.closest("dialog")?.close(answer);

/**
 * A dialog can only be opened once it is in the page.
 * @type {(dialog: Element | undefined) => void}
 */
export function show(dialog) {
  if (dialog instanceof HTMLDialogElement) queueMicrotask(() => dialog.isConnected && !dialog.open && dialog.showModal());
}
