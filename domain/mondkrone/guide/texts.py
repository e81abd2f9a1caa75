"""The texts of Mondkrone in German and English. Seats, cards and conditions stand as `{name}`; `rule` names their section.

Keys that go on behind a prompt or an event are for some arguments and readers only (`domain/wording.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ...game import Message
from .reasons import WHY
from .tips import ABOUT, EXAMPLES, TIPS

PROMPTS: Mapping[str, Message] = {
    "turn": Message(
        "Platz {actor} ist am Zug; oben auf dem Stapel liegt {card}.", "Seat {actor} is to move; {card} is on top of the pile."
    ),
    "scoring": Message(
        "Platz {actor} hat die Runde gewonnen, auf {card}, und wählt, was zur Seite gelegt wird.",
        "Seat {actor} has won the round, on {card}, and chooses what it lays aside.",
    ),
    "turn.you": Message(
        "Geh in Führung: Es gilt, was {card} fordert.",
        "Take the lead in what {card} asks for.",
    ),
    "scoring.you": Message(
        "Du hast die Runde gewonnen, auf {card}: Wähle, was du zur Seite legst.",
        "You have won the round, on {card}: choose what you lay aside.",
    ),
}

REFUSALS: Mapping[str, Message] = {
    "not-asked": Message("Du wirst gerade nicht gefragt.", "You are not asked now.", "Startspieler und Reihenfolge"),
    "not-now": Message("Das passt nicht zu dem, was gerade gefragt ist.", "This does not answer what is asked.", "Aktionen"),
    "card-not-held": Message("Du hast {card} nicht auf der Hand.", "You do not hold {card}.", "Aktionen"),
    "same-card-twice": Message(
        "{card} kann nicht in die Auslage und auf den Stapel.", "{card} cannot go to the palette and to the pile.", "Aktionen"
    ),
    "would-not-lead": Message(
        "Du würdest hier nicht führen: {condition}. Es führt Platz {leader}.",
        "You would not lead here: {condition}. Seat {leader} leads.",
        "Aktionen",
    ),
    "would-lead-in-none": Message(
        "Du würdest bei keiner Bedingung führen, auch hier nicht: {condition}. Es führt Platz {leader}.",
        "You would not lead in any condition, nor here: {condition}. Seat {leader} leads.",
        "Aktionen",
    ),
    "nothing-counts": Message(
        "In deiner Auslage zählt dafür nichts: {condition}.", "Nothing in your palette counts for this: {condition}.", "Aktionen"
    ),
    "not-in-palette": Message(
        "{card} liegt nicht in deiner Auslage.", "{card} is not in your palette.", "Rundenende und Wertung"
    ),
    "not-involved": Message(
        "{card} ist an keiner Bedingung beteiligt.", "{card} is not involved in any condition.", "Rundenende und Wertung"
    ),
    "wrong-number": Message(
        "Du legst genau eine Karte zur Seite, nicht {given}.",
        "You lay aside exactly one card, not {given}.",
        "Rundenende und Wertung",
    ),
    "not-one-set-each": Message(
        "Du legst für jede erfüllte Bedingung genau einen Satz nötiger Karten zur Seite.",
        "You lay aside exactly one set of needed cards for each condition that you meet.",
        "Rundenende und Wertung",
    ),
}

COMMANDS: Mapping[str, Message] = {
    "play-to-palette": Message("{card} in die Auslage", "{card} to the palette"),
    "discard-to-pile": Message("{card} auf den Stapel", "{card} to the pile"),
    "play-and-discard": Message(
        "{palette_card} in die Auslage, {pile_card} auf den Stapel", "{palette_card} to the palette, {pile_card} to the pile"
    ),
    "drop-out": Message("Aus der Runde aussteigen", "Drop out of the round"),
    "lay-aside": Message("{cards} zur Seite legen", "Lay {cards} aside"),
}

EVENTS: Mapping[str, Message] = {
    "round-dealt.1": Message(
        "Runde {round}: Jeder bekommt {hand_size} Karten.", "Round {round}: everybody is dealt {hand_size} cards."
    ),
    "round-dealt.1.hand_size.1": Message(
        "Runde {round}: Jeder bekommt eine Karte.", "Round {round}: everybody is dealt one card."
    ),
    "turn-begun.1": Message("Platz {seat} ist am Zug.", "Seat {seat} is to move."),
    "turn-begun.1.seat.you": Message("Du bist am Zug.", "It is your turn."),
    "card-played.1": Message("Platz {seat} legt {card} in die Auslage.", "Seat {seat} plays {card} to the palette."),
    "card-played.1.seat.you": Message("Du legst {card} in die Auslage.", "You play {card} to the palette."),
    "card-discarded.1": Message("Platz {seat} legt {card} auf den Stapel.", "Seat {seat} puts {card} on the pile."),
    "card-discarded.1.seat.you": Message("Du legst {card} auf den Stapel.", "You put {card} on the pile."),
    "cards-drawn.1": Message("Platz {seat} zieht {count} Karten.", "Seat {seat} draws {count} cards."),
    "cards-drawn.1.count.1": Message("Platz {seat} zieht eine Karte.", "Seat {seat} draws one card."),
    "cards-drawn.1.seat.you": Message("Du ziehst {count} Karten.", "You draw {count} cards."),
    "cards-drawn.1.seat.you.count.1": Message("Du ziehst eine Karte.", "You draw one card."),
    "seat-dropped-out.1": Message("Platz {seat} steigt aus.", "Seat {seat} drops out."),
    "seat-dropped-out.1.seat.you": Message("Du steigst aus.", "You drop out."),
    "round-won.1": Message("Platz {seat} gewinnt die Runde.", "Seat {seat} wins the round."),
    "round-won.1.seat.you": Message("Du gewinnst die Runde.", "You win the round."),
    "cards-laid-aside.1": Message(
        "Platz {seat} legt {cards} zur Seite: {points} Punkte.", "Seat {seat} lays {cards} aside: {points} points."
    ),
    "cards-laid-aside.1.points.0": Message(
        "Platz {seat} wertet nichts: Keine Karte ist beteiligt.", "Seat {seat} scores nothing: no card is involved."
    ),
    "cards-laid-aside.1.points.1": Message(
        "Platz {seat} legt {cards} zur Seite: ein Punkt.", "Seat {seat} lays {cards} aside: one point."
    ),
    "cards-laid-aside.1.seat.you": Message(
        "Du legst {cards} zur Seite: {points} Punkte.", "You lay {cards} aside: {points} points."
    ),
    "cards-laid-aside.1.seat.you.points.0": Message(
        "Du wertest nichts: Keine deiner Karten ist beteiligt.", "You score nothing: none of your cards is involved."
    ),
    "cards-laid-aside.1.seat.you.points.1": Message(
        "Du legst {cards} zur Seite: ein Punkt.", "You lay {cards} aside: one point."
    ),
    "won.1": Message("Gewonnen: {winners}.", "Won by: {winners}."),
    "won.1.winners.one": Message("Platz {winners} gewinnt.", "Seat {winners} wins."),
    "won.1.winners.you": Message("Du gewinnst.", "You win."),
}

CONDITIONS: Mapping[str, Message] = {
    "moons": Message("Monde (die höchste Karte)", "moons (the highest card)"),
    "suns": Message("Sonnen (die meisten einer Farbe)", "suns (most of one suit)"),
    "waves": Message("Wellen (die meisten geraden Karten)", "waves (most even cards)"),
    "leaves": Message("Blätter (die meisten verschiedenen Farben)", "leaves (most different suits)"),
    "wyrms": Message("Wyrme (die meisten eines Typs)", "wyrms (most of one type)"),
    "knots": Message("Knoten (die meisten kleinen Werte)", "knots (most small values)"),
}

OPTIONS: Mapping[str, Message] = {
    "draw": Message("Nachziehen, wer auf den Stapel legt", "Draw after a card on the pile"),
    "scoring": Message("Wertung einer Runde", "Scoring of a round"),
    "scoring.one_card": Message("eine beteiligte Karte", "one involved card"),
    "scoring.all_cards": Message("für jede Bedingung ein ganzer Satz", "one whole set for each condition"),
    "deck": Message("Deck", "Deck"),
    "deck.standard": Message("Standard", "standard"),
    "deck.extended": Message("erweitert (Versuch, nicht erprobt)", "extended (experimental, untested)"),
}

CARD_NAMES: Mapping[str, Message] = {
    "ace-of-moons": Message("Mond-Ass", "Ace of Moons"),
    "ace-of-suns": Message("Sonnen-Ass", "Ace of Suns"),
    "ace-of-waves": Message("Wellen-Ass", "Ace of Waves"),
    "ace-of-leaves": Message("Blätter-Ass", "Ace of Leaves"),
    "ace-of-wyrms": Message("Wyrm-Ass", "Ace of Wyrms"),
    "ace-of-knots": Message("Knoten-Ass", "Ace of Knots"),
    "author": Message("Autor", "Author"),
    "desert": Message("Wüste", "Desert"),
    "origin": Message("Ursprung", "Origin"),
    "journey": Message("Reise", "Journey"),
    "painter": Message("Maler", "Painter"),
    "savage": Message("Wilder", "Savage"),
    "mountain": Message("Berg", "Mountain"),
    "sailor": Message("Seefahrer", "Sailor"),
    "battle": Message("Schlacht", "Battle"),
    "forest": Message("Wald", "Forest"),
    "discovery": Message("Entdeckung", "Discovery"),
    "soldier": Message("Soldat", "Soldier"),
    "lunatic": Message("Irrer", "Lunatic"),
    "penitent": Message("Büßer", "Penitent"),
    "market": Message("Markt", "Market"),
    "chance-meeting": Message("Zufallstreffen", "Chance Meeting"),
    "castle": Message("Burg", "Castle"),
    "cave": Message("Höhle", "Cave"),
    "diplomat": Message("Diplomat", "Diplomat"),
    "mill": Message("Mühle", "Mill"),
    "betrayal": Message("Verrat", "Betrayal"),
    "pact": Message("Pakt", "Pact"),
    "darkness": Message("Dunkelheit", "Darkness"),
    "merchant": Message("Händler", "Merchant"),
    "huntress": Message("Jägerin", "Huntress"),
    "bard": Message("Barde", "Bard"),
    "sea": Message("See", "Sea"),
    "end": Message("Ende", "End"),
    "calamity": Message("Bedrängnis", "Calamity"),
    "windfall": Message("Glücksfall", "Windfall"),
    "harvest": Message("Ernte", "Harvest"),
    "watchman": Message("Wächter", "Watchman"),
    "light-keeper": Message("Leuchtturmwärter", "Light Keeper"),
    "borderland": Message("Grenzland", "Borderland"),
    "consul": Message("Konsul", "Consul"),
    "rite": Message("Ritus", "Rite"),
    "island": Message("Insel", "Island"),
    "window": Message("Fenster", "Window"),
}

MESSAGES: Mapping[str, Message] = {
    "mondkrone": Message("Mondkrone", "Mondkrone"),
    **{f"mondkrone.prompt.{key}": text for key, text in PROMPTS.items()},
    **{f"mondkrone.refusal.{key}": text for key, text in REFUSALS.items()},
    **{f"mondkrone.{key}": text for key, text in (*COMMANDS.items(), *EVENTS.items())},
    **{f"mondkrone.condition.{key}": text for key, text in CONDITIONS.items()},
    **{f"mondkrone.card.{key}": text for key, text in CARD_NAMES.items()},
    **{f"mondkrone.option.{key}": text for key, text in OPTIONS.items()},
    **{f"mondkrone.why.{key}": text for key, text in WHY.items()},
    "mondkrone.about": ABOUT,
    **{f"mondkrone.tip.{key}": text for key, text in TIPS.items()},
    **{f"mondkrone.example.{key}": text for key, text in EXAMPLES.items()},
}
