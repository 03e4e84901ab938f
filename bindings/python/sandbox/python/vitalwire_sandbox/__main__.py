"""Runs the program `vitalwire` as `python -m vitalwire_sandbox`, if scripts are not on PATH."""

import os
import subprocess
import sys

from vitalwire_sandbox import program


def main() -> None:
    """Replaces this process with the program."""
    command = [program(), *sys.argv[1:]]
    if sys.platform == "win32":
        # Windows cannot replace a process with another program.
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
