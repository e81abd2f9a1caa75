"""What a feature is: a part of the service that the core runs without."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Generic, TypeVar, cast

import msgspec

from .core import Core
from .hooks import Attached
from .ports.backing import Backing, StoreKind
from .ports.stores import Stores
from .redis_store.backing import RedisBacking
from .runtime.signing_file import key_file
from .settings import Settings

T = TypeVar("T")


class Feature(msgspec.Struct, frozen=True, kw_only=True):
    """A feature, as `features/<name>/feature.py` declares it.

    - name: that of its folders, here and in the API.
    - attach: makes its services over the core, and returns what the feature brings.
    - needs: the names of the features that it is made of; they stand before it in `FEATURES`.
    - settings: the class of its own settings, if it has any.
    - check: raises StartupRefused, naming the setting, for one of them with which a process could not work, although it has the
      right type.
    - key_files: which of its settings name a key of its own, and the file in the data folder of an embedded server that has it
      where the setting is missing; the file is made at the first start.
    - on: whether the deployment has switched it on, as it is set; what clients see of its features leaves out the others, whose
      operations refuse.
    - claim: makes sure, before the processes of a deployment are started, that its store may be used as it is set; raises
      StartupRefused.
    """

    name: str
    attach: Callable[[Core], Attached]
    needs: tuple[str, ...] = ()
    settings: type[msgspec.Struct] | None = None
    check: Callable[[Settings], None] | None = None
    key_files: Mapping[str, str] = {}
    on: Callable[[Settings], bool] = lambda _: True
    claim: Callable[[Settings, Stores], Awaitable[None]] | None = None

    def with_key_files(self, settings: Settings, folder: Path) -> Settings:
        """Return the settings with the key files of a data folder where they name none; what is missing is made."""
        if self.settings is None:
            return settings
        mine = settings.of(self.settings)
        named = {field: str(key_file(folder, name)) for field, name in self.key_files.items() if getattr(mine, field) is None}
        if not named:
            return settings
        others = (each for each in settings.features if not isinstance(each, self.settings))
        return msgspec.structs.replace(settings, features=(*others, msgspec.structs.replace(mine, **named)))


class FeatureStore(Generic[T]):
    """The store of a feature: made over what the deployment's other stores stand on, when it is first asked for."""

    def __init__(self, name: str, *, redis: Callable[[RedisBacking], T], memory: Callable[[], T]) -> None:
        self._name = name

        def in_memory(_: Backing) -> T:
            return memory()

        self._makers: Mapping[StoreKind, Callable[..., object]] = {StoreKind.MEMORY: in_memory, StoreKind.REDIS: redis}

    def of(self, stores: Stores) -> T:
        """Return the one store of a bundle."""
        return cast("T", stores.backing.store(self._name, self._makers))
