"""Compares the places in `extra` and `unknown` of conformance cases with the resolved specifications.

A client keeps a field in `extra` if the specification does not declare it, or declares it with another type. A value is unknown if its open
set does not list it. Both follow from the specification and the expected outcome, without a client.

usage: places.py WORKSPACE CASES

CASES is the output of `vitalwire-conformance cases`.
"""

from __future__ import annotations

import datetime
import fnmatch
import json
import pathlib
import re
import sys
from typing import Any

import yaml

Json = Any
INSTANT = re.compile(r"(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?")
#: Operations that a wait for an upload calls at the end.
READ = {"upload_lab_report": "get_lab_report", "upload_nutrition_record": "get_nutrition_record"}
WEBHOOKS = {"events": "events", "lab_report": "lab_report", "nutrition": "nutrition_record"}


class Schema:
    """A schema with its document and resolved references."""

    def __init__(self, document: Json, schema: Json) -> None:
        self.document = document
        while "$ref" in schema:
            schema = self.at(schema["$ref"])
        if "allOf" in schema:
            parts = [Schema(document, part).schema for part in schema["allOf"]]
            merged = {name: value for part in parts for name, value in part.items()}
            merged["required"] = [name for part in [*parts, schema] for name in part.get("required", [])]
            merged["properties"] = {name: value for part in [*parts, schema] for name, value in part.get("properties", {}).items()}
            schema = merged
        self.schema = schema

    def at(self, reference: str) -> Json:
        found = self.document
        for name in reference.removeprefix("#/").split("/"):
            found = found[name]
        return found

    def of(self, schema: Json) -> Schema:
        return Schema(self.document, schema)

    @property
    def names(self) -> list[str] | None:
        """Returns the known names of an open set, including documented other spellings."""
        if "anyOf" not in self.schema:
            return None
        spelled = re.search(r"may also be spelled (.*?)\.", self.schema.get("description", ""))
        names = [name for part in self.schema["anyOf"] for name in part.get("enum", [])]
        return names + re.findall("`(.*?)`", spelled.group(1) if spelled else "")

    @property
    def properties(self) -> Json:
        return self.schema.get("properties", {})

    @property
    def is_numbers(self) -> bool:
        """Whether the schema is a number map, which may have other keys."""
        return bool(self.properties) and all(self.of(member).schema.get("type") == "number" for member in self.properties.values())

    def fits(self, value: Json) -> bool:
        """Whether a client can decode the value with this schema."""
        schema, kind = self.schema, self.schema.get("type")
        if self.names is not None or kind == "string":
            return isinstance(value, str) and is_text(value) and has_format(value, schema.get("format"))
        if kind == "boolean":
            return isinstance(value, bool)
        if kind == "integer":
            return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63
        if kind == "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        if kind == "array":
            item = self.of(schema["items"])
            gaps = item.schema.get("type") == "number"
            return isinstance(value, list) and all((gaps and one is None) or item.fits(one) for one in value)
        if kind == "object":
            return isinstance(value, dict) and all(self.has(value, name) for name in schema.get("required", []))
        return True

    def has(self, value: Json, name: str) -> bool:
        member = self.of(self.properties[name])
        return name in value and ((value[name] is None and bool(member.schema.get("nullable"))) or member.fits(value[name]))

    def walk(self, value: Json, place: str, extra: list[str], unknown: list[str]) -> None:
        """Adds the places below a value."""
        if self.names is not None:
            if isinstance(value, str) and value not in self.names:
                unknown.append(place)
        elif isinstance(value, list) and "items" in self.schema:
            for number, item in enumerate(value):
                self.of(self.schema["items"]).walk(item, f"{place}/{number}", extra, unknown)
        elif isinstance(value, dict) and (self.properties or "additionalProperties" in self.schema):
            for name, member in value.items():
                self.walk_member(name, member, f"{place}/{escaped(name)}", extra, unknown)

    def walk_member(self, name: str, value: Json, place: str, extra: list[str], unknown: list[str]) -> None:
        number = {"type": "number"} if self.is_numbers else None
        schema = self.properties.get(name) or self.schema.get("additionalProperties") or number
        if schema is None or (value is not None and not self.of(schema).fits(value)):
            extra.append(place)
        elif value is not None:
            self.of(schema).walk(value, place, extra, unknown)


def is_text(value: str) -> bool:
    """Whether the text is Unicode. Cases contain a text with half a surrogate pair as JSON."""
    try:
        (json.loads(value) if value.startswith('"') else value).encode()
    except UnicodeEncodeError:
        return False
    except json.JSONDecodeError:
        return True
    return True


def has_format(value: str, form: str | None) -> bool:
    if form not in ("date", "date-time"):
        return True
    match = INSTANT.fullmatch(value)
    if form == "date-time" and not match:
        return False
    day = match.group(1) if form == "date-time" and match else value
    try:
        return datetime.date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False


def escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def responses(document: Json) -> dict[str, Schema]:
    """Returns the response schema of each operation that has one."""
    found = {}
    for item in document["paths"].values():
        for operation in (operation for operation in item.values() if "operationId" in operation):
            for status, response in operation["responses"].items():
                if status.startswith("2") and "content" in response:
                    found[operation["operationId"]] = Schema(document, response["content"]["application/json"]["schema"])
    return found


class Cases:
    """Expected outcomes of the cases, with the specifications."""

    def __init__(self, root: pathlib.Path) -> None:
        self.fixtures = root / "tests/conformance/fixtures"
        documents = [yaml.safe_load(file.read_text()) for file in sorted((root / "openapi/resolved").glob("*.yaml"))]
        self.responses = {name: schema for document in documents for name, schema in responses(document).items()}
        self.health = next(document for document in documents if "x-webhooks" in document)
        self.problem = Schema(self.health, {"$ref": "#/components/schemas/ProblemDetails"})

    def body(self, body: Json) -> Json:
        if "fixture" in body:
            return json.loads((self.fixtures / body["fixture"]).read_text())
        if "repeat" in body:
            repeat = body["repeat"]
            items = repeat.get("between", "").join(repeat["item"].replace("{n}", str(number)) for number in range(repeat["times"]))
            return json.loads(repeat.get("open", "") + items + repeat.get("close", ""))
        return body["json"] if "json" in body else json.loads(body["text"].removeprefix("\ufeff"))

    def places(self, case: Json) -> tuple[list[str], list[str]]:
        extra: list[str] = []
        unknown: list[str] = []
        for outcome, schema, place in self.outcomes(case):
            if "error" in outcome:
                self.problem.walk(outcome["error"].get("problem"), f"{place}/problem", extra, unknown)
                if schema is not None:
                    schema.walk(outcome["error"].get("last"), f"{place}/last", extra, unknown)
            elif schema is not None:
                same = outcome.get("same_as_reply")
                value = outcome["value"] if same is None else self.body(case["exchanges"][same]["reply"]["body"])
                schema.walk(value, f"{place}/value", extra, unknown)
        return extra, unknown

    def outcomes(self, case: Json) -> list[tuple[Json, Schema | None, str]]:
        """Returns each outcome of a case, its schema and its place."""
        (kind, call), outcome = next(iter(case["call"].items())), case["outcome"]
        if kind == "in_row":
            rows = enumerate(zip(call, outcome["in_row"], strict=True))
            return [(one, self.responses.get(called["id"]), f"/in_row/{at}") for at, (called, one) in rows]
        if kind == "webhook":
            body = self.health["x-webhooks"][WEBHOOKS[call["kind"]]]["post"]["requestBody"]
            return [(outcome, Schema(self.health, body["content"]["application/json"]["schema"]), "")]
        if kind == "wait":
            return [(outcome, self.responses.get(READ.get(call["id"], call["id"])), "")]
        # Parameters of a redirect, rows of a table, changes of a sync and places of parts are not fields of a model.
        return [(outcome, None if kind in ("redirect", "nights", "sync") or "turn" in call else self.responses.get(call["id"]), "")]


def differences(listed: list[str], places: list[str]) -> list[str]:
    """Returns places that are missing in a case, or listed there by mistake. A star stands for any characters of one name."""

    def fits(place: str, pattern: str) -> bool:
        one, other = place.split("/"), pattern.split("/")
        pairs = zip(one, other, strict=False)
        same = (fnmatch.fnmatchcase(name, expected) if "*" in expected else name == expected for name, expected in pairs)
        return len(one) == len(other) and all(same)

    if not any("*" in pattern for pattern in listed):
        return sorted(set(listed) ^ set(places))
    missing = [place for place in places if not any(fits(place, pattern) for pattern in listed)]
    return missing + [pattern for pattern in listed if not any(fits(place, pattern) for place in places)]


def main() -> None:
    root = pathlib.Path(sys.argv[1])
    cases, count, wrong = Cases(root), 0, []
    for case in json.loads(pathlib.Path(sys.argv[2]).read_text()):
        places = cases.places(case)
        count += any(places)
        for name, expected in zip(("extra", "unknown"), places, strict=True):
            wrong += [f"{case['id']}: {place} in `{name}`" for place in differences(case.get(name, []), expected)]
    print(f"{count} cases have extra fields or unknown values by the specifications; {len(wrong)} places differ")
    for line in wrong[:20]:
        print(line)
    sys.exit(bool(wrong) or count == 0)


if __name__ == "__main__":
    main()
