"""Shapes of the service's answers. Fields added by a newer service are ignored; game data is plain data.

What a service leaves out is None, false or empty if it can be. Made by `make client`: change what it is made from instead.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from .inbox import AboutMatch

Plain: TypeAlias = Any
"""Any JSON value; its schema is the game's, not the client's."""
Command: TypeAlias = dict[str, Plain]
"""One command, with its `type`."""


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """An act, for operators.

    `by`, `lifted_by`: None for one at the command line; `player`: None for one who was deleted. `address`: it
    concerns new players from the player's address, too. Names are those of now.
    """

    id: str
    kind: str
    at_ms: int
    by: str | None = None
    by_name: str | None = None
    reason: str
    player: str | None = None
    player_name: str | None = None
    until_ms: int | None = None
    address: bool = False
    line: LineRef | None = None
    report: str | None = None
    lifted_ms: int | None = None
    lifted_by: str | None = None


class ActList(msgspec.Struct, frozen=True, kw_only=True):
    """Acts, newest first.

    `cursor`: the `after` of the next page; None: this is the last one.
    """

    items: tuple[Act, ...]
    cursor: int | None = None


class Advised(msgspec.Struct, frozen=True, kw_only=True):
    """A move: its average outcome over the simulated worlds, from 0 (loss) to 1 (win), and how many of those there were.

    Clearly worse moves are dropped early, so they have fewer worlds.
    """

    command: Command
    worth: float
    worlds: int


class Application(msgspec.Struct, frozen=True, kw_only=True):
    """An application of others that you have allowed to act for you: `host` is where it had you sent back to.

    `used_ms`: when it last got a token. `until_ms`: when this ends, unless it gets another one before.
    `allowed_by`: the id of your token by which it was allowed; where that was stolen, end this, too.
    """

    id: str
    client_id: str
    name: str
    host: str
    scopes: tuple[str, ...] = ()
    since_ms: int
    used_ms: int
    until_ms: int
    allowed_by: str | None = None


class ApplicationList(msgspec.Struct, frozen=True, kw_only=True):
    """Applications of others that you have allowed to act for you, newest first."""

    items: tuple[Application, ...]


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt: when it started, how long it took, its outcome, and the status if there was a response."""

    at_ms: int
    duration_ms: int
    outcome: str
    status: int | None = None


class Avatar(msgspec.Struct, frozen=True, kw_only=True):
    """The drawn face of a player: a figure on a colour."""

    figure: str
    colour: str


class AwayList(msgspec.Struct, frozen=True, kw_only=True):
    """The seats of a match whose players are on vacation."""

    match: str
    items: tuple[SeatAway, ...] = ()


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a leaderboard, best first."""

    game: str
    items: tuple[BoardRow, ...] = ()
    cursor: str | None = None


class BoardRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a leaderboard: a player or a bot.

    `name` is None for bots and for deleted players. `program`: the player is declared to be a program.
    """

    place: int
    player: str | None = None
    bot: str | None = None
    name: str | None = None
    guest: bool = False
    program: bool = False
    rating: int
    provisional: bool = False
    mu: float
    sigma: float
    matches: int
    wins: int


class BotAnswers(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers bots gave, how many of these were computed again, and why not all that were asked for, if so."""

    given: int
    computed: int
    unable: str


class BotMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot won, from 0 to 1, on one seat of a table full of `against`, in matches of that number of deals.

    Equal bots would win one in as many as there are seats; in teams, where its partners are `against` too, one in
    two. Not `current`: one of the two plays differently now.
    """

    against: str
    share: float
    deals: int
    current: bool = False


class BotOffer(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that is offered at a table, and its strength at that very table; None: nothing was measured there."""

    bot: str
    measured: BotMeasured | None = None


class BotTable(msgspec.Struct, frozen=True, kw_only=True):
    """Which bots are offered with that number of seats, in teams or not, the weakest level first.

    A level that wins hardly more than the one below at that table is not offered; it may still be asked for by
    name.
    """

    seats: int
    teams: bool = False
    offers: tuple[BotOffer, ...] = ()


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """The match and decision that this practice match starts from."""

    match: str
    decision: int


class BrowserKeys(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of a browser in base64url, as `PushSubscription.toJSON()` names them."""

    p256dh: str
    auth: str


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A card of a game: its id in commands, events and views, its name, and what is printed on it."""

    card: int | str
    name: Text
    suits: tuple[str, ...] = ()
    rank: str
    kinds: tuple[str, ...] = ()


class Chair(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as the public sees it, with its player's display name.

    `program`: the player is declared to be a program. A `guest` has no name of its own: `name` is "Guest", which
    clients should translate. `reserved`: the player for whom an empty seat of a rematch is kept, and whom `name`,
    `guest`, `program` and `avatar` describe then; no one else can take it. `avatar` is missing at an empty seat,
    and where the service has no profiles.
    """

    seat: int
    player: str | None = None
    name: str | None = None
    guest: bool = False
    program: bool = False
    bot: str | None = None
    agrees_to_abort: bool = False
    agrees_to_rematch: bool = False
    reserved: str | None = None
    avatar: Avatar | None = None


class Character(msgspec.Struct, frozen=True, kw_only=True):
    """A bot.

    `rating` is its measured strength among the bots of its game, on a scale around 1000; None: not measured.
    """

    bot: str
    level: str
    name: Text
    style: Text
    rating: int | None = None


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The log at one moment: the Merkle `root` of all leaves, and when the latest was added (`time_ms`, 0: the log is empty).

    `signed` is the same as C2SP's tlog-checkpoint, signed by the deployment.
    """

    size: int
    root: str
    time_ms: int
    signed: str


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """Time for a decision, in seconds, and after how many missed ones in a row a bot stands in (0: never).

    `away_seconds`: for how long the table waits once no player is at it any more (0: not at all). A new match has
    300 if this is left out; older matches have none, and their tables do not wait.
    """

    turn_seconds: int
    reaction_seconds: int
    stand_in_after: int
    away_seconds: int | None = None


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """When a report was closed, and why."""

    at_ms: int
    reason: str


class CoachedDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision with a choice: the estimated chance of winning with the move that was played, and with the best one."""

    version: int
    decision: int
    chance: float
    best: float


class CoachedPuzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A costly decision: what the seat saw, was asked and could answer, what it played and what that lost.

    `moves` are those that the search tried, from the seat's view alone, the best first; `why`: what speaks for the
    best. `held`: what all others held then.
    """

    version: int
    decision: int
    prompt: Prompt
    view: dict[str, Plain] = {}
    legal: tuple[Command, ...] = ()
    played: Command
    loss: float
    moves: tuple[Advised, ...] = ()
    why: Why | None = None
    held: tuple[HeldHand, ...] = ()


class Coaching(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat of a finished match could have done better.

    `whole` is false while it is being made: then `line` has the decisions up to now, and `puzzles` is empty. `line`
    is in the order of play, `puzzles` have the costliest decision first.
    """

    match: str
    seat: int
    whole: bool = False
    line: tuple[CoachedDecision, ...] = ()
    puzzles: tuple[CoachedPuzzle, ...] = ()


class Consistency(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    rename={"earlier": "from", "earlier_root": "from_root", "later": "to", "later_root": "to_root"},
):
    """Proof that the log of `to` leaves begins with the log of `from` leaves: nothing was changed or removed."""

    earlier: int
    earlier_root: str
    later: int
    later_root: str
    path: tuple[str, ...] = ()


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """The newest correction of a match by an operator."""

    kind: str
    reason: str
    at_ms: int


class Cosignatures(msgspec.Struct, frozen=True, kw_only=True):
    """The latest checkpoint of each witness, the largest first."""

    items: tuple[CosignedCheckpoint, ...]


class CosignedCheckpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A checkpoint as a note with two signatures: the deployment's, and one by which a witness says that it saw it, and when."""

    witness: str
    note: str


class Daily(msgspec.Struct, frozen=True, kw_only=True):
    """The deal of today: when it begins and ends, what it is played with, how many are ranked, and your try, if there is one.

    The commitment of tomorrow is there today; `yesterday` is None if that day had no deals. `puzzle`: the game has
    a puzzle of today, too.
    """

    game: str
    today: DailyDay
    tomorrow: DailyDay
    yesterday: DailyDay | None = None
    starts_ms: int
    ends_ms: int
    seats: int
    bot: str
    ranked: int
    yours: DailyTry | None = None
    puzzle: bool = False


class DailyBoard(msgspec.Struct, frozen=True, kw_only=True):
    """What today offers in all games, and when it ends.

    `streak`: on how many days in a row you have finished a deal or answered a puzzle, up to today, or to yesterday
    while today is still open. It is counted for the last 31 days.
    """

    day: str
    ends_ms: int
    streak: int
    items: tuple[DailyOffer, ...] = ()


class DailyDay(msgspec.Struct, frozen=True, kw_only=True):
    """A day: the commitment to its secret, and the secret once the day is over (None until then)."""

    day: str
    commitment: str
    secret: str | None = None


class DailyOffer(msgspec.Struct, frozen=True, kw_only=True):
    """A game's deal of today in short: what it is played with, how many are ranked, and your try, if there is one.

    `puzzle`: the game has a puzzle of today; `solved`: whether your answer to it was right, None without one.
    """

    game: str
    seats: int
    bot: str
    ranked: int
    yours: DailyTry | None = None
    puzzle: bool = False
    solved: bool | None = None


class DailyRanking(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the ranking of a day's deal, best first.

    `cursor`: the `after` of the next page, None at the end.
    """

    game: str
    day: str
    over: bool = False
    ranked: int
    items: tuple[DailyRow, ...] = ()
    cursor: int | None = None


class DailyRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a ranking.

    `match` is None while the day is not over, `score` in games without points.
    """

    place: int
    player: str
    name: str | None = None
    guest: bool = False
    rank: int
    score: int | None = None
    decisions: int
    match: str | None = None


class DailyTry(msgspec.Struct, frozen=True, kw_only=True):
    """Your match of a deal.

    `place` is that in the ranking, None without one; `rank` and `score` are those at the table.
    """

    match: str
    status: str
    place: int | None = None
    rank: int | None = None
    score: int | None = None


class DayProof(msgspec.Struct, frozen=True, kw_only=True):
    """The leaf of a day's deals, with its proof against the log of `size` leaves with this `root`.

    `text` is the leaf's content: `tafelrunde.day.1`, the day, the commitment. `secret` is what the commitment
    binds, once the day is over.
    """

    day: str
    size: int
    root: str
    index: int
    text: str
    path: tuple[str, ...] = ()
    secret: str | None = None


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """A deal: the Merkle root of all cards its seats then held, how many there were, and which of them the caller can prove."""

    deal: int
    size: int
    root: str
    cards: tuple[ProvableCard, ...] = ()


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """A message to a webhook, exactly as sent, with its latest attempts.

    `next_ms` is when the next attempt is due.
    """

    id: str
    webhook: str
    type: str
    match: str | None = None
    state: str
    created_ms: int
    next_ms: int | None = None
    attempts: tuple[Attempt, ...] = ()
    message: dict[str, Plain] = {}


class DeliveryPage(msgspec.Struct, frozen=True, kw_only=True):
    """Deliveries, newest first.

    `cursor`: the `after` of the next page, None at the end.
    """

    items: tuple[Delivery, ...]
    cursor: str | None = None


class Dropped(msgspec.Struct, frozen=True, kw_only=True):
    """How many messages of a webhook were dropped unsent since it was created, and when the first and last ones were."""

    count: int
    first_ms: int
    last_ms: int


class EventAudience(msgspec.Struct, frozen=True, kw_only=True):
    """Who may know what of an event while its match runs; everyone knows what is not named here.

    `only` (None: no limit): the seats in these fields alone learn of the event, and of an empty list no one.
    `hidden`: fields, and for each the fields with the seats that know it. `parts`: fields with one part for each
    seat, which knows its own. Null stands in the place of what a viewer may not know.
    """

    only: tuple[str, ...] | None = None
    hidden: dict[str, tuple[str, ...]]
    parts: tuple[str, ...]


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """All that the service holds of you, as it is now.

    `matches`: those you host or play in, newest first; their records have what happened there. `features`: what the
    parts of the service keep, each in a shape of its own.
    """

    at_ms: int
    player: Player
    tokens: tuple[Token, ...] = ()
    matches: tuple[str, ...] = ()
    features: dict[str, Plain] = {}


class Feed(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a feed.

    `cursor`: that of the last item; `more`: more items are available now; `ended`: there will be no more.
    """

    items: tuple[Item, ...] = ()
    cursor: str
    more: bool = False
    ended: bool = False
    signed: str


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """The first error found in a match: the line of its record, what is wrong, and the expected and actual values."""

    line: str
    what: str
    expected: str
    found: str


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the list of games.

    `about`: what it is, in one sentence, or None; `lesson`: it has a guided first match. `pictured`: three of its
    cards that a small picture of it shows, or none.
    """

    id: str
    name: Text
    about: Text | None = None
    lesson: bool = False
    rules_version: int
    min_seats: int
    max_seats: int
    pictured: tuple[PicturedCard, ...] = ()


class GameList(msgspec.Struct, frozen=True, kw_only=True):
    """All games of this service.

    `features`: the names of its parts that another deployment may lack, such as `puzzles`.
    """

    items: tuple[Game, ...]
    features: tuple[str, ...]


class GameSheet(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a client needs to know about a game.

    `messages` has the texts of the game and of the match, by key. `audiences` says for the tag of each event, of
    the game and of the match, who may know what of it.
    """

    id: str
    name: Text
    about: Text | None = None
    lesson: bool = False
    rules_version: int
    min_seats: int
    max_seats: int
    pictured: tuple[PicturedCard, ...] = ()
    bots: tuple[str, ...] = ()
    characters: tuple[Character, ...] = ()
    tables: tuple[BotTable, ...] = ()
    cards: tuple[Card, ...] = ()
    options: dict[str, Plain] = {}
    commands: dict[str, Plain] = {}
    events: dict[str, Plain] = {}
    audiences: dict[str, EventAudience] = {}
    view: dict[str, Plain] = {}
    refusals: tuple[RefusalCode, ...] = ()
    messages: dict[str, RuleText] = {}
    rules: RuleLinks


class HeldHand(msgspec.Struct, frozen=True, kw_only=True):
    """What another seat held in its hand, as in the view of that seat."""

    seat: int
    hand: tuple[str | int, ...] = ()


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """What a search finds for the caller's open decision, best move first.

    It knows no more than the caller's seat does. `why` says what speaks for the best move; None if nothing tells it
    from the next one.
    """

    match: str
    decision: int
    seat: int
    moves: tuple[Advised, ...] = ()
    why: Why | None = None


class Inbox(msgspec.Struct, frozen=True, kw_only=True):
    """A page of an inbox.

    `cursor`: that of the last item, the `after` of the next request; `more`: more are available now.
    """

    items: tuple[InboxItem, ...] = ()
    cursor: str
    more: bool = False


class InboxItem(AboutMatch, msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened in one of your matches, or that is for you alone, with its cursor, its number and its time.

    `your_seats` are the seats at that match that are yours, or your application's users'. A `match.decision-opened`
    is there only if it asks one of them.
    """

    cursor: str
    n: int
    at_ms: int
    your_seats: tuple[int, ...] = ()
    message: dict[str, Plain] = {}


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """An invitation to a match.

    `other` is the player who invites you, or whom you invite; `at_ms` is when. `free`: how many seats are empty.
    `declined`: the player has declined; it cannot be invited to this match again.
    """

    match: str
    game: str
    other: Person
    free: int
    at_ms: int
    declined: bool = False


class InvitationList(msgspec.Struct, frozen=True, kw_only=True):
    """Invitations."""

    items: tuple[Invitation, ...]


class IssuedDeviceCode(msgspec.Struct, frozen=True, kw_only=True):
    """A code for another device, which counts once, until `until_ms`.

    `qr` is the link to the web client as a QR code (SVG).
    """

    code: str
    link: str
    qr: str
    until_ms: int


class IssuedToken(msgspec.Struct, frozen=True, kw_only=True):
    """A new token.

    Send `text` after `Bearer`; it is shown only once.
    """

    token: Token
    text: str


class IssuedWebhook(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook with a new secret (`whsec_` and base64) that signs its messages.

    The secret is shown only once.
    """

    webhook: Webhook
    secret: str


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """An event the viewer may see, with its cursor, its number in this viewer's feed, and its time."""

    cursor: str
    n: int
    at_ms: int
    event: dict[str, Plain] = {}


class LeafHashes(msgspec.Struct, frozen=True, kw_only=True, rename={"first": "from"}):
    """Hashes of leaves, starting at number `from`.

    With all of them, every root can be recomputed.
    """

    first: int
    hashes: tuple[str, ...] = ()


class LeafProof(msgspec.Struct, frozen=True, kw_only=True):
    """A leaf of a match and its proof.

    `version` and `chain` are those of its record right after it ended or was corrected. The leaf's content is six
    lines: `tafelrunde.leaf.1`, match, version, chain, outcome, time_ms. `path` has the sibling hashes from the leaf
    up, as in RFC 6962.
    """

    index: int
    version: int
    chain: str
    outcome: str
    time_ms: int
    path: tuple[str, ...] = ()


class LeafProofs(msgspec.Struct, frozen=True, kw_only=True):
    """All leaves of a match, each with its proof against the log of `size` leaves with this `root`.

    `day`: the same of the day whose deal the match is, None for other matches.
    """

    match: str
    size: int
    root: str
    leaves: tuple[LeafProof, ...] = ()
    day: DayProof | None = None


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson.

    At each decision a client shows the first new line that fits for what happened, and the first for what is asked.
    `seat` is the learner's seat, `bot` plays all others; `minutes` is roughly how long it takes.
    """

    game: str
    edition: int
    seats: int
    seat: int
    bot: str
    minutes: int
    lines: tuple[LessonLine, ...] = ()


class LessonLine(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a lesson says, the first time that it fits.

    `suggested`: fields of the command that it advises, or None.
    """

    key: str
    when: LessonMoment
    text: Text
    suggested: dict[str, str | int | bool] | None = None


class LessonMoment(msgspec.Struct, frozen=True, kw_only=True):
    """When a line fits: everything that is not None must be so.

    `prompt`: the learner is asked with a prompt whose key is this, or begins with it and a dot; `legal`: a command
    with these fields is legal; `refused`: a refused command has this code; `event`: an event of this type, with
    these `fields`, has happened since the learner was asked before.
    """

    prompt: str | None = None
    legal: dict[str, str | int | bool] | None = None
    refused: str | None = None
    event: str | None = None
    fields: dict[str, str | int | bool]


class LineRef(msgspec.Struct, frozen=True, kw_only=True):
    """A line of talk: its match, its room, and its number there."""

    match: str
    room: str
    n: int


class LogEntries(msgspec.Struct, frozen=True, kw_only=True, rename={"first": "from"}):
    """Leaves in order, starting at number `from`."""

    first: int
    entries: tuple[LogEntry, ...] = ()


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One leaf of the log as everyone may see it: its hash and, of all but ends, the content that was hashed.

    The content of an end has the id of the match, so it is for those whom the match concerns. Here the end has the
    reference of its match, the outcome, and its time. `time_ms` of a day is when it was entered, which its content
    does not say.
    """

    hash: str
    text: str | None = None
    match: str | None = None
    outcome: str | None = None
    time_ms: int


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A match as shown to anyone who may see it.

    `your_turn` is None if you do not play in it. `reserved_seat`: the seat of an open rematch that is reserved for
    you; None if there is none. `hints`: its players may ask for hints. `lesson`: it is its game's guided first
    match. `waits_until_ms`: all its players have left or are late, and until then no bot answers; None while one of
    them is there. `daily`: the day whose deal it is. Its cards are those of all who play that deal, so no nonce
    counts for them; before that day is over, its record and secret stay closed.
    """

    match: str
    game: str
    rules_version: int
    status: str
    host: str
    host_name: str | None = None
    seats: int
    options: dict[str, Plain] = {}
    clock: Clock
    spectators: str
    visibility: str
    commitment: str
    opened_ms: int
    updated_ms: int
    chairs: tuple[Chair, ...] = ()
    decision: int | None = None
    asked: tuple[int, ...] = ()
    deadline_ms: int | None = None
    waits_until_ms: int | None = None
    placings: tuple[Placing, ...] | None = None
    correction: Correction | None = None
    rated: bool = False
    hints: bool = False
    branch: Branch | None = None
    lesson: bool = False
    daily: str | None = None
    parent: str | None = None
    rematch: str | None = None
    your_turn: bool | None = None
    reserved_seat: int | None = None
    bots: tuple[str, ...] = ()


class MatchInvitations(msgspec.Struct, frozen=True, kw_only=True):
    """Who is invited to a match, and the link for everyone else: `qr` is the same link as a QR code (SVG)."""

    items: tuple[Invitation, ...] = ()
    link: str
    qr: str


class MatchPage(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, newest first.

    `cursor`: the `after` of the next page, None at the end.
    """

    items: tuple[Match, ...]
    cursor: str | None = None


class Muted(msgspec.Struct, frozen=True, kw_only=True):
    """A player whom you do not hear."""

    player: str
    name: str
    guest: bool = False


class MutedList(msgspec.Struct, frozen=True, kw_only=True):
    """The players whom you do not hear, newest first."""

    items: tuple[Muted, ...]


class NoticeBrowser(msgspec.Struct, frozen=True, kw_only=True):
    """A browser that shows notices.

    `service` is the host of its push service.
    """

    id: str
    service: str
    language: str
    created_ms: int


class NoticeMail(msgspec.Struct, frozen=True, kw_only=True):
    """Where you get mail.

    Nothing but a code is sent there until it is `confirmed`.
    """

    address: str
    language: str
    confirmed: bool = False


class Notices(msgspec.Struct, frozen=True, kw_only=True):
    """What you have chosen, and the ways that this deployment offers."""

    ways: tuple[str, ...]
    occasions: tuple[str, ...]
    mail: NoticeMail | None = None
    browsers: tuple[NoticeBrowser, ...]


class OpenId(msgspec.Struct, frozen=True, kw_only=True):
    """The provider by which players can sign in."""

    name: str


class OpenIdBegun(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt to sign in: where the browser goes now, and until when it may come back.

    Keep `secret` in the browser tab that goes there, and in no address: only who has it can end the attempt.
    """

    address: str
    secret: str
    until_ms: int


class OpenIdLink(msgspec.Struct, frozen=True, kw_only=True):
    """Whether you can sign in by the provider, and since when; None: you cannot."""

    name: str
    since_ms: int | None = None


class OpeningProof(msgspec.Struct, frozen=True, kw_only=True):
    """The leaf of a match's opening, with its proof against the log of `size` leaves with this `root`.

    `text` is the leaf's content: `tafelrunde.opening.1`, the match's reference, the time, and each commitment.
    """

    match: str
    size: int
    root: str
    index: int
    text: str
    path: tuple[str, ...] = ()


class OwnAct(msgspec.Struct, frozen=True, kw_only=True):
    """An act that concerns you: a line of yours, what you may do, or a report that you made."""

    id: str
    kind: str
    at_ms: int
    reason: str
    until_ms: int | None = None
    line: LineRef | None = None
    report: str | None = None
    lifted_ms: int | None = None


class OwnActList(msgspec.Struct, frozen=True, kw_only=True):
    """The acts that concern you, newest first."""

    items: tuple[OwnAct, ...]


class Passkey(msgspec.Struct, frozen=True, kw_only=True):
    """A passkey of yours.

    `used_ms`: when you have last signed in by it, None if never.
    """

    id: str
    label: str
    made_ms: int
    used_ms: int | None = None


class PasskeyList(msgspec.Struct, frozen=True, kw_only=True):
    """Your passkeys, oldest first."""

    items: tuple[Passkey, ...]


class PasskeyOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What to ask `navigator.credentials.create` for: a discoverable credential, verifying the user where that is possible.

    `user` is the handle of the player, and `exclude` are the credentials that the player has already. `until_ms`:
    when the challenge ends.
    """

    challenge: str
    rp_id: str
    rp_name: str
    user: str
    user_name: str
    algorithms: tuple[int, ...] = ()
    exclude: tuple[str, ...] = ()
    until_ms: int


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Another player.

    `at_ms`: since when you follow or block it, or when your newest match with it was opened.
    """

    player: str
    name: str
    guest: bool = False
    program: bool = False
    avatar: Avatar | None = None
    at_ms: int


class PersonList(msgspec.Struct, frozen=True, kw_only=True):
    """Other players, newest first."""

    items: tuple[Person, ...]


class PersonPage(msgspec.Struct, frozen=True, kw_only=True):
    """Other players, newest first.

    `cursor`: the `after` of the next page, None at the end.
    """

    items: tuple[Person, ...]
    cursor: str | None = None


class Phrase(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be said without writing it: a phrase, or a reaction with its name."""

    id: str
    text: Text


class PicturedCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card in the small picture of a game: its first suit and its rank.

    Null: it lies face down.
    """

    suit: str | None = None
    rank: str


class Placing(msgspec.Struct, frozen=True, kw_only=True):
    """Where one seat ended: `rank` from 1 (shared ranks are equal), `score` where the game counts points."""

    seat: int
    rank: int
    score: int | None = None


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A player's public profile.

    `avatar` and `languages` are missing where the service has no profiles. An avatar that was not chosen follows
    from the id.
    """

    id: str
    name: str
    guest: bool = False
    bot: bool = False
    created_ms: int
    ratings: tuple[Rating, ...] = ()
    avatar: Avatar | None = None
    languages: tuple[str, ...] | None = None


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator of a program has stated: the first statement of each key in order, then the newest of all.

    The service has checked all signatures; anyone can do it again. If `revoked_ms` is set, the keys are not to be
    trusted since.
    """

    player: str
    statements: tuple[Statement, ...] = ()
    revoked_ms: int | None = None


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """Who has to do what and why: a message key with arguments, and the resulting text."""

    key: str
    arguments: dict[str, str | int] = {}
    text: Text


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """Proof that `seat` held `card` after a deal.

    `path` has the sibling hashes, leaf first (see docs/fair-dealing.md).
    """

    match: str
    deal: int
    index: int
    seat: int
    card: str
    salt: str
    path: tuple[str, ...] = ()
    size: int
    root: str


class Proofs(msgspec.Struct, frozen=True, kw_only=True):
    """A page of deals.

    `secret` is None until the match is over or aborted, `cursor` (the next `after`) at the end.
    """

    match: str
    commitment: str
    secret: str | None = None
    items: tuple[Deal, ...] = ()
    cursor: int | None = None


class ProvableCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card the caller can prove: request `proofs/{deal}/{index}`."""

    index: int
    seat: int
    card: str


class PushKey(msgspec.Struct, frozen=True, kw_only=True):
    """The public key for `applicationServerKey`: a point of P-256 in base64url."""

    key: str


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle of today: the view of a seat at a decision of a finished match, what it was asked and could answer.

    `bots`: the match was played by bots alone. `all`: how all did at this puzzle; `own`: how you did at all puzzles
    of the last 31 days. `yours` is None until you have answered.
    """

    game: str
    day: str
    ends_ms: int
    seats: int
    seat: int
    bots: bool = False
    prompt: Prompt
    view: dict[str, Plain] = {}
    legal: tuple[Command, ...] = ()
    all: PuzzleTally
    own: PuzzleTally
    yours: PuzzleSolution | None = None


class PuzzleSolution(msgspec.Struct, frozen=True, kw_only=True):
    """Your answer, and what a search finds.

    `moves` are those that it tried from that seat's view, the best first. `played` is what was played in the match,
    `loss` what that lost, `why` what speaks for the best. `match` and `decision` say where the decision is from;
    anyone may look at that match, and take it up again from there.
    """

    command: Command
    right: bool = False
    moves: tuple[Advised, ...] = ()
    played: Command
    loss: float
    why: Why | None = None
    match: str
    decision: int


class PuzzleTally(msgspec.Struct, frozen=True, kw_only=True):
    """How many answered, and how many of them were right."""

    answered: int
    right: int


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """The decision of the viewer's own seat.

    `legal` is complete: each of these commands can be sent as is. `answered` is the seat's current answer, if it
    can still be changed; wait for an event unless you want to change it. Sending the same answer again changes
    nothing.
    """

    decision: int
    legal: tuple[Command, ...] = ()
    answered: Command | None = None
    refused: tuple[Refused, ...] = ()


class QuickList(msgspec.Struct, frozen=True, kw_only=True):
    """What players wait for now, and how many of them.

    No one is named.
    """

    items: tuple[QuickSeekers, ...]


class QuickPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Your place at a table.

    `seat` is kept for you until `kept_until_ms`, or yours (`seated`), and then there is no such time. `taken`
    counts the seats that someone sits on or that are kept. `fills_ms`: when bots take those that are free.
    """

    match: str
    game: str
    pace: str
    seats: int
    taken: int
    commitment: str
    seat: int
    seated: bool = False
    kept_until_ms: int | None = None
    fills_ms: int


class QuickSeekers(msgspec.Struct, frozen=True, kw_only=True):
    """How many wait for the same."""

    game: str
    seats: int
    pace: str
    seekers: int


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """A rating in one game: strength `mu`, uncertainty `sigma` (Weng and Lin, Plackett-Luce), after this many `matches`."""

    game: str
    place: int
    rating: int
    provisional: bool = False
    mu: float
    sigma: float
    matches: int
    wins: int


class RatingHistories(msgspec.Struct, frozen=True, kw_only=True):
    """A player's ratings over time, by game."""

    player: str
    items: tuple[RatingHistory, ...] = ()


class RatingHistory(msgspec.Struct, frozen=True, kw_only=True):
    """What a player's rating in a game was after each of its newest 200 rated matches, oldest first."""

    game: str
    points: tuple[RatingPoint, ...] = ()


class RatingPoint(msgspec.Struct, frozen=True, kw_only=True):
    """What a rating was after a match, and when that was."""

    at_ms: int
    rating: int


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """What an accepted request changed, as far as the caller may see it, and the cursor of the caller's feed after it.

    That of a command that answers a decision is `signed` if the request asks for it, every other one always.
    """

    match: str
    cursor: str
    items: tuple[Item, ...] = ()
    signed: str | None = None


class RefusalCode(msgspec.Struct, frozen=True, kw_only=True):
    """A reason why a command can be refused."""

    code: str
    message: RuleText


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A command that a player might try, and why it is refused now."""

    command: Command
    code: str
    arguments: dict[str, str | int] = {}
    message: Text
    rule: str | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A report: by whom and why, and the line as it was said.

    Names are those of now; None: the player is no more.
    """

    id: str
    at_ms: int
    match: str
    reason: str
    reporter: str
    reporter_name: str | None = None
    room: str
    n: int
    said_ms: int
    author: str
    author_name: str | None = None
    seat: int | None = None
    kind: str
    said: str
    closed: Closing | None = None


class ReportList(msgspec.Struct, frozen=True, kw_only=True):
    """Reports, newest first.

    `cursor`: the `after` of the next page; None: this is the last one.
    """

    items: tuple[Report, ...]
    cursor: int | None = None


class ReportReceipt(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator has got of you.

    `id`: to name it by.
    """

    id: str
    at_ms: int
    match: str
    room: str
    n: int
    reason: str


class RuleLinks(msgspec.Struct, frozen=True, kw_only=True):
    """URLs of the rule sheets."""

    de: str
    en: str


class RuleText(msgspec.Struct, frozen=True, kw_only=True):
    """A text template with `{name}` for arguments, and the rule behind it."""

    de: str
    en: str
    rule: str | None = None


class SeatAway(msgspec.Struct, frozen=True, kw_only=True):
    """A seat whose player is away, and until when."""

    seat: int
    until_ms: int


class SeatToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token for one seat of one match.

    Send `text` after `Bearer`; it is shown only once.
    """

    player: str
    match: str
    seat: int
    token: Token
    text: str


class SignInOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What to ask `navigator.credentials.get` for, with no credentials named.

    `until_ms`: when the challenge ends.
    """

    challenge: str
    rp_id: str
    until_ms: int


class SignedUp(msgspec.Struct, frozen=True, kw_only=True):
    """A new player and its first token.

    Send `text` after `Bearer`; it is shown only once.
    """

    player: Player
    token: Token
    text: str


class SigningKeys(msgspec.Struct, frozen=True, kw_only=True):
    """Who signs: `origin` names the deployment in all that it signs, and `keys` are its public keys, the current one first.

    `log_seconds`: within how many seconds every opening and end is in the log; where spectators are delayed, after
    their delay.
    """

    origin: str
    keys: tuple[str, ...] = ()
    log_seconds: int


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """A statement about a program.

    `text` is what the keys have signed.
    """

    text: str
    key: str
    previous: str | None = None
    version: str
    source: str | None = None
    signed_ms: int
    signature: str
    endorsement: str | None = None


class TableChair(msgspec.Struct, frozen=True, kw_only=True):
    """A seat of a table: its entrant, and once the table is over its rank and what it has won."""

    entrant: int
    rank: int | None = None
    points: float | None = None


class TakenUp(msgspec.Struct, frozen=True, kw_only=True):
    """What a practice match starts from: the first `events` events of another match, which then had this `chain`."""

    match: str
    version: int
    chain: str
    events: int


class Talk(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the talk in a room.

    `cursor`: the `after` of the next request; `more`: more lines are there now.
    """

    match: str
    room: str
    items: tuple[TalkLine, ...] = ()
    cursor: int
    more: bool = False


class TalkAuthor(msgspec.Struct, frozen=True, kw_only=True):
    """Who has said it: the player's name and avatar now, and its seat then; None for one in the stands, or before it sat down."""

    player: str
    name: str
    guest: bool = False
    seat: int | None = None
    avatar: Avatar | None = None


class TalkLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of talk.

    It has the one of `phrase`, `reaction` and `text` that `kind` names. Of a `hidden` line nothing is: an operator
    has hidden what it said. `hiding` says that the line with the number `hides` was hidden just now: show it as
    such, and this one not at all.
    """

    n: int
    at_ms: int
    room: str
    author: TalkAuthor
    kind: str
    phrase: str | None = None
    reaction: str | None = None
    text: str | None = None
    hides: int | None = None


class TalkSheet(msgspec.Struct, frozen=True, kw_only=True):
    """What can be said here.

    `mode`: nothing, ready phrases and reactions alone, or texts of `longest` characters as well.
    """

    mode: str
    longest: int
    phrases: tuple[Phrase, ...] = ()
    reactions: tuple[Phrase, ...] = ()


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """The same text in German and in English."""

    de: str
    en: str


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A token without its text.

    `match` and `seat` are set for seat tokens, `grant` for those of applications of others. `current`: the request
    came with it.
    """

    id: str
    label: str
    scopes: tuple[str, ...] = ()
    created_ms: int
    expires_ms: int | None = None
    match: str | None = None
    seat: int | None = None
    current: bool = False
    grant: str | None = None


class TokenList(msgspec.Struct, frozen=True, kw_only=True):
    """All tokens of a player, oldest first."""

    items: tuple[Token, ...]


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament.

    `rounds`: how many there are, None before the start if no number was wished; `round`: the newest one, or 0.
    `draw_commitment` binds `draw_secret`, which decides who meets whom and is shown from the start on;
    `deal_commitment` binds `deal_secret`, from which the secrets of all matches come, and which is shown once all
    rounds are over (None until then). If it was called off, the first is shown at once, and the other one when no
    match of it runs any more. `public_ids`: the ids of its matches, which go into their deals, follow from
    tournament, round and table alone; only old tournaments have false. `entrants`: how many take part. `organises`:
    you have opened it; `entry`: your number in it, None if you do not take part; `withdrawn`: you play no further
    rounds; `your_match`: your match of the newest round, None while there is none.
    """

    tournament: str
    name: str
    game: str
    seats: int
    kind: str
    options: dict[str, Plain] = {}
    clock: Clock
    spectators: str
    visibility: str
    rated: bool = False
    stage: str
    cancelled: str | None = None
    organiser: str
    organiser_name: str | None = None
    organises: bool = False
    opened_ms: int
    starts_ms: int | None = None
    started_ms: int | None = None
    ended_ms: int | None = None
    places: int
    entrants: int
    fill: str | None = None
    rounds: int | None = None
    round: int
    public_ids: bool = False
    draw_commitment: str
    draw_secret: str | None = None
    deal_commitment: str
    deal_secret: str | None = None
    entry: int | None = None
    withdrawn: bool = False
    your_match: str | None = None


class TournamentList(msgspec.Struct, frozen=True, kw_only=True):
    """The tournaments that you have opened or take part in, newest first."""

    items: tuple[Tournament, ...]


class TournamentPage(msgspec.Struct, frozen=True, kw_only=True):
    """Tournaments, newest first.

    `cursor`: the `after` of the next page, None at the end.
    """

    items: tuple[Tournament, ...]
    cursor: str | None = None


class TournamentRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round: its tables, and the entrants who rest in it."""

    tournament: str
    round: int
    over: bool = False
    tables: tuple[TournamentTable, ...] = ()
    byes: tuple[int, ...] = ()


class TournamentSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament with its standings and its newest round (None before the first)."""

    facts: Tournament
    standings: tuple[TournamentStanding, ...] = ()
    newest: TournamentRound | None = None


class TournamentStanding(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the standings: who it is, and how it stands.

    Who is equal in all that counts shares a `place`. Before the start all share the first place, in the order in
    which they came. `points`: what was won, one point for each table; `buchholz`: the points of all rivals met;
    `direct`: in how many encounters with those who are equal until here it was ahead; `wins`: tables won alone. A
    `guest` has no name of its own; `program`: the player is declared to be a program. `avatar` is missing for bots,
    and where the service has no profiles.
    """

    place: int
    entrant: int
    player: str | None = None
    name: str | None = None
    guest: bool = False
    program: bool = False
    bot: str | None = None
    withdrawn: bool = False
    points: float
    buchholz: float
    direct: float
    wins: int
    played: int
    byes: int
    avatar: Avatar | None = None


class TournamentTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a round, by seat.

    `over`: its result counts; without ranks it was ended without one. `match`: None until it is opened, seconds
    after the draw; a few tables of bots play at a time.
    """

    match: str | None = None
    over: bool
    chairs: tuple[TableChair, ...]


class TurnList(msgspec.Struct, frozen=True, kw_only=True):
    """Matches that wait for you, the one with the least time left first.

    `now_ms` is the time of the service.
    """

    items: tuple[Match, ...] = ()
    now_ms: int


class Vacation(msgspec.Struct, frozen=True, kw_only=True):
    """Until when you are away (None: you are not), and how many days of the year are left to you besides."""

    until_ms: int | None = None
    days_left: int


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of running a match again: how much was checked, and the first error, if any.

    With the conclusion `undecided`, nothing is wrong, but not all that it takes to call it `right` was checked;
    `undecided` says why: `rules` or `draws` of a version that is not installed here, `bots` whose answers were
    asked for and cannot be computed again, `old_draws` of version 1 that are not in a listed old record,
    `uncommitted` cards, a `lesson` of an edition that is not listed, the deal of a day without a `day_commitment`,
    or whose `day_leaf` in the log is still to be compared, and first events that were `taken_up` from another
    match, whose record shows whether it had them.
    """

    match: str
    right: bool = False
    conclusion: str
    undecided: tuple[str, ...] = ()
    taken_up: TakenUp | None = None
    entries: int
    commands: int
    deals: int
    finding: Finding | None = None
    bots: BotAnswers


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A match as its viewer may see it, at one point of the viewer's feed.

    `table` is None before the start.
    """

    match: str
    game: str
    cursor: str
    status: str
    seat: int | None = None
    chairs: tuple[Chair, ...] = ()
    waiting: Waiting | None = None
    question: Question | None = None
    table: dict[str, Plain] | None = None
    placings: tuple[Placing, ...] | None = None
    correction: Correction | None = None
    rematch: str | None = None


class ViewPage(msgspec.Struct, frozen=True, kw_only=True):
    """Views at successive items of the viewer's feed, oldest first; each has the cursor of its item.

    Where one command has several items, all but the last have no `waiting` and no `question`. `cursor`: that of the
    last view; `more`: more can be had now.
    """

    match: str
    views: tuple[View, ...] = ()
    cursor: str
    more: bool = False


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """The open decision as the public sees it.

    It does not say which of `seats` have already answered.
    """

    decision: int
    seats: tuple[int, ...] = ()
    prompt: Prompt
    deadline_ms: int


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook without its secret.

    `pause` says why nothing is sent; None: active. `failures` counts consecutive failed attempts. Until
    `previous_until_ms`, the previous secret signs as well. `dropped` counts the messages dropped unsent since it
    was created, because the queue was full or they had waited for three days; None: none.
    """

    id: str
    url: str
    events: tuple[str, ...] = ()
    game: str | None = None
    match: str | None = None
    pause: str | None = None
    failures: int
    created_ms: int
    previous_until_ms: int | None = None
    dropped: Dropped | None = None


class WebhookList(msgspec.Struct, frozen=True, kw_only=True):
    """All webhooks of a player, oldest first."""

    items: tuple[Webhook, ...]


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """What speaks for a move, as far as its seat can know: a message key of the game with arguments, and the resulting text."""

    key: str
    arguments: dict[str, str | int] = {}
    text: Text
