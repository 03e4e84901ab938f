"""`python -m vitalwire_sandbox`: the program `vitalwire`, where scripts are not on PATH."""

import os
import subprocess
import sys

from vitalwire_sandbox import program


def main() -> None:
    """Runs the program in place of this one."""
    command = [program(), *sys.argv[1:]]
    if sys.platform == "win32":
        # There a program cannot take the place of another.
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
