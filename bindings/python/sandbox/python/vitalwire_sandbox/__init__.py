"""The program `vitalwire` as a package, for `vitalwire.Sandbox`."""

import importlib.metadata
import os

__all__ = ["program"]


def program() -> str:
    """The path of the program, as it was installed with this package."""
    # What was installed is listed, so that it is found in every kind of environment, and on no PATH.
    for file in importlib.metadata.files("vitalwire-sandbox") or ():
        if file.name in ("vitalwire", "vitalwire.exe"):
            return os.path.normpath(file.locate())
    raise FileNotFoundError("this installation of vitalwire-sandbox has no program")
