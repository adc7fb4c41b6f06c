"""Mutation testing of `rules/`: is there a test that fails for each small change of the code?

One function at a time is changed in memory, in a forked process, and the tests that call it are run
until one fails. Nothing is written to the code. The mutants are a sample, at least a few of every
module. Run it from the root: `python scripts/mutate_rules.py [MODULE ...]`. MUTANTS, MUTATION_SEED
and MUTATION_SECONDS set how many, which, and for how long each is tested. What survives is
explained in docs/rules/mutation.md.
"""

import ast
import copy
import importlib
import json
import os
import random
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from types import CodeType
from typing import Any

import coverage
import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.mutation_operators import changes  # noqa: E402

SEED = int(os.environ.get("MUTATION_SEED", "20261130"))
IN_ALL = int(os.environ.get("MUTANTS", "640"))
AT_LEAST = min(6, IN_ALL // 75)
"""Mutants of a module, where it has so many."""
CONTROL, CONTROLS = "nothing", 12
"""So many functions are left as they are first: their tests must pass."""
WORKERS = 2
PATIENCE = 60
"""Seconds of CPU time after which a mutant counts as killed: it does not end."""
MOST_TEST_SECONDS = float(os.environ.get("MUTATION_SECONDS", "6"))
"""For how long the tests of a mutant may take in all; the quickest go first."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One changed function."""

    module: str
    function: str
    line: int
    change: str
    code: CodeType


def mutants_of(module: str) -> Iterator[Mutant]:
    """Give every mutant of a module."""
    path = ROOT / (module.replace(".", "/") + ".py")
    tree = ast.parse(path.read_text())
    for qualname, function in _functions(tree.body, ""):
        for line, change, apply in changes(function):
            undo = apply()
            whole = compile(ast.fix_missing_locations(copy.deepcopy(tree)), str(path), "exec")
            undo()
            code = _code_of(whole, qualname.split("."))
            yield Mutant(module, qualname, line, change, code)


def _functions(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.")


def _code_of(code: CodeType, path: list[str]) -> CodeType:
    for name in path:
        found = [c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name]
        code = found[-1]
    return code


def install(mutant: Mutant) -> None:
    """Put a mutant in the place of the function that it is a change of."""
    found: Any = importlib.import_module(mutant.module)
    for name in mutant.function.split("."):
        found = vars(found)[name]
    if isinstance(found, property):
        found = found.fget
    found = getattr(found, "__func__", found)
    while hasattr(found, "__wrapped__"):
        found.cache_clear()
        found = found.__wrapped__
    found.__code__ = mutant.code


class Sampling:
    """A pytest plugin: instead of the tests it runs the mutants, each with the tests it needs."""

    def __init__(self, chosen: list[str]) -> None:
        self.chosen = chosen
        self.lived: list[Mutant] = []
        self.done = 0
        self.counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])

    def pytest_configure(self) -> None:
        """Let Hypothesis try few examples: a sample of mutants needs speed, not depth."""
        hypothesis = importlib.import_module("hypothesis")  # Only now: pytest wants to be first.
        few = {"max_examples": 10, "deadline": None, "derandomize": True}
        hypothesis.settings.register_profile("few", **few)
        hypothesis.settings.load_profile("few")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every test once to learn what it calls, then the mutants."""
        callers = _learn(session.items)
        waiting = sample(self.chosen)
        waiting += [replace(mutant, change=CONTROL) for mutant in waiting[:CONTROLS]]
        running: dict[int, Mutant] = {}
        while waiting or running:
            while waiting and len(running) < WORKERS:
                mutant = waiting.pop()
                running[_start(mutant, callers)] = mutant
            child, status = os.wait()
            self._note(running.pop(child), os.waitstatus_to_exitcode(status))
        return True

    def _note(self, mutant: Mutant, code: int) -> None:
        if mutant.change == CONTROL:
            if code != 0:
                raise SystemExit(f"the tests of {mutant.function} fail without any change")
            return
        counts = self.counts[mutant.module]
        counts[0] += 1
        self.done += 1
        if self.done % 50 == 0:
            print(f"{self.done} done", file=sys.stderr, flush=True)  # noqa: T201
        if code == 0:
            counts[1] += 1
            self.lived.append(mutant)
            print(f"{mutant.module}:{mutant.line} {mutant.function}: {mutant.change}", flush=True)  # noqa: T201


def sample(chosen: list[str]) -> list[Mutant]:
    """Return the mutants to run, in an order by chance: of every module its share."""
    dice = random.Random(SEED)  # noqa: S311 - a sample, not a secret
    every = {module: list(mutants_of(module)) for module in chosen}
    total = sum(map(len, every.values()))
    taken = []
    for mutants in every.values():
        share = max(AT_LEAST, round(IN_ALL * len(mutants) / total))
        taken += dice.sample(mutants, min(share, len(mutants)))
    dice.shuffle(taken)
    return taken


Called = dict[tuple[str, int], list[tuple[float, Any]]]
"""File and line → the tests that run the line, with the CPU time that each takes."""


def _learn(items: list[pytest.Item]) -> Called:
    """Run every test once and return which tests run which line."""
    watch = coverage.Coverage(source=[str(ROOT / "rules")], data_file=None, config_file=False)
    watch.start()
    tests, times = {item.nodeid: item for item in items}, {}
    for item in items:
        watch.switch_context(item.nodeid)
        began = process_time()
        if not _passes(item):
            raise SystemExit(f"{item.nodeid} fails without any change")
        times[item.nodeid] = process_time() - began
    watch.stop()
    callers: Called = defaultdict(list)
    data = watch.get_data()
    for file in data.measured_files():
        for line, names in data.contexts_by_lineno(file).items():
            callers[file, line] += [(times[name], tests[name]) for name in names if name]
    return callers


def _passes(item: pytest.Item) -> bool:
    """Run a test with all that it sets up and tears down, so that it can be run again."""
    # An example of a docstring forgets its names once it was run.
    example = getattr(item, "dtest", None)
    names = None if example is None else dict(example.globs)
    passes = not any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))
    if example is not None:
        example.globs = names
    return passes


def _start(mutant: Mutant, callers: Called) -> int:
    child = os.fork()
    if child:
        return child
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    path = str(ROOT / (mutant.module.replace(".", "/") + ".py"))
    if mutant.change != CONTROL:
        install(mutant)
    left = MOST_TEST_SECONDS
    for took, item in sorted(callers.get((path, mutant.line), ()), key=lambda one: one[0]):
        left -= took
        if left < 0:
            break
        if not _passes(item):
            os._exit(1)
    os._exit(0)


def main() -> int:
    """Run the sample and print what survived, and the counts of every module."""
    paths = sorted((ROOT / "rules").rglob("*.py"))
    names = [str(path.relative_to(ROOT))[:-3].replace("/", ".") for path in paths]
    chosen = sys.argv[1:] or [name for name in names if not name.endswith("__init__")]
    plugin = Sampling(chosen)
    began = os.times()
    quiet = ["-q", "-p", "no:randomly", "-p", "no:cacheprovider", "--timeout=0"]
    slow = [f"--ignore={path}" for path in SLOW]
    tests = os.environ.get("MUTATION_TESTS", "tests/rules rules").split()
    pytest.main([*quiet, *slow, *tests], [plugin])
    ended = os.times()
    spent = sum(ended[:4]) - sum(began[:4])
    made = sum(counts[0] for counts in plugin.counts.values())
    summary = {
        "mutants": made,
        "survived": len(plugin.lived),
        "cpu_seconds": round(spent),
        "modules": {name: tuple(counts) for name, counts in sorted(plugin.counts.items())},
    }
    print(json.dumps(summary, indent=1))  # noqa: T201
    return 0


SLOW = ("tests/rules/test_edge_whist.py",)
"""Tests that take minutes with every mutant: the exact edges, which pin much of it once more."""

if __name__ == "__main__":
    sys.exit(main())
