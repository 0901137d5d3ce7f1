from __future__ import annotations

from pathlib import Path

import pytest

from annotator.errors import ProjectError
from annotator.rubric_files import presets
from annotator.store import Project
from annotator.store.sqlite.location import network_file_system

MOUNTS = r"""
21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
30 21 0:40 / /mnt/team rw shared:5 - nfs4 server:/x rw
31 30 0:41 / /mnt/team/local rw - tmpfs tmpfs rw
32 21 0:42 / /mnt/my\040disk rw master:1 - fuse.sshfs host: rw
a broken line
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/ann/judgments.db", ""),
        ("/mnt/team/judgments.db", "nfs4"),
        ("/mnt/teams/judgments.db", ""),
        ("/mnt/team/local/judgments.db", ""),
        ("/mnt/my disk/deep/judgments.db", "fuse.sshfs"),
    ],
)
def test_a_network_file_system_is_known_by_the_innermost_mount(
    tmp_path: Path, path: str, kind: str
) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS)
    assert network_file_system(Path(path), mounts) == kind


def test_nothing_is_said_where_nothing_is_known(tmp_path: Path) -> None:
    assert network_file_system(Path("/mnt/team/judgments.db"), tmp_path / "missing") == ""


def test_where_no_project_is_the_ones_beside_are_named_and_nothing_else(tmp_path: Path) -> None:
    looked_for = tmp_path / "judgments.db"
    with pytest.raises(ProjectError, match=r"annotator init.*annotator demo"):
        Project.open(looked_for)
    for name in ("a b.db", "a b.2026-11-30.daily.backup.db"):
        Project.create(tmp_path / name, presets()["general"]).close()
    (tmp_path / "other.db").write_text("something else")
    (tmp_path / "folder.db").mkdir()
    with pytest.raises(ProjectError) as failure:
        Project.open(looked_for)
    assert failure.value.message.endswith(f"; beside it: `-p '{tmp_path / 'a b.db'}'`")
