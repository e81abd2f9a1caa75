"""The addresses of a deployment's server: one server, the primary that a Sentinel names, or a cluster.

| address | what it leads to |
|---|---|
| `redis://` `rediss://` `unix://` | one server, as the client library reads it |
| `redis+sentinel://user:password@host:port,host:port/name/db` | the primary that these Sentinels name; TLS: `rediss+sentinel` |
| `redis+cluster://user:password@host:port,host:port` | a cluster that these nodes belong to; TLS: `rediss+cluster` |

User, password and database number belong to the servers. Sentinels that ask for a password of their own get that of
`?sentinel_password=`, with the user `?sentinel_username=` if there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

from ..errors import StartupRefused

HELP = "name one Redis or Valkey server (redis://, rediss:// or unix://), Sentinels (redis+sentinel://) or a cluster (redis+cluster://)"
SCHEMES = ("redis", "rediss", "unix")
SENTINEL_PORT, NODE_PORT = 26379, 6379

HostPort: TypeAlias = "tuple[str, int]"


class Single(NamedTuple):
    """One server, at an address that the client library reads."""

    url: str


class Sentinels(NamedTuple):
    """The primary called *name*; *login* are the keywords with which Sentinels are asked."""

    hosts: tuple[HostPort, ...]
    name: str
    database: int
    username: str | None
    password: str | None
    tls: bool
    login: Mapping[str, str]


class Cluster(NamedTuple):
    """Some nodes of a cluster, and how to log in to any node."""

    hosts: tuple[HostPort, ...]
    username: str | None
    password: str | None
    tls: bool

    def url_of(self, node: HostPort) -> str:
        """Return the address of one node."""
        host, port = node
        login = f"{quote(self.username or '', safe='')}:{quote(self.password, safe='')}@" if self.password is not None else ""
        return f"{'rediss' if self.tls else 'redis'}://{login}{f'[{host}]' if ':' in host else host}:{port}"


Address: TypeAlias = "Single | Sentinels | Cluster"


def parse(url: str, variable: str) -> Address:
    """Return what an address leads to; raise StartupRefused, naming *variable*, for one that leads nowhere.

    The address itself is not repeated, and no part of it: it may hold a password.
    """
    try:
        parts = _split(url)
        base, _, kind = parts.scheme.partition("+")
        if parts.scheme not in SCHEMES and (kind not in {"sentinel", "cluster"} or base not in SCHEMES or base == "unix"):
            raise ValueError(parts.scheme)
        if kind == "sentinel":
            return _sentinels(parts)
        if kind == "cluster":
            return _cluster(parts)
        if "," in parts.netloc.rpartition("@")[2]:
            raise StartupRefused(f"{variable} lists several servers: write redis+sentinel:// or redis+cluster:// before them.")
        if parts.scheme != "unix" and parts.port == 0:
            raise ValueError(parts.port)
    except ValueError:
        raise StartupRefused(f"{variable} is not the address of a server: {HELP}.") from None
    return Single(url)


def require_alone(info: Mapping[str, object], variable: str) -> None:
    """Raise StartupRefused, naming *variable*, if a server's INFO says that it is a node of a cluster or a Sentinel."""
    mode = info.get("redis_mode") or info.get("server_mode")
    if mode == "cluster" or str(info.get("cluster_enabled")) == "1":
        raise StartupRefused(f"{variable} leads to a node of a Redis Cluster: write redis+cluster:// for redis:// in it.")
    if mode == "sentinel":
        raise StartupRefused(
            f"{variable} leads to a Redis Sentinel: write redis+sentinel://host:port/name, with the name of its primary."
        )


def _split(url: str) -> SplitResult:
    """Split an address as `urlsplit` does, which from Python 3.14 on takes no list of hosts with an IPv6 address in it."""
    scheme, separator, rest = url.partition("://")
    if "+" not in scheme:
        return urlsplit(url)
    hosts = rest[: min((rest.index(end) for end in "/?#" if end in rest), default=len(rest))]
    return urlsplit(scheme + separator + rest.removeprefix(hosts))._replace(netloc=hosts)


def _sentinels(parts: SplitResult) -> Sentinels:
    name, _, database = parts.path.removeprefix("/").partition("/")
    if not name:
        raise ValueError("the primary has no name")
    asked = {key: values[-1] for key, values in parse_qs(parts.query, strict_parsing=bool(parts.query)).items()}
    login = {key.removeprefix("sentinel_"): asked.pop(key) for key in ("sentinel_username", "sentinel_password") if key in asked}
    if asked:
        raise ValueError("an unknown option")
    username, password = _login(parts)
    return Sentinels(
        _hosts(parts, SENTINEL_PORT),
        unquote(name),
        int(database or 0),
        username,
        password,
        parts.scheme.startswith("rediss"),
        login,
    )


def _cluster(parts: SplitResult) -> Cluster:
    if parts.path.strip("/") not in {"", "0"} or parts.query:
        raise ValueError("a cluster has only the database 0")
    username, password = _login(parts)
    return Cluster(_hosts(parts, NODE_PORT), username, password, parts.scheme.startswith("rediss"))


def _login(parts: SplitResult) -> tuple[str | None, str | None]:
    user, colon, password = parts.netloc.rpartition("@")[0].partition(":")
    return unquote(user) or None, unquote(password) if colon else None


def _hosts(parts: SplitResult, port: int) -> tuple[HostPort, ...]:
    return tuple(_host(each, port) for each in parts.netloc.rpartition("@")[2].split(","))


def _host(text: str, port: int) -> HostPort:
    one = urlsplit(f"//{text}")
    if not one.hostname or one.port == 0:
        raise ValueError("a host is missing")
    return one.hostname, one.port or port
