"""The law: every public function of the rules shows by an example what it does."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "rules").rglob("*.py"))


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_public_function_has_an_example(module: Path) -> None:
    functions = [node for node in ast.parse(module.read_text()).body if _is_public(node)]
    without = [one.name for one in functions if ">>>" not in (ast.get_docstring(one) or "")]
    assert without == []


def _is_public(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
