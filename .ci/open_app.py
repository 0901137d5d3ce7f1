"""Open a program in a pseudo-terminal, wait for its first document, and leave with ctrl+q."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

SIGN = b"Highly relevant"
SECONDS = 30


def main(command: list[str]) -> int:
    """Return 0 if the app showed its grades and left cleanly."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(command[0], command)  # noqa: S606 -- the program under test
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    seen, left, until = b"", False, time.monotonic() + SECONDS
    while time.monotonic() < until:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        if ready:
            try:
                chunk = os.read(terminal, 65536)
            except OSError:
                break
            if not chunk:
                break
            seen += chunk
        if SIGN in seen and not left:
            os.write(terminal, b"\x11")
            left = True
    if not left:
        os.kill(child, 9)
        sys.stderr.write(f"the app did not show {SIGN!r} within {SECONDS} s\n")
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
