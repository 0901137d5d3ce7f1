"""A terminal to run the program in: what it writes, what stands on the screen, how it is left."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pyte

ROOT = Path(__file__).parents[2]
PATIENCE = 30.0
# Answers to be asked for and modes of newer terminals, which pyte would print.
_NOT_OF_PYTE = re.compile(rb"\x1b\[[<>=?][0-9;]*[u$][a-z]?|\x1b\[\?[0-9;]*\$p|\x1b_G.*?\x1b\\")
_MODES = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")
_OTHER_SCREEN, _WIPED = re.compile(rb"\x1b\[\?1049[hl]"), b"\x1b[H\x1b[2J"
CURSOR, ALTERNATE_SCREEN, PASTE = 25, 1049, 2004
MOUSE = (1000, 1002, 1003, 1006, 1015, 1016)


class Terminal:
    """The program in a terminal of its own; :meth:`close` ends it.

    ``command`` is what to start instead of ``annotator`` with these words.
    """

    def __init__(
        self,
        *words: object,
        folder: Path,
        columns: int = 80,
        rows: int = 24,
        command: Sequence[str] | None = None,
    ) -> None:
        self.written = b""
        self._open = True
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._master, self._slave = pty.openpty()
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._before = termios.tcgetattr(self._slave)
        self.program = subprocess.Popen(
            command or [sys.executable, "-m", "annotator", *map(str, words)],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            cwd=folder,
            env=_environment(folder),
            start_new_session=True,
        )

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return "\n".join(self._screen.display)

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def wait_for(self, holds: str | Callable[[], bool]) -> None:
        """Read on until something stands on the screen, or something else holds."""
        deadline = time.monotonic() + PATIENCE
        while not (holds in self.text if isinstance(holds, str) else holds()):
            assert time.monotonic() < deadline, f"in vain for {holds}:\n{self.text}"
            self._read()

    def rest(self, seconds: float) -> None:
        """Only read for a while."""
        deadline = time.monotonic() + seconds
        self.wait_for(lambda: time.monotonic() > deadline)

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size, as a window manager does."""
        self._screen.resize(rows, columns)
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.program.send_signal(signal.SIGWINCH)

    def written_over(self, text: bytes) -> None:
        """Take it that another program has written this to the terminal."""
        self._take(text)

    def hang_up(self, *, with_signal: bool = True) -> None:
        """Close the terminal's window; without a signal, as where it does not control anything."""
        os.close(self._slave)
        os.close(self._master)
        self._open = False
        if with_signal:
            self.program.send_signal(signal.SIGHUP)

    def kill(self) -> None:
        """End the program without a warning."""
        self.program.send_signal(signal.SIGKILL)
        self.program.wait(PATIENCE)

    def exit_code(self) -> int:
        """Wait until the program ends by itself."""
        self.wait_for(lambda: self.program.poll() is not None)
        while self._read():
            pass
        return self.program.wait(PATIENCE)

    def modes(self) -> set[int]:
        """The private modes that are set now."""
        now = {CURSOR}
        for numbers, what in _MODES.findall(self.written):
            named = {int(number) for number in numbers.split(b";")}
            now = now | named if what == b"h" else now - named
        return now

    def is_as_before(self) -> bool:
        """Whether lines, echo and the rest are as they were before the program."""
        return termios.tcgetattr(self._slave) == self._before

    def close(self) -> None:
        """End the program if it runs, and the terminal."""
        self.kill()
        if self._open:
            os.close(self._slave)
            os.close(self._master)

    def _read(self) -> bool:
        if not select.select([self._master], [], [], 0.05)[0]:
            return False
        self._take(os.read(self._master, 65536))
        return True

    def _take(self, chunk: bytes) -> None:
        self.written += chunk
        # pyte has one screen: where the other one comes, it begins empty.
        self._stream.feed(_OTHER_SCREEN.sub(_WIPED, _NOT_OF_PYTE.sub(b"", chunk)))


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return kept | {
        "PYTHONPATH": str(ROOT),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
    }
