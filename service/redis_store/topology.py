"""The supported server topology: a single server. Clusters and Sentinels are refused at start."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from ..errors import StartupRefused

SCHEMES = ("redis", "rediss", "unix")
SUPPORTED = "name one Redis or Valkey server (redis://, rediss:// or unix://)"


def require_supported(url: str, variable: str) -> None:
    """Raise StartupRefused, naming *variable*, for an address of anything but one server.

    The address itself is not repeated, and no part of it: it may hold a password.
    """
    try:
        parts = urlsplit(url)
        several = "," in parts.netloc.rpartition("@")[2]
        right = several or parts.scheme == "unix" or parts.port != 0
    except ValueError:
        raise StartupRefused(f"{variable} is no address of a server: {SUPPORTED}.") from None
    if "sentinel" in parts.scheme:
        raise StartupRefused(f"{variable} leads to a Redis Sentinel, which is not supported yet: {SUPPORTED}, the primary.")
    if "cluster" in parts.scheme:
        raise StartupRefused(f"{variable} leads to a Redis Cluster, which is not supported yet: {SUPPORTED}.")
    if several:
        raise StartupRefused(f"{variable} lists several servers, which is not supported yet: {SUPPORTED}.")
    if not right or parts.scheme not in SCHEMES:
        raise StartupRefused(f"{variable} is no address of a server: {SUPPORTED}.")


def require_alone(told: Mapping[str, object], variable: str) -> None:
    """Raise StartupRefused, naming *variable*, if a server's INFO says that it is a node of a cluster or a Sentinel."""
    mode = told.get("redis_mode") or told.get("server_mode")
    if mode == "cluster" or str(told.get("cluster_enabled")) == "1":
        raise StartupRefused(f"{variable} leads to a node of a Redis Cluster, which is not supported yet: {SUPPORTED}.")
    if mode == "sentinel":
        raise StartupRefused(f"{variable} leads to a Redis Sentinel, which is not supported yet: {SUPPORTED}, the primary.")
