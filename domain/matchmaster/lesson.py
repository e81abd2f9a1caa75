"""The guided first match of MatchMaster: bid, follow, and take exactly as many tricks."""

from __future__ import annotations

from ..game import Message
from ..lessons import Lesson, Line, When
from .messages import MatchMasterOptions

ASKED = (
    Line(
        key="bid",
        when=When(prompt="matchmaster.prompt.bid"),
        text=Message(
            "Du sagst zuerst geheim an, wie viele der sieben Stiche du machst. Genau getroffen gibt das 10 Punkte "
            "und 1 für jeden Stich; sonst kostet jeder Stich zu viel oder zu wenig 1 Punkt. Dunkelorange ist immer "
            "Trumpf. Zähle deine hohen Trümpfe und deine 13er.",
            "First you secretly bid how many of the seven tricks you will take. Exactly right, that is 10 points "
            "and 1 for each trick; otherwise each trick too many or too few costs 1 point. Dark orange is always "
            "trump. Count your high trumps and your 13s.",
        ),
        suggested={"type": "matchmaster.place-bid", "tricks": 2},
    ),
    Line(
        key="lead",
        when=When(prompt="matchmaster.prompt.play.cards.0"),
        text=Message(
            "Du spielst aus, und jede Karte ist erlaubt. Brauchst du noch Stiche, spiel eine hohe Karte; hast du "
            "genug, eine niedrige. Die anderen müssen die Farbe bedienen.",
            "You lead, and any card is allowed. If you still need tricks, play a high card; if you have enough, a "
            "low one. The others must follow its suit.",
        ),
    ),
    Line(
        key="trump",
        when=When(refused="matchmaster.must-trump"),
        text=Message(
            "Du hast die ausgespielte Farbe nicht. Dann musst du Trumpf spielen; alles andere ist grau und sagt dir, warum.",
            "You do not have the suit that was led. Then you must play trump; everything else is grey and says why.",
        ),
    ),
    Line(
        key="beat",
        when=When(refused="matchmaster.must-beat"),
        text=Message(
            "Im Stich liegt schon ein Trumpf. Wer Trumpf spielen muss, muss ihn überbieten, wenn er kann.",
            "There is a trump in the trick already. Who must play trump has to beat it if possible.",
        ),
    ),
    Line(
        key="follow",
        when=When(refused="matchmaster.must-follow"),
        text=Message(
            "Graue Karten darfst du jetzt nicht spielen: Du musst die ausgespielte Farbe bedienen. Überbieten musst "
            "du dabei nicht. Ein Tipp auf eine graue Karte sagt dir den Grund.",
            "Grey cards may not be played now: you must follow the suit that was led. You need not play higher. A "
            "tap on a grey card says the reason.",
        ),
    ),
    Line(
        key="free",
        when=When(prompt="matchmaster.prompt.play"),
        text=Message(
            "Vergleiche vor jeder Karte deine Ansage mit deinen Stichen. Willst du keinen Stich mehr, wirf deine "
            "höchste Karte ab, die nicht gewinnt.",
            "Before each card, compare your bid with your tricks. If you want no more of them, throw your highest "
            "card that does not win.",
        ),
    ),
    Line(
        key="again",
        when=When(prompt="matchmaster.prompt.bid"),
        text=Message(
            "Die zweite Runde hat nur noch sechs Karten, danach werden es weniger, bis zu einer, und wieder mehr. "
            "Das ist alles, was du wissen musst: Spiel weiter, so lange du willst.",
            "The second round has only six cards; then there are fewer, down to one, and more again. That is all "
            "you need to know: play on as long as you like.",
        ),
    ),
)
NEWS = (
    Line(
        key="bids",
        when=When(event="matchmaster.bids-shown.1"),
        text=Message(
            "Alle Ansagen liegen offen. Ist ihre Summe größer als die Zahl der Stiche, kämpfen alle um Stiche; ist "
            "sie kleiner, will sie bald keiner mehr haben.",
            "All bids lie open. If they add up to more than the tricks, everyone fights for them; if to fewer, "
            "soon no one wants them.",
        ),
    ),
    Line(
        key="scored",
        when=When(event="matchmaster.round-scored.1"),
        text=Message(
            "Die Runde ist gezählt. Wer genau getroffen hat, bekommt 10 Punkte und 1 je Stich; wer danebenlag, "
            "verliert 1 Punkt für jeden Stich Unterschied.",
            "The round is scored. An exact bid brings 10 points and 1 for each trick; a wrong one loses 1 point for "
            "each trick of difference.",
        ),
    ),
    Line(
        key="won",
        when=When(event="matchmaster.trick-won.1", fields={"seat": 0}),
        text=Message(
            "Dein Stich: Der höchste Trumpf gewinnt, ohne Trumpf die höchste Karte der ausgespielten Farbe. Du "
            "spielst als Nächstes aus.",
            "Your trick: the highest trump wins, without trump the highest card of the suit led. You lead next.",
        ),
    ),
    Line(
        key="lost",
        when=When(event="matchmaster.trick-won.1"),
        text=Message(
            "Der Stich geht an jemand anderen, der jetzt ausspielt. Die Leiste zeigt bei allen Ansage und Stiche.",
            "Another player takes the trick and leads now. Each seat shows its bid and its tricks.",
        ),
    ),
)

LESSON = Lesson(
    edition=1,
    seats=3,
    options=MatchMasterOptions(first_dealer=2),
    bot="honest",
    deal=71,
    minutes=5,
    lines=(*ASKED, *NEWS),
)
