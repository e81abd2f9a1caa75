// The panel of talk: the lines of a room, what can be said, and what can be done about a line. It lies over the table while it is open.

import { html, nothing, ref, repeat } from "../vendor/lit.js";
import { avatar } from "../art/avatars.js";
import { reaction } from "./reactions.js";
import { fill, say, word } from "../core/words.js";

/** @import { At, Shapes } from "../contract" */
/** @typedef {import("./talk.js").Talk} Talk */
/** @typedef {import("./talk.js").Line} Line */

const WORDS = {
  about: { de: "Mehr zu {name}", en: "More about {name}" },
  apart: {
    de: "Hier sprecht ihr Zuschauer unter euch. Am Tisch hört euch bis zum Ende der Partie niemand.",
    en: "Spectators talk among themselves here. Players cannot hear you before the match is over.",
  },
  empty: { de: "Noch hat niemand etwas gesagt.", en: "Nothing was said yet." },
  hear: { de: "{name} wieder hören", en: "Hear {name} again" },
  mute: { de: "{name} stummschalten", en: "Mute {name}" },
  phrases: { de: "Fertige Sätze", en: "Ready phrases" },
  private: {
    de: "Nur wer am Tisch sitzt, hört euch. Nach der Partie können es alle lesen, die sie sehen dürfen.",
    en: "Only those at the table hear you. After the match, all who may see it can read this.",
  },
  reactions: { de: "Reaktionen", en: "Reactions" },
  report: { de: "Melden:", en: "Report:" },
  reported: { de: "Gemeldet. Danke!", en: "Reported. Thank you!" },
  room: { de: "Raum", en: "Room" },
  send: { de: "Senden", en: "Send" },
  stands: { de: "Zuschauer", en: "Spectators" },
  table: { de: "Am Tisch", en: "At the table" },
  write: { de: "Deine Nachricht", en: "Your message" },
};

/** @type {Record<Shapes["ReportRequest"]["reason"], {de: string, en: string}>} */
const REASONS = {
  insult: { de: "Beleidigung", en: "an insult" },
  hate: { de: "Hass", en: "hate" },
  harassment: { de: "Belästigung", en: "harassment" },
  cheating: { de: "Schummelei", en: "cheating" },
  spam: { de: "Werbung oder Unsinn", en: "spam" },
  other: { de: "etwas anderes", en: "something else" },
};

/**
 * Open the panel above all else, once it is in the page, and go to where one writes; where that would bring up a keyboard that hides
 * half of it, to what is ready.
 * @type {(found: Element | undefined) => void}
 */
function raise(found) {
  queueMicrotask(() => {
    if (!(found instanceof HTMLElement) || !found.isConnected || found.matches(":popover-open")) return;
    found.showPopover();
    const wanted = ["input", ".talk-ready button", "button"].slice(globalThis.matchMedia("(pointer: coarse)").matches ? 1 : 0);
    const [first] = wanted.flatMap((each) => found.querySelector(each) ?? []);
    /** @type {HTMLElement} */ (first).focus();
  });
}

/** Show the newest line, unless the reader has gone back to earlier ones. @type {(found: Element | undefined) => void} */
function follow(found) {
  if (!found) return;
  const below = found.scrollHeight - found.scrollTop - found.clientHeight;
  queueMicrotask(() => below < 80 && (found.scrollTop = found.scrollHeight));
}

/** What was unfolded at the end of the lines is to be seen. @type {(event: At<HTMLDetailsElement>) => void} */
const unfolded = ({ target }) => target.open && target.scrollIntoView({ block: "nearest" });

/** @type {(talk: Talk, title: string) => unknown} */
export function panel(talk, title) {
  const keys = (/** @type {KeyboardEvent} */ event) => {
    event.stopPropagation(); // the keys of the table
    if (event.key === "Escape") talk.toggle(false);
  };
  const { rooms, room } = talk;
  return html`<section popover="manual" class="talk" role="dialog" aria-label=${title} ${ref(raise)} @keydown=${keys}>
    <header>
      <h2>${title}</h2>
      ${rooms.length > 1 ? html`<span class="talk-rooms" role="group" aria-label=${say(WORDS.room)}>${rooms.map((each) => html`<button aria-pressed=${each === room} @click=${() => talk.enter(each)}>${say(WORDS[each])}</button>`)}</span>` : nothing}
      <button class="talk-close" @click=${() => talk.toggle(false)}>${word("close")}</button>
    </header>
    <ol class="talk-lines" tabindex="0" ${ref(follow)}>
      ${repeat(
        talk.lines,
        ({ n }) => n,
        (line) => drawn(talk, line),
      )}
    </ol>
    ${talk.lines.length ? nothing : html`<p class="quiet">${say(WORDS.empty)}</p>`}
    ${rooms.length > 1 ? nothing : html`<p class="quiet talk-note">${say(room === "table" ? WORDS.private : WORDS.apart)}</p>`}
    ${talk.problem ? html`<p class="reason" role="alert">${talk.problem}</p>` : nothing}${talk.maySpeak ? composer(talk) : nothing}
    ${talk.muted?.map((each) => html`<button class="talk-hear" @click=${() => talk.unmute(each.player)}>${fill(say(WORDS.hear), { name: each.guest ? word("guest") : each.name })}</button>`) ?? nothing}
  </section>`;
}

/** A line: who says what; of another player's, what can be done about it. @type {(talk: Talk, line: Line) => unknown} */
function drawn(talk, line) {
  const { author, reaction: face } = line;
  const name = talk.name(line);
  const own = author.player === talk.mine;
  return html`<li class=${own ? "own" : ""}>
    ${author.avatar ? avatar(author.avatar, name) : nothing}<strong>${name}</strong>
    <span class="talk-said">${face ? reaction(face) : nothing}<bdi>${talk.text(line)}</bdi></span>
    ${
      own || !(talk.mayMute || (talk.mayReport && line.kind !== "hidden"))
        ? nothing
        : html`<details class="talk-more" @toggle=${unfolded}>
            <summary aria-label=${fill(say(WORDS.about), { name })}>⋯</summary>
            <div>${talk.reported === line.n ? html`<p role="status">${say(WORDS.reported)}</p>` : about(talk, line, name)}</div>
          </details>`
    }
  </li>`;
}

/** @type {(talk: Talk, line: Line, name: string) => unknown} */
function about(talk, line, name) {
  const reasons = /** @type {[Shapes["ReportRequest"]["reason"], {de: string, en: string}][]} */ (Object.entries(REASONS));
  return html`${talk.mayMute ? html`<button @click=${() => talk.mute(line.author.player)}>${fill(say(WORDS.mute), { name })}</button>` : nothing}
  ${
    talk.mayReport && line.kind !== "hidden"
      ? html`<p>${say(WORDS.report)}</p>
          ${reasons.map(([reason, title]) => html`<button @click=${() => talk.report(line, reason)}>${say(title)}</button>`)}`
      : nothing
  }`;
}

/** Reactions, ready phrases, and where texts are allowed, a line to write. @type {(talk: Talk) => unknown} */
function composer(talk) {
  const { sheet } = talk;
  const send = async (/** @type {At<HTMLFormElement>} */ event) => {
    event.preventDefault();
    const input = event.target.querySelector("input");
    const text = input?.value.trim();
    if (input && text && (await talk.say({ text }))) input.value = "";
  };
  return html`<div class="talk-ready reactions-row" role="group" aria-label=${say(WORDS.reactions)}>
      ${sheet.reactions.map(({ id, text }) => html`<button title=${say(text)} aria-label=${say(text)} @click=${() => talk.say({ reaction: id })}>${reaction(id)}</button>`)}
    </div>
    <div class="talk-ready" role="group" aria-label=${say(WORDS.phrases)}>
      ${sheet.phrases.map(({ id, text }) => html`<button @click=${() => talk.say({ phrase: id })}>${say(text)}</button>`)}
    </div>
    ${
      sheet.mode === "all"
        ? html`<form @submit=${send}>
            <input
              type="text"
              maxlength=${sheet.longest}
              autocomplete="off"
              aria-label=${say(WORDS.write)}
              placeholder=${say(WORDS.write)}
            />
            <button class="main" aria-disabled=${talk.sending}>${say(WORDS.send)}</button>
          </form>`
        : nothing
    }`;
}
