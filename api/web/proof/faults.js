// What is wrong with a match that was checked on this device, as a sentence: the checks name it by a code.

import { fill, say } from "../core/words.js";

/** @typedef {{de: string, en: string}} Text */

/** The record is in no form that the service gives out. @type {Text} */
const MALFORMED = {
  de: "Die Aufzeichnung hat nicht die Form, die sie haben muss.",
  en: "The record does not have the form that it must have.",
};
/** @type {Text} */
const MALFORMED_LINE = {
  de: "Zeile {n} der Aufzeichnung hat nicht die Form, die sie haben muss.",
  en: "Line {n} of the record does not have the form that it must have.",
};
/** @type {Text} */
const MALFORMED_ENTRY = {
  de: "Eintrag {n} der Aufzeichnung hat nicht die Form, die er haben muss.",
  en: "Entry {n} of the record does not have the form that it must have.",
};
/** @type {Text} */
const HEAD = {
  de: "Der Kopf der Aufzeichnung passt nicht zu ihren Einträgen.",
  en: "The head of the record does not match its entries.",
};
/** @type {Text} */
const DEALT = {
  de: "Die Karten folgen nicht aus dem Geheimnis, auf das sich der Server festgelegt hat.",
  en: "The cards do not follow from the secret to which the server committed.",
};
/** @type {Text} */
const DAY = {
  de: "Die Karten folgen nicht aus der Festlegung, die für diesen Tag im Protokoll des Servers steht.",
  en: "The cards do not follow from the commitment for that day in the server's log.",
};

/**
 * The sentence for each code; `{n}` stands for a number or name in both.
 * @type {Record<string, Text>}
 */
export const FAULTS = {
  // The record, and what this browser has kept.
  "kept: its format and match": {
    de: "Was dieser Browser aufgehoben hat, gehört nicht zu dieser Partie.",
    en: "What this browser has kept does not belong to this match.",
  },
  "kept: the commitment": {
    de: "Die Aufzeichnung nennt eine andere Festlegung als die, die dieser Browser vor der Partie bekommen hat.",
    en: "The record has another commitment than the one that this browser received before the match.",
  },
  "kept: your nonce": {
    de: "In der Aufzeichnung steht nicht deine Zufallszahl.",
    en: "The record does not have your random number.",
  },
  "kept: the id of the match": {
    de: "Diese Partie gehört nicht zu dem Turnier, dem du beigetreten bist: Ihre Kennung folgt nicht aus Runde und Tisch.",
    en: "This match does not belong to the tournament that you joined: its id does not follow from round and table.",
  },
  "kept: the commitment to the deals of the tournament": {
    de: "Der Server zeigt ein anderes Geheimnis für die Karten des Turniers als das, auf das er sich festgelegt hatte.",
    en: "The server shows another secret of the tournament's deals than the one to which it had committed.",
  },
  "kept: the secret of the table": {
    de: "Die Karten dieser Partie kommen nicht aus dem Geheimnis, auf das sich das Turnier festgelegt hatte.",
    en: "The cards of this match do not come from the secret to which the tournament had committed.",
  },
  "kept: a nonce in a match whose draws take none": {
    de: "Deine Zufallszahl zählt in dieser Partie nicht: Der Server gibt sie als Lektion oder als Partie des Tages aus. Er kann die Karten ausgesucht haben.",
    en: "Your random number does not count in this match: the server calls it a lesson or a deal of the day. It may have chosen the cards.",
  },
  "kept: your feed": {
    de: "Die Aufzeichnung passt nicht zu den Ereignissen, die dir während der Partie geschickt wurden.",
    en: "The record does not match the events that you were sent during the match.",
  },
  "kept: your signed feed": {
    de: "Die Aufzeichnung passt nicht zu den Ereignissen, die der Server dir während der Partie unterschrieben hat.",
    en: "The record does not match the events that the server signed for you during the match.",
  },
  "kept: the root of deal {n}": {
    de: "Beim Geben Nummer {n} hat die Aufzeichnung eine andere Festlegung auf die Karten als die, die du bekommen hast.",
    en: "For deal {n}, the record has another commitment to the cards than the one that you received.",
  },
  "kept: what was signed": {
    de: "Was dieser Browser aufgehoben hat, wurde für eine andere Partie oder von einem anderen Server unterschrieben.",
    en: "What this browser has kept was signed for another match or by another server.",
  },
  "kept: the signature": {
    de: "Was dieser Browser aufgehoben hat, trägt keine gültige Unterschrift des Servers.",
    en: "What this browser has kept does not have a valid signature of the server.",
  },
  "kept: the signature of the checkpoint": {
    de: "Der Stand des Protokolls, den dieser Browser aufgehoben hat, trägt keine gültige Unterschrift des Servers.",
    en: "The state of the log that this browser has kept does not have a valid signature of the server.",
  },
  // The server's public log.
  "the log: a checkpoint that is none": {
    de: "Der Stand, den der Server für sein Protokoll angibt, ist unlesbar.",
    en: "The state that the server gives for its log cannot be read.",
  },
  "the log: who signs it": {
    de: "Das Protokoll gehört einem anderen Server als dem, bei dem du gespielt hast.",
    en: "The log belongs to another server than the one on which you played.",
  },
  "the log: it is signed with a key that the one that was kept has not handed over to": {
    de: "Das Protokoll ist mit einem Schlüssel unterschrieben, den der bisherige nicht bestätigt hat.",
    en: "The log is signed with a key that the previous one has not confirmed.",
  },
  "the log: it does not go on from the one that was kept": {
    de: "Das Protokoll des Servers setzt das nicht fort, das dieser Browser aufgehoben hat: Etwas darin wurde nachträglich geändert.",
    en: "The server's log does not continue the one that this browser has kept: something in it was changed afterwards.",
  },
  "the log: the commitment of the opening": {
    de: "Das Protokoll nennt für diese Partie eine andere Festlegung als die, die dieser Browser bekommen hat.",
    en: "The log has another commitment for this match than the one that this browser received.",
  },
  "the log: the time of the opening": {
    de: "Das Protokoll nennt eine andere Zeit für die Eröffnung der Partie als die Aufzeichnung.",
    en: "The log has another time for the opening of the match than the record.",
  },
  "the log: the opening": {
    de: "Der Server kann nicht beweisen, dass die Eröffnung dieser Partie in seinem Protokoll steht.",
    en: "The server cannot prove that the opening of this match is in its log.",
  },
  "the log: as many corrections as in the record": {
    de: "Das Protokoll hat mehr Einträge über diese Partie als die Aufzeichnung.",
    en: "The log has more entries about this match than the record.",
  },
  "the log: the end of the match": {
    de: "Das Protokoll des Servers hat ein anderes Ende dieser Partie als die Aufzeichnung.",
    en: "The server's log has another end of this match than the record.",
  },
  "the log: it has further ends of the match": {
    de: "Im Protokoll des Servers stehen andere Enden dieser Partie als die, die er dir beweist.",
    en: "The server's log has other ends of this match than those that it proves to you.",
  },
  "the log: its entries end too early": {
    de: "Der Server zeigt nicht alle Einträge seines Protokolls.",
    en: "The server does not show all entries of its log.",
  },
  "the log: the opening of the match, which is long due": {
    de: "Im Protokoll des Servers fehlt die Eröffnung dieser Partie, obwohl sie längst darin stehen müsste.",
    en: "The server's log lacks the opening of this match, which should have been in it for a long time.",
  },
  "the log: the end of the match, which is long due": {
    de: "Im Protokoll des Servers fehlt das Ende dieser Partie, obwohl es längst darin stehen müsste.",
    en: "The server's log lacks the end of this match, which should have been in it for a long time.",
  },
  "the log: the commitment of the day": DAY,
  "the log: the secret of the day": DAY,
  "the log: the secret of the deal of the day": DAY,
  "the log: the day of the deal": {
    de: "Der Server kann nicht beweisen, dass die Festlegung für diesen Tag in seinem Protokoll steht.",
    en: "The server cannot prove that the commitment for that day is in its log.",
  },
  // The cards.
  "the commitment to the secret": {
    de: "Das Geheimnis der Partie ist nicht das, auf das sich der Server festgelegt hat.",
    en: "The secret of the match is not the one to which the server committed.",
  },
  "a nonce in a match whose draws take none": {
    de: "Die Partie nennt sich Lektion oder Partie des Tages, aber ein Platz hat eine Zufallszahl, die dann nicht zählt.",
    en: "The match calls itself a lesson or a deal of the day, but a seat has a random number, which does not count there.",
  },
  "a match that is a lesson, or the deal of a day": {
    de: "Die Partie nennt sich zugleich Lektion und Partie des Tages.",
    en: "The match calls itself a lesson and a deal of the day at once.",
  },
  "draws that are keyed have version 2 or a later one": {
    de: "Die Aufzeichnung nennt ein Mischverfahren, das es so nicht gibt.",
    en: "The record names a way to shuffle that does not exist.",
  },
  "what decides about the cards: once, in the opening": {
    de: "Wie gemischt wird, steht nicht genau einmal am Anfang der Aufzeichnung.",
    en: "The record does not say just once, at its beginning, how the cards are shuffled.",
  },
  "entry {n}: a seat that changes hands after the first draw": {
    de: "Mit Eintrag {n} wechselt ein Platz den Spieler, als schon gegeben war.",
    en: "At entry {n} a seat changes hands although the cards had been dealt.",
  },
  "the secret of the lesson": {
    de: "Die Karten der Lektion sind nicht die, die alle bekommen.",
    en: "The cards of the lesson are not those that everyone gets.",
  },
  "the secret of the opening, or none in the deal of a day": {
    de: "Das Geheimnis am Ende der Partie ist ein anderes als am Anfang.",
    en: "The secret at the end of the match is not the one from its beginning.",
  },
  "the hands dealt": DEALT,
  "the third set": DEALT,
  "the court deck": DEALT,
  "the cards drawn": DEALT,
  "the cards passed on": {
    de: "Weitergegeben wurden andere Karten, als die Spieler hatten.",
    en: "The cards passed on are not those that the players had.",
  },
  "a card that the seat does not have": {
    de: "Ein Platz spielt eine Karte, die er nicht hat.",
    en: "A seat plays a card that it does not have.",
  },
  "who begins: first_seat": {
    de: "Es beginnt ein anderer Platz als der, der beginnen muss.",
    en: "Another seat begins than the one that must begin.",
  },
  "the round, and who begins it": {
    de: "Eine Runde beginnt anders, als sie beginnen muss.",
    en: "A round begins otherwise than it must.",
  },
  "match.drawn.1: its labels": {
    de: "Die Aufzeichnung nennt andere Ziehungen als die, die es gab.",
    en: "The record names other draws than those that were made.",
  },
  "entry {n}: a commitment where hands changed, and only there": {
    de: "Bei Eintrag {n} fehlt eine Festlegung auf die Karten, oder es ist eine zu viel.",
    en: "A commitment to the cards is missing at entry {n}, or there is one too many.",
  },
  "entry {n}: a commitment after the end": {
    de: "Mit Eintrag {n} werden nach dem Ende der Partie noch Karten festgelegt.",
    en: "Entry {n} commits to cards after the end of the match.",
  },
  "a commitment to the last hands": {
    de: "Auf die letzten Karten hat sich der Server nicht festgelegt.",
    en: "The server did not commit to the last cards.",
  },
  "deal {n}: its commitment": {
    de: "Beim Geben Nummer {n} sind die Karten nicht die, auf die sich der Server festgelegt hat.",
    en: "The cards of deal {n} are not those to which the server committed.",
  },
  "deal {n}: its line": {
    de: "Beim Geben Nummer {n} nennt die Aufzeichnung andere Karten als die, die gegeben wurden.",
    en: "For deal {n}, the record names other cards than those that were dealt.",
  },
  "deal {n}: seats and cards": MALFORMED,
  "a line for each deal": {
    de: "Die Aufzeichnung nennt nicht zu jedem Geben die Karten.",
    en: "The record does not name the cards of every deal.",
  },
  // The form of the record.
  "entry {n}: its number, or the chain": {
    de: "Eintrag {n} schließt nicht an den vorigen an: Ein Eintrag wurde geändert oder fehlt.",
    en: "Entry {n} does not follow from the one before: an entry was changed or is missing.",
  },
  "entry {n}: what it says": {
    de: "Eintrag {n} zeigt etwas anderes, als in der Kette steht.",
    en: "Entry {n} shows something other than what is in the chain.",
  },
  "entry {n}: its event or command": MALFORMED_ENTRY,
  "entry {n}: its time": MALFORMED_ENTRY,
  "entry {n}: its digest": MALFORMED_ENTRY,
  "entry {n}: a command where the one before is complete, and only there": MALFORMED_ENTRY,
  "line {n}: the usual way to write it": MALFORMED_LINE,
  "the sum over all lines": {
    de: "Die Prüfsumme der Aufzeichnung stimmt nicht: Sie wurde geändert oder ist unvollständig.",
    en: "The checksum of the record is wrong: it was changed or is incomplete.",
  },
  "the end of the last line": MALFORMED,
  "the order of the lines": MALFORMED,
  "head: its names": MALFORMED,
  "head: its format and number of entries": HEAD,
  "head: {n}": HEAD,
  "head: lesson": HEAD,
  "head: schemas": HEAD,
  "head: seats": HEAD,
  "the match's id": HEAD,
  "one opening, as the first entry": MALFORMED,
  "a secret of 64 hex digits": MALFORMED,
  "one end": {
    de: "Die Aufzeichnung hat nicht genau ein Ende der Partie.",
    en: "The record does not have exactly one end of the match.",
  },
  "end: what the entries say": {
    de: "Das Ergebnis am Ende der Aufzeichnung passt nicht zu ihren Einträgen.",
    en: "The result at the end of the record does not match its entries.",
  },
  "the nonces": MALFORMED,
  "a bot with a nonce": {
    de: "Ein Bot hat eine Zufallszahl beigesteuert; das darf er nicht.",
    en: "A bot has contributed a random number, which it must not.",
  },
  "the state after the last command": MALFORMED,
  "a value that entries do not have": MALFORMED,
  "a record that can be read ({n})": {
    de: "Die Aufzeichnung ist unlesbar.",
    en: "The record cannot be read.",
  },
};

/** What is said of a code without a sentence of its own. @type {Text} */
export const OTHER = {
  de: "Die Aufzeichnung widerspricht sich oder dem, was dieser Browser aufgehoben hat.",
  en: "The record contradicts itself, or what this browser has kept.",
};

const patternOf = (/** @type {string} */ code) =>
  new RegExp(`^${code.replace(/[.*+?^$()[\]\\|]/g, "\\$&").replace("{n}", "(?<n>.+)")}$`, "s");
const PATTERNS = Object.entries(FAULTS).map(([code, text]) => ({ pattern: patternOf(code), text }));

/** Return the sentence for what a check found wrong. */
export function explain(/** @type {string} */ what) {
  const exact = Object.hasOwn(FAULTS, what) ? FAULTS[what] : undefined;
  const found = PATTERNS.find(({ pattern }) => pattern.test(what));
  const n = found?.pattern.exec(what)?.groups?.n ?? "";
  return fill(say(exact ?? found?.text ?? OTHER), { n });
}
