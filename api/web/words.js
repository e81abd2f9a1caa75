// What the client itself says, in both languages. What the games say comes from the service.

export const LANGUAGES = { de: "Deutsch", en: "English" };

export const WORDS = {
  abort: { de: "Abbruch vorschlagen", en: "Propose to abort" },
  aborted: { de: "Die Partie wurde abgebrochen.", en: "The match was aborted." },
  again: { de: "Noch einmal", en: "Play again" },
  back: { de: "Zur Übersicht", en: "To the lobby" },
  begin: { de: "Anfang", en: "Start" },
  bid: { de: "Deine Ansage", en: "Your bid" },
  bid_tricks: { de: "Stiche / angesagt", en: "tricks / bid" },
  caught_one: { de: "Wieder verbunden: ein Ereignis nachgeholt.", en: "Connected again: caught up one event." },
  caught_up: { de: "Wieder verbunden: {count} Ereignisse nachgeholt.", en: "Connected again: caught up {count} events." },
  changeable: { de: "Du kannst sie noch ändern.", en: "You may still change it." },
  copied: { de: "Kopiert.", en: "Copied." },
  dealer: { de: "gibt", en: "deals" },
  dropped_out: { de: "ausgestiegen", en: "dropped out" },
  empty: { de: "frei", en: "free" },
  end: { de: "Ende", en: "End" },
  error: { de: "Das ging nicht.", en: "That did not work." },
  friends: { de: "Tisch für Freunde öffnen", en: "Open a table for friends" },
  games: { de: "Spiele", en: "Games" },
  hand: { de: "Hand:", en: "Hand:" },
  in_hand: { de: "auf der Hand", en: "in hand" },
  invite: { de: "Einladung kopieren", en: "Copy the invitation" },
  join: { de: "Mitspielen", en: "Join" },
  last_trick: { de: "Letzter Stich", en: "Last trick" },
  leave: { de: "Verlassen", en: "Leave" },
  level: { de: "Stärke", en: "Level" },
  line: { de: "Verbindung verloren – ich versuche es weiter …", en: "Connection lost – trying again …" },
  loading: { de: "Einen Moment …", en: "One moment …" },
  log: { de: "Verlauf", en: "Log" },
  mine: { de: "Meine Partien", en: "My matches" },
  moves: { de: "Deine Möglichkeiten", en: "Your moves" },
  news: { de: "Zuletzt geschehen", en: "What has just happened" },
  no_move: { de: "Mit dieser Karte geht gerade nichts.", en: "Nothing can be done with this card now." },
  none: { de: "Gerade keine.", en: "None just now." },
  nothing: { de: "Hier gibt es nichts zu sehen.", en: "There is nothing to see here." },
  open: { de: "Offene Tische", en: "Open tables" },
  options: { de: "Regeln", en: "Rules" },
  over: { de: "Die Partie ist vorbei.", en: "The match is over." },
  place: { de: "Platz", en: "Seat" },
  play: { de: "Gegen Computer spielen", en: "Play against computers" },
  points: { de: "Punkte", en: "Points" },
  replay: { de: "Nachspielen", en: "Replay" },
  reset: { de: "Der Server hat die neuesten Züge verloren; die Partie geht weiter, wo er sie noch kennt.", en: "The server has lost the newest moves; the match goes on where it still knows it." },
  result: { de: "Ergebnis", en: "Result" },
  rules: { de: "Spielregeln", en: "How to play" },
  rule_cards: { de: "Deine Regelkarten", en: "Your rule cards" },
  seat_bot: { de: "Computer setzen", en: "Seat a computer" },
  seats: { de: "Plätze", en: "Seats" },
  sheet: { de: "Wertung", en: "Score sheet" },
  spectator: { de: "Du siehst zu.", en: "You are watching." },
  start: { de: "Los geht's", en: "Start" },
  sums: { de: "Summen:", en: "Sums:" },
  tagline: { de: "Fünf Kartenspiele mit verdeckten Karten", en: "Five card games with hidden cards" },
  taken: { de: "Genommen:", en: "Taken:" },
  team: { de: "Team", en: "Team" },
  trumps: { de: "Trümpfe, der stärkste zuerst", en: "Trumps, strongest first" },
  turn: { de: "Du bist am Zug", en: "Your turn" },
  unreachable: { de: "Der Dienst antwortet nicht.", en: "The service does not answer." },
  waiting: { de: "Noch sind Plätze frei.", en: "There are free seats." },
  you: { de: "du", en: "you" },
};

let language = navigator.language.startsWith("de") ? "de" : "en";

export const spoken = () => language;

export function speak(name) {
  language = name;
}

/** Do *draw* in another language: two tables on one page may speak two. */
export function within(name, draw) {
  const before = language;
  language = name;
  try {
    return draw();
  } finally {
    language = before;
  }
}

/** Return a text of the service in the chosen language. */
export const say = (text) => text?.[language] ?? "";

/** Return a word of the client's own. */
export const word = (key) => say(WORDS[key]);

/** Put arguments into a text; nothing else in it has a meaning. */
export const fill = (text, given) => text.replace(/\{(\w+)\}/g, (whole, name) => given[name] ?? whole);
