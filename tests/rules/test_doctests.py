"""The law: every public function of the rules shows by an example what it does."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "rules").rglob("*.py"))


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_public_function_has_an_example(module: Path) -> None:
    body = ast.parse(module.read_text()).body
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    public = [one for one in functions if not one.name.startswith("_")]
    assert [one.name for one in public if ">>>" not in (ast.get_docstring(one) or "")] == []
