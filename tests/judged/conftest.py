from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

from annotator.formats import run_trec
from annotator.formats.source import Source

any_fixture = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def file_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bytes], Source]:
    path = tmp_path_factory.mktemp("runs") / "run.txt"

    def write(content: bytes) -> Source:
        path.write_bytes(content)
        return Source(path)

    return write


@pytest.fixture(params=[1, 100, 300, 10**6])
def batch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of so many bytes, which break lines and queries everywhere."""
    monkeypatch.setattr(run_trec, "BATCH", request.param)
