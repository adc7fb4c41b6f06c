"""The law: no value in any parameter, field, form or body of any route ends in a server error.

Numbers that no database holds, what is no number, NUL, half characters and endless texts are each
refused as a fault of who asks, alike on SQLite and on PostgreSQL.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import pytest
from fastapi import FastAPI

from audit.auth.permissions import Role
from audit.settings import Settings
from audit.store import Store, open_store
from audit.web.app import create_app
from tests.audit.postgresql_server import PostgreSQL
from tests.web import samples
from tests.web.asking import COOKIE, HOUSE, session

Json = dict[str, Any]

NO_END = "x" * 60_000
NUL = "a\x00b"
HALF = "\ud800"
TOO_HIGH, TOO_LOW = 2**63, -(2**63) - 1

IN_ADDRESSES = ("9223372036854775808", "-1", "NaN", NUL, NO_END[:2000])
"""For a parameter of a path or query, whatever it is."""

NEVER: tuple[object, ...] = (TOO_HIGH, TOO_LOW, float("nan"), NUL, HALF)
"""What no field of any body takes."""

ODD: tuple[object, ...] = (-1, NO_END)
"""What some field may take."""

MINDED: dict[str, tuple[object, ...]] = {
    "sqlite": (TOO_HIGH, *IN_ADDRESSES[:3], HALF, *ODD),
    "postgresql": (TOO_LOW, IN_ADDRESSES[0], NUL),
}
"""Which values each database is asked for: those that it would stumble over if they came to it."""

KEPT_OUT = {"/api/v1/stream", "/api/v1/verification", "/fragments/verification"}
"""Asked for without values: a stream that does not end, and a whole verification."""


@dataclass(frozen=True)
class Question:
    """A request with one hostile value in it."""

    method: str
    path: str
    value: object
    where: str
    body: bytes = b""
    kind: str = "application/json"
    refused: bool = False
    """Whether the value is one that nothing can be done with."""


@pytest.fixture(params=list(MINDED))
def backend(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def app(backend: str, request: pytest.FixtureRequest, settings: Settings) -> Iterator[FastAPI]:
    url = settings.database_url
    if backend == "postgresql":
        server: PostgreSQL = request.getfixturevalue("postgresql")
        url = server.fresh()
    with ExitStack() as ending:
        store = open_store(url, settings.data_dir)
        ending.callback(store.close)
        fill(store)
        made = create_app(store, settings)
        yield made


def fill(store: Store) -> None:
    samples.start_table(store)
    samples.see(store, samples.tricks())
    samples.find(store, samples.FOLLOW)
    samples.end_round(store)


def resolved(schema: Json, whole: Json) -> Json:
    """A schema without its references and choices: what a field most plainly is."""
    while "$ref" in schema or "anyOf" in schema:
        if "$ref" in schema:
            schema = whole["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        else:
            schema = schema["anyOf"][0]
    return schema


def plain(schema: Json, whole: Json) -> Any:  # noqa: ANN401  # whatever JSON is
    """A value that a schema takes."""
    schema = resolved(schema, whole)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    match schema.get("type"):
        case "object":
            needed = schema.get("required", [])
            fields = schema.get("properties", {})
            return {name: plain(fields[name], whole) for name in needed}
        case "array":
            return [plain(schema["items"], whole)] if schema["items"] else []
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case _:
            return "2026-11-30T05:33:00Z" if schema.get("format") == "date-time" else "T1"


def bodies(schema: Json, whole: Json) -> Iterator[tuple[str, object, Any]]:
    """Bodies with one hostile value each: the field's name, the value, the body."""
    base = plain(schema, whole)
    for name, field in resolved(schema, whole).get("properties", {}).items():
        for value in (*NEVER, *ODD):
            yield name, value, base | {name: value}
            if resolved(field, whole).get("type") == "object" and value in (NUL, HALF):
                yield name, value, base | {name: {"deep": [value]}}
                yield name, value, base | {name: {str(value): 1}}
            if (inner := resolved(field, whole)).get("type") == "array":
                for part in resolved(inner["items"], whole).get("properties", {}):
                    item = plain(inner["items"], whole) | {part: value}
                    yield f"{name}.{part}", value, base | {name: [item]}


def of_operation(path: str, method: str, operation: Json, whole: Json) -> Iterator[Question]:
    parameters = operation.get("parameters", [])
    plainly = {
        one["name"]: str(plain(one["schema"], whole))
        for one in parameters
        if one["in"] == "path" or one.get("required")
    }
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    sent = json.dumps(plain(body["schema"], whole)).encode() if body else b""

    def address(**changed: str) -> str:
        values = plainly | changed
        named = {one["name"] for one in parameters if one["in"] == "query"} & set(values)
        filled = re.sub(r"{(\w+)}", lambda found: quote(values[found[1]], safe=""), path)
        query = urlencode({name: values[name] for name in named})
        return f"{filled}?{query}" if query else filled

    for one in parameters:
        if one["in"] in ("path", "query"):
            number = resolved(one["schema"], whole).get("type") == "integer"
            for value in IN_ADDRESSES:
                refused = value == NUL or number
                where = f"{one['in']} {one['name']}"
                changed = address(**{one["name"]: value})
                yield Question(method, changed, value, where, sent, refused=refused)
    for name, odd, made in bodies(body["schema"], whole) if body else ():
        refused = any(odd is one for one in NEVER)
        text = json.dumps(made).encode()
        yield Question(method, address(), odd, f"body {name}", text, refused=refused)


def of_the_api(whole: Json) -> Iterator[Question]:
    for path, operations in whole["paths"].items():
        for method, operation in operations.items():
            if path not in KEPT_OUT:
                yield from of_operation(path, method.upper(), operation, whole)


FORMS = re.compile(r"<form[^>]*method=\"(?P<method>get|post)\"[^>]*?>.*?</form>", re.DOTALL)
ACTION = re.compile(r'<form[^>]*action="([^"]+)"')
FIELD = re.compile(r'name="([\w-]+)"')


def of_page(path: str, text: str) -> Iterator[Question]:
    """Every field of every form of a page, and where a page of results begins."""
    begins, fields = {"before", "after", "alert"}, {"lang"}
    for form in FORMS.finditer(text):
        names = set(FIELD.findall(form[0])) - {"form_token"}
        if form["method"] == "get":
            fields |= names
            continue
        action = found[1] if (found := ACTION.search(form[0])) else path
        for name in sorted(names):
            for value in (NUL, NO_END[:20_000]):
                body = urlencode(dict.fromkeys(names, "T1") | {name: value}).encode()
                kind = "application/x-www-form-urlencoded"
                yield Question("POST", action, value, f"form {name}", body, kind)
    for value in IN_ADDRESSES:
        yield Question("GET", f"{path}?{urlencode(dict.fromkeys(fields, value))}", value, "all")
        for name in sorted(begins):
            yield Question("GET", f"{path}?{urlencode({name: value})}", value, name)


def pages_of(app: FastAPI) -> Iterator[str]:
    """The addresses of all pages and pieces, with what the samples hold in them."""
    known = {"table": "T1", "round_id": "T1-0001", "number": "1", "entry": "1", "kind": "audit"}
    for route in app.state.routes.all():
        hidden = not route.path.startswith(("/api/", "/static"))
        if "GET" in route.methods and hidden and route.path not in KEPT_OUT:
            yield re.sub(r"{(\w+)(:path)?}", lambda found: known.get(found[1], "x"), route.path)


async def faults(app: FastAPI, backend: str) -> tuple[int, list[str]]:
    roles = (*HOUSE, Role.ADMINISTRATOR)
    headers = {"Cookie": f"{COOKIE}={session(app, *roles)}", "X-Pitwatch-Act": "1"}
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    asked, found = 0, []
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1:8000", headers=headers
    ) as client:
        questions = list(of_the_api(app.openapi()))
        for path in pages_of(app):
            page = await client.get(path)
            questions += of_page(path, page.text)
        for one in questions:
            if one.value not in MINDED[backend] and isinstance(one.value, int | str):
                continue
            answer = await client.request(
                one.method, one.path, content=one.body, headers={"Content-Type": one.kind}
            )
            asked += 1
            wrong = answer.status_code >= 500 or (one.refused and answer.status_code < 400)
            if wrong:
                told = f"{one.method} {one.path[:80]} {one.where} = {one.value!s:.30}"
                found.append(f"{told}: {answer.status_code} {answer.text[:120]}")
    return asked, found


def test_no_value_anywhere_ends_in_a_server_error(app: FastAPI, backend: str) -> None:
    with ThreadPoolExecutor(1) as apart:  # a browser test before may have left its loop running
        asked, found = apart.submit(asyncio.run, faults(app, backend)).result()
    assert asked > 400
    assert found == []
