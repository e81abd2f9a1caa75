// The audit of a finished match: this device checks the record and compares it with what was kept, then the service says what
// it found when it replayed all of it.

import { html, nothing } from "../vendor/lit.js";
import { symbol } from "../core/symbols.js";
import { fill, word } from "../core/words.js";

/** @typedef {import("../contract").Shapes["Verdict"]} Verdict what the service found */
/** @typedef {import("../proof/result.js").Own} Own what this device found */
/** What this device found where its check broke off. @type {{ own: Own, kept: null }} */
const FAILED = { own: { conclusion: "impossible", why: "failed" }, kept: null };

export class Audit {
  constructor(/** @type {import("../core/store.js").Store} */ store, /** @type {() => void} */ changed) {
    this.store = store;
    this.changed = changed;
    /** @type {Verdict | null} */
    this.verdict = null;
    /** @type {Own | null} */
    this.own = null;
    /** What this browser has kept of the match. @type {object | null} */
    this.kept = null;
    /** How both are shown, once that is loaded. @type {typeof import("../proof/result.js").shown | null} */
    this.shown = null;
    this.running = false;
    this.done = false;
  }

  async run() {
    this.running = true;
    this.changed();
    const { client, match } = this.store;
    const asked = client.get(`matches/${match}/verification`).catch(() => null);
    await this.check().catch(() => (this.own = null)); // what it takes could not be loaded
    this.verdict = await asked;
    Object.assign(this, { running: false, done: true });
    this.changed();
  }

  /** Check here, without a word of the service; what that takes is loaded now. */
  async check() {
    const { client, match, facts, items, sheet } = this.store;
    const [{ check }, { shown }] = await Promise.all([import("../proof/check.js"), import("../proof/result.js")]);
    this.shown = shown;
    await this.store.evidence?.heard(items, this.store.view.seat);
    Object.assign(this, await check(client, match, facts, items, sheet).catch(() => FAILED));
  }

  render() {
    if (this.running || !this.done)
      return html`<button ?disabled=${this.running} @click=${() => this.run()}>
        ${symbol("shield")}${this.running ? word("loading") : word("audit")}
      </button>`;
    const failed = html`<p class="quiet">${word("audit_failed")}</p>`;
    const own = this.own && this.shown ? this.shown(this.store.match, this.own, this.kept) : null;
    if (!own && !this.verdict) return failed;
    return html`${own ?? failed}${this.verdict ? this.told(this.verdict) : failed}`;
  }

  told(/** @type {Verdict} */ verdict) {
    const { right, conclusion, finding } = verdict;
    const undecided = conclusion === "undecided";
    const title = undecided ? word("audit_undecided") : right ? word("audit_right") : word("audit_wrong");
    return html`<div class="audit server ${right || undecided ? "" : "wrong"}" role="status">
      <strong>${symbol("shield")}${title}</strong>
      ${right || undecided ? this.checked(verdict, undecided) : html`<p>${finding ? fill(word("audit_finding"), { line: finding.line }) : nothing}</p>`}
      <a href=${`${this.store.client.base}api/v1/matches/${this.store.match}/record`} target="_blank" rel="noopener noreferrer"
        >${word("audit_record")}</a
      >
    </div>`;
  }

  /** What was found to be correct; under another version of the rules, nothing was decided again. */
  checked(/** @type {Verdict} */ { entries, deals, commands, taken_up }, /** @type {boolean} */ undecided) {
    return html`<ul>
      <li>✓ ${fill(word("audit_chain"), { count: entries })}</li>
      <li>✓ ${fill(word("audit_deals"), { count: deals })}</li>
      ${undecided ? nothing : html`<li>✓ ${fill(word("audit_rules"), { count: commands })}</li>`}
      ${taken_up ? html`<li>${fill(word("audit_taken_up"), { count: taken_up.events })}</li>` : nothing}
    </ul>`;
  }
}
