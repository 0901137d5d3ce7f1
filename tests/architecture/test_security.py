"""No code from data, no shell; files as private as the person asked for."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from annotator.store import Project
from tests.projects import ROOT, general

SOURCES = sorted([*ROOT.glob("annotator/**/*.py"), *ROOT.glob("rubric/**/*.py")])
MODULES = {"pickle", "marshal", "shelve", "dill", "joblib", "cloudpickle", "subprocess", "pty"}
CALLS = {"eval", "exec", "compile", "__import__"}
OF_OS = {"system", "popen", "spawnl", "spawnv", "execv", "execl", "execvp", "posix_spawn"}


def uses(tree: ast.AST) -> set[str]:
    """What a module uses that could run what data says."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found |= {one.name.split(".")[0] for one in names} & MODULES
            case ast.ImportFrom(module=str(module)):
                found |= {module.split(".")[0]} & MODULES
            case ast.Call(func=ast.Name(id=name)) if name in CALLS:
                found.add(name)
            case ast.Attribute(value=ast.Name(id="os"), attr=name) if name in OF_OS:
                found.add(f"os.{name}")
            case ast.keyword(arg="allow_pickle") | ast.keyword(arg="shell"):
                found.add(str(node.arg))
    return found


def test_no_data_is_ever_run_as_code_or_reaches_a_shell() -> None:
    found = {str(one.relative_to(ROOT)): uses(ast.parse(one.read_text("utf-8"))) for one in SOURCES}
    assert {path: used for path, used in found.items() if used} == {}


def test_the_look_for_it_finds_it() -> None:
    text = "import pickle, os\nfrom subprocess import run\neval('1')\nos.system('x')\nf(shell=True)"
    assert uses(ast.parse(text)) == {"pickle", "subprocess", "eval", "os.system", "shell"}


@pytest.mark.parametrize(("umask", "mode"), [(0o077, 0o600), (0o027, 0o640), (0o022, 0o644)])
def test_a_new_project_is_as_private_as_the_umask_says(
    tmp_path: Path, umask: int, mode: int
) -> None:
    before = os.umask(umask)
    try:
        Project.create(tmp_path / "judgments.db", general()).close()
        project = Project.open(tmp_path / "judgments.db")
        project.file.copy_to(tmp_path / "copy.db")
        project.close()
    finally:
        os.umask(before)
    for name in ("judgments.db", "copy.db"):
        assert (tmp_path / name).stat().st_mode & 0o777 == mode
