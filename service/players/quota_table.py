"""Every quota of the service in one table: who spends it, what one has, what all at one address have, and who comes first.

One rule holds for all of them. A player has a share. All who ask from one address have many shares together, and guests use at
most half of those, so that named players come first. What is refused costs nothing. What brings something valid with it, as a
token of this deployment, a device code or a signed assertion, is never refused because others sent something that is not.

Code takes its numbers from here; docs/limits.md is made of it.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from ..ports.quotas import WINDOW_SECONDS, Quota

ADDRESS_SHARES = 25
"""How many times a player's share all have together who ask from one address: a few guests must not stop a school."""
HOUR, DAY = 3_600, 86_400
STORE = "room in the store: what is made is kept"


class Spender(Enum):
    """Who has a share of a quota: whose spending cannot be felt by another one."""

    PLAYER = "player"
    ADDRESS = "address"
    RECIPIENT = "recipient"


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One quota: `one` is the share of a spender, as a number or as the name of the setting that has it.

    `together`: what all at an address have, as such, if it is not `ADDRESS_SHARES` times as much; None if addresses do not count.
    Without a window it is not spent over time: that many may be held at once. `protects` and `first` say what it is for, and
    who is served first where it runs low. `of_sender`: how much of what
    a recipient has one sender can use. `always`: it protects people, and counts where a deployment has no limits, too.
    """

    name: str
    covers: str
    spender: Spender
    one: int | str | None
    together: int | str | None = ""
    window_s: int | None = WINDOW_SECONDS
    protects: str
    first: str = "named players, then guests"
    of_sender: int | None = None
    always: bool = False

    def share(self, settings: msgspec.Struct | None) -> int:
        """Return what one spender has."""
        assert self.one is not None, "only addresses have a share of it"
        return _number(self.one, settings)

    def shared(self, settings: msgspec.Struct | None) -> int:
        """Return what all at an address have together."""
        assert self.together is not None, "addresses have no share of it"
        return ADDRESS_SHARES * self.share(settings) if self.together == "" else _number(self.together, settings)

    def quota(self, settings: msgspec.Struct | None) -> Quota:
        """Return the budget of one spender."""
        assert self.window_s is not None, "it is held, not spent"
        return Quota(self.name, self.share(settings), self.window_s)

    def quota_at(self, settings: msgspec.Struct | None) -> Quota:
        """Return the budget that all at an address share."""
        assert self.window_s is not None, "it is held, not spent"
        return Quota(f"{self.name}-at", self.shared(settings), self.window_s)


def _number(given: int | str, settings: msgspec.Struct | None) -> int:
    return given if isinstance(given, int) else getattr(settings, given)


EACH = "each by itself"
AS_THEY_ASK = "as they ask: clients without a token cannot be distinguished"

READS = Row(
    name="reads",
    covers="every GET but streams and advice",
    spender=Spender.PLAYER,
    one="reads_per_minute",
    together=None,
    protects="processor time",
    first=EACH,
)
ADVICE = Row(
    name="advice",
    covers="a hint, coaching, a practice match, an export of your data: each is expensive",
    spender=Spender.PLAYER,
    one="advice_per_minute",
    together=None,
    protects="processor time",
    first=EACH,
)
COMMANDS = Row(
    name="commands",
    covers="everything that may change something",
    spender=Spender.PLAYER,
    one="commands_per_minute",
    together=None,
    protects="processor time",
    first=EACH,
)
STREAMS = Row(
    name="streams",
    covers="opening a stream",
    spender=Spender.PLAYER,
    one="streams_per_minute",
    together=None,
    protects="processor time",
    first=EACH,
)
ADDRESS = Row(
    name="address",
    covers="all requests with a token",
    spender=Spender.ADDRESS,
    one="requests_per_minute",
    together=None,
    protects="the processes",
    first="named players: requests of guests use half of it",
)
NO_TOKEN = Row(
    name="no-token",
    covers="all requests without a token but those that have a row of their own, and each handshake of a socket",
    spender=Spender.ADDRESS,
    one="requests_without_token_per_minute",
    together=None,
    protects="the processes",
    first=AS_THEY_ASK,
)
SIGN_UPS = Row(
    name="sign-ups",
    covers="`POST /players`",
    spender=Spender.ADDRESS,
    one="sign_ups_per_minute",
    together=None,
    protects=STORE,
    first=AS_THEY_ASK,
)
CHALLENGES = Row(
    name="challenges",
    covers="`POST /passkey-options`, `POST /openid/attempts`",
    spender=Spender.ADDRESS,
    one="challenges_per_minute",
    together=None,
    protects="room in the store, for some minutes",
    first=AS_THEY_ASK,
)
FAILURES = Row(
    name="failures",
    covers="invalid tokens in the form without a seal",
    spender=Spender.ADDRESS,
    one="failures_per_minute",
    together=None,
    protects="look-ups in the store",
    first="tokens with a seal, and those that were valid before: neither waits",
)
MATCHES = Row(
    name="matches",
    covers="new matches, with practice and rematches",
    spender=Spender.PLAYER,
    one="matches_per_player_daily",
    together="matches_per_address_daily",
    window_s=DAY,
    protects=STORE,
)
BOT_MATCHES = Row(
    name="bot-matches",
    covers="beginning a bot-only match",
    spender=Spender.PLAYER,
    one="bot_matches_per_minute",
    together=None,
    protects="processor time",
    first=EACH,
)
TOURNAMENTS = Row(
    name="tournaments",
    covers="opening a tournament",
    spender=Spender.PLAYER,
    one="tournaments_per_player_daily",
    together="tournaments_per_address_daily",
    window_s=DAY,
    protects=STORE,
)
INVITATIONS = Row(
    name="invitations",
    covers="invitations to matches that a player sends",
    spender=Spender.PLAYER,
    one="invitations_daily",
    window_s=DAY,
    protects="those who are invited",
    always=True,
)
INVITATIONS_TO = Row(
    name="invitations-to",
    covers="invitations that come to a player from those whom it does not follow",
    spender=Spender.RECIPIENT,
    one="invitations_received_daily",
    together=None,
    window_s=DAY,
    protects="the player",
    first="those whom the player follows: they do not count; of the others one uses five at most",
    of_sender=5,
    always=True,
)
TALK = Row(name="talk", covers="lines of talk", spender=Spender.PLAYER, one="talk_per_minute", protects="those who read it")
REPORTS = Row(
    name="reports",
    covers="reports of talk",
    spender=Spender.PLAYER,
    one="reports_per_hour",
    window_s=HOUR,
    protects="the list of the operator",
)
MAIL_CODES = Row(
    name="notice-codes",
    covers="codes for mail addresses that a player asks for",
    spender=Spender.PLAYER,
    one=5,
    window_s=HOUR,
    protects="the mail server",
    always=True,
)
MAIL_CODES_TO = Row(
    name="notice-codes-to",
    covers="codes to one mail address; dots and what follows a `+` in its first part do not make another one",
    spender=Spender.RECIPIENT,
    one=3,
    together=None,
    window_s=DAY,
    protects="who owns the address",
    first="each player: one uses two at most",
    of_sender=2,
    always=True,
)
TURN_NOTICES = Row(
    name="notices-turn",
    covers="notices of a player of its turn",
    spender=Spender.RECIPIENT,
    one=60,
    together=None,
    window_s=HOUR,
    protects="the player",
    first=EACH,
    always=True,
)
OTHER_NOTICES = Row(
    name="notices",
    covers="notices of a player of all else",
    spender=Spender.RECIPIENT,
    one=60,
    together=None,
    window_s=HOUR,
    protects="the player",
    first=EACH,
    always=True,
)
APPLICATIONS = Row(
    name="oauth-clients",
    covers="applications that register",
    spender=Spender.ADDRESS,
    one="oauth_applications_hourly",
    together=None,
    window_s=HOUR,
    protects=STORE,
    first="those that a player has allowed: others end after an hour",
)

SEATS = Row(
    name="seats",
    covers="seats in open matches",
    spender=Spender.PLAYER,
    one="open_seats_per_player",
    together=None,
    window_s=None,
    protects="seats for others",
    first=EACH,
)
OPEN_MATCHES = Row(
    name="open",
    covers="open matches that were opened from an address",
    spender=Spender.PLAYER,
    one=None,
    together="open_matches_per_address",
    window_s=None,
    protects=STORE,
)
BOTS = Row(
    name="bots",
    covers="running matches without players, for the start of a further one: bot-only, or left by all",
    spender=Spender.PLAYER,
    one="bot_matches_per_host",
    together="bot_matches_per_address",
    window_s=None,
    protects="processor time",
)
PRACTICE = Row(
    name="practice",
    covers="practice matches that run; the oldest of a player makes room",
    spender=Spender.PLAYER,
    one="practice_matches_per_player",
    together="practice_matches_per_address",
    window_s=None,
    protects=STORE,
)
LIVE_STREAMS = Row(
    name="live-streams",
    covers="streams, sockets and long polls of a player; of an address without a token they count as its connections",
    spender=Spender.PLAYER,
    one="max_streams",
    together="connections_per_address",
    window_s=None,
    protects="memory",
    first="callers with a token: without one, half of what an address has",
)
CONNECTIONS = Row(
    name="connections",
    covers="connections, in each process",
    spender=Spender.ADDRESS,
    one="connections_per_address",
    together=None,
    window_s=None,
    protects="memory and descriptors",
    first="connections with a request under way: the one that has been idle for longest is closed for a new one",
)
OPEN_TOURNAMENTS = Row(
    name="open-tournaments",
    covers="tournaments of a player that are not over, opened or joined",
    spender=Spender.PLAYER,
    one="tournaments_per_player",
    together=None,
    window_s=None,
    protects=STORE,
    first=EACH,
)
KEPT_SEATS = Row(
    name="kept-seats",
    covers="seats of quick matches that are kept for players who have not sat down yet",
    spender=Spender.PLAYER,
    one=1,
    window_s=None,
    protects="seats for others",
    first="those who sit down; then named players; last those who did not come, after 20 seconds, twice as long each time",
)

TABLE = tuple(each for each in list(globals().values()) if isinstance(each, Row))
"""All rows, in order."""
