// What this device found when it checked a match, in words, and what can be saved of it.

import { html, nothing } from "../vendor/lit.js";
import { symbol } from "../core/symbols.js";
import { fill, listed, say, spoken } from "../core/words.js";

/** @import { LostAnswer } from "../record" */
import { explain } from "./faults.js";

/**
 * @typedef {{ de: string, en: string }} Text
 * @typedef {{
 *   conclusion: "right" | "wrong" | "undecided" | "gone" | "impossible",
 *   why?: keyof typeof IMPOSSIBLE, wrong?: string | null, entries?: number, deals?: number, draws?: number, answers?: number,
 *   compared?: string[], open?: string[], lost?: LostAnswer[], witnesses?: string[], contradiction?: object | null,
 * }} Own What this device found; `why` it could not check, and what is `wrong`.
 */

export const SAID = {
  right: {
    de: "Auf diesem Gerät geprüft: alles passt zusammen. Nicht geprüft: {left}.",
    en: "Checked on this device: everything fits. Not checked: {left}.",
  },
  moves: { de: "Züge und Punkte", en: "moves and scores" },
  bots: { de: "{count} Antworten der Bots", en: "{count} answers of bots" },
  more: { de: "{count} weitere Punkte, unten genannt", en: "{count} more, listed below" },
  partly: {
    de: "Auf diesem Gerät geprüft: nichts ist falsch, aber nicht alles ist bewiesen.",
    en: "Checked on this device: nothing is wrong, but not everything is proved.",
  },
  wrong: { de: "Auf diesem Gerät geprüft: etwas stimmt nicht.", en: "Checked on this device: something is wrong." },
  gone: { de: "Der Server zeigt diese Partie nicht mehr.", en: "The server no longer shows this match." },
  promised: {
    de: "Er hat sie dir zugesagt: seine Festlegung und was er davon unterschrieben hat, liegen auf diesem Gerät. Sichere sie als Datei; damit kannst du es anderen zeigen.",
    en: "It promised you this match: its commitment, and what it has signed of it, are kept on this device. Save them as a file: with it you can show others.",
  },
  chain: { de: "{count} Einträge hängen lückenlos zusammen", en: "{count} entries form an unbroken chain" },
  deals: {
    de: "{count} Mal Karten gegeben: aus {draws} Ziehungen neu gemischt, jede Karte stimmt",
    en: "{count} deals: shuffled again by {draws} draws, every card is right",
  },
  committed: {
    de: "{count} Mal Karten gegeben, wie am Anfang festgelegt",
    en: "{count} deals, each as it was committed to",
  },
  answers: {
    de: "Züge, Punkte und Antworten der Bots kann nur „tafelrunde verify“ prüfen.",
    en: "Only “tafelrunde verify” can check moves, scores and answers of bots.",
  },
  nothing: {
    de: "Dieser Browser hat von der Partie nichts aufgehoben, womit zu vergleichen wäre.",
    en: "This browser has kept nothing of the match to compare with.",
  },
  save: { de: "Beweise als Datei sichern", en: "Save the evidence as a file" },
  contradiction: {
    de: "Zwei Texte, die der Server unterschrieben hat, widersprechen sich. Mit der Datei kann das jeder nachprüfen, auch ohne den Server.",
    en: "Two texts that the server has signed contradict each other. With the file anyone can check that, also without the server.",
  },
  contradiction_save: { de: "Den Widerspruch als Datei sichern", en: "Save the contradiction as a file" },
  witnesses: { de: "das Protokoll haben auch andere unterschrieben: {names}", en: "others have signed the log as well: {names}" },
};

/** What was compared with what this browser has kept. @type {Record<string, Text>} */
export const KEPT = {
  commitment: {
    de: "die Festlegung des Servers, die vor deiner Zufallszahl kam",
    en: "the server's commitment, which came before your random number",
  },
  nonce: { de: "deine eigene Zufallszahl steckt in jedem Mischen", en: "your own random number is part of every shuffle" },
  tournament: {
    de: "auf diese Karten hatte sich der Server festgelegt, bevor du dem Turnier beigetreten bist",
    en: "the server had committed to these cards before you joined the tournament",
  },
  roots: {
    de: "die Festlegungen auf die Karten, wie du sie bekommen hast",
    en: "the commitments to the cards, as you received them",
  },
  feed: {
    de: "jedes Ereignis, das dir während der Partie geschickt wurde",
    en: "every event that you were sent during the match",
  },
  signature: { de: "die Unterschrift des Servers darunter", en: "the server's signature on it" },
  log: {
    de: "das öffentliche Protokoll des Servers: es setzt das fort, das du vor der Partie bekommen hast",
    en: "the server's public log: it goes on from the one that you received before the match",
  },
  key: {
    de: "der neue Schlüssel des Servers: unterschrieben ist er mit dem, den dieser Browser schon kannte",
    en: "the server's new key: it is signed with the one that this browser knew already",
  },
  opening: { de: "die Eröffnung der Partie steht in diesem Protokoll", en: "the opening of the match is in that log" },
  end: { de: "das Ende der Partie steht in diesem Protokoll", en: "the end of the match is in that log" },
  ends: {
    de: "ein anderes Ende der Partie steht dort nicht",
    en: "that log has no other end of the match",
  },
  day: {
    de: "für den Tag steht nur eine Festlegung im Protokoll, und aus ihr kommen deine Karten",
    en: "the log has one commitment for the day, and your cards come from it",
  },
};

/** What could not be compared. @type {Record<string, Text>} */
export const OPEN = {
  nonce: {
    de: "Nicht bewiesen: der Server kannte deine Zufallszahl, bevor er wählte.",
    en: "Not proved: the server knew your random number before it chose.",
  },
  deals: {
    de: "Nicht bewiesen: ob die Karten vor deiner Zufallszahl feststanden. Der Server zeigt das Geheimnis dazu, wenn das Turnier vorbei ist.",
    en: "Not proved: whether the cards were fixed before your random number. The server shows the secret once the tournament is over.",
  },
  no_nonce: {
    de: "Nicht bewiesen: nach der Festlegung kam keine Zufallszahl von dir.",
    en: "Not proved: no random number of yours came after the commitment.",
  },
  unshared: {
    de: "Nicht bewiesen: in den Karten dieser Partie zählt keine Zufallszahl von dir.",
    en: "Not proved: no random number of yours counts in the cards of this match.",
  },
  lost: {
    de: "Offen: Statt einer Antwort von dir steht etwas anderes in der Aufzeichnung. Ob die Verbindung oder der Server sie verloren hat, lässt sich nicht feststellen.",
    en: "Open: the record has something else in the place of an answer of yours. It is unknown whether the connection or the server lost it.",
  },
  events: {
    de: "Nicht bewiesen: von den Ereignissen, die dir geschickt wurden, sind nicht alle aufgehoben.",
    en: "Not proved: of the events that you were sent, not all were kept.",
  },
  rules: {
    de: "Nicht geprüft: nach diesen Regeln kann dieser Browser die Karten nicht neu geben.",
    en: "Not checked: by these rules this browser cannot deal the cards again.",
  },
  draws: {
    de: "Nicht geprüft: so, wie in dieser Partie gemischt wurde, kann es dieser Browser nicht nachrechnen.",
    en: "Not checked: the way this match was shuffled is not known to this browser.",
  },
  old_draws: {
    de: "Nicht bewiesen: beim alten Mischverfahren kann der Server eine Mischung aussuchen, auch wenn er deine Zufallszahl schon kennt.",
    en: "Not proved: with the old way to shuffle, the server can choose a shuffle although it knows your random number.",
  },
  uncommitted: {
    de: "Nicht bewiesen: der Server hat sich beim Geben nicht auf die Karten festgelegt.",
    en: "Not proved: the server did not commit to the cards when they were dealt.",
  },
  lesson: {
    de: "Nicht bewiesen: diese Partie nennt sich Lernpartie, ist aber keine bekannte. Die Karten können ausgesucht sein.",
    en: "Not proved: this match calls itself a lesson, but it is none that is known. Its cards may have been chosen.",
  },
  day_commitment: {
    de: "Nicht bewiesen: auf die Karten dieses Tages hat sich der Server nicht festgelegt. Sie können ausgesucht sein.",
    en: "Not proved: the server did not commit to the cards of this day. They may have been chosen.",
  },
  day_leaf: {
    de: "Nicht bewiesen: ob im Protokoll für diesen Tag dieselbe Festlegung steht, wurde nicht verglichen.",
    en: "Not proved: whether the log has the same commitment for this day was not compared.",
  },
  left_seat: {
    de: "Nicht bewiesen: laut Aufzeichnung war dein Platz vor dem Geben wieder frei, also zählt deine Zufallszahl nicht.",
    en: "Not proved: by the record your seat was free again before the deal, so your random number does not count.",
  },
  given: {
    de: "Nicht bewiesen: die Karten stammen aus einer anderen Partie, also zählt deine Zufallszahl nicht.",
    en: "Not proved: the cards come from another match, so your random number does not count.",
  },
  taken_up: {
    de: "Nicht geprüft: die ersten Ereignisse stammen aus einer anderen Partie.",
    en: "Not checked: the first events come from another match.",
  },
  viewer: {
    de: "Nicht verglichen: was dir geschickt wurde, als du noch zugeschaut oder auf einem anderen Platz gesessen hast.",
    en: "Not compared: what you were sent while you still watched, or had another seat.",
  },
  unsigned: {
    de: "Nicht geprüft: dieser Browser hat keine Unterschrift des Servers aufgehoben.",
    en: "Not checked: this browser has kept no signature of the server.",
  },
  no_checkpoint: {
    de: "Nicht verglichen: dieser Browser kannte vor der Partie kein Protokoll des Servers.",
    en: "Not compared: before the match this browser knew no log of the server.",
  },
  signature: {
    de: "Nicht geprüft: dieser Browser kennt das Unterschriftsverfahren (Ed25519) nicht.",
    en: "Not checked: this browser does not know the kind of signature (Ed25519).",
  },
  opening: {
    de: "Noch nicht im Protokoll: die Eröffnung. Prüfe in einer Minute noch einmal.",
    en: "Not in the log yet: the opening. Check again in a minute.",
  },
  end: {
    de: "Noch nicht im Protokoll: das Ende. Prüfe in einer Minute noch einmal.",
    en: "Not in the log yet: the end. Check again in a minute.",
  },
  stale: {
    de: "Nicht verglichen: das Protokoll des Servers ist seit dem Ende der Partie, vor über einer Stunde, nicht weitergeführt worden.",
    en: "Not compared: the server's log has not been continued since the match ended, more than an hour ago.",
  },
  ends: {
    de: "Nicht geprüft: ob im Protokoll noch ein anderes Ende der Partie steht. Seither kamen zu viele Einträge hinzu.",
    en: "Not checked: whether the log has another end of the match. Too many entries were added since.",
  },
  log_silent: {
    de: "Nicht geprüft: das Protokoll des Servers ließ sich nicht laden.",
    en: "Not checked: the server's log could not be loaded.",
  },
  witnesses: {
    de: "Offen: bisher hat das Protokoll kein Zeuge unterschrieben. Ob andere dasselbe sehen, zeigt nur der Vergleich mit ihnen.",
    en: "Open: no witness has signed the log so far. Only comparing with others shows whether they see the same one.",
  },
};

/** Why this device could not check. @type {Record<string, Text>} */
export const IMPOSSIBLE = {
  insecure: {
    de: "Nicht geprüft sind Mischen und Aufzeichnung: ohne HTTPS kann dieser Browser keine Prüfsummen rechnen (WebCrypto).",
    en: "Shuffles and record were not checked: without HTTPS this browser cannot compute hashes (WebCrypto).",
  },
  record: {
    de: "Nicht geprüft: die Aufzeichnung der Partie ließ sich nicht laden.",
    en: "Not checked: the record of the match could not be loaded.",
  },
  failed: {
    de: "Nicht geprüft: die Prüfung konnte in diesem Browser nicht laufen.",
    en: "Not checked: the check could not run in this browser.",
  },
};

/** Save something as a file. */
export function save(/** @type {object} */ content, /** @type {string} */ name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const line = (/** @type {Text} */ text) => html`<li>✓ ${say(text)}</li>`;
/** What the record has in the place of an answer that the service did not take. @type {Record<string, Text>} */
const LOST = {
  time: {
    de: "Du hast um {sent} „{command}“ geschickt. In der Aufzeichnung steht, dass deine Zeit um {then} abgelaufen war.",
    en: "You sent “{command}” at {sent}. The record says that your time was up at {then}.",
  },
  bot: {
    de: "Du hast um {sent} „{command}“ geschickt. In der Aufzeichnung hat um {then} ein Bot für dich geantwortet.",
    en: "You sent “{command}” at {sent}. The record says that a bot answered in your place at {then}.",
  },
  other: {
    de: "Du hast um {sent} „{command}“ geschickt. In der Aufzeichnung steht eine andere Antwort von dir, um {then}.",
    en: "You sent “{command}” at {sent}. The record has another answer of yours, at {then}.",
  },
  closed: {
    de: "Du hast um {sent} „{command}“ geschickt. In der Aufzeichnung haben andere die Entscheidung vorher beendet.",
    en: "You sent “{command}” at {sent}. The record says that others had closed the decision before.",
  },
};
const clock = (/** @type {number | null} */ ms) =>
  ms === null ? "" : new Intl.DateTimeFormat(spoken(), { timeStyle: "medium" }).format(ms);
const lostLine = (/** @type {LostAnswer} */ { command, at_ms, instead, then_ms }) =>
  html`<li>${fill(say(LOST[instead]), { sent: clock(at_ms), then: clock(then_ms), command: JSON.stringify(command) })}</li>`;

const lines = (/** @type {Own} */ { compared = [], open = [], witnesses = [], lost = [] }) =>
  html`${compared.map((name) => line(KEPT[name]))}
  ${witnesses.length ? html`<li>✓ ${fill(say(SAID.witnesses), { names: listed(witnesses) })}</li>` : nothing}
  ${open.map((name) => html`<li>${say(OPEN[name])}</li>`)}${lost.map(lostLine)}`;

/** What was not checked, for the first line. */
function unchecked(/** @type {Own} */ { answers = 0, open = [] }) {
  const bots = answers ? [fill(say(SAID.bots), { count: answers })] : [];
  const more = open.length ? [fill(say(SAID.more), { count: open.length })] : [];
  return [say(SAID.moves), ...bots, ...more];
}

/** What was found. */
function finding(/** @type {Own} */ own, /** @type {boolean} */ kept) {
  const { conclusion, why = "failed", wrong, entries = 0, deals = 0, draws = 0, contradiction } = own;
  if (conclusion === "impossible")
    return html`<p class="quiet">${say(IMPOSSIBLE[why])}</p>
      <ul>
        ${lines(own)}
      </ul>`;
  if (conclusion === "gone")
    return html`<strong>${symbol("shield")}${say(SAID.gone)}</strong>
      <p>${say(SAID.promised)}</p>`;
  if (conclusion === "wrong")
    return html`<strong>${symbol("shield")}${say(SAID.wrong)}</strong>
      <p data-fault=${wrong ?? nothing}>${explain(wrong ?? "")}</p>
      ${contradiction ? html`<p>${say(SAID.contradiction)}</p>` : nothing}`;
  const title = conclusion === "right" ? fill(say(SAID.right), { left: listed(unchecked(own)) }) : say(SAID.partly);
  return html`<strong>${symbol("shield")}${title}</strong>
    <ul>
      <li>✓ ${fill(say(SAID.chain), { count: entries })}</li>
      <li>✓ ${fill(say(draws ? SAID.deals : SAID.committed), { count: deals, draws })}</li>
      ${lines(own)}
      <li>${say(SAID.answers)}</li>
      ${kept ? nothing : html`<li>${say(SAID.nothing)}</li>`}
    </ul>`;
}

/**
 * What this device found, with what it has kept (null: nothing) to be saved.
 * @param {string} match @param {Own} own @param {object | null} kept
 */
export function shown(match, own, kept) {
  const { conclusion, contradiction } = own;
  return html`<div class="audit device ${conclusion === "wrong" || conclusion === "gone" ? "wrong" : ""}" role="status">
    ${finding(own, Boolean(kept))}
    ${
      contradiction
        ? html`<button class="contradiction" @click=${() => save(contradiction, `${match}.contradiction.json`)}>
            ${say(SAID.contradiction_save)}
          </button>`
        : nothing
    }
    ${kept ? html`<button class="evidence" @click=${() => save(kept, `${match}.kept.json`)}>${say(SAID.save)}</button>` : nothing}
  </div>`;
}
