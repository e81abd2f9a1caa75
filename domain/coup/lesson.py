"""The guided first match of Coup: honest claims first, then a bluff, doubts, blocks and the coup."""

from __future__ import annotations

from ..game import Message
from ..lessons import Lesson, Line, When
from .messages import CoupOptions

TURNS = (
    Line(
        key="start",
        when=When(prompt="coup.prompt.action"),
        text=Message(
            "Vor dir liegen deine zwei verdeckten Karten: Großherzog und Captain. Sie sind dein Einfluss; wer beide "
            "verliert, ist ausgeschieden. Nimm als Großherzog drei Münzen. Du hast ihn wirklich: Wer zweifelt, "
            "verliert selbst eine Karte.",
            "These are your two face-down cards: duke and captain. They are your influence; who loses both is out. "
            "Take three coins as the duke. You really hold him, so a player who doubts it loses a card.",
        ),
        suggested={"type": "coup.claim-tax"},
    ),
    Line(
        key="rich",
        when=When(prompt="coup.prompt.action", legal="coup.launch-coup"),
        text=Message(
            "Du hast mindestens sieben Münzen, das reicht für einen Coup. Ihn kann man weder anzweifeln noch "
            "verhindern: Wen du wählst, der verliert eine Karte. Ab zehn Münzen musst du einen starten.",
            "You have at least seven coins: enough for a coup. It can be neither doubted nor blocked. The player "
            "you choose loses a card. From ten coins on you have to launch one.",
        ),
        suggested={"type": "coup.launch-coup"},
    ),
    Line(
        key="steal",
        when=When(prompt="coup.prompt.action", refused="coup.cannot-afford", legal="coup.claim-steal"),
        text=Message(
            "Was grau ist, kannst du noch nicht bezahlen: Ein Coup kostet sieben Münzen. Bestiehl als Captain den "
            "linken Nachbarn um zwei Münzen. Solange du den Captain hast, ist auch das wahr; verhindern kann man es "
            "als Captain oder Botschafter.",
            "What is grey you cannot pay for yet: a coup costs seven coins. As the captain, take two coins from the "
            "player on your left. While you hold the captain this is true as well; a captain or an ambassador can "
            "block it.",
        ),
        suggested={"type": "coup.claim-steal", "target": 1},
    ),
    Line(
        key="bluff",
        when=When(prompt="coup.prompt.action", legal="coup.claim-exchange"),
        text=Message(
            "Du darfst auch behaupten, was du nicht hast. Als Botschafter ziehst du zwei Karten und behältst die "
            "besten. Glauben es alle, war der Bluff umsonst; zweifelt jemand, verlierst du eine Karte.",
            "You may also claim what you do not hold. As the ambassador you draw two cards and keep the best. If "
            "all believe it, the bluff was free; if someone doubts, you lose a card.",
        ),
        suggested={"type": "coup.claim-exchange"},
    ),
    Line(
        key="plan",
        when=When(prompt="coup.prompt.action"),
        text=Message(
            "Dein Plan: Münzen sammeln und nur behaupten, was man dir glaubt. Steuern bringen drei, "
            "Entwicklungshilfe zwei, Einkommen eine; nur das Einkommen kann dir niemand nehmen.",
            "Your plan: collect coins, and claim only what others will believe. Tax brings three, foreign aid two, "
            "income one; income alone cannot be stopped.",
        ),
        suggested={"type": "coup.claim-tax"},
    ),
)
ANSWERS = (
    Line(
        key="doubt",
        when=When(prompt="coup.prompt.challenge"),
        text=Message(
            "Jemand behauptet eine Rolle. Zweifelst du zu Recht, verliert er eine Karte; hat er die Rolle, "
            "verlierst du eine. Von jeder Rolle gibt es nur drei Karten: Zähle deine eigenen und die offenen. Ohne "
            "Verdacht passt man.",
            "Someone claims a role. If you doubt and are right, that player loses a card; if the role is there, "
            "you lose one. Each role has three cards only: count your own and those that lie open. Without a "
            "suspicion, pass.",
        ),
        suggested={"type": "coup.pass"},
    ),
    Line(
        key="doubt-again",
        when=When(prompt="coup.prompt.challenge"),
        text=Message(
            "Wieder eine Behauptung. Frag dich: Was bringt sie, und wie viele Karten dieser Rolle siehst du schon? "
            "Wer eine Karte weniger hat, riskiert mit jedem Zweifel das Ausscheiden.",
            "Another claim. Ask yourself what it brings, and how many cards of this role you see already. With one "
            "card left, every doubt may put you out.",
        ),
        suggested={"type": "coup.pass"},
    ),
    Line(
        key="aid",
        when=When(prompt="coup.prompt.block.action.foreign-aid"),
        text=Message(
            "Entwicklungshilfe verhindert nur der Großherzog. Auch wer ihn nicht hat, darf ihn behaupten; wird das "
            "angezweifelt, kostet es eine Karte.",
            "Foreign aid is blocked by the duke alone. You may claim him without holding him; if that is doubted, "
            "it costs a card.",
        ),
        suggested={"type": "coup.block", "role": "duke"},
    ),
    Line(
        key="robbed",
        when=When(prompt="coup.prompt.block.action.steal"),
        text=Message(
            "Man will dich bestehlen. Das verhindert ein Captain oder ein Botschafter. Passt du, sind bis zu zwei Münzen weg.",
            "Someone wants your coins. A captain or an ambassador blocks that. If you pass, up to two coins are gone.",
        ),
        suggested={"type": "coup.block", "role": "captain"},
    ),
    Line(
        key="attacked",
        when=When(prompt="coup.prompt.block.action.assassination"),
        text=Message(
            "Ein Anschlag auf dich! Nur die Contessa verhindert ihn. Ohne sie ist das ein Bluff: Fliegt er auf, "
            "kostet er eine Karte, und der Anschlag die zweite.",
            "An attack on you! Only the contessa blocks it. Without her that is a bluff: if it is found out, it "
            "costs one card, and the attack costs the other.",
        ),
    ),
    Line(
        key="blocked",
        when=When(prompt="coup.prompt.block-challenge"),
        text=Message(
            "Auch wer verhindert, behauptet eine Rolle. Zweifelst du zu Recht, verliert er eine Karte, und die "
            "Aktion geht durch.",
            "A block is a claim too. If you doubt it and are right, that player loses a card and the action goes ahead.",
        ),
        suggested={"type": "coup.pass"},
    ),
    Line(
        key="prove",
        when=When(prompt="coup.prompt.prove"),
        text=Message(
            "Man glaubt dir nicht. Zeigst du die behauptete Rolle, tauschst du sie gegen eine neue Karte, und wer "
            "gezweifelt hat, verliert eine. Jede andere Karte, die du zeigst, ist verloren.",
            "You are doubted. Show the role you claimed: you get a new card for it, and the player who doubted "
            "loses one. Any other card that you show is lost.",
        ),
    ),
    Line(
        key="lose",
        when=When(prompt="coup.prompt.lose"),
        text=Message(
            "Du verlierst eine Karte und wählst selbst, welche. Sie bleibt offen liegen: Alle wissen dann, was du "
            "nicht mehr hast.",
            "You lose a card, and choose which. It stays open, so everyone knows what you do not hold any more.",
        ),
    ),
    Line(
        key="keep",
        when=When(prompt="coup.prompt.exchange"),
        text=Message(
            "Behalte, womit du am meisten behaupten kannst. Zwei verschiedene Rollen sind besser als zwei gleiche. "
            "Was du zurückgibst, sieht niemand.",
            "Keep what lets you claim most. Two different roles are better than two equal ones. What you give back stays hidden.",
        ),
    ),
)
NEWS = (
    Line(
        key="proved",
        when=When(event="coup.claim-proved.1", fields={"seat": 0}),
        text=Message(
            "Du hattest die Rolle, also hat der Zweifel die Karte eines anderen gekostet. Deine gezeigte Karte ist getauscht.",
            "You held the role, so the doubt has cost another player a card. The card you showed was replaced.",
        ),
    ),
    Line(
        key="fewer",
        when=When(event="coup.influence-lost.1", fields={"seat": 0}),
        text=Message(
            "Dir bleibt weniger Einfluss. Jetzt zählt jede Behauptung doppelt: Die nächste verlorene Karte kann die letzte sein.",
            "You have less influence. Every claim counts double now: the next card you lose may be the last.",
        ),
    ),
    Line(
        key="hit",
        when=When(event="coup.influence-lost.1"),
        text=Message(
            "Eine Karte liegt offen. Sie gehört nicht mehr zum Spiel: Von dieser Rolle sind nur noch zwei übrig, oder weniger.",
            "A card lies open. It is out of play: two cards of this role are left, or fewer.",
        ),
    ),
    Line(
        key="out",
        when=When(event="coup.seat-eliminated.1"),
        text=Message(
            "Wer keine verdeckte Karte mehr hat, ist ausgeschieden. Die letzte verbleibende Person gewinnt.",
            "Who has no face-down card left is out. The last one in wins.",
        ),
    ),
    Line(
        key="end",
        when=When(event="coup.won.1"),
        text=Message(
            "Das war Coup: wahr behaupten, wenn es nützt, bluffen, wenn man dir glaubt, und zweifeln, wenn es sich "
            "lohnt. Die Karte neben der Hand zeigt dir jederzeit, was jede Rolle kann.",
            "That was Coup: claim the truth when it helps, bluff when you will be believed, doubt when it pays. The "
            "card beside your hand shows at any time what each role does.",
        ),
    ),
)

LESSON = Lesson(
    edition=1,
    seats=3,
    options=CoupOptions(first_seat=0),
    bot="honest",
    deal=76,
    minutes=5,
    lines=(*TURNS, *ANSWERS, *NEWS),
)
