// What the client itself says, in both languages. What the games say comes from the service.

const LANGUAGE = "tafelrunde.language";
export const LANGUAGES = { de: "Deutsch", en: "English" };

export const WORDS = {
  abort: { de: "Abbruch vorschlagen", en: "Propose to abort" },
  aborted: { de: "Die Partie wurde abgebrochen.", en: "The match was aborted." },
  again: { de: "Noch einmal", en: "Play again" },
  all_cards: { de: "Alle Karten", en: "All cards" },
  back: { de: "Zur Übersicht", en: "To the lobby" },
  begin: { de: "Anfang", en: "Start" },
  bot: { de: "Computer", en: "Computer" },
  bots: { de: "Gegner", en: "Opponents" },
  closed: { de: "Diese Frage ist schon beantwortet.", en: "This question has been answered already." },
  copied: { de: "Kopiert.", en: "Copied." },
  chosen: { de: "Gewählt. Du kannst es noch ändern.", en: "Chosen. You may still change it." },
  empty: { de: "frei", en: "free" },
  end: { de: "Ende", en: "End" },
  error: { de: "Das ging nicht.", en: "That did not work." },
  friends: { de: "Tisch für Freunde öffnen", en: "Open a table for friends" },
  games: { de: "Spiele", en: "Games" },
  illegal: { de: "Geht jetzt nicht", en: "Not possible now" },
  invite: { de: "Einladung kopieren", en: "Copy the invitation" },
  join: { de: "Mitspielen", en: "Join" },
  leave: { de: "Verlassen", en: "Leave" },
  level: { de: "Stärke", en: "Level" },
  line: { de: "Verbindung verloren – ich versuche es weiter …", en: "Connection lost – trying again …" },
  loading: { de: "Einen Moment …", en: "One moment …" },
  log: { de: "Verlauf", en: "Log" },
  mine: { de: "Meine Partien", en: "My matches" },
  moves: { de: "Deine Möglichkeiten", en: "Your moves" },
  next: { de: "Weiter", en: "Next" },
  none: { de: "Gerade keine.", en: "None just now." },
  nothing: { de: "Hier gibt es nichts zu sehen.", en: "There is nothing to see here." },
  open: { de: "Offene Tische", en: "Open tables" },
  options: { de: "Regeln", en: "Rules" },
  over: { de: "Die Partie ist vorbei.", en: "The match is over." },
  place: { de: "Platz", en: "Seat" },
  play: { de: "Gegen Computer spielen", en: "Play against computers" },
  player: { de: "Spieler", en: "Player" },
  points: { de: "Punkte", en: "Points" },
  rank: { de: "Rang", en: "Rank" },
  replay: { de: "Nachspielen", en: "Replay" },
  reset: { de: "Der Server hat die neuesten Züge verloren; die Partie geht weiter, wo er sie noch kennt.", en: "The server has lost the newest moves; the match goes on where it still knows it." },
  result: { de: "Ergebnis", en: "Result" },
  rules: { de: "Spielregeln", en: "How to play" },
  seat_bot: { de: "Computer setzen", en: "Seat a computer" },
  seats: { de: "Plätze", en: "Seats" },
  spectator: { de: "Du siehst zu.", en: "You are watching." },
  start: { de: "Los geht's", en: "Start" },
  tagline: { de: "Fünf Kartenspiele mit verdeckten Karten", en: "Five card games with hidden cards" },
  turn: { de: "Du bist am Zug", en: "Your turn" },
  unreachable: { de: "Der Dienst antwortet nicht.", en: "The service does not answer." },
  wait: { de: "Warten auf die anderen …", en: "Waiting for the others …" },
  waiting: { de: "Noch sind Plätze frei.", en: "There are free seats." },
  why: { de: "Warum nicht?", en: "Why not?" },
  you: { de: "du", en: "you" },
};

let language = localStorage.getItem(LANGUAGE) ?? (navigator.language.startsWith("de") ? "de" : "en");
document.documentElement.lang = language;

export const spoken = () => language;

export function speak(name) {
  language = name;
  localStorage.setItem(LANGUAGE, name);
  document.documentElement.lang = name;
}

/** Return a text of the service in the chosen language. */
export const say = (text) => text?.[language] ?? "";

/** Return a word of the client's own. */
export const word = (key) => say(WORDS[key]);

/** Put arguments into a text; nothing else in it has a meaning. */
export const fill = (text, given) => text.replace(/\{(\w+)\}/g, (whole, name) => given[name] ?? whole);
