"""The guided first match of Mondkrone: lead in what the pile asks for, or make it ask for something else."""

from __future__ import annotations

from ..game import Message
from ..lessons import Lesson, Line, When
from .messages import MondkroneOptions

TURN = "mondkrone.prompt.turn"
ASKED = (
    Line(
        key="lead",
        when=When(prompt=TURN, legal="mondkrone.play-to-palette"),
        text=Message(
            "Auf dem Stapel liegt das Ass der Monde: Monde heißt, die höchste Karte führt. Vor dir liegt deine "
            "Auslage. Wenn dein Zug endet, musst du führen, sonst bist du aus der Runde. Leg eine Karte in deine "
            "Auslage, mit der du führst.",
            "The Ace of Moons lies on the pile: moons means that the highest card leads. Before you lies your "
            "palette. When your turn ends you must lead, or you are out of the round. Play a card to your palette "
            "that makes you lead.",
        ),
        suggested={"type": "mondkrone.play-to-palette"},
    ),
    Line(
        key="pile",
        when=When(prompt=TURN, legal="mondkrone.discard-to-pile"),
        text=Message(
            "Statt zu erhöhen, kannst du die Frage ändern: Leg eine Karte auf den Stapel, und ihre Zeichen sind die "
            "neuen Bedingungen. Du musst in allen davon führen. Zeigt sie zwei Zeichen, ziehst du dafür eine Karte.",
            "Instead of raising you can change the question: put a card on the pile, and its suits are the new "
            "conditions. You must lead in all of them. If it has two suits, you draw a card for it.",
        ),
        suggested={"type": "mondkrone.discard-to-pile"},
    ),
    Line(
        key="both",
        when=When(prompt=TURN, legal="mondkrone.play-and-discard"),
        text=Message(
            "Du darfst auch beides: eine Karte in die Auslage, eine auf den Stapel. Das hilft, wenn die neue "
            "Bedingung sonst nicht zu dir passt, kostet aber zwei Karten.",
            "You may also do both: one card to the palette, one on the pile. That helps if the new condition would "
            "not suit you otherwise, but it costs two cards.",
        ),
    ),
    Line(
        key="grey",
        when=When(prompt=TURN, refused="mondkrone.would-lead-in-none"),
        text=Message(
            "Graue Karten gehen nicht: Mit ihnen würdest du in keiner Bedingung führen. Ein Tipp auf die Karte sagt, wer führt.",
            "Grey cards do not work: with them you would lead in no condition. A tap on the card says who leads.",
        ),
    ),
    Line(
        key="drop",
        when=When(prompt=TURN),
        text=Message(
            "Jede Karte, die du jetzt ausspielst, fehlt dir später in der Runde. Aussteigen ist immer erlaubt: Du "
            "verlierst nur die Runde, und es gibt noch mehr davon.",
            "Every card that you play now is missing later in the round. Dropping out is always allowed: you lose "
            "only this round, and there are more of them.",
        ),
    ),
    Line(
        key="score",
        when=When(prompt="mondkrone.prompt.scoring"),
        text=Message(
            "Du hast die Runde gewonnen. Leg eine beteiligte Karte zur Seite: Ihr Wert sind Punkte, das Ass zählt "
            "1, die Krone 10. Sie kommt nicht mehr ins Spiel.",
            "You have won the round. Lay one involved card aside: its value is points, an ace counts 1, a crown 10. "
            "It does not come back into play.",
        ),
    ),
)
NEWS = (
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
            "Die Runde ist vorbei: Wer übrig blieb, legt Karten für Punkte zur Seite. Zu zweit gewinnt, wer zuerst "
            "40 hat. Jetzt werden alle anderen Karten neu gemischt.",
            "The round is over: the last one in lays cards aside for points. With two seats, 40 points win. All "
            "other cards are shuffled again now.",
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
            "Für die zwei Zeichen der Karte auf dem Stapel hast du eine Karte nachgezogen.",
            "For the two suits of the card on the pile you have drawn a card.",
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
    deal=42,
    minutes=5,
    lines=(*ASKED, *NEWS),
)
