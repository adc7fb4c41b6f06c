"""Law: the tree is RFC 6962's, and a path proves exactly one leaf at one place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.merkle import (
    EMPTY_ROOT,
    Frontier,
    inclusion_holds,
    inclusion_path,
    leaf_hash,
    node_hash,
)
from tests.audit.record_builders import root_of

leaf_lists = st.lists(st.binary(max_size=8), min_size=1, max_size=40, unique=True)

# The leaves and roots that Certificate Transparency's own reference tests use.
REFERENCE_LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
REFERENCE_ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def by_definition(leaves: list[bytes]) -> bytes:
    """RFC 6962 section 2.1, word for word: split at the largest power of two below the size."""
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return node_hash(by_definition(leaves[:split]), by_definition(leaves[split:]))


@pytest.mark.parametrize("size", range(1, 9))
def test_the_reference_trees_have_the_reference_roots(size: int) -> None:
    assert root_of(REFERENCE_LEAVES[:size]) == REFERENCE_ROOTS[size - 1]


def test_the_empty_tree_has_the_hash_of_nothing() -> None:
    assert root_of([]) == EMPTY_ROOT


@given(leaf_lists)
def test_a_growing_tree_has_the_root_of_the_definition(leaves: list[bytes]) -> None:
    assert root_of(leaves) == by_definition(leaves).hex()


@given(leaf_lists, st.data())
def test_a_tree_goes_on_from_its_frontier(leaves: list[bytes], data: st.DataObject) -> None:
    split = data.draw(st.integers(0, len(leaves)))
    first = Frontier()
    for leaf in leaves[:split]:
        first.add(leaf)
    second = Frontier(first.size, first.roots)
    for leaf in leaves[split:]:
        second.add(leaf)
    assert second.root() == root_of(leaves)


@given(leaf_lists, st.data())
def test_a_path_proves_its_leaf_and_no_other_place(
    leaves: list[bytes], data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    path, root = inclusion_path(leaves, index), root_of(leaves)
    assert inclusion_holds(leaves[index], index, len(leaves), path, root)
    assert not inclusion_holds(leaves[index] + b"x", index, len(leaves), path, root)
    others = (place for place in range(-1, len(leaves) + 1) if place != index)
    assert not any(
        inclusion_holds(leaves[index], other, len(leaves), path, root) for other in others
    )


@given(leaf_lists, st.data())
def test_a_path_with_a_step_more_or_less_proves_nothing(
    leaves: list[bytes], data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    path, root = inclusion_path(leaves, index), root_of(leaves)
    assert not inclusion_holds(leaves[index], index, len(leaves), [*path, EMPTY_ROOT], root)
    if path:
        assert not inclusion_holds(leaves[index], index, len(leaves), path[:-1], root)


def test_a_frontier_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="3 leaves has 2 perfect subtrees"):
        Frontier(3, [b"one"])


def test_a_leaf_that_is_not_there_has_no_path() -> None:
    with pytest.raises(IndexError, match="leaf 2 of a tree with 2 leaves"):
        inclusion_path([b"a", b"b"], 2)
