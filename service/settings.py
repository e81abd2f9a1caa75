"""Every setting of a deployment, read from the environment once, at start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Annotated, TypeVar
from urllib.parse import quote

import msgspec

from .errors import StartupRefused

Port = Annotated[int, msgspec.Meta(ge=0, le=65_535)]
Count = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
Rate = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Seconds = Annotated[int, msgspec.Meta(ge=60, le=31_536_000)]
Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=3_600_000)]


class Durability(Enum):
    """What an acknowledged command survives; checked against the server's CONFIG at start.

    `embedded`: a kill of any process but the server's own (that, or a power cut, may cost the newest two seconds); `durable`:
    a power cut; `replicated`: also the loss of the primary, as far as WAIT can tell; `unchecked`: whatever the server is set to.
    """

    EMBEDDED = "embedded"
    DURABLE = "durable"
    REPLICATED = "replicated"
    UNCHECKED = "unchecked"


class LogFormat(Enum):
    """Logs for people or for machines."""

    TEXT = "text"
    JSON = "json"


PREFIX = "TAFELRUNDE_"
"""With this the names of all variables begin."""
S = TypeVar("S", bound=msgspec.Struct)
GROUPS = {"limits", "features"}
"""Fields of the settings that have settings of their own."""


class LimitSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much clients may ask for and hold.

    - rate_limits: whether requests, and matches at once, are limited at all. Where a name ends with per_minute, it is a budget
      for a minute, and what may be used at once.
    - max_streams: maximum number of live streams per player, over all api processes of one `serve`.
    - max_subscriptions: maximum number of matches that one socket follows at once.
    - reads_per_minute, commands_per_minute, streams_per_minute: of each player.
    - open_matches_per_address: matches at once that were opened from an address and have not begun; more for an application that
      opens matches for its users from one address.
    - matches_per_player_daily, matches_per_address_daily: new matches a day, practice and rematches included, of each player and
      each address; a player with a token of the scope embed has no such limit.
    - bot_matches_per_host, bot_matches_per_address: maximum number of running matches without players, bot-only
      or left by all, of each host and each address.
    - bot_matches_per_minute: bot-only matches that a host begins.
    - open_seats_per_player: maximum number of seats that a player may hold in open matches.
    - practice_matches_per_player: maximum number of running practice matches of a player; the oldest makes room for a new one.
    - practice_matches_per_address: the same for all players of an address.
    - open_match_seconds, practice_match_seconds: after which time an open match in which nothing happens, and a practice match
      that its player does not play, ends.
    - idle_match_seconds: after which time without any player's command a bot stands in for each player of a running match whose
      time for a decision runs out, so that the match comes to its end.
    - advice_per_minute: hints, coaching and practice matches, likewise.
    - connections_per_address: maximum number of connections that an address may have open to each api process, and of streams
      and long polls; connections of trusted_proxies are not limited.
    - sign_ups_per_minute, failures_per_minute: of each address: new players, and invalid tokens in the form without a seal.
    - requests_per_minute: of each address, with any tokens; requests without a token have half as many besides.
    """

    rate_limits: bool = True
    reads_per_minute: Rate = 1_200
    advice_per_minute: Rate = 60
    commands_per_minute: Rate = 600
    streams_per_minute: Rate = 120
    open_matches_per_address: Count = 1_000
    matches_per_player_daily: Rate = 300
    matches_per_address_daily: Rate = 7_500
    bot_matches_per_host: Count = 3
    bot_matches_per_address: Count = 20
    bot_matches_per_minute: Rate = 60
    open_seats_per_player: Count = 10
    practice_matches_per_player: Count = 5
    practice_matches_per_address: Count = 125
    open_match_seconds: Seconds = 86_400
    practice_match_seconds: Seconds = 604_800
    idle_match_seconds: Seconds = 604_800
    max_streams: Count = 20
    max_subscriptions: Count = 50
    connections_per_address: Count = 1_000
    sign_ups_per_minute: Rate = 60
    failures_per_minute: Rate = 60
    requests_per_minute: Rate = 12_000

    @property
    def requests_without_token_per_minute(self) -> int:
        """What all clients without a token have together at an address."""
        return max(1, self.requests_per_minute // 2)

    @property
    def challenges_per_minute(self) -> int:
        """How many challenges an address may ask for to sign in: they cost less than a player, and sign-ups need none."""
        return 10 * self.sign_ups_per_minute


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the core, of its `limits`, and of `features`.

    `TAFELRUNDE_PORT` sets `port`, and so on, in all groups; `REDIS_URL` sets `redis_url` as well.

    - host, port: where the api listens (port 0: any free one).
    - games: the games of other installed packages that are offered besides Tafelrunde's own, by their ids, comma-separated.
    - data_dir: the folder of the embedded server.
    - redis_url: an external server instead of the embedded one; rq_url: the server of the job queues, if it is a different one.
    - redis_password: the password of these servers, where their addresses have none; any characters will do.
    - store_id: the id of the deployment whose data the server must have at the start; `serve` sets it for its processes.
    - durability: what the server must be set to.
    - memory_mb: memory limit of the embedded server, in MiB; without it half of what the machine or container has.
    - apis: number of api processes that `serve` runs on its port; 0: one for every core, at most 4.
    - workers: number of worker processes that `serve` runs; 0: one for every four cores, at most 4.
    - thinkers: number of processes that `serve` runs for slow bots and bot-only matches; 0: one for each core, at most 4.
    - sweepers: number of sweeper processes that `serve` runs; 0: one, or two if it has four cores or more.
    - signing_key: the keys that sign checkpoints, receipts and feeds, each 64 hex digits, newest first, with blanks between
      them; or the path of a file with such lines. Without it, a file in the data folder of the embedded server, which is made at
      its first start; on the server that REDIS_URL names, a key that is derived from the deployment's own data.
    - bot_pause_ms: how long a bot waits before it answers when a person is in the match. A short one gives away
      which bots had a choice, if the machine is too slow for their thoughts.
    - sweep_ms: the longest time between two polls for due work; lease_ms: after which time lost work is offered again.
    - archive_url: where finished matches are put: `sqlite:///relative/path` or `sqlite:////absolute/path`, `postgresql://...`,
      `s3://bucket/prefix?endpoint=...&region=...`, or `store:` for the server of the store; without it, beside the data of the
      embedded server, or on the server that REDIS_URL names.
    - archive_after_seconds: how long after its newest event a finished match is archived; one that expired is at once.
    - cached_matches: number of matches that a process caches in memory; 0: one for each 8 MiB that the machine or container has,
      100 at least and 1,000 at most.
    - drain_seconds: how long a stopping process waits for open requests.
    - log_format, log_level: the format of logs, and the lowest level that is logged.
    - otel: whether traces and metrics are sent by OpenTelemetry (extra `otel`), as its variables `OTEL_...` say.
    - trusted_proxies: proxies whose X-Forwarded-For header is trusted, comma-separated.
    - metrics_local: whether requests from this machine may read the metrics without a token.
    - webhook_networks: non-public networks that webhooks may reach, comma-separated.
    - webhook_http: whether webhook URLs may use plain http.
    - webhook_ports: ports that new webhooks may use besides 443 and 8443, comma-separated; `*` for any. With webhook_http, 80
      and 8080 are allowed, too.
    - cors_origins: the origins whose pages may use tokens, comma-separated; `*` for all, `none` for no CORS at all.
    - seat_token_seconds: how long a token for one seat is valid.
    - public_url: the URL that clients see, if it differs from the address that the api listens on.
    """

    host: str = "127.0.0.1"
    port: Port = 8000
    games: str = ""
    data_dir: Annotated[str, msgspec.Meta(min_length=1)] = ".tafelrunde"
    redis_url: str | None = None
    rq_url: str | None = None
    redis_password: str | None = None
    store_id: str | None = None
    durability: Durability = Durability.EMBEDDED
    memory_mb: Annotated[int, msgspec.Meta(ge=16, le=16_777_216)] | None = None
    apis: Annotated[int, msgspec.Meta(ge=0, le=64)] = 0
    workers: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 0
    thinkers: Annotated[int, msgspec.Meta(ge=0, le=64)] = 0
    sweepers: Annotated[int, msgspec.Meta(ge=0, le=64)] = 0
    signing_key: str | None = None
    bot_pause_ms: Milliseconds = 700
    sweep_ms: Annotated[int, msgspec.Meta(ge=5, le=250)] = 100
    lease_ms: Annotated[int, msgspec.Meta(ge=100, le=60_000)] = 1_000
    archive_url: str | None = None
    archive_after_seconds: Annotated[int, msgspec.Meta(ge=0, le=3_153_600_000)] = 3_600
    cached_matches: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 0
    drain_seconds: Annotated[int, msgspec.Meta(ge=1, le=60)] = 3
    log_format: LogFormat = LogFormat.TEXT
    log_level: str = "info"
    otel: bool = False
    trusted_proxies: str = "127.0.0.1"
    metrics_local: bool = False
    webhook_networks: str = ""
    webhook_http: bool = False
    webhook_ports: str = ""
    cors_origins: str = ""
    seat_token_seconds: Annotated[int, msgspec.Meta(ge=60, le=86_400)] = 3_600
    public_url: str | None = None
    limits: LimitSettings = LimitSettings()
    features: tuple[msgspec.Struct, ...] = ()

    def of(self, kind: type[S]) -> S:
        """Return the settings of a feature by their class; its defaults if none were given."""
        return next((each for each in self.features if isinstance(each, kind)), kind())


def variables(kind: type[msgspec.Struct]) -> Iterator[tuple[str, str]]:
    """Yield each field of a class of settings with the name of its variable."""
    yield from ((field, f"{PREFIX}{field.upper()}") for field in kind.__struct_fields__ if field not in GROUPS)


def read(environment: Mapping[str, str], features: Sequence[type[msgspec.Struct]]) -> Settings:
    """Return the settings that *environment* gives, with those of some classes; raise StartupRefused naming a wrong variable."""
    settings = _read(Settings, environment)
    password, redis_url = settings.redis_password, settings.redis_url
    if redis_url is None:
        redis_url = environment.get("REDIS_URL") or None
    return msgspec.structs.replace(
        settings,
        redis_url=_with_password(redis_url, password),
        rq_url=_with_password(settings.rq_url, password),
        limits=_read(LimitSettings, environment),
        features=tuple(_read(kind, environment) for kind in features),
    )


def _read(kind: type[S], environment: Mapping[str, str]) -> S:
    given = {field: environment[name] for field, name in variables(kind) if name in environment}
    for field, value in given.items():
        try:
            msgspec.convert({field: value}, kind, strict=False)
        except msgspec.ValidationError as error:
            reason = _allowed(kind, field) or str(error).partition(" - at ")[0]
            raise StartupRefused(f"TAFELRUNDE_{field.upper()} is {value!r}, which does not work: {reason}.") from error
    return msgspec.convert(given, kind, strict=False)


def _allowed(kind: type[msgspec.Struct], field: str) -> str:
    """Return the sentence that names the values of a setting of a closed set; empty for any other setting."""
    declared = next(each.type for each in msgspec.structs.fields(kind) if each.name == field)
    if not (isinstance(declared, type) and issubclass(declared, Enum)):
        return ""
    *others, last = [str(each.value) for each in declared]
    return f"choose {', '.join(others)} or {last}"


def _with_password(url: str | None, password: str | None) -> str | None:
    """Return an address with a password, escaped; one with credentials of its own, or that is none, as it is."""
    scheme, mark, rest = (url or "").partition("://")
    if not password or not mark or "@" in rest.partition("/")[0]:
        return url
    return f"{scheme}://:{quote(password, safe='')}@{rest}"
