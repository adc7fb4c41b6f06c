"""The published description of `/api/v1`: with who may ask, and every answer that may come."""

from collections.abc import Callable, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from audit.auth.permissions import SCOPED, Action, Permit
from audit.web.routes import Routes
from audit.web.security import ACT_HEADER

JsonObject = dict[str, Any]

_PROBLEMS: Mapping[int, str] = {
    400: "The request cannot be read.",
    401: "Nobody is signed in, or the key is none (any more).",
    403: "Not permitted, or sent by a page of another site.",
    404: "There is no such thing in the record.",
    409: "It does not fit what the record already says.",
    413: "The body is too big.",
    415: "The body is of a kind that is not read here.",
    422: "A value cannot be used.",
    503: "The record cannot be read or written at the moment.",
}

_PROBLEM: JsonObject = {
    "type": "object",
    "title": "Problem",
    "description": "Why a request was not answered as asked.",
    "required": ["detail"],
    "properties": {
        "detail": {
            "anyOf": [
                {"type": "string"},
                {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["type", "loc", "msg"],
                        "properties": {
                            "type": {"type": "string"},
                            "loc": {"type": "array", "items": {}},
                            "msg": {"type": "string"},
                        },
                    },
                },
            ]
        }
    },
}

PROBLEM_BODY: JsonObject = {
    "application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}
}
"""The content of every answer that says why not."""

_SCHEMES: JsonObject = {
    "machineKey": {
        "type": "http",
        "scheme": "bearer",
        "description": "A machine's key, made by an administrator under /keys; `pw_…`.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "pitwatch-session",
        "description": f"A person's session. Acts also need the header `{ACT_HEADER}: 1`.",
    },
}


def describe(app: FastAPI, routes: Routes) -> None:
    """Let an application publish its description with permissions and problems in it."""

    def description() -> JsonObject:
        if app.openapi_schema is None:
            app.openapi_schema = _described(app, routes)
        return app.openapi_schema

    publish: Callable[[], JsonObject] = description
    app.openapi = publish  # type: ignore[method-assign]  # FastAPI's documented way


def _described(app: FastAPI, routes: Routes) -> JsonObject:
    found: JsonObject = get_openapi(
        title=app.title, version=app.version, summary=app.summary, routes=app.routes
    )
    parts = found.setdefault("components", {})
    parts.setdefault("schemas", {})["Problem"] = _PROBLEM
    for unused in ("HTTPValidationError", "ValidationError"):
        parts["schemas"].pop(unused, None)
    parts["securitySchemes"] = _SCHEMES
    permits = {
        (route.path.replace(":path}", "}"), method.lower()): route.permit
        for route in routes.all()
        for method in route.methods
    }
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            _complete(operation, permits.get((path, method)))
    return found


def _complete(operation: JsonObject, permit: Permit | None) -> None:
    """Say of one operation who may ask for it, and what may go wrong."""
    action = permit.action if permit else Action.PUBLIC
    for status, text in _PROBLEMS.items():
        operation["responses"][str(status)] = {"description": text, "content": PROBLEM_BODY}
    if action is Action.PUBLIC:
        operation["security"] = []
        return
    scopes = [scope.value for scope, actions in SCOPED.items() if action in actions]
    operation["security"] = [{"session": []}]
    told = f"Permission: `{action.value}`."
    if scopes:
        operation["security"].insert(0, {"machineKey": []})
        told += f" Scope of a key: `{scopes[0]}`."
    operation["description"] = f"{operation.get('description', '')}\n\n{told}".strip()
    operation["x-permission"] = action.value
