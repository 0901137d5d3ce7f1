"""What a document holds never reaches the terminal as anything but text: told by a real one."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

PROGRAM = r"""
from textual.app import App
from annotator.tui.widgets.document_view import DocumentView

HOSTILE = (
    "\x1b]2;EVIL-title\x07 \x1b]52;c;RVZJTA==\x07 \x1b[31mEVIL-red \x9b31mEVIL-c1"
    " \x9d2;EVIL-osc\x9c \u202eEVIL-bidi\u202c \u200bEVIL-zero\ufeff \x00EVIL-nul \x7fEVIL-del"
    " \ud800EVIL-half \u2028EVIL-line \x85EVIL-nel \U000e0041EVIL-tag \x08\rEVIL-back"
)

class Reading(App):
    def compose(self):
        yield DocumentView()

    def on_mount(self):
        view = self.query_one(DocumentView)
        view.show("TITLE " + HOSTILE, "TEXT " + HOSTILE + " LAST-WORD", ["URL " + HOSTILE])
        view.focus()

Reading().run()
"""


def written_to_terminal(program: str, until: bytes, then: bytes) -> bytes:
    """Run a program in a terminal; type something once it has said something; all it wrote."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
    }
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment,
        start_new_session=True,
    )
    os.close(slave)
    written, typed, deadline = b"", False, time.monotonic() + 30
    try:
        while time.monotonic() < deadline:
            if select.select([master], [], [], 0.1)[0]:
                try:
                    written += os.read(master, 65536)
                except OSError:  # so a terminal tells that nobody writes to it any more
                    break
            if until in written and not typed:
                os.write(master, then)
                typed = True
        assert child.wait(10) == 0, written
    finally:
        child.kill()
        child.wait()
        os.close(master)
    return written


def test_no_control_character_of_a_document_reaches_the_terminal() -> None:
    written = written_to_terminal(PROGRAM, until=b"LAST-WORD", then=b"\x11")
    shown = written.decode("utf-8")
    for start in ("TITLE ", "URL ", "TEXT "):
        assert start + "␛]2;EVIL-title␇ ␛]52;c;RVZJTA==␇ ␛[31mEVIL-red" in shown
    assert "\x1b]2;" not in shown
    assert "\x1b]52;" not in shown
    assert "\x1b[31m" not in shown
    hidden = re.findall(
        "[\x00-\x06\x08\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0041]", shown
    )
    assert hidden == []
