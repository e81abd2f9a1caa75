// The audit of a finished match: this device checks the record and compares it with what was kept, then the service says what
// it found when it replayed all of it.

import { html, nothing } from "../vendor/lit.js";
import { symbol } from "../core/symbols.js";
import { fill, word } from "../core/words.js";

/** What was compared with what this browser has kept. */
const KEPT = {
  commitment: () => word("kept_commitment"),
  nonce: () => word("kept_nonce"),
  roots: () => word("kept_roots"),
  feed: () => word("kept_feed"),
  signature: () => word("kept_signature"),
};
/** What could not be compared. */
const OPEN = { nonce: () => word("open_nonce"), signature: () => word("open_signature") };

export class Audit {
  constructor(/** @type {import("../core/store.js").Store} */ store, changed) {
    this.store = store;
    this.changed = changed;
    /** @type {import("../contract").Got<`matches/${string}/verification`>} */
    this.verdict = null;
    /** What this device found; `conclusion` "impossible" where it cannot check. @type {any} */
    this.own = null;
    this.kept = null;
    this.running = false;
    this.failed = false;
  }

  async run() {
    Object.assign(this, { running: true, failed: false });
    this.changed();
    const { client, match } = this.store;
    const asked = client.get(`matches/${match}/verification`).catch(() => null);
    this.own = await this.check().catch(() => ({ conclusion: "impossible" }));
    this.verdict = await asked;
    Object.assign(this, { running: false, failed: this.verdict === null });
    this.changed();
  }

  /** Check the record here, without a word of the service. */
  async check() {
    const { client, match } = this.store;
    const [{ verify }, { keptOf }] = await Promise.all([import("../proof/verify.js"), import("../proof/keep.js")]);
    await this.store.keeper?.heard(this.store.items, this.store.view.seat);
    this.kept = client.keep ? keptOf(match) : null;
    if (!globalThis.crypto?.subtle) return { conclusion: "impossible" };
    const answer = await client.send("GET", `matches/${match}/record`, null, null, { Accept: "application/x-ndjson" });
    if (!answer.ok) return { conclusion: "impossible" };
    return verify(new Uint8Array(await answer.arrayBuffer()), this.kept);
  }

  /** What this device found, and what it compared. */
  device() {
    const { conclusion, wrong, entries, deals, draws, compared = [], open = [] } = this.own;
    if (conclusion === "impossible") return html`<p class="quiet">${word("device_impossible")}</p>`;
    if (conclusion === "wrong")
      return html`<strong>${symbol("shield")}${word("device_wrong")}</strong>
        <p>${wrong}</p>`;
    return html`<strong>${symbol("shield")}${word("device_right")}</strong>
      <ul>
        <li>✓ ${fill(word("device_chain"), { count: entries })}</li>
        <li>✓ ${fill(conclusion === "right" ? word("device_deals") : word("audit_deals"), { count: deals, draws })}</li>
        ${compared.map((name) => html`<li>✓ ${KEPT[name]?.() ?? name}</li>`)}
        ${open.map((name) => html`<li>${OPEN[name]?.() ?? name}</li>`)}
        ${this.kept ? nothing : html`<li>${word("kept_nothing")}</li>`}
      </ul>`;
  }

  /** Save what was kept as a file. */
  save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(this.kept, null, 2)], { type: "application/json" }));
    link.download = `${this.store.match}.kept.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  render() {
    if (this.own && !this.running)
      return html`<div class="audit device ${this.own.conclusion === "wrong" ? "wrong" : ""}" role="status">
          ${this.device()} ${this.kept ? html`<button @click=${() => this.save()}>${word("kept_save")}</button>` : nothing}
        </div>
        ${this.verdict ? this.told(this.verdict) : html`<p class="quiet">${word("audit_failed")}</p>`}`;
    if (this.failed) return html`<p class="quiet">${word("audit_failed")}</p>`;
    return html`<button ?disabled=${this.running} @click=${() => this.run()}>
      ${symbol("shield")}${this.running ? word("loading") : word("audit")}
    </button>`;
  }

  told(verdict) {
    const { right, conclusion, finding } = verdict;
    const undecided = conclusion === "undecided";
    const title = undecided ? word("audit_undecided") : right ? word("audit_right") : word("audit_wrong");
    return html`<div class="audit server ${right || undecided ? "" : "wrong"}" role="status">
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
