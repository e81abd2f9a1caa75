// The client's own texts, in both languages. The games' texts come from the service.

export const LANGUAGES = { de: "Deutsch", en: "English" };

/** @type {Record<string, {de: string, en: string}>} */
export const WORDS = {
  abort: { de: "Abbruch vorschlagen", en: "Propose to abort" },
  abort_now: { de: "Partie abbrechen", en: "Abort the match" },
  abort_wish: {
    de: "Für einen Abbruch sind: {names}. Es müssen alle zustimmen.",
    en: "In favour of aborting: {names}. All have to agree.",
  },
  aborted: { de: "Die Partie wurde abgebrochen.", en: "The match was aborted." },
  advice_even: {
    de: "Kein Zug ist hier klar besser als der nächstbeste.",
    en: "No move is clearly better than the next best one here.",
  },
  advice_note: {
    de: "Mittel über simulierte Verteilungen (0 = verloren, 100 = gewonnen)",
    en: "Average over simulated deals (0 = loss, 100 = win)",
  },
  again: { de: "Noch einmal", en: "Play again" },
  aid: { de: "Kurz erklärt", en: "Quick reference" },
  all_seats: { de: "alle Plätze", en: "all seats" },
  alone: { de: "nur das", en: "just that" },
  also_palette: { de: "und in die Auslage:", en: "and to the palette:" },
  also_pile: { de: "und auf den Stapel:", en: "and to the pile:" },
  answer: { de: "Du bist gefragt", en: "Your answer" },
  audit: { de: "Diese Partie prüfen", en: "Check this match" },
  audit_chain: {
    de: "Kette von {count} Einträgen ohne Lücke und unverändert",
    en: "chain of {count} entries: no gap, nothing changed",
  },
  audit_deals: {
    de: "{count}-mal verdeckt gegeben, genau wie vorher hinterlegt",
    en: "{count} deals of hidden cards, just as committed to before",
  },
  audit_failed: { de: "Die Prüfung ist gerade nicht möglich.", en: "The check is not possible right now." },
  audit_finding: {
    de: "Die Aufzeichnung stimmt nicht bei: {line}. Einzelheiten nennt „tafelrunde verify“.",
    en: "The record is wrong at: {line}. “tafelrunde verify” gives details.",
  },
  audit_record: { de: "Alles zum Selbstprüfen (JSON)", en: "The full record, to check it yourself (JSON)" },
  audit_right: { de: "Der Server sagt: Alles stimmt.", en: "The server says: everything is correct." },
  audit_rules: {
    de: "{count} Züge nach den Regeln noch einmal entschieden, mit demselben Ergebnis",
    en: "{count} moves decided again by the rules, with the same outcome",
  },
  audit_taken_up: {
    de: "Die ersten {count} Ereignisse stammen aus einer anderen Partie und wurden hier nicht neu gegeben",
    en: "the first {count} events come from another match, and were not dealt here",
  },
  audit_undecided: {
    de: "Der Server sagt: Nichts ist falsch, aber nicht alles ist bewiesen.",
    en: "The server says: nothing is wrong, but not everything is proved.",
  },
  audit_wrong: { de: "Der Server sagt: Etwas stimmt nicht.", en: "The server says: something is wrong." },
  daily: { de: "Partie des Tages", en: "Deal of the day" },
  daily_ranking: { de: "Zur Rangliste des Tages", en: "See the ranking of the day" },
  daily_sealed: {
    de: "Andere spielen dieselben Karten noch. Ab morgen kannst du alles ansehen und prüfen.",
    en: "Others still play the same cards. From tomorrow on you can look at everything and check it.",
  },
  decisions: { de: "Entscheidungen", en: "Decisions" },
  back: { de: "Zur Übersicht", en: "To the lobby" },
  behind: { de: ", {count} Punkte zurück", en: ", {count} points behind" },
  behind_one: { de: ", einen Punkt zurück", en: ", one point behind" },
  bid: { de: "Deine Ansage", en: "Your bid" },
  bid_short: { de: "Ansage", en: "Bid" },
  bid_tricks: { de: "Stiche / angesagt", en: "tricks / bid" },
  bluff: { de: "Bluff", en: "bluff" },
  board: { de: "Rangliste", en: "Leaderboard" },
  board_all: { de: "alle", en: "everyone" },
  board_empty: { de: "Noch hat niemand eine gewertete Partie beendet.", en: "No one has finished a rated match yet." },
  board_empty_own: { de: "Noch keine gewertete Partie.", en: "No rated match yet." },
  board_house: { de: "Bots des Hauses", en: "bots of the house" },
  board_kinds: { de: "Wer aufgeführt wird", en: "Who is listed" },
  board_note: {
    de: "Gewertet wird jede beendete Partie, bei der nichts anderes vereinbart war, für alle, die einen Namen haben. Wer allein abbricht, nachdem er schon gespielt hat, verliert. Die Zahl ist vorsichtig: sie steigt auch mit der Gewissheit. Ein Fragezeichen heißt: vorläufig, noch keine zehn Partien.",
    en: "Every finished match counts for all named players, unless it was agreed otherwise. A player who aborts alone after having played loses. The number is cautious: it also rises with certainty. A question mark means provisional: fewer than ten matches.",
  },
  board_people: { de: "Menschen", en: "people" },
  board_programs: { de: "Programme", en: "programs" },
  board_short: { de: "Rangliste", en: "Leaderboard" },
  branch: { de: "Von hier üben", en: "Practise from here" },
  busy: {
    de: "Der Dienst ist gerade ausgelastet – gleich geht es weiter …",
    en: "The service is busy – trying again in a moment …",
  },
  by_link: { de: "Mit einem Link mitspielen", en: "Join by a link" },
  by_suit: { de: "höchste Karte der ausgespielten Farbe", en: "highest card of the suit that was led" },
  by_trump: { de: "mit Trumpf gestochen", en: "trumped" },
  carry: { de: "Auf einem anderen Gerät weiterspielen", en: "Continue on another device" },
  carry_here: { de: "Auf diesem Gerät spielen", en: "Play on this device" },
  carry_replaces: {
    de: "Der Spieler, mit dem du hier bisher gespielt hast, wird von diesem Gerät entfernt.",
    en: "The player that you have used here is removed from this device.",
  },
  carry_take: { de: "Übernehmen", en: "Take over" },
  caught_one: { de: "Wieder verbunden: ein Ereignis nachgeholt.", en: "Reconnected: caught up on one event." },
  caught_up: { de: "Wieder verbunden: {count} Ereignisse nachgeholt.", en: "Reconnected: caught up on {count} events." },
  challenges: { de: "Das glaube ich nicht!", en: "I challenge that!" },
  changeable: { de: "Du kannst sie noch ändern.", en: "You may still change it." },
  choose_card: { de: "Wähle eine Karte, um zu sehen, was sie bewirkt.", en: "Choose a card to see what it does." },
  choose_cards: { de: "Karten wählen:", en: "Choose cards:" },
  chosen: { de: "Gewählt", en: "Chosen" },
  close: { de: "Schließen", en: "Close" },
  cloth: { de: "Tisch", en: "Table" },
  cloth_green: { de: "Grünes Tuch", en: "Green cloth" },
  cloth_night: { de: "Nachtblau", en: "Night blue" },
  cloth_wood: { de: "Nussholz", en: "Walnut" },
  coach: { de: "Was hätte ich besser machen können?", en: "What could I have done better?" },
  coach_again: { de: "Noch einmal versuchen", en: "Try again" },
  coach_before: { de: "Voriges Rätsel", en: "Previous puzzle" },
  coach_busy: {
    de: "Deine Entscheidungen werden durchgesehen: {count} bisher.",
    en: "Your decisions are being looked at: {count} up to now.",
  },
  coach_find: { de: "Findest du etwas Besseres?", en: "Can you do better?" },
  coach_held: { de: "Was die anderen da auf der Hand hatten", en: "What the others held then" },
  coach_late: { de: "Das ist gerade nicht möglich.", en: "This is not possible right now." },
  coach_next: { de: "Nächstes Rätsel", en: "Next puzzle" },
  coach_none: { de: "Keine deiner Entscheidungen hat viel gekostet.", en: "None of your decisions cost much." },
  coach_note: {
    de: "Geschätzt aus simulierten Verteilungen, nur mit dem, was du da wissen konntest (0 = verloren, 100 = gewonnen).",
    en: "Estimated from simulated deals, only with what you could know then (0 = loss, 100 = win).",
  },
  coach_outline: {
    de: "Deine Siegchance bei {count} Entscheidungen: am Anfang {first}, am Ende {last}, zwischen {lowest} und {highest} von 100. Pfeiltasten gehen die Linie entlang.",
    en: "Your chance of winning at {count} decisions: {first} at first, {last} at last, between {lowest} and {highest} of 100. Arrow keys go along the line.",
  },
  coach_played: { de: "In der Partie hast du gespielt: {played}.", en: "In the match you played: {played}." },
  coach_point: {
    de: "Entscheidung {place}: Siegchance {chance}, mit dem besten Zug {best}.",
    en: "Decision {place}: chance of winning {chance}, with the best move {best}.",
  },
  coach_puzzle: { de: "Rätsel {place} von {count}", en: "Puzzle {place} of {count}" },
  coach_right: { de: "Gefunden! {better} gewinnt {best}-mal von 100.", en: "Found! {better} wins {best} times in 100." },
  coach_there: { de: "Im Rückblick zeigen", en: "Show in the replay" },
  coach_untried: {
    de: "Nicht ganz. Besser: {better}, das gewinnt {best}-mal von 100.",
    en: "Not quite. Better: {better}, which wins {best} times in 100.",
  },
  coach_wrong: {
    de: "Nicht ganz. Das gewinnt {own}-mal von 100, {better} gewinnt {best}-mal.",
    en: "Not quite. That wins {own} times in 100; {better} wins {best} times.",
  },
  coin: { de: "Münze", en: "coin" },
  coins: { de: "Münzen", en: "coins" },
  command: { de: "Eingabe", en: "Command" },
  computer: { de: "Bot", en: "bot" },
  copied: { de: "Kopiert.", en: "Copied." },
  copy_it: { de: "Zum Kopieren:", en: "Copy this:" },
  costly: { de: "Züge, die am meisten gekostet haben", en: "Moves that cost most" },
  court: { de: "Hofstaat", en: "Court deck" },
  dealer: { de: "gibt", en: "deals" },
  deck: { de: "Karten", en: "Cards" },
  deck_classic: { de: "Gezeichnet", en: "Drawn" },
  deck_large: { de: "Große Zahlen", en: "Large figures" },
  deck_plain: { de: "Schlicht", en: "Plain" },
  diamond_count: { de: "{count} Diamanten", en: "{count} diamonds" },
  diamond_one: { de: "1 Diamant", en: "1 diamond" },
  do_it: { de: "Ausführen", en: "Do it" },
  do_that: { de: "Vorschlag: {move}", en: "Show me: {move}" },
  dropped_out: { de: "ausgestiegen", en: "dropped out" },
  earlier: { de: "Zur früheren Partie", en: "To the earlier match" },
  embed: { de: "Code zum Einbetten kopieren", en: "Copy the embed code" },
  empty: { de: "frei", en: "free" },
  entered: { de: "eingetragen", en: "entered" },
  error: { de: "Das ging nicht.", en: "That did not work." },
  examples: { de: "Beispiele", en: "Examples" },
  friends: { de: "Tisch für Freunde öffnen", en: "Open a table for friends" },
  full: {
    de: "Alle Plätze sind besetzt. {host} kann die Partie beginnen.",
    en: "All seats are taken. {host} can start the match.",
  },
  full_host: { de: "Alle Plätze sind besetzt: Du kannst beginnen.", en: "All seats are taken: you can start." },
  games: { de: "Spiele", en: "Games" },
  go_on: { de: "Weiter", en: "Go on" },
  goes_to: { de: "Er geht an {name}.", en: "It goes to {name}." },
  gone: { de: "(nicht mehr da)", en: "(gone)" },
  guest: { de: "Gast", en: "Guest" },
  hand: { de: "Hand:", en: "Hand:" },
  hint: { de: "Hinweis", en: "Hint" },
  in_hand: { de: "auf der Hand", en: "in hand" },
  influence: { de: "Einfluss", en: "influence" },
  influence_one: { de: "eine verdeckte Karte", en: "1 influence" },
  influences: { de: "{count} verdeckte Karten", en: "{count} influences" },
  invite: { de: "Einladung kopieren", en: "Copy the invitation" },
  join: { de: "Mitspielen", en: "Join" },
  keys: {
    de: "Tasten: 1 bis 9 Antworten, H Hinweis, L letzter Stich, P passen für diesen Zug, T Textmodus, ? Was ist das?",
    en: "Keys: 1 to 9 answers, H hint, L last trick, P pass for this turn, T text mode, ? what is this",
  },
  kind_event: { de: "Handlung", en: "event" },
  kind_location: { de: "Ort", en: "location" },
  kind_personality: { de: "Person", en: "personality" },
  last_card: { de: "Letzte Karte automatisch spielen", en: "Play my last card automatically" },
  last_trick: { de: "Letzter Stich", en: "Last trick" },
  leads: { de: "führt", en: "leads" },
  learn: { de: "Lernen", en: "Tutorial" },
  leave: { de: "Verlassen", en: "Leave" },
  leave_open: { de: "Den Tisch verlassen? Dein Platz wird frei.", en: "Leave the table? Your seat becomes free." },
  lesson: { de: "Lektion", en: "Lesson" },
  lesson_free: { de: "Jetzt du. Ein Hinweis nennt einen guten Zug.", en: "Your choice. A hint names a good move." },
  lesson_only: { de: "Hier gibt es nur einen Zug.", en: "There is only one move here." },
  lesson_wait: { de: "Sieh zu, was die anderen tun.", en: "Watch what the others do." },
  level: { de: "Gegner", en: "Opponents" },
  limited: {
    de: "Das Limit für diese Minute ist erreicht. Weiter geht es in {seconds} s.",
    en: "The limit for this minute is reached. It goes on in {seconds} s.",
  },
  line: { de: "Verbindung verloren – ich versuche es weiter …", en: "Connection lost – trying again …" },
  loading: { de: "Einen Moment …", en: "One moment …" },
  log: { de: "Verlauf", en: "Log" },
  look_back: { de: "Den Tisch ansehen, wie er da war", en: "See the table as it was then" },
  matches: { de: "Partien", en: "Matches" },
  me: { de: "Mein Konto", en: "Profile" },
  me_none: {
    de: "Du hast hier noch nicht gespielt. Gib dir einen Namen, oder spiele einfach: Dann bist du Gast.",
    en: "You have not played here yet. Take a name, or just play: then you are a guest.",
  },
  meistercoups: { de: "Meistercoups", en: "Meistercoups" },
  more: { de: "Mehr", en: "More" },
  moves: { de: "Deine Möglichkeiten", en: "Your moves" },
  name: { de: "Name", en: "Name" },
  news: { de: "Zuletzt geschehen", en: "What has just happened" },
  no_match: {
    de: "Diese Partie gibt es nicht, oder sie ist nicht für dich offen. Ist die Adresse vollständig?",
    en: "There is no such match, or it is not open to you. Is the address complete?",
  },
  no_page: {
    de: "Unter dieser Adresse gibt es hier nichts. Ist sie vollständig?",
    en: "There is nothing at this address. Is it complete?",
  },
  no_move: { de: "Mit dieser Karte geht gerade nichts.", en: "Nothing can be done with this card now." },
  nobody: { de: "noch niemand", en: "no one yet" },
  offline: {
    de: "Keine Verbindung. Hier gibt es nur, was dieser Browser behalten hat: die Regeln, und Partien, die du nach ihrem Ende angesehen hast.",
    en: "No connection. There is only what this browser has kept: the rules, and matches that you looked at after their end.",
  },
  open: { de: "Offene Tische", en: "Open tables" },
  open_cards: { de: "offene Karten", en: "open cards" },
  open_link: { de: "Öffnen", en: "Open" },
  options: { de: "Varianten", en: "Rule variants" },
  orders: { de: "Automatische Antworten", en: "Auto-replies" },
  ordinals: { de: "1 2 3 4 5 6 7", en: "first second third fourth fifth sixth seventh" },
  others_turn: { de: "Andere sind am Zug.", en: "Waiting for other players." },
  out: { de: "ausgeschieden", en: "out" },
  over: { de: "Die Partie ist vorbei.", en: "The match is over." },
  pass_by: { de: "Immer passen, außer es betrifft mich", en: "Always pass unless it concerns me" },
  pass_on: { de: "In diesem Zug immer passen", en: "Pass for the rest of this turn" },
  perspective: { de: "Blick", en: "View of" },
  pile: { de: "Stapel", en: "Pile" },
  place: { de: "Platz", en: "Seat" },
  placed: { de: "Du belegst Platz {place}", en: "You are {place}" },
  play: { de: "Gegen Bots spielen", en: "Play against bots" },
  points: { de: "Punkte", en: "points" },
  points_match: { de: "Punkte in der ganzen Partie", en: "points in the whole match" },
  points_round: { de: "Punkte in dieser Runde", en: "points in this round" },
  points_short: { de: "P.", en: "pts" },
  practice: {
    de: "Übung: Du spielst eine frühere Partie ab einem Zug neu. Sie zählt nicht.",
    en: "Practice: you play an earlier match again from one of its moves. It does not count.",
  },
  program: { de: "Programm", en: "program" },
  proposes: { de: "vorgeschlagen", en: "proposed" },
  provisional: { de: "vorläufig: noch keine zehn Partien", en: "provisional: fewer than ten matches" },
  public: { de: "Zuschauer", en: "spectators" },
  puzzle: { de: "Rätsel des Tages", en: "Puzzle of the day" },
  rank_ace: { de: "Ass", en: "ace" },
  rank_court: { de: "Hof", en: "court" },
  rank_crown: { de: "Krone", en: "crown" },
  rank_pawn: { de: "Bauer", en: "pawn" },
  rating: { de: "Stärke", en: "Rating" },
  recommended: { de: "Empfohlen", en: "Recommended" },
  remove: { de: "Konto löschen", en: "Delete my player" },
  remove_sure: {
    de: "Wirklich löschen? Das lässt sich nicht rückgängig machen.",
    en: "Really delete it? This cannot be undone.",
  },
  replay: { de: "Nachspielen", en: "Replay" },
  reset: {
    de: "Der Server hat die neuesten Züge verloren; die Partie geht weiter, wo er sie noch kennt.",
    en: "The server has lost the newest moves; the match goes on where it still knows it.",
  },
  result: { de: "Ergebnis", en: "Result" },
  review: { de: "Züge bewerten", en: "Review the moves" },
  review_so_far: { de: "Bewertet sind bisher {count} Züge …", en: "{count} moves are reviewed so far …" },
  round: { de: "Runde", en: "Round" },
  round_over: { de: "Die Runde ist vorbei.", en: "The round is over." },
  rule: { de: "Regel", en: "Rule" },
  rule_cards: { de: "Deine Regelkarten", en: "Your rule cards" },
  rules: { de: "Spielregeln", en: "How to play" },
  rules_short: { de: "Regeln", en: "Rules" },
  run: { de: "Abspielen", en: "Play it" },
  samurai: { de: "Samurai", en: "Samurai" },
  samurai_short: { de: "Sam.", en: "Sam." },
  save: { de: "Speichern", en: "Save" },
  saved: { de: "Gespeichert.", en: "Saved." },
  scored: { de: "Gewertet", en: "Scored" },
  sealed: { de: "verdeckte Ansage", en: "sealed bid" },
  seat_bot: { de: "Bot dazusetzen", en: "Add a bot" },
  seats: { de: "Plätze", en: "seats" },
  seats_with_you: { de: "Spieler (mit dir)", en: "Players (with you)" },
  set_aside: { de: "weggelegt", en: "set aside" },
  settings: { de: "Einstellungen", en: "Settings" },
  sheet: { de: "Wertung", en: "Score sheet" },
  sound: { de: "Ton", en: "Sound" },
  speed: { de: "Tempo der Animationen", en: "Animation speed" },
  speed_fast: { de: "schnell", en: "fast" },
  speed_normal: { de: "normal", en: "normal" },
  speed_off: { de: "keine Bewegung", en: "no motion" },
  speed_slow: { de: "langsam", en: "slow" },
  spectator: { de: "Du siehst zu.", en: "You are watching." },
  stale: {
    de: "Der Dienst kennt dich nicht mehr: Dein Zugang ist abgelaufen oder wurde widerrufen. Du kannst zusehen; wenn du mitspielst, beginnst du als neuer Gast.",
    en: "The service no longer knows you: your access has expired or was revoked. You can watch; if you play, you begin as a new guest.",
  },
  stands: {
    de: "Deine Antwort steht; du kannst sie noch ändern. Jetzt fehlen die anderen.",
    en: "Your answer stands; you may still change it. Waiting for the others.",
  },
  stands_in: { de: "ein Bot spielt für diesen Platz weiter", en: "a bot plays on for this seat" },
  start: { de: "Los geht's", en: "Start" },
  stay: { de: "Bleiben", en: "Stay" },
  stood_in: {
    de: "Nicht am Tisch: {names}. Dort spielt ein Bot weiter.",
    en: "Not at the table: {names}. A bot plays on there.",
  },
  strongest: { de: "stärkste Farbe: {colour}, {sum}", en: "strongest colour: {colour}, {sum}" },
  sums: { de: "Summen:", en: "Sums:" },
  table: { de: "Tisch", en: "Table" },
  tagline: { de: "Fünf Kartenspiele mit verdeckten Karten", en: "Five games with hidden cards" },
  take_trick: { de: "Du machst den Stich", en: "You take the trick" },
  taken: { de: "Genommen:", en: "Taken:" },
  takes_trick: { de: "{name} macht den Stich", en: "{name} takes the trick" },
  text_help: {
    de: "Tippe die Nummer eines Zuges oder einen Teil seines Textes.",
    en: "Type the number of a move or a part of its text.",
  },
  text_mode: { de: "Textmodus", en: "Text mode" },
  text_several: { de: "Das passt auf mehrere Züge:", en: "That fits several moves:" },
  text_unknown: { de: "Das ist kein möglicher Zug:", en: "That is not a possible move:" },
  to_table: { de: "Zum Tisch", en: "To the table" },
  today: { de: "Heute", en: "Today" },
  trick: { de: "Stich", en: "Trick" },
  trick_back: { de: "Einen Stich zurück", en: "One trick back" },
  trick_on: { de: "Einen Stich weiter", en: "One trick on" },
  tricks: { de: "Stiche", en: "tricks" },
  trump: { de: "Trumpf", en: "Trump" },
  trumps: { de: "Trümpfe, der stärkste zuerst", en: "Trumps, strongest first" },
  try_again: { de: "Noch einmal versuchen", en: "Try again" },
  turn: { de: "Du bist am Zug", en: "Your turn" },
  unreachable: { de: "Der Dienst antwortet nicht.", en: "The service is not responding." },
  vibration: { de: "Vibrieren, wenn du gefragt bist", en: "Vibrate when you are asked" },
  votes_for: { de: "dafür", en: "in favour" },
  waiting: { de: "Noch sind Plätze frei.", en: "Some seats are still free." },
  what_is_this: { de: "Was ist das?", en: "What is this?" },
  what_now: {
    de: "Tippe auf eine Karte oder ein Zeichen, oder wähle es mit Tab und Enter. Esc beendet.",
    en: "Tap a card or a sign, or choose it by Tab and Enter. Esc ends.",
  },
  wins: { de: "Siege", en: "Wins" },
  with_hints: { de: "Mit Hinweisen (zählt nicht für die Rangliste)", en: "With hints (does not count for the leaderboard)" },
  won_many: { de: "{names} gewinnen{how}.", en: "{names} win{how}." },
  won_by: { de: " durch {how}", en: " by {how}" },
  won_one: { de: "{names} gewinnt{how}.", en: "{names} wins{how}." },
  won_with: { de: "Du gewinnst{how}, zusammen mit {names}.", en: "You win{how}, together with {names}." },
  won_you: { de: "Du gewinnst{how}!", en: "You win{how}!" },
  yesterday: { de: "Gestern", en: "Yesterday" },
  you: { de: "du", en: "you" },
  you_out: { de: "Du bist ausgeschieden.", en: "You are out." },
  your_name: { de: "Dein Name (wenn du magst)", en: "Your name (if you like)" },
  lost_card: { de: "verloren", en: "lost" },
  own_cards: { de: "Deine Karten", en: "Your cards" },
  yourself: { de: "du", en: "you" },
};

/** @typedef {"de" | "en"} Language */

/** @type {Language} */
let language = navigator.language.startsWith("de") ? "de" : "en";

export const spoken = () => language;

export function speak(/** @type {Language} */ name) {
  language = name;
}

/**
 * Run *draw* in another language: two tables on one page may use different ones.
 * @template Drawn
 * @param {Language} name
 * @param {() => Drawn} draw
 */
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
export const say = (/** @type {{de: string, en: string} | null | undefined} */ text) => text?.[language] ?? "";

/** Return one of the client's own texts. */
export const word = (/** @type {string} */ key) => say(WORDS[key]);

/** Return several names as a phrase: "Ada, Bruno, and Cleo", in German without a comma before the last. */
export function listed(/** @type {string[]} */ names) {
  if (names.length < 2) return names.join("");
  const last = say({ de: " und ", en: names.length > 2 ? ", and " : " and " });
  return `${names.slice(0, -1).join(", ")}${last}${names[names.length - 1]}`;
}

/** Put arguments into a text; everything else in it is literal. */
export const fill = (/** @type {string} */ text, /** @type {Record<string, string | number>} */ given) =>
  text.replace(/\{(\w+)\}/g, (whole, /** @type {string} */ name) => String(given[name] ?? whole));

/** Return the time of day of a moment (Unix milliseconds); in English, "12:00 AM" is said in a word. */
export const clock = (/** @type {number} */ at) => {
  const time = new Date(at);
  if (language === "en" && time.getHours() + time.getMinutes() === 0) return "midnight";
  return time.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
};
