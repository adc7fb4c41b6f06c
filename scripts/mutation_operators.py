"""The small changes that mutation testing makes in a function."""

import ast
from collections.abc import Callable, Iterator
from typing import Any

Tree = Any
"""A node of a syntax tree, whose fields depend on its kind."""
Undo = Callable[[], None]
Change = tuple[int, str, Callable[[], Undo]]
"""The line, what changes, and how to make the change; that gives how to undo it."""

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}


def changes(function: ast.FunctionDef) -> Iterator[Change]:
    """Give every change of a function: of comparisons, conditions, numbers, texts and results."""
    for statement in function.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # A docstring.
        for parent in ast.walk(statement):
            yield from _of_node(parent)
            for name, value in ast.iter_fields(parent):
                yield from _of_field(parent, name, value)


def _of_node(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare(ops=ops):
            for place, operator in enumerate(ops):
                other = _COMPARISONS[type(operator)]()
                yield _swap(node, ops, place, other, f"{_name(operator)} → {_name(other)}")
        case ast.BoolOp(op=operator):
            other_bool = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield _set(node, "op", other_bool, f"{_name(operator)} → {_name(other_bool)}")
        case ast.BinOp(op=operator_) | ast.AugAssign(op=operator_) if (
            type(operator_) in _ARITHMETIC
        ):
            other_op = _ARITHMETIC[type(operator_)]()
            yield _set(node, "op", other_op, f"{_name(operator_)} → {_name(other_op)}")
        case ast.If(test=test) | ast.IfExp(test=test):
            yield _set(node, "test", ast.UnaryOp(ast.Not(), test), "condition negated")
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield _set(node, "value", ast.Constant(None), "returns None")
        case _:
            return


def _of_field(parent: ast.AST, name: str, value: Tree) -> Iterator[Change]:
    """Give the changes of constants, of `not`, and of statements that are left out."""
    if name == "annotation" or isinstance(parent, ast.JoinedStr | ast.FormattedValue):
        return
    found = value if isinstance(value, list) else [value]
    for place, child in enumerate(found):
        other = _other(child)
        if other is None:
            continue
        what = f"{ast.unparse(child)} → {ast.unparse(other)}"
        if isinstance(value, list):
            yield _swap(child, value, place, other, what)
        else:
            yield _set(parent, name, other, what, line=child.lineno)


def _other(child: object) -> ast.AST | None:
    match child:
        case ast.Constant(value=bool(value)):
            return ast.Constant(not value)
        case ast.Constant(value=int(value)):
            return ast.Constant(value + 1)
        case ast.Constant(value=str(value)) if value:
            return ast.Constant(f"XX{value}")
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            return ast.Expr(ast.Constant(None))
        case _:
            return None


def _set(parent: Tree, name: str, new: ast.AST, what: str, line: int | None = None) -> Change:
    def apply() -> Undo:
        old = getattr(parent, name)
        setattr(parent, name, new)
        return lambda: setattr(parent, name, old)

    return line or parent.lineno, what, apply


def _swap(node: Tree, values: list[Tree], place: int, new: ast.AST, what: str) -> Change:
    def apply() -> Undo:
        old = values[place]
        values[place] = new

        def undo() -> None:
            values[place] = old

        return undo

    return node.lineno, what, apply


def _name(node: ast.AST) -> str:
    return type(node).__name__


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
