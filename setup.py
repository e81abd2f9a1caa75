"""Map the four layer folders onto the one import namespace `tafelrunde` (docs/decisions/0001-import-namespace.md)."""

from setuptools import find_packages, setup

LAYERS = ("domain", "service", "api", "workers")

setup(
    packages=[
        name
        for layer in LAYERS
        for name in (f"tafelrunde.{layer}", *(f"tafelrunde.{layer}.{sub}" for sub in find_packages(layer)))
    ],
    package_dir={f"tafelrunde.{layer}": layer for layer in LAYERS},
)
