"""The guided first match of Coup: honest claims first, then a bluff, challenges, blocks and the coup."""

from __future__ import annotations

from ...game import Message
from ...lessons import Lesson, Line, When
from ..messages import CoupOptions

TURNS = (
    Line(
        key="start",
        when=When(prompt="coup.prompt.action"),
        text=Message(
            "Deine zwei verdeckten Karten, Captain und Großherzog, sind dein Einfluss: Wer beide verliert, ist "
            "ausgeschieden. Nimm als Großherzog drei Münzen. Das ist wahr; wer das anficht, verliert eine Karte.",
            "Your two face-down cards, captain and duke, are your influence: lose both and you are out. Take three "
            "coins as the duke. That is true, so a player who challenges it loses a card.",
        ),
        suggested={"type": "coup.claim-tax"},
    ),
    Line(
        key="rich",
        when=When(prompt="coup.prompt.action", legal={"type": "coup.launch-coup"}),
        text=Message(
            "Für sieben Münzen gibt es einen Coup. Ihn kann niemand anfechten oder verhindern: Wen du wählst, der "
            "verliert eine Karte. Ab zehn Münzen musst du ihn starten.",
            "Seven coins pay for a coup. No one can challenge or block it: the player you choose loses a card. From ten "
            "coins on you have to launch one.",
        ),
        suggested={"type": "coup.launch-coup"},
    ),
    Line(
        key="steal",
        when=When(prompt="coup.prompt.action", refused="coup.cannot-afford", legal={"type": "coup.claim-steal", "target": 1}),
        text=Message(
            "Was grau ist, kannst du noch nicht bezahlen. Bestiehl als Captain deinen linken Nachbarn. Hast du den "
            "Captain noch, ist das wahr; hättest du ihn nicht, stünde „Bluff“ daneben.",
            "What is grey you cannot pay for yet. As the captain, steal from the player on your left. While you hold "
            "the captain that is true; without him it would be marked as a bluff.",
        ),
        suggested={"type": "coup.claim-steal", "target": 1},
    ),
    Line(
        key="bluff",
        when=When(prompt="coup.prompt.action", legal={"type": "coup.claim-exchange"}),
        text=Message(
            "Du darfst auch behaupten, was du nicht hast. Als Botschafter tauschst du Karten. Glauben es alle, war der "
            "Bluff umsonst; ficht ihn jemand an, verlierst du eine Karte.",
            "You may also claim what you do not hold. The ambassador exchanges cards. If all believe a bluff, it was "
            "free; if someone challenges it, you lose a card.",
        ),
        suggested={"type": "coup.claim-exchange"},
    ),
    Line(
        key="plan",
        when=When(prompt="coup.prompt.action"),
        text=Message(
            "Sammle Münzen, und behaupte nur, was man dir glaubt. Steuern bringen drei, Entwicklungshilfe zwei, "
            "Einkommen eine; nur Einkommen kann niemand anfechten oder verhindern.",
            "Collect coins, and claim only what others will believe. Tax brings three, foreign aid two, income one; "
            "income alone cannot be stopped.",
        ),
    ),
)
ANSWERS = (
    Line(
        key="doubt",
        when=When(prompt="coup.prompt.challenge"),
        text=Message(
            "Jemand behauptet eine Rolle. Fichtst du zu Recht an, verliert er eine Karte; hat er sie doch, verlierst du "
            "eine. Jede Rolle gibt es nur dreimal: Zähle, wie viele du siehst. Ohne Verdacht passt man.",
            "Someone claims a role. If you challenge and are right, that player loses a card; if the role is there, you "
            "lose one. Each role has only three cards: count those you see. Without a suspicion, pass.",
        ),
        suggested={"type": "coup.pass"},
    ),
    Line(
        key="doubt-again",
        when=When(prompt="coup.prompt.challenge"),
        text=Message(
            "Wieder eine Behauptung. Was bringt sie, und wie viele Karten dieser Rolle siehst du schon? Hast du nur "
            "noch eine Karte, kann dich eine falsche Anfechtung die Partie kosten.",
            "Another claim. What does it bring, and how many cards of this role do you see? With one card left, a "
            "wrong challenge puts you out.",
        ),
        suggested={"type": "coup.pass"},
    ),
    Line(
        key="aid",
        when=When(prompt="coup.prompt.block.action.foreign-aid"),
        text=Message(
            "Entwicklungshilfe verhindert nur der Großherzog. Du darfst ihn auch behaupten, ohne ihn zu haben; "
            "ficht das jemand an, verlierst du dann eine Karte.",
            "Only the duke blocks foreign aid. You may claim him without holding him; but if someone challenges that, you "
            "lose a card.",
        ),
    ),
    Line(
        key="robbed",
        when=When(prompt="coup.prompt.block.action.steal"),
        text=Message(
            "Man will dich bestehlen. Ein Captain oder ein Botschafter verhindert das. Steht „Bluff“ am Knopf, kostet "
            "dich eine Anfechtung eine Karte; wer passt, verliert nur Münzen.",
            "Someone wants your coins. A captain or an ambassador blocks that. If the button says bluff, a challenge costs "
            "you a card; if you pass, only coins are gone.",
        ),
        suggested={"type": "coup.block", "role": "captain"},
    ),
    Line(
        key="attacked",
        when=When(prompt="coup.prompt.block.action.assassination"),
        text=Message(
            "Ein Mordanschlag auf dich! Wer passt, verliert eine Karte. Nur die Contessa verhindert ihn. Ohne sie ist das "
            "ein Bluff: Ficht ihn jemand an, kostet auch der eine Karte.",
            "An attack on you! If you pass, you lose a card. Only the contessa blocks it. Without her that is a bluff: "
            "if someone challenges it, it costs a card as well.",
        ),
    ),
    Line(
        key="blocked",
        when=When(prompt="coup.prompt.block-challenge"),
        text=Message(
            "Auch wer verhindert, behauptet eine Rolle. Fichtst du zu Recht an, verliert er eine Karte, und die Aktion "
            "geht durch; sonst verlierst du eine.",
            "A block is a claim too. If you challenge it and are right, that player loses a card and the action goes "
            "ahead; if not, you lose one.",
        ),
        suggested={"type": "coup.pass"},
    ),
    Line(
        key="prove",
        when=When(prompt="coup.prompt.prove"),
        text=Message(
            "Man glaubt dir nicht. Zeigst du die Rolle, bekommst du eine neue Karte dafür, und wer angefochten hat, "
            "verliert eine. Zeigst du eine andere, ist sie verloren.",
            "You are challenged. Show the role: you get a new card for it, and the challenger loses one. Any "
            "other card that you show is lost.",
        ),
    ),
    Line(
        key="lose",
        when=When(prompt="coup.prompt.lose"),
        text=Message(
            "Du verlierst eine Karte und suchst sie dir aus. Sie bleibt offen liegen: Behalte die Rolle, die dir mehr nützt.",
            "You lose a card, and choose which. It stays open, so keep the role that is of more use.",
        ),
    ),
    Line(
        key="keep",
        when=When(prompt="coup.prompt.exchange"),
        text=Message(
            "Behalte, was dir am meisten nützt: Zwei verschiedene Rollen sind besser als zwei gleiche. Was du "
            "zurückgibst, sieht niemand.",
            "Keep what is of most use: two different roles are better than two equal ones. What you give back stays hidden.",
        ),
    ),
)
AFTER_EVENTS = (
    Line(
        key="end",
        when=When(event="coup.won.1"),
        text=Message(
            "Das war Coup: die Wahrheit sagen, wenn sie nützt, bluffen, wenn man dir glaubt, und anfechten, wenn es "
            "sich lohnt. In der Lobby wartet die nächste Partie.",
            "That was Coup: tell the truth when it helps, bluff when you will be believed, challenge when it pays. Your "
            "next match waits in the lobby.",
        ),
    ),
    Line(
        key="proved",
        when=When(event="coup.claim-proved.1", fields={"seat": 0}),
        text=Message(
            "Du hattest die Rolle: Das Anfechten hat jemand anderen eine Karte gekostet. Für deine hast du eine neue.",
            "You held the role, so the challenge has cost another player a card. For the one you showed you have a new one.",
        ),
    ),
    Line(
        key="fewer",
        when=When(event="coup.influence-lost.1", fields={"seat": 0}),
        text=Message(
            "Eine deiner Karten liegt offen. Mit der letzten scheidest du aus: Sei jetzt vorsichtig mit Bluff und Anfechtung.",
            "One of your cards lies open. With the last one you are out: challenge and bluff with care now.",
        ),
    ),
    Line(
        key="hit",
        when=When(event="coup.influence-lost.1"),
        text=Message(
            "Eine Karte liegt jetzt offen und ist aus dem Spiel: Von dieser Rolle sind höchstens noch zwei verdeckt.",
            "A card lies open now and is out of play: at most two of this role are still hidden.",
        ),
    ),
    Line(
        key="out",
        when=When(event="coup.seat-eliminated.1"),
        text=Message(
            "Wer keine verdeckte Karte mehr hat, ist ausgeschieden. Wer übrig bleibt, gewinnt.",
            "A player with no face-down card left is out. The last one in wins.",
        ),
    ),
)

LESSON = Lesson(
    edition=1,
    seats=3,
    options=CoupOptions(first_seat=0),
    bot="honest",
    chance=93,
    minutes=5,
    lines=(*TURNS, *ANSWERS, *AFTER_EVENTS),
)
