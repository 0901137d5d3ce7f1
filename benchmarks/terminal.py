"""A program in a pseudo-terminal, and how long it takes to show something."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Mapping
from pathlib import Path

PATIENCE = 60.0
AGAIN = 4.0
"""Seconds after which a key is taken for ignored, and pressed again."""


class Terminal:
    """A program in a pseudo-terminal of 120 columns and 40 lines."""

    def __init__(self, *command: object, env: Mapping[str, str] | None = None) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.began = time.perf_counter()
        self._process = subprocess.Popen(
            list(map(str, command)),
            stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **(env or {})},
        )  # fmt: skip
        os.close(slave)
        self.ignored = 0

    def shows(self, mark: bytes, began: float, patience: float = PATIENCE) -> float | None:
        """Milliseconds until something is written that has this in it; None if it does not come."""
        seen = b""
        while mark not in seen:
            left = patience - (time.perf_counter() - began)
            if left < 0 or not select.select([self._master], [], [], left)[0]:
                return None
            seen += os.read(self._master, 65536)
        return 1000 * (time.perf_counter() - began)

    def opens(self, mark: bytes) -> float:
        """Milliseconds from the start of the process until it shows this."""
        taken = self.shows(mark, self.began)
        if taken is None:
            raise SystemExit(f"in vain for {mark!r}")
        return taken

    def press(self, key: bytes, mark: bytes, gap: float) -> float:
        """Milliseconds from a key to what it shows; then read on until ``gap`` seconds passed."""
        for _ in range(10):
            began = time.perf_counter()
            os.write(self._master, key)
            if (taken := self.shows(mark, began, AGAIN)) is not None:
                self.rest(gap)
                return taken
            self.ignored += 1
        raise SystemExit(f"{key!r} does not bring {mark!r}")

    def rest(self, seconds: float) -> None:
        """Read what comes for a while."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            if select.select([self._master], [], [], left)[0]:
                os.read(self._master, 65536)

    def cpu(self) -> float:
        """Milliseconds of processor time used so far; nan where the system does not tell."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return float("nan")
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End the program."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        os.close(self._master)
