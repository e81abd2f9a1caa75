"""Breaks one endpoint of every feature, and runs the tests that `make quick` chooses first for it, until one fails."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from tafelrunde.api.features import ALL, api_of
from tafelrunde.api.http.operation import AnyCall, AnyOperation
from tafelrunde.api.http.response import Reply
from tests.support.paths import ROOT
from tools.quick import nearest


class BrokenEndpoints:
    """While tests run that are nearest to an endpoint, it raises. Once a test has failed of it, the others are skipped.

    found: the first test that failed of an endpoint, by feature. A test that never called the endpoint does not count.
    """

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self._features: dict[Path, str] = {}
        self._endpoints: dict[str, AnyOperation] = {}
        self._was_called = False

    def choose(self, feature: str, endpoint: AnyOperation) -> list[str]:
        """Choose an endpoint to break; return the tests that are nearest to it."""
        self._endpoints[feature] = endpoint
        files = nearest(Path(inspect.getfile(endpoint.run)).resolve().relative_to(ROOT).as_posix())
        self._features.update({ROOT / file: feature for file in files})
        return files

    async def _fail(self, _: AnyCall) -> Reply:
        self._was_called = True
        raise RuntimeError("planted fault")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Run one test with the endpoint broken."""
        feature = self._features[item.path]
        endpoint = self._endpoints[feature]
        run = endpoint.run
        endpoint.run = self._fail
        self._was_called = False
        try:
            return (yield)
        finally:
            endpoint.run = run

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Skip a test of an endpoint whose fault has been found."""
        if self._features[item.path] in self.found:
            pytest.skip("the fault has been found")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Note the first test that fails because of the fault."""
        report = yield
        if report.failed and self._was_called:
            self.found.setdefault(self._features[item.path], item.nodeid)
        return report


def main() -> None:
    """Break the first endpoint of every feature; print which test found it, by feature."""
    broken = BrokenEndpoints()
    files = [
        file for feature in ALL if api_of(feature).operations for file in broken.choose(feature, api_of(feature).operations[0])
    ]
    quiet = ("-q", "--tb=no", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
    words = [*quiet, "-n", "0", "-m", "not slow", *files]
    pytest.main(words, plugins=[broken])
    sys.stdout.write(f"{json.dumps(broken.found)}\n")


if __name__ == "__main__":
    main()
