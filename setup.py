"""Map the folders onto the one import namespace `tafelrunde` (docs/decisions/0001-import-namespace.md)."""

from setuptools import find_packages, setup

FOLDERS = {
    "domain": "domain",
    "service": "service",
    "api": "api",
    "workers": "workers",
    "client": "openapi/client",
    "research": "research",
}

setup(
    packages=[
        name
        for package, folder in FOLDERS.items()
        for name in (f"tafelrunde.{package}", *(f"tafelrunde.{package}.{sub}" for sub in find_packages(folder)))
    ],
    package_dir={f"tafelrunde.{package}": folder for package, folder in FOLDERS.items()},
)
