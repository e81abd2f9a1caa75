"""The features of the service: each is a folder beside this file, and one line here. This imports none of them."""

from __future__ import annotations

FOLDERS: tuple[str, ...] = (
    "records",
    "bots",
    "lessons",
    "transparency",
    "ratings",
    "coaching",
    "daily",
    "puzzles",
    "inbox",
    "webhooks",
    "people",
    "passkeys",
    "openid",
    "talk",
    "moderation",
    "quick",
    "vacation",
    "tournaments",
    "notices",
    "oauth",
)
"""Each after those that it needs."""
