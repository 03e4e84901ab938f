"""Compares the places that conformance cases list in `extra` and `unknown` with those that the resolved specifications give.

A client keeps a member in `extra` if the specification does not declare it, or declares it with another type; it does not know a value
that an open set does not list. Both follow from the specification and the expected outcome alone: no client has a part in this.

usage: places.py WORKSPACE
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
#: What a wait for an upload reads in the end.
READ = {"upload_lab_report": "get_lab_report", "upload_nutrition_record": "get_nutrition_record"}
WEBHOOKS = {"events": "events", "lab_report": "lab_report", "nutrition": "nutrition_record"}


class Schema:
    """A schema with its document, references followed."""

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
        """The known names of an open set; other spellings that are documented are known, too."""
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
        """Whether it is a wide object of numbers, which may have others."""
        return bool(self.properties) and all(self.of(member).schema.get("type") == "number" for member in self.properties.values())

    def fits(self, value: Json) -> bool:
        """Whether a client can read the value as this."""
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
    """Whether it is Unicode. A text with half a surrogate pair is not, and stands in a case as its JSON text."""
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


def answers(document: Json) -> dict[str, Schema]:
    """What each operation answers, where that is something."""
    found = {}
    for item in document["paths"].values():
        for operation in (operation for operation in item.values() if "operationId" in operation):
            for status, response in operation["responses"].items():
                if status.startswith("2") and "content" in response:
                    found[operation["operationId"]] = Schema(document, response["content"]["application/json"]["schema"])
    return found


class Cases:
    """What cases expect, beside the specifications."""

    def __init__(self, root: pathlib.Path) -> None:
        self.fixtures = root / "tests/conformance/fixtures"
        documents = [yaml.safe_load(file.read_text()) for file in sorted((root / "openapi/resolved").glob("*.yaml"))]
        self.answers = {name: schema for document in documents for name, schema in answers(document).items()}
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
        """Each outcome of a case, what it is, and where."""
        (kind, call), outcome = next(iter(case["call"].items())), case["outcome"]
        if kind == "in_row":
            rows = enumerate(zip(call, outcome["in_row"], strict=True))
            return [(one, self.answers.get(called["id"]), f"/in_row/{at}") for at, (called, one) in rows]
        if kind == "webhook":
            body = self.health["x-webhooks"][WEBHOOKS[call["kind"]]]["post"]["requestBody"]
            return [(outcome, Schema(self.health, body["content"]["application/json"]["schema"]), "")]
        if kind == "wait":
            return [(outcome, self.answers.get(READ.get(call["id"], call["id"])), "")]
        # Parameters of a return, and places of parts, are no members of a model.
        return [(outcome, None if kind == "redirect" or "turn" in call else self.answers.get(call["id"]), "")]


def differences(listed: list[str], places: list[str]) -> list[str]:
    """Places that a case lists wrongly or not at all. A star is any characters of one name."""

    def fits(place: str, pattern: str) -> bool:
        one, other = place.split("/"), pattern.split("/")
        pairs = zip(one, other, strict=False)
        same = (fnmatch.fnmatchcase(name, wanted) if "*" in wanted else name == wanted for name, wanted in pairs)
        return len(one) == len(other) and all(same)

    if not any("*" in pattern for pattern in listed):
        return sorted(set(listed) ^ set(places))
    missing = [place for place in places if not any(fits(place, pattern) for pattern in listed)]
    return missing + [pattern for pattern in listed if not any(fits(place, pattern) for place in places)]


def main() -> None:
    root = pathlib.Path(sys.argv[1])
    cases, count, wrong = Cases(root), 0, []
    for file in sorted((root / "tests/conformance/cases").glob("*/*.json")):
        for case in json.loads(file.read_text()):
            places = cases.places(case)
            count += any(places)
            for name, expected in zip(("extra", "unknown"), places, strict=True):
                wrong += [f"{case['id']}: {place} in `{name}`" for place in differences(case.get(name, []), expected)]
    print(f"{count} cases have members of `extra` or unknown values by the specifications; listed otherwise: {len(wrong)}")
    for line in wrong[:20]:
        print(line)
    sys.exit(bool(wrong) or count == 0)


if __name__ == "__main__":
    main()
