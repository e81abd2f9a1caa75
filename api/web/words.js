// What the client itself says, in both languages. What the games say comes from the service.

export const LANGUAGES = { de: "Deutsch", en: "English" };

export const WORDS = {
  abort: { de: "Abbruch vorschlagen", en: "Propose to abort" },
  aborted: { de: "Die Partie wurde abgebrochen.", en: "The match was aborted." },
  again: { de: "Noch einmal", en: "Play again" },
  all_seats: { de: "alle Plätze", en: "all seats" },
  audit: { de: "Diese Partie prüfen", en: "Check this match" },
  audit_chain: { de: "Kette von {count} Einträgen ohne Lücke und unverändert", en: "chain of {count} entries: no gap, nothing changed" },
  audit_deals: { de: "{count}-mal verdeckt gegeben, genau wie vorher hinterlegt", en: "{count} deals of hidden cards, just as committed to before" },
  audit_failed: { de: "Die Prüfung ist gerade nicht möglich.", en: "The check is not possible just now." },
  audit_record: { de: "Alles zum Selbstprüfen (JSON)", en: "All of it, to check yourself (JSON)" },
  audit_right: { de: "Geprüft: alles stimmt.", en: "Checked: all is right." },
  audit_rules: { de: "{count} Züge nach den Regeln noch einmal entschieden, mit demselben Ergebnis", en: "{count} moves decided again by the rules, with the same outcome" },
  audit_wrong: { de: "Geprüft: etwas stimmt nicht.", en: "Checked: something is wrong." },
  back: { de: "Zur Übersicht", en: "To the lobby" },
  bid: { de: "Deine Ansage", en: "Your bid" },
  bid_tricks: { de: "Stiche / angesagt", en: "tricks / bid" },
  bluff: { de: "Bluff", en: "bluff" },
  board: { de: "Rangliste", en: "Leaderboard" },
  board_empty: { de: "Noch hat niemand eine gewertete Partie beendet.", en: "Nobody has finished a rated match yet." },
  board_note: { de: "Gewertet wird jede beendete Partie, bei der nichts anderes vereinbart war. Die Zahl ist vorsichtig: sie steigt auch mit der Gewissheit.", en: "Every finished match counts unless it was agreed otherwise. The number is cautious: it also rises with certainty." },
  board_short: { de: "Rangliste", en: "Ranking" },
  branch: { de: "Von hier üben", en: "Practise from here" },
  by_link: { de: "Mit einem Link mitspielen", en: "Join by a link" },
  by_rules: { de: "nach den geltenden Regeln", en: "by the rules in force" },
  by_suit: { de: "höchste Karte der ausgespielten Farbe", en: "highest card of the suit that was led" },
  by_trump: { de: "mit Trumpf gestochen", en: "trumped" },
  caught_one: { de: "Wieder verbunden: ein Ereignis nachgeholt.", en: "Connected again: caught up one event." },
  caught_up: { de: "Wieder verbunden: {count} Ereignisse nachgeholt.", en: "Connected again: caught up {count} events." },
  changeable: { de: "Du kannst sie noch ändern.", en: "You may still change it." },
  choose_card: { de: "Wähle eine Karte, um zu sehen, was sie bewirkt.", en: "Choose a card to see what it does." },
  choose_cards: { de: "Karten wählen:", en: "Choose cards:" },
  choose_game: { de: "Wähle ein Spiel: Ein Klick weiter sitzt du am Tisch, ohne Anmeldung.", en: "Choose a game: one more click and you are at the table, without an account." },
  chosen: { de: "Gewählt", en: "Chosen" },
  coins: { de: "Münzen", en: "coins" },
  command: { de: "Eingabe", en: "Command" },
  computer: { de: "Computer", en: "computer" },
  copied: { de: "Kopiert.", en: "Copied." },
  court: { de: "Hofstaat", en: "Court deck" },
  dealer: { de: "gibt", en: "deals" },
  do_it: { de: "Ausführen", en: "Do it" },
  doubts: { de: "Das glaube ich nicht!", en: "I doubt that!" },
  dropped_out: { de: "ausgestiegen", en: "dropped out" },
  empty: { de: "frei", en: "free" },
  entered: { de: "eingetragen", en: "entered" },
  error: { de: "Das ging nicht.", en: "That did not work." },
  friends: { de: "Tisch für Freunde öffnen", en: "Open a table for friends" },
  games: { de: "Spiele", en: "Games" },
  gone: { de: "(nicht mehr da)", en: "(gone)" },
  guest: { de: "Gast", en: "Guest" },
  hand: { de: "Hand:", en: "Hand:" },
  in_hand: { de: "auf der Hand", en: "in hand" },
  influence: { de: "Einfluss", en: "influence" },
  invite: { de: "Einladung kopieren", en: "Copy the invitation" },
  join: { de: "Mitspielen", en: "Join" },
  keys: { de: "Tasten: 1 bis 9 Antworten, L letzter Stich, P passen für diesen Zug, T Textmodus", en: "Keys: 1 to 9 answers, L last trick, P pass for this turn, T text mode" },
  kind_event: { de: "Ereignis", en: "event" },
  kind_location: { de: "Ort", en: "location" },
  kind_personality: { de: "Person", en: "personality" },
  last_trick: { de: "Letzter Stich", en: "Last trick" },
  leads: { de: "führt", en: "leads" },
  leave: { de: "Verlassen", en: "Leave" },
  level: { de: "Gegner", en: "Opponents" },
  line: { de: "Verbindung verloren – ich versuche es weiter …", en: "Connection lost – trying again …" },
  loading: { de: "Einen Moment …", en: "One moment …" },
  log: { de: "Verlauf", en: "Log" },
  look_back: { de: "Den Tisch ansehen, wie er da war", en: "See the table as it was then" },
  matches: { de: "Partien", en: "Matches" },
  meistercoups: { de: "Meistercoups", en: "Meistercoups" },
  mine: { de: "Meine Partien", en: "My matches" },
  more: { de: "Mehr", en: "More" },
  moves: { de: "Deine Möglichkeiten", en: "Your moves" },
  name: { de: "Name", en: "Name" },
  news: { de: "Zuletzt geschehen", en: "What has just happened" },
  no_move: { de: "Mit dieser Karte geht gerade nichts.", en: "Nothing can be done with this card now." },
  nobody: { de: "noch niemand", en: "nobody yet" },
  none: { de: "Gerade keine.", en: "None just now." },
  nothing: { de: "Hier gibt es nichts zu sehen.", en: "There is nothing to see here." },
  open: { de: "Offene Tische", en: "Open tables" },
  open_cards: { de: "offene Karten", en: "open cards" },
  open_link: { de: "Öffnen", en: "Open" },
  options: { de: "Weitere Regeln", en: "More rules" },
  others_turn: { de: "Andere sind am Zug.", en: "It is the turn of others." },
  out: { de: "ausgeschieden", en: "out" },
  over: { de: "Die Partie ist vorbei.", en: "The match is over." },
  pass_on: { de: "In diesem Zug immer passen", en: "Pass for the rest of this turn" },
  perspective: { de: "Blick", en: "View of" },
  pile: { de: "Stapel", en: "Pile" },
  place: { de: "Platz", en: "Seat" },
  play: { de: "Gegen Computer spielen", en: "Play against computers" },
  points: { de: "Punkte", en: "points" },
  points_short: { de: "P.", en: "pts" },
  proposes: { de: "vorgeschlagen", en: "proposed" },
  public: { de: "Zuschauer", en: "spectators" },
  rating: { de: "Stärke", en: "Rating" },
  replay: { de: "Nachspielen", en: "Replay" },
  reset: { de: "Der Server hat die neuesten Züge verloren; die Partie geht weiter, wo er sie noch kennt.", en: "The server has lost the newest moves; the match goes on where it still knows it." },
  result: { de: "Ergebnis", en: "Result" },
  round: { de: "Runde", en: "Round" },
  rule_cards: { de: "Deine Regelkarten", en: "Your rule cards" },
  rules: { de: "Spielregeln", en: "How to play" },
  rules_short: { de: "Regeln", en: "Rules" },
  run: { de: "Abspielen", en: "Play it" },
  samurai: { de: "Samurai", en: "Samurai" },
  scored: { de: "Gewertet", en: "Scored" },
  sealed: { de: "verdeckte Ansage", en: "sealed bid" },
  seat_bot: { de: "Computer setzen", en: "Seat a computer" },
  seats: { de: "Plätze", en: "seats" },
  seats_with_you: { de: "Plätze, mit dir", en: "Seats, with you" },
  set_aside: { de: "weggelegt", en: "set aside" },
  settings: { de: "Einstellungen", en: "Settings" },
  sheet: { de: "Wertung", en: "Score sheet" },
  sound: { de: "Ton", en: "Sound" },
  spectator: { de: "Du siehst zu.", en: "You are watching." },
  start: { de: "Los geht's", en: "Start" },
  still: { de: "Keine Bewegung", en: "No motion" },
  sums: { de: "Summen:", en: "Sums:" },
  table: { de: "Tisch", en: "Table" },
  tagline: { de: "Fünf Kartenspiele mit verdeckten Karten", en: "Five card games with hidden cards" },
  taken: { de: "Genommen:", en: "Taken:" },
  team: { de: "Team", en: "Team" },
  text_help: { de: "Tippe die Nummer eines Zuges oder einen Teil seines Textes.", en: "Type the number of a move or a part of its text." },
  text_mode: { de: "Textmodus", en: "Text mode" },
  text_several: { de: "Das passt auf mehrere Züge:", en: "That fits several moves:" },
  text_unknown: { de: "Das ist kein möglicher Zug:", en: "That is no possible move:" },
  to_table: { de: "Zum Tisch", en: "To the table" },
  trick: { de: "Stich", en: "Trick" },
  trick_back: { de: "Einen Stich zurück", en: "One trick back" },
  trick_on: { de: "Einen Stich weiter", en: "One trick on" },
  tricks: { de: "Stiche", en: "tricks" },
  trump: { de: "Trumpf", en: "Trump" },
  trumps: { de: "Trümpfe, der stärkste zuerst", en: "Trumps, strongest first" },
  turn: { de: "Du bist am Zug", en: "Your turn" },
  unreachable: { de: "Der Dienst antwortet nicht.", en: "The service does not answer." },
  votes_for: { de: "dafür", en: "in favour" },
  waiting: { de: "Noch sind Plätze frei.", en: "There are free seats." },
  wins: { de: "Siege", en: "Wins" },
  you: { de: "du", en: "you" },
  your_name: { de: "Dein Name (wenn du magst)", en: "Your name (if you like)" },
  yourself: { de: "du", en: "you" },
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
