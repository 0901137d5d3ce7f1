"""The script of docs/models.md asks a server for grades, goes on where it was stopped, and its
answers are imported as they are."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

from annotator.cli import main
from tests.projects import ROOT

PAGE = (ROOT / "docs" / "models.md").read_text("utf-8")


class StandIn(BaseHTTPRequestHandler):
    """Answers as such a server does; the first time it is asked of d3 it fails."""

    asked: ClassVar[list[str]] = []
    replies: ClassVar[dict[str, str]] = {
        "d1": "Grade: 2",
        "d2": "I cannot say.",
        "d3": "1",
        "d4": "7",
    }

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        content = body["messages"][0]["content"]
        document = re.search(r"about (d\d)", content)
        assert document
        name = document[1]
        self.asked.append(name)
        if name == "d3" and self.asked.count("d3") == 1:
            self.send_error(500)
            return
        message = {"role": "assistant", "content": self.replies[name]}
        reply = json.dumps({"model": "tiny-1", "choices": [{"message": message}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    StandIn.asked = []
    with HTTPServer(("127.0.0.1", 0), StandIn) as one:
        thread = Thread(target=one.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{one.server_address[1]}/v1/chat/completions"
        one.shutdown()
        thread.join()


def test_the_recipe_asks_each_pair_once_and_its_answers_are_taken(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ANNOTATOR_PROJECT", raising=False)
    (script,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    Path("ask.py").write_text(script)
    Path("prompt.txt").write_text("How well does {document} serve {query}? 0 to 3.")
    Path("q.tsv").write_text("q1\tfirst question\n")
    Path("a.run").write_text("".join(f"q1 Q0 d{n} {n} {9 - n} a\n" for n in range(1, 5)))
    Path("t.jsonl").write_text(
        "".join(f'{{"_id": "d{n}", "text": "all about d{n}"}}\n' for n in range(1, 5))
    )
    for command in (
        "init", "import queries q.tsv", "import run a.run", "pool", "import documents t.jsonl",
        "export pairs pairs.jsonl",
    ):  # fmt: skip
        assert main(command.split()) == 0

    def ask() -> None:
        words = [sys.executable, "ask.py", server, "tiny", "prompt.txt", "pairs.jsonl", "out.jsonl"]
        subprocess.run(words, check=True, timeout=60)

    ask()
    answers = Path("out.jsonl")
    assert "failed" in answers.read_text()
    *whole, last = answers.read_text().splitlines(keepends=True)
    answers.write_text("".join(whole) + last[: len(last) // 2])  # stopped while it wrote
    cut = json.loads(last)["docid"]
    ask()
    assert StandIn.asked.count("d3") == 2
    assert sorted(StandIn.asked) == sorted(["d1", "d2", "d3", "d4", *{"d3", cut}])
    ask()
    assert len(StandIn.asked) == 4 + len({"d3", cut})
    capsys.readouterr()
    assert main(["import", "judgments", "out.jsonl"]) == 0
    said = capsys.readouterr().out
    assert "answers that failed: unreadable    1" in said
    assert "answers that failed: out of range  1" in said
    assert main(["export", "qrels", "-", "--assessor", "tiny"]) == 0
    assert capsys.readouterr().out == "q1 0 d1 2\nq1 0 d3 1\n"
