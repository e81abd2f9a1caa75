"""Map the folders onto the one import namespace `tafelrunde` (docs/decisions/0001-import-namespace.md).

With TAFELRUNDE_COMPILE=1 in the environment a wheel has compiled rules beside their sources (tools/compiled.py).
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, find_packages, setup

FOLDERS = {
    "domain": "domain",
    "service": "service",
    "api": "api",
    "workers": "workers",
    "audit": "audit",
    "client": "openapi/client",
    "research": "research",
    "testing": "testing",
}
STAGED = Path("build", "staged")

extensions: list[Extension] = []
if os.environ.get("TAFELRUNDE_COMPILE") == "1":
    sys.path.insert(0, str(Path(__file__).parent))
    from tools.compiled import games, translated

    extensions = translated(STAGED.absolute(), games(), "3")
    FOLDERS["domain"] = str(STAGED / "tafelrunde" / "domain")

setup(
    packages=[
        name
        for package, folder in FOLDERS.items()
        for name in (f"tafelrunde.{package}", *(f"tafelrunde.{package}.{sub}" for sub in find_packages(folder)))
    ],
    package_dir={f"tafelrunde.{package}": folder for package, folder in FOLDERS.items()},
    ext_modules=extensions,
)
