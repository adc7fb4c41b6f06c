"""The law: a module fits in the head (400 lines), a function on the screen (50)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    path for room in ("rules", "vision", "audit") for path in (ROOT / room).rglob("*.py")
)


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("module", MODULES, ids=named)
def test_a_module_has_at_most_400_lines_and_its_functions_50(module: Path) -> None:
    text = module.read_text()
    assert len(text.splitlines()) <= 400
    long = [
        function.name
        for function in functions(ast.parse(text))
        if (function.end_lineno or function.lineno) - function.lineno + 1 > 50
    ]
    assert long == []


def test_the_data_rooms_are_no_packages() -> None:
    """A package `datasets` or `models` here would shadow an installed one of that name."""
    assert [named(path) for path in ROOT.glob("[dm]*/**/__init__.py")] == []
