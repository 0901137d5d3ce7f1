from __future__ import annotations

from collections.abc import Callable

import pytest

from annotator.actions.imports.report import Found
from annotator.errors import AnnotatorError
from annotator.store import Project
from tests.projects import contents


def refused(project: Project, act: Callable[[], Found], error: type[AnnotatorError]) -> str:
    """Do what must be refused without any change; all that was said."""
    before = contents(project)
    with pytest.raises(error) as caught:
        act()
    assert contents(project) == before
    return "\n".join([caught.value.message, *caught.value.details])
