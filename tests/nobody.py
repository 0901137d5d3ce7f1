"""The program as one whom permissions hold back, where the tests run as root, whom they do not.

python -m tests.nobody WORD…      runs `annotator WORD…`
"""

from __future__ import annotations

import os
import pkgutil
import sys
from importlib import import_module

NOBODY = 65534


def become(*packages: str) -> None:
    """Be nobody from now on, if this is root; with more ``packages`` loaded than the program's.

    All is loaded before: nobody may not read it.
    """
    if os.geteuid() != 0:
        return
    for package in map(import_module, ("annotator", "rubric", *packages)):
        for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not one.name.endswith("__main__"):
                import_module(one.name)
    for name in ("tabulate", "textual.drivers.linux_driver"):
        import_module(name)
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


if __name__ == "__main__":
    become("textual.widgets")
    from annotator.cli import main

    sys.exit(main(sys.argv[1:]))
