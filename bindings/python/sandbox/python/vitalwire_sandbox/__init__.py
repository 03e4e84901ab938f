"""The program `vitalwire` as a package, for `vitalwire.Sandbox`."""

import importlib.metadata
import os

__all__ = ["program"]


def program() -> str:
    """Returns the path of the program installed with this package."""
    # Searches the list of installed files, which works in every kind of environment and without PATH.
    for file in importlib.metadata.files("vitalwire-sandbox") or ():
        if file.name in ("vitalwire", "vitalwire.exe"):
            return os.path.normpath(file.locate())
    raise FileNotFoundError("this installation of vitalwire-sandbox has no program")
