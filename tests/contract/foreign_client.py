"""Counts what a client has that openapi-python-client made of a resolved specification, and calls a sandbox with it.

Standard input is our own reading of the specifications, `cargo xtask codegen --dump-ir`. Every field and every known name that an operation answers
or takes has to be in the foreign client too: what it lost, other tools do not see.

usage: foreign_client.py SERVICE PACKAGE_FOLDER < IR.json
"""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import sys
from typing import Any


def types_of(operations: list[dict[str, Any]], parts: dict[str, dict[str, Any]]) -> set[str]:
    """The names of all types that operations answer or take, those inside of others too."""
    reached: set[str] = set()

    def add(found: object) -> None:
        if isinstance(found, dict):
            add(list(found.values()))
        elif isinstance(found, list):
            for value in found:
                add(value)
        elif isinstance(found, str) and found in parts and found not in reached:
            reached.add(found)
            add([member["ty"] for member in parts[found].get("members", [])])
            add(parts[found].get("keys"))

    for operation in operations:
        add([operation["answer"], operation["body"], [param["ty"] for param in operation["params"]]])
    return reached


def main() -> None:
    service, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    ir = json.load(sys.stdin)
    parts = {part["name"]: part for kind in ("models", "open_sets", "number_maps", "series_maps") for part in ir[kind]}
    files = [file.read_text() for file in (folder / "models").glob("*.py")]
    count, lost = 0, []
    for name in sorted(types_of([operation for operation in ir["operations"] if operation["service"] == service], parts)):
        names = [part["wire"] for part in parts[name].get("members", parts[name].get("values", []))]
        count += len(names)
        # What extends an object may be made as that object, and a set that several share has one file.
        nearest = min(([name for name in names if f'"{name}"' not in text] for text in files), key=len)
        lost += [f"{name}.{missing}" for missing in nearest]
    print(f"{folder.name}: {count} fields and names, {len(lost)} lost {lost[:20]}")
    if service == "health":
        sys.path.insert(0, os.fspath(folder.parent))
        client = importlib.import_module(f"{folder.name}.client")
        operation = importlib.import_module(f"{folder.name}.api.user.get_user_info")
        made = client.AuthenticatedClient(base_url=os.environ["VITALWIRE_BASE_URL"], token=os.environ["VITALWIRE_TOKEN"])
        info = operation.sync(client=made)
        print(f"{folder.name} called get_user_info: {len(info.integrated_providers)} integrations")
    sys.exit(bool(lost) or count == 0)


if __name__ == "__main__":
    main()
