// What helps to learn at the table: the lesson's lines, the rules beside it, and what a sign means. Each is loaded when it is wanted.

import { html, nothing } from "../vendor/lit.js";
import { SIGN, symbol } from "../core/symbols.js";
import { word } from "../core/words.js";

/** What acts on a click itself. */
const ACTS = "button:not([aria-disabled=true]), a, summary, input, select";

export class Learning {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    /** @type {import("./lesson.js").Lesson | null} */
    this.lesson = null;
    /** @type {import("./drawer.js").Drawer | null} */
    this.drawer = null;
    /** @type {import("./tips.js").Tips | null} */
    this.tips = null;
    this.asked = false;
  }

  close() {
    this.tips?.close();
  }

  /** The line that fits now, and what lies over the table. */
  render() {
    if (this.page.store.known?.facts.lesson && !this.asked) this.begin();
    return html`${this.lesson?.render() ?? nothing}${this.drawer?.render() ?? nothing}${this.tips?.render() ?? nothing}`;
  }

  begin() {
    this.asked = true;
    return this.page.attempt(async () => {
      const { Lesson } = await import("./lesson.js");
      this.lesson = await Lesson.of(this.page);
    });
  }

  /** The buttons in the table's bar: what is this?, and the rules. */
  buttons() {
    return html`<button class="icon what" aria-pressed=${Boolean(this.tips?.on)} @click=${() => this.ask()}>
        ${symbol("question")}<span>${word("what_is_this")}</span></button
      ><button class="icon rules-button" @click=${() => this.rules()}>${symbol("book")}<span>${word("rules")}</span></button>`;
  }

  rules() {
    return this.page.attempt(async () => {
      const { Drawer } = await import("./drawer.js");
      this.drawer ??= new Drawer(this.page);
      this.drawer.show();
    });
  }

  withTips(/** @type {(tips: import("./tips.js").Tips) => void} */ act) {
    return this.page.attempt(async () => {
      const { Tips } = await import("./tips.js");
      this.tips ??= new Tips(this.page);
      act(this.tips);
    });
  }

  ask() {
    return this.withTips((tips) => tips.toggle());
  }

  /** A tap on a sign says what it is, unless the tap does something else. */
  click(/** @type {Event} */ event) {
    const [target] = event.composedPath();
    if (this.tips?.click(event) || !(target instanceof Element)) return;
    /** @type {HTMLElement | null} */
    const sign = target.closest(SIGN);
    if (sign && !target.closest(ACTS) && !this.page.stage.shown) this.withTips((tips) => tips.tell(sign));
  }

  /** Return whether a key was for this. */
  press(/** @type {KeyboardEvent} */ event) {
    if (this.drawer?.open) return true;
    if (this.tips?.press(event)) return true;
    if (event.key !== "?") return false;
    this.ask();
    return true;
  }
}
