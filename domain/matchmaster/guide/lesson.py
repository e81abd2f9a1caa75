"""The guided first match of MatchMaster: bid, follow, and take exactly as many tricks."""

from __future__ import annotations

from ...game import Message
from ...lessons import Lesson, Line, When
from ..messages import MatchMasterOptions

ASKED = (
    Line(
        key="bid",
        when=When(prompt="matchmaster.prompt.bid"),
        text=Message(
            "Sag geheim an, wie viele der sieben Stiche du machst. Genau getroffen: 10 Punkte und 1 je Stich; sonst 1 "
            "Punkt weniger für jeden Stich daneben. Deine 13 in Dunkelorange, immer Trumpf, gewinnt sicher, die in "
            "Hellblau vielleicht.",
            "Secretly bid how many of the seven tricks you will take. Exactly right: 10 points and 1 for each trick; "
            "otherwise 1 less for each trick of difference. Your 13 in dark orange, always trump, will surely win; the "
            "one in light blue may.",
        ),
        suggested={"type": "matchmaster.place-bid", "tricks": 2},
    ),
    Line(
        key="lead",
        when=When(prompt="matchmaster.prompt.play.cards.0", legal={"type": "matchmaster.play-card", "card": 12}),
        text=Message(
            "Du spielst aus, und jede Karte ist erlaubt. Die 13 in Dunkelorange ist der höchste Trumpf: Hol dir damit "
            "den ersten Stich.",
            "You lead, and any card is allowed. The 13 in dark orange is the highest trump: take the first trick with it.",
        ),
        suggested={"type": "matchmaster.play-card", "card": 12},
    ),
    Line(
        key="trump",
        when=When(refused="matchmaster.must-trump"),
        text=Message(
            "Die ausgespielte Farbe hast du nicht. Dann musst du Trumpf spielen; ein Tipp auf eine graue Karte sagt, "
            "warum sie nicht geht.",
            "You do not have the suit that was led. Then you must play trump; a tap on a grey card says why it does not work.",
        ),
    ),
    Line(
        key="beat",
        when=When(refused="matchmaster.must-beat"),
        text=Message(
            "Im Stich liegt schon ein Trumpf. Musst du selbst Trumpf spielen, musst du ihn übertrumpfen, wenn du kannst.",
            "There is a trump in the trick already. If you have to play trump, you must beat it if you can.",
        ),
    ),
    Line(
        key="follow",
        when=When(refused="matchmaster.must-follow"),
        text=Message(
            "Graue Karten gehen jetzt nicht: Du musst die ausgespielte Farbe bedienen. Übertreffen muss man nur "
            "Trümpfe. Ein Tipp auf eine graue Karte nennt den Grund.",
            "Grey cards do not work now: you must follow the suit that was led. Only trumps have to be beaten. A tap "
            "on a grey card says the reason.",
        ),
    ),
    Line(
        key="lead-again",
        when=When(prompt="matchmaster.prompt.play.cards.0"),
        text=Message(
            "Du spielst wieder aus. Brauchst du noch Stiche, spiel eine hohe Karte; hast du genug, eine niedrige.",
            "You lead again. If you still need tricks, play a high card; if you have enough, a low one.",
        ),
    ),
    Line(
        key="free",
        when=When(prompt="matchmaster.prompt.play"),
        text=Message(
            "Vergleiche vor jeder Karte deine Ansage mit deinen Stichen. Willst du keinen mehr, wirf die höchste Karte "
            "ab, die nicht gewinnt.",
            "Before each card, compare your bid with your tricks. If you want no more, throw your highest card that "
            "does not win.",
        ),
    ),
    Line(
        key="again",
        when=When(prompt="matchmaster.prompt.bid"),
        text=Message(
            "Runde 2 mit sechs Karten, kein Trumpf dabei: Deine 12 und 13 in Dunkelblau gewinnen nur, solange niemand "
            "trumpft. Vorsichtig ist 1, mutig ist 2.",
            "Round 2 with six cards and no trump: your 12 and 13 in dark blue win only while no one trumps. 1 is "
            "careful, 2 is bold.",
        ),
    ),
    Line(
        key="enough",
        when=When(prompt="matchmaster.prompt.bid"),
        text=Message(
            "Das Wichtigste kennst du jetzt: Die Runden werden kürzer, bis zu einer Karte, dann wieder länger. Spiel "
            "weiter, oder fang in der Lobby eine eigene Partie an.",
            "You know what matters now: the rounds get shorter, down to one card, then longer again. Play on, or begin "
            "a match of your own in the lobby.",
        ),
    ),
)
AFTER_EVENTS = (
    Line(
        key="end",
        when=When(event="matchmaster.round-scored.1", fields={"round": 13}),
        text=Message(
            "Das war MatchMaster: ansagen, was du sicher machst, und dann genau treffen. In der Wertung steht, welche "
            "deiner Ansagen aufgegangen sind.",
            "That was MatchMaster: bid what you will surely take, then hit it exactly. The scores show which of your "
            "bids were met.",
        ),
    ),
    Line(
        key="bids",
        when=When(event="matchmaster.bids-shown.1"),
        text=Message(
            "Alle Ansagen liegen offen. Sind es zusammen mehr als die Stiche, kämpfen alle darum; sind es weniger, "
            "will sie bald niemand mehr.",
            "All bids lie open. If they add up to more than the tricks, everyone fights for them; if to fewer, soon no "
            "one wants them.",
        ),
    ),
    Line(
        key="scored",
        when=When(event="matchmaster.round-scored.1"),
        text=Message(
            "Die Runde ist gezählt: 10 Punkte und 1 je Stich für eine genaue Ansage, sonst 1 Punkt weniger für jeden "
            "Stich Unterschied.",
            "The round is scored: 10 points and 1 for each trick if the bid was exact, otherwise 1 less for each trick "
            "of difference.",
        ),
    ),
    Line(
        key="won",
        when=When(event="matchmaster.trick-won.1", fields={"seat": 0}),
        text=Message(
            "Dein Stich: Der höchste Trumpf gewinnt, ohne Trumpf die höchste Karte der ausgespielten Farbe. Wer "
            "gewinnt, spielt als Nächstes aus.",
            "Your trick: the highest trump wins, without trump the highest card of the suit led. The winner leads next.",
        ),
    ),
    Line(
        key="lost",
        when=When(event="matchmaster.trick-won.1"),
        text=Message(
            "Der Stich geht an jemand anderen, der auch als Nächstes ausspielt. An jedem Platz stehen Stiche und Ansage.",
            "Another player takes the trick and leads next. Each seat shows its tricks and its bid.",
        ),
    ),
)

LESSON = Lesson(
    edition=1,
    seats=3,
    options=MatchMasterOptions(first_dealer=2),
    bot="honest",
    chance=1,
    minutes=5,
    lines=(*ASKED, *AFTER_EVENTS),
)
