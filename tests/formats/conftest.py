from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from annotator.formats import Source


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str | bytes], Source]:
    """Write a file with this content and return it as a source."""
    folder = tmp_path_factory.mktemp("formats")
    numbers = count()

    def write(content: str | bytes) -> Source:
        path = folder / f"file{next(numbers)}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return Source(path)

    return write
