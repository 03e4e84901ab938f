"""Checks that openapi-python-client generates a complete client from a resolved specification, and calls a sandbox with it.

Standard input is the output of `cargo xtask codegen --dump-ir`. The client must have every field and known name of the parameters, bodies and
responses of all operations. A missing name shows that other tools cannot read that part of the specification.

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
    """Returns the names of all types of parameters, bodies and responses, including nested ones."""
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
        add([operation["response"], operation["body"], [param["ty"] for param in operation["params"]]])
    return reached


def main() -> None:
    service, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    ir = json.load(sys.stdin)
    parts = {part["name"]: part for kind in ("models", "open_sets", "number_maps", "series_maps") for part in ir[kind]}
    files = [file.read_text() for file in (folder / "models").glob("*.py")]
    count, missing = 0, []
    for name in sorted(types_of([operation for operation in ir["operations"] if operation["service"] == service], parts)):
        names = [part["wire"] for part in parts[name].get("members", parts[name].get("values", []))]
        count += len(names)
        # The generator may merge an extension into its object, and a set with several uses has one file.
        # Choose the file that lacks the fewest names.
        nearest = min(([name for name in names if f'"{name}"' not in text] for text in files), key=len)
        missing += [f"{name}.{lacking}" for lacking in nearest]
    print(f"{folder.name}: {count} fields and names, {len(missing)} missing {missing[:20]}")
    if service == "health":
        sys.path.insert(0, os.fspath(folder.parent))
        client = importlib.import_module(f"{folder.name}.client")
        operation = importlib.import_module(f"{folder.name}.api.user.get_user_info")
        authenticated = client.AuthenticatedClient(base_url=os.environ["VITALWIRE_BASE_URL"], token=os.environ["VITALWIRE_TOKEN"])
        info = operation.sync(client=authenticated)
        print(f"{folder.name} called get_user_info: {len(info.integrated_providers)} integrations")
    sys.exit(bool(missing) or count == 0)


if __name__ == "__main__":
    main()
