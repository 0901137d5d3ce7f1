"""Work beside the screen stands aside for keys, and is done in the end."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from annotator.tui.idle import CALM, LONGEST, IdleTime


class Time:
    """A clock that only sleeping moves on; whatever is set is done at each sleep."""

    def __init__(self) -> None:
        self.now = 0.0
        self.meanwhile: Callable[[], object] = int

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.meanwhile()


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def idle(time: Time) -> IdleTime:
    return IdleTime(lambda: time.now, time.sleep)


def beside(work: Callable[[], object]) -> None:
    """Do something in another thread, and wait for it."""
    with ThreadPoolExecutor(1) as threads:
        threads.submit(work).result()


def test_work_waits_until_some_time_after_the_last_key(time: Time, idle: IdleTime) -> None:
    time.now = 10
    beside(idle.wait)
    assert time.now == 10
    idle.disturb()
    beside(idle.wait)
    assert time.now == 10 + CALM
    beside(idle.wait)
    assert time.now == 10 + CALM


def test_a_key_that_is_held_down_does_not_keep_work_from_being_done(
    time: Time, idle: IdleTime
) -> None:
    time.meanwhile = idle.disturb
    idle.disturb()
    beside(idle.wait)
    assert time.now == pytest.approx(LONGEST)


def test_the_screen_itself_never_waits(time: Time, idle: IdleTime) -> None:
    idle.disturb()
    idle.wait()
    assert time.now == 0


def test_each_module_that_work_loads_waits_for_keys_and_none_that_the_screen_loads(
    time: Time, idle: IdleTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first", "second", "third"):
        (tmp_path / f"loaded_{name}.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    waited: list[float] = []

    def work() -> None:
        with idle.between_imports():
            for name in ("first", "second"):
                idle.disturb()
                importlib.import_module(f"loaded_{name}")
                waited.append(time.now)
        idle.disturb()
        importlib.import_module("loaded_third")

    beside(work)
    assert waited == pytest.approx([CALM, 2 * CALM])
    assert time.now == waited[-1]
    with idle.between_imports():  # by this thread, which is the screen's
        sys.modules.pop("loaded_third")
        importlib.import_module("loaded_third")
    assert time.now == waited[-1]
