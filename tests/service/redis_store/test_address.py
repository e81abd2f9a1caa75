"""What an address leads to, and which are refused."""

from __future__ import annotations

import pytest

from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.redis_store.address import Address, Cluster, Sentinels, Single, parse

SECRET = "hidden"
PASSWORD, QUOTED = "a@b,c/", "a%40b%2Cc%2F"
REFUSED = {
    "sentinel://one:26379/master": "is not the address",
    "redis+sentinel://one:26379": "is not the address",
    f"redis+sentinel://:{SECRET}@one/master/two": "is not the address",
    f"redis+sentinel://one/master?password={SECRET}": "is not the address",
    "redis+sentinel://one:port/master": "is not the address",
    "redis+sentinel:///master": "is not the address",
    "redis+cluster://one,:6379": "is not the address",
    "redis+cluster://one/3": "is not the address",
    "unix+cluster:///socket": "is not the address",
    "redis+proxy://one": "is not the address",
    "redis+://one": "is not the address",
    f"redis://:{SECRET}@one:6379,two:6379/0": "lists several servers",
    "one,two": "is not the address",
    "http://one": "is not the address",
    "one:6379": "is not the address",
    f"redis://:{SECRET}/more@one:6379": "is not the address",
    "redis://one:port": "is not the address",
    "": "is not the address",
}
LEADS_TO: dict[str, Address] = {
    "redis+sentinel://one,two:26380/master": Sentinels((("one", 26379), ("two", 26380)), "master", 0, None, None, False, {}),
    f"rediss+sentinel://ann:{QUOTED}@one/master/2?sentinel_password=s": Sentinels(
        (("one", 26379),), "master", 2, "ann", PASSWORD, True, {"password": "s"}
    ),
    "redis+cluster://one:7000,[::1],two": Cluster((("one", 7000), ("::1", 6379), ("two", 6379)), None, None, False),
    f"rediss+cluster://:{QUOTED}@one": Cluster((("one", 6379),), None, PASSWORD, True),
}


@pytest.mark.parametrize("url", REFUSED)
def test_address_that_leads_nowhere_is_refused(url: str) -> None:
    """One sentence names the variable and what is wrong, and repeats nothing of the address: it may hold a password."""
    with pytest.raises(StartupRefused) as caught:
        parse(url, "REDIS_URL")
    said = str(caught.value)
    assert said.startswith("REDIS_URL ")
    assert REFUSED[url] in said
    assert SECRET not in said
    assert "\n" not in said


@pytest.mark.parametrize("url", ["redis://one", f"redis://u:{SECRET},q@one:6379/1", "rediss://[::1]:6379", "unix:///a,b/s?db=1"])
def test_address_of_one_server_is_left_to_the_library(url: str) -> None:
    """Commas in a password or a path do not make a list."""
    assert parse(url, "REDIS_URL") == Single(url)


@pytest.mark.parametrize("url", LEADS_TO)
def test_address_names_sentinels_or_nodes(url: str) -> None:
    """Ports have the defaults of their kind, and logins are decoded."""
    assert parse(url, "REDIS_URL") == LEADS_TO[url]


def test_node_is_reached_with_the_login_of_the_cluster() -> None:
    """A password may hold any sign, and a host may be an IPv6 address."""
    cluster = Cluster((), "ann", PASSWORD, True)
    assert cluster.url_of(("::1", 7000)) == f"rediss://ann:{QUOTED}@[::1]:7000"
    assert Cluster((), None, None, False).url_of(("one", 1)) == "redis://one:1"
