"""All features: what the `feature.py` in the folder of each offers as `FEATURE`."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from ..feature import Feature
from . import FOLDERS


def _feature(folder: str) -> Feature:
    return cast("Feature", import_module(f".{folder}.feature", __package__).FEATURE)


FEATURES: tuple[Feature, ...] = tuple(map(_feature, FOLDERS))
"""All features, in the order of their folders."""


def with_own(*own: Feature) -> tuple[Feature, ...]:
    """Return all features, some of them a host's own: each in place of the one with its name."""
    names = {each.name: each for each in own}
    return tuple(names.get(feature.name, feature) for feature in FEATURES)


def without(*names: str) -> tuple[Feature, ...]:
    """Return the features that are left without some, and without those that need them."""
    left: list[Feature] = []
    for feature in FEATURES:
        if feature.name not in names and {*feature.needs} <= {each.name for each in left}:
            left.append(feature)
    return tuple(left)
