// The audit of a finished match: the service replays all of it and reports what it found.

import { html, nothing } from "../vendor/lit.js";
import { symbol } from "../core/symbols.js";
import { fill, word } from "../core/words.js";

export class Audit {
  constructor(/** @type {import("../core/store.js").Store} */ store, changed) {
    this.store = store;
    this.changed = changed;
    /** @type {import("../contract").Got<`matches/${string}/verification`>} */
    this.verdict = null;
    this.running = false;
    this.failed = false;
  }

  async run() {
    Object.assign(this, { running: true, failed: false });
    this.changed();
    this.verdict = await this.store.client.get(`matches/${this.store.match}/verification`).catch(() => null);
    Object.assign(this, { running: false, failed: this.verdict === null });
    this.changed();
  }

  render() {
    if (this.verdict) return this.told(this.verdict);
    if (this.failed) return html`<p class="quiet">${word("audit_failed")}</p>`;
    return html`<button ?disabled=${this.running} @click=${() => this.run()}>
      ${symbol("shield")}${this.running ? word("loading") : word("audit")}
    </button>`;
  }

  told(verdict) {
    const { right, conclusion, finding } = verdict;
    const undecided = conclusion === "undecided";
    const title = undecided ? word("audit_undecided") : right ? word("audit_right") : word("audit_wrong");
    return html`<div class="audit ${right || undecided ? "" : "wrong"}" role="status">
      <strong>${symbol("shield")}${title}</strong>
      ${right || undecided ? this.checked(verdict, undecided) : html`<p>${finding ? `${finding.line}: ${finding.what}` : nothing}</p>`}
      <a href=${`${this.store.client.base}api/v1/matches/${this.store.match}/record`} target="_blank" rel="noopener noreferrer"
        >${word("audit_record")}</a
      >
    </div>`;
  }

  /** What was found to be correct; under another version of the rules, nothing was decided again. */
  checked({ entries, deals, commands, taken_up }, undecided) {
    return html`<ul>
      <li>✓ ${fill(word("audit_chain"), { count: entries })}</li>
      <li>✓ ${fill(word("audit_deals"), { count: deals })}</li>
      ${undecided ? nothing : html`<li>✓ ${fill(word("audit_rules"), { count: commands })}</li>`}
      ${taken_up ? html`<li>${fill(word("audit_taken_up"), { count: taken_up.events })}</li>` : nothing}
    </ul>`;
  }
}
