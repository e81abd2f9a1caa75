"""The extras of the distribution, which have what only some of its users need."""

from __future__ import annotations

from importlib.metadata import requires

from .errors import StartupRefused

DISTRIBUTION = "tafelrunde"


def missing_package(wish: str, missing: ModuleNotFoundError) -> StartupRefused:
    """Return the refusal of *wish*, which needs a package that is not installed: it says what to install.

    Raises the error itself if no extra has the package, which is a mistake in the extras.
    """
    extra = extra_of(missing.name or "")
    if extra is None:
        raise missing
    return StartupRefused(
        f"{wish} needs the package {missing.name}: run pip install 'PATH[{extra}]', where PATH is a wheel or a checkout."
    )


def extra_of(module: str) -> str | None:
    """Return the extra that brings a module, None for none."""
    wanted = module.partition(".")[0].replace("_", "-").lower()
    for requirement in requires(DISTRIBUTION) or ():
        package, _, condition = requirement.partition(";")
        name = package.strip().lower()
        if "extra ==" in condition and name.startswith(wanted) and not name[len(wanted) : len(wanted) + 1].isalnum():
            return condition.rpartition("extra ==")[2].strip(" '\"()")
    return None
