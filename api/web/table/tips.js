// What a sign means: a tap says it. With the switch on, the next tap or Enter asks instead of acting, also on cards of the hand.

import { html, nothing, ref } from "../vendor/lit.js";
import { SIGN } from "../core/symbols.js";
import { say, word } from "../core/words.js";

const ROOM = 8;
const HIDDEN = "suit-hidden";

/** A text of more letters is no name. */
const LONG = 60;

/**
 * What the signs of all tables mean, where the game's own texts say nothing.
 * @type {Record<string, import("../contract").Shapes["Text"]>}
 */
const COMMON = {
  back: { de: "Eine verdeckte Karte.", en: "A face-down card." },
  dealer: { de: "Gibt in dieser Runde.", en: "Deals this round." },
  held: { de: "Karten auf der Hand.", en: "Cards in the hand." },
  robot: {
    de: "Hier spielt ein Bot. Er weiß nur, was dieser Platz sehen darf.",
    en: "A bot plays here. It knows only what this seat may see.",
  },
  vacation: {
    de: "Im Urlaub. In einer langsamen Partie zählt diese Zeit nicht als Bedenkzeit.",
    en: "On vacation. In a slow match that time does not count for a move.",
  },
  score: { de: "Punkte bisher.", en: "Points so far." },
  seat: {
    de: "Ein Platz am Tisch. Das kleine Dreieck zeigt, wer gefragt ist.",
    en: "A seat at the table. The small triangle marks who is asked.",
  },
};

export class Tips {
  constructor(/** @type {import("./table.js").TablePage} */ page) {
    this.page = page;
    this.on = false;
    /** @type {{title: string, text: string | null, sign: HTMLElement} | null} */
    this.told = null;
    /** @type {Element[]} */
    this.reached = [];
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
    this.reached = [...this.page.root.querySelectorAll(`.board :is(${SIGN})`)].filter(
      (sign) => !sign.closest("button, a") && !sign.parentElement?.closest(SIGN) && !sign.hasAttribute("tabindex"),
    );
    for (const sign of this.reached) sign.setAttribute("tabindex", "0");
    /** @type {HTMLElement | null} */
    const first = this.page.root.querySelector(".board [tabindex='0'], .board .hand button");
    first?.focus({ preventScroll: false });
  }

  unreach() {
    for (const sign of this.reached) sign.removeAttribute("tabindex");
    this.reached = [];
  }

  /** Return whether a click was a question. */
  click(/** @type {Event} */ event) {
    const [target] = event.composedPath();
    if (!(target instanceof Element)) return false;
    if (this.told && !target.closest(".tip")) this.hide();
    if (!this.on) return false;
    /** @type {HTMLElement | null | undefined} */
    const sign = target.closest(SIGN) ?? target.closest("button")?.querySelector(SIGN);
    if (!sign) return false;
    event.stopPropagation();
    event.preventDefault();
    this.tell(sign);
    return true;
  }

  /** Return whether a key was for this. */
  press(/** @type {KeyboardEvent} */ event) {
    if (event.key === "Escape" && (this.told || this.on)) {
      const sign = this.told?.sign;
      this.toggle(false);
      const back = /** @type {HTMLElement | null | undefined} */ (sign?.closest("button, [tabindex]"));
      back?.focus();
      return true;
    }
    if (!this.on || (event.key !== "Enter" && event.key !== " ")) return this.on && event.key.length === 1;
    const held = /** @type {HTMLElement | null} */ (this.page.root.activeElement);
    /** @type {HTMLElement | null | undefined} */
    const sign = held?.matches(SIGN) ? held : held?.querySelector(SIGN);
    if (!sign) return false;
    event.preventDefault();
    this.tell(sign);
    return true;
  }

  /** Say what a sign is, beside it. */
  tell(/** @type {HTMLElement} */ sign) {
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

  /**
   * Its name, and what the game's texts say about it, or about its suit or role; where that is nothing, of what it belongs to.
   * @returns {{title: string, text: string | null}}
   */
  meaning(/** @type {HTMLElement} */ sign) {
    const { sheet } = this.page.store;
    const title = sign.querySelector(".spoken")?.textContent || sign.getAttribute("aria-label") || sign.title || sign.textContent;
    const suits = [...sign.classList, ...[...sign.querySelectorAll("[class*=suit-]")].flatMap((each) => [...each.classList])]
      .filter((name) => name.startsWith("suit-") && (name !== HIDDEN || sign.matches(".face")))
      .map((name) => name.slice("suit-".length));
    const { tip } = sign.dataset;
    const texts = [...new Set([tip, ...suits])].map((key) => key && sheet.text(`${sheet.id}.tip.${key}`)).filter(Boolean);
    if (!texts.length && tip && tip in COMMON) texts.push(say(COMMON[tip]));
    /** @type {HTMLElement | null | undefined} */
    const around = sign.parentElement?.closest("[data-tip]");
    if (!texts.length && around && this.page.root.contains(around)) return this.meaning(around);
    const why = /** @type {HTMLElement | null} */ (sign.closest("button[aria-disabled=true]"))?.title;
    const name = (texts.includes(title) ? sign.textContent : title).replace(/\s+/g, " ").trim();
    return { title: name.length > LONG ? "" : name, text: [...new Set(texts), ...(why ? [why] : [])].join(" ") || null };
  }

  render() {
    if (!this.told) return this.on ? html`<p class="notice asking" role="status">${word("what_now")}</p>` : nothing;
    const { title, text } = this.told;
    return html`<div
      class="tip"
      role="status"
      ${ref((box) => box instanceof HTMLElement && queueMicrotask(() => this.place(box)))}
    >
      ${title ? html`<strong>${title}</strong>` : nothing}${text ? html`<p>${text}</p>` : nothing}
      <button class="icon" aria-label=${word("close")} @click=${() => this.hide()}>×</button>
    </div>`;
  }

  /** Below the sign, or above it where there is no room; never beyond the edges. */
  place(/** @type {HTMLElement} */ box) {
    const { sign } = this.told ?? {};
    if (!sign || !box.isConnected) return;
    const table = this.page.root.querySelector(".table");
    if (!table) return;
    const frame = table.getBoundingClientRect();
    const at = sign.getBoundingClientRect();
    const [width, height] = [box.offsetWidth, box.offsetHeight];
    const left = Math.min(at.x - frame.x + at.width / 2 - width / 2, table.clientWidth - width - ROOM);
    const above = at.bottom + ROOM + height > globalThis.innerHeight && at.y > height + ROOM;
    box.style.left = `${Math.max(left, ROOM)}px`;
    box.style.top = `${(above ? at.y - height - ROOM : at.bottom + ROOM) - frame.y}px`;
  }
}
