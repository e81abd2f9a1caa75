// What a sign means: a tap says it. With the switch on, the next tap or Enter asks instead of acting, also on cards of the hand.

import { html, nothing, ref } from "../vendor/lit.js";
import { word } from "../core/words.js";

const SIGN = "[data-tip], .face, .coins, .chip, .held";
const ROOM = 8;

/** The classes of signs that every game has, by the name of their text. */
const KINDS = ["coins", "held"];

export class Tips {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    this.on = false;
    /** @type {{title: string, text: string | null, sign: HTMLElement} | null} */
    this.told = null;
    this.reached = [];
  }

  get root() {
    return this.page.root;
  }

  close() {
    this.hide();
    this.unreach();
  }

  /** Let the next tap or Enter ask; all signs can be reached by keyboard then. */
  toggle(on = !this.on) {
    this.on = on;
    this.hide();
    this.unreach();
    if (on) this.reach();
    this.page.changed();
  }

  /** Signs that are no buttons get a place in the tab order. */
  reach() {
    this.reached = [...this.root.querySelectorAll(`.board :is(${SIGN})`)].filter(
      (sign) => !sign.closest("button, a") && !sign.parentElement.closest(SIGN) && !sign.hasAttribute("tabindex"),
    );
    for (const sign of this.reached) sign.setAttribute("tabindex", "0");
    /** @type {HTMLElement | null} */
    const first = this.root.querySelector(".board [tabindex='0'], .board .hand button");
    first?.focus({ preventScroll: false });
  }

  unreach() {
    for (const sign of this.reached) sign.removeAttribute("tabindex");
    this.reached = [];
  }

  /** Return whether a click was a question. */
  click(event) {
    const [target] = event.composedPath();
    if (this.told && !target.closest?.(".tip")) this.hide();
    if (!this.on) return false;
    const sign = target.closest?.(SIGN) ?? target.closest?.("button")?.querySelector(SIGN);
    if (!sign) return false;
    event.stopPropagation();
    event.preventDefault();
    this.tell(sign);
    return true;
  }

  /** Return whether a key was for this. */
  press(event) {
    if (event.key === "Escape" && (this.told || this.on)) {
      const sign = this.told?.sign;
      this.toggle(false);
      const back = /** @type {HTMLElement | null | undefined} */ (sign?.closest("button, [tabindex]"));
      back?.focus();
      return true;
    }
    if (!this.on || (event.key !== "Enter" && event.key !== " ")) return this.on && event.key.length === 1;
    const held = this.root.activeElement;
    const sign = held?.matches(SIGN) ? held : held?.querySelector(SIGN);
    if (!sign) return false;
    event.preventDefault();
    this.tell(sign);
    return true;
  }

  /** Say what a sign is, beside it. */
  tell(sign) {
    const { title, text } = this.meaning(sign);
    if (!title && !text) return;
    this.told = { title, text, sign };
    this.page.changed();
  }

  hide() {
    if (!this.told) return;
    this.told = null;
    this.page.changed();
  }

  /** Its name, and what the game's texts say about it, or about its suit or role. */
  meaning(sign) {
    const { sheet } = this.page.store;
    const title =
      sign.querySelector(".spoken")?.textContent || sign.getAttribute("aria-label") || sign.title || sign.dataset.tip || "";
    const suits = [...sign.classList, ...[...sign.querySelectorAll("[class*=suit-]")].flatMap((each) => [...each.classList])]
      .filter((name) => name.startsWith("suit-"))
      .map((name) => name.slice("suit-".length));
    const kinds = KINDS.filter((kind) => sign.classList.contains(kind));
    const keys = [...new Set([sign.dataset.tip, ...kinds, ...suits])].filter(Boolean);
    const texts = keys.map((key) => sheet.text(`${sheet.id}.tip.${key}`)).filter(Boolean);
    const why = sign.closest("button[aria-disabled=true]")?.title;
    return { title: title.trim(), text: [...new Set(texts), ...(why ? [why] : [])].join(" ") || null };
  }

  render() {
    if (!this.told) return this.on ? html`<p class="notice asking" role="status">${word("what_now")}</p>` : nothing;
    const { title, text } = this.told;
    return html`<div class="tip" role="status" ${ref((box) => box && queueMicrotask(() => this.place(box)))}>
      <strong>${title}</strong>${text ? html`<p>${text}</p>` : nothing}
      <button class="icon" aria-label=${word("close")} @click=${() => this.hide()}>×</button>
    </div>`;
  }

  /** Below the sign, or above it where there is no room; never beyond the edges. */
  place(box) {
    const { sign } = this.told ?? {};
    if (!sign || !box.isConnected) return;
    const table = this.root.querySelector(".table");
    const frame = table.getBoundingClientRect();
    const at = sign.getBoundingClientRect();
    const [width, height] = [box.offsetWidth, box.offsetHeight];
    const left = Math.min(at.x - frame.x + at.width / 2 - width / 2, table.clientWidth - width - ROOM);
    const above = at.bottom + ROOM + height > globalThis.innerHeight && at.y > height + ROOM;
    box.style.left = `${Math.max(left, ROOM)}px`;
    box.style.top = `${(above ? at.y - height - ROOM : at.bottom + ROOM) - frame.y}px`;
  }
}
