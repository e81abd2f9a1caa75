"""The guided first match of Mondkrone: lead in what the pile asks for, or make it ask for something else."""

from __future__ import annotations

from ...game import Message
from ...lessons import Lesson, Line, When
from ..messages import MondkroneOptions

TURN = "mondkrone.prompt.turn"
ASKED = (
    Line(
        key="lead",
        when=When(prompt=TURN, legal={"type": "mondkrone.play-to-palette", "card": "diplomat"}),
        text=Message(
            "Auf dem Stapel liegt das Mond-Ass. Monde heißt: Die höchste Karte aller Auslagen führt, jetzt die Mühle. "
            "Leg den Diplomaten in deine Auslage: auch eine 8, aber mit einem Mond. Wer nicht mehr führen kann, ist "
            "aus der Runde.",
            "The Ace of Moons lies on the pile. Moons means that the highest card of all palettes leads, now the Mill. "
            "Play the Diplomat to your palette: also an 8, but with a moon. Anyone who can no longer lead is out of "
            "the round.",
        ),
        suggested={"type": "mondkrone.play-to-palette", "card": "diplomat"},
    ),
    Line(
        key="pile",
        when=When(prompt=TURN, legal={"type": "mondkrone.discard-to-pile"}),
        text=Message(
            "Statt zu erhöhen, kannst du die Frage ändern: Die Farben der Karte, die du auf den Stapel legst, sind die "
            "neuen Bedingungen. Du musst bei allen führen; bei zwei Farben ziehst du eine Karte.",
            "Instead of raising you can change the question: the suits of the card that you put on the pile are the "
            "new conditions. You must lead in all of them; for two suits you draw a card.",
        ),
        suggested={"type": "mondkrone.discard-to-pile", "card": "darkness"},
    ),
    Line(
        key="both",
        when=When(prompt=TURN, legal={"type": "mondkrone.play-and-discard"}),
        text=Message(
            "Du darfst auch beides: eine Karte in die Auslage, eine auf den Stapel. Das hilft, wenn die neue Bedingung "
            "sonst nicht zu dir passt, kostet aber zwei Karten.",
            "You may also do both: one card to the palette, one on the pile. That helps if the new condition would not "
            "suit you otherwise, but it costs two cards.",
        ),
        suggested={"type": "mondkrone.play-and-discard", "palette_card": "painter", "pile_card": "battle"},
    ),
    Line(
        key="grey",
        when=When(prompt=TURN, refused="mondkrone.would-lead-in-none"),
        text=Message(
            "Graue Karten gehen nicht: Mit ihnen würdest du bei keiner Bedingung führen. Ein Tipp auf die Karte sagt, wer führt.",
            "Grey cards do not work: with them you would lead in no condition. A tap on the card says who leads.",
        ),
    ),
    Line(
        key="drop",
        when=When(prompt=TURN),
        text=Message(
            "Jede Karte, die du jetzt ausspielst, fehlt dir später in der Runde. Aussteigen ist immer erlaubt: Du "
            "verlierst nur diese Runde.",
            "Every card that you play now is missing later in the round. Dropping out is always allowed: you lose only "
            "this round.",
        ),
    ),
    Line(
        key="score",
        when=When(prompt="mondkrone.prompt.scoring"),
        text=Message(
            "Du hast die Runde gewonnen. Leg eine beteiligte Karte zur Seite: Ihr Wert sind deine Punkte, das Ass "
            "zählt 1, die Krone 10.",
            "You have won the round. Lay one involved card aside: its value is your points, an ace counts 1, a crown 10.",
        ),
    ),
)
AFTER_EVENTS = (
    Line(
        key="over",
        when=When(event="mondkrone.won.1"),
        text=Message(
            "Das war Mondkrone: führen, die Frage ändern, oder rechtzeitig aussteigen.",
            "That was Mondkrone: lead, change the question, or drop out in time.",
        ),
    ),
    Line(
        key="round",
        when=When(event="mondkrone.cards-laid-aside.1"),
        text=Message(
            "Die Runde ist vorbei: Wer übrig blieb, hat gewertet. Alle anderen Karten sind neu gemischt; zu zweit "
            "gewinnt, wer zuerst 40 Punkte hat.",
            "The round is over: the last one in has scored. All other cards are shuffled again; with two seats, the "
            "first with 40 points wins.",
        ),
    ),
    Line(
        key="enough",
        when=When(event="mondkrone.cards-laid-aside.1"),
        text=Message(
            "Das Wichtigste kennst du jetzt: Spiel weiter, oder fang in der Lobby eine eigene Partie an.",
            "You know what matters now: play on, or begin a match of your own in the lobby.",
        ),
    ),
    Line(
        key="left",
        when=When(event="mondkrone.seat-dropped-out.1", fields={"seat": 1}),
        text=Message(
            "Dein Gegner ist ausgestiegen, also gehört die Runde dir.",
            "Your opponent has dropped out, so the round is yours.",
        ),
    ),
    Line(
        key="changed",
        when=When(event="mondkrone.card-discarded.1", fields={"seat": 1}),
        text=Message(
            "Die Frage hat sich geändert. Die Leiste über deiner Hand zeigt, was jetzt zählt und wer darin führt.",
            "The question has changed. The bar above your hand shows what counts now, and who leads in it.",
        ),
    ),
    Line(
        key="drawn",
        when=When(event="mondkrone.cards-drawn.1", fields={"seat": 0}),
        text=Message(
            "Du hast eine Karte nachgezogen, weil deine auf dem Stapel zwei Farben hatte.",
            "You have drawn a card, as the one that you put on the pile had two suits.",
        ),
    ),
    Line(
        key="raised",
        when=When(event="mondkrone.card-played.1", fields={"seat": 1}),
        text=Message(
            "Dein Gegner hat etwas in seine Auslage gelegt und führt jetzt.",
            "Your opponent has played to the palette and leads now.",
        ),
    ),
)

LESSON = Lesson(
    edition=1,
    seats=2,
    options=MondkroneOptions(),
    bot="honest",
    chance=1,
    minutes=5,
    lines=(*ASKED, *AFTER_EVENTS),
)
