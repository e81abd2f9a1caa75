"""What the features of the service add to the API: a folder here of the same name, whose `feature.py` offers it as `API`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from ...service.features import FOLDERS
from ..http.asking import FeatureFrames
from ..http.feature import ApiFeature
from ..http.operation import AnyOperation
from ..problem_types import KINDS, Kind
from ..routes import CORE

NOTHING = ApiFeature(operations=())
ALL: tuple[str, ...] = FOLDERS
"""The names of all features."""


@cache
def api_of(feature: str) -> ApiFeature:
    """Return what a feature adds; nothing if it has no folder here."""
    name = f"{__name__}.{feature}"
    return cast("ApiFeature", import_module(f"{name}.feature").API) if find_spec(name) is not None else NOTHING


def pages_of(features: Sequence[str] = ALL) -> tuple[AnyOperation, ...]:
    """Return what some features serve beside the contract."""
    return tuple(page for each in features for page in api_of(each).pages)


def operations(features: Sequence[str] = ALL) -> tuple[AnyOperation, ...]:
    """Return the operations of the core and of some features, in the order of the contract."""
    return (*CORE, *(operation for each in features for operation in api_of(each).operations))


def frames_of(features: Sequence[str] = ALL) -> FeatureFrames:
    """Return the frames that some features add to the socket, by their types."""
    return FeatureFrames({asking.frame: asking for each in features for asking in api_of(each).asking})


def problem_kinds(features: Sequence[str] = ALL) -> Mapping[str, Kind]:
    """Return the types of problems of the core and of some features, by name."""
    return {**KINDS, **{name: kind for each in features for name, kind in api_of(each).problems.items()}}
