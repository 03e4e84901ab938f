"""Compares the public names of two versions of the package, in its code and stubs.

Arguments: a folder with the earlier package, and one with the new package. Prints a line for each change: the effect, a tab, the text.
Griffe finds breaking changes. This script finds new names and parameters.
"""

import re
import sys

import griffe

PACKAGE = "vitalwire"


def public_names(module: griffe.Object | griffe.Alias) -> dict[str, list[str]]:
    """Return the public names, each with the names of its parameters."""
    names: dict[str, list[str]] = {}
    for member in module.members.values():
        # Names that other packages define cannot be resolved, and are not part of this API.
        try:
            target = member.final_target if member.is_alias else member
        except griffe.AliasResolutionError:
            continue
        if not member.is_public:
            continue
        path = f"{module.path}.{member.name}"
        names[path] = [parameter.name for parameter in target.parameters] if target.is_function else []
        if target.is_class or (target.is_module and not member.is_alias):
            names |= {path + inner[len(target.path) :]: found for inner, found in public_names(target).items()}
    return names


def explain(found: griffe.Breakage) -> str:
    """Return the name and its change, without the file and without colors."""
    line = re.sub(r"\x1b\[\d*m", "", found.explain(griffe.ExplanationStyle.ONE_LINE))
    return line.split(": ", 1)[1]


def main() -> None:
    """Print the changes."""
    old, new = (griffe.load(PACKAGE, search_paths=[folder], allow_inspection=False) for folder in sys.argv[1:3])
    for text in sorted({explain(found) for found in griffe.find_breaking_changes(old, new)}):
        print("breaking", text, sep="\t")
    before, after = public_names(old), public_names(new)
    for path in sorted(after):
        if path not in before:
            print("addition", path, sep="\t")
        for parameter in after[path]:
            if path in before and parameter not in before[path]:
                print("addition", f"{path}({parameter})", sep="\t")


main()
