"""A Merkle tree over the record's entries, as RFC 6962 section 2.1 defines it.

The leaves are the entries' hashes in the order of their ids, all chains together. So one root
stands for the whole record up to an entry, and a short path proves that an entry is part of it.
"""

import hashlib
from collections.abc import Sequence

LEAF_PREFIX = b"\x00"
NODE_PREFIX = b"\x01"
"""Leaves and nodes are hashed apart, so that no node passes for a leaf (RFC 6962 section 2.1)."""

EMPTY_ROOT = hashlib.sha256(b"").hexdigest()


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return hashlib.sha256(LEAF_PREFIX + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node above two others."""
    return hashlib.sha256(NODE_PREFIX + left + right).digest()


class Frontier:
    """A tree that only grows, kept as the roots of its perfect subtrees, one a power of two.

    >>> tree = Frontier()
    >>> tree.root() == EMPTY_ROOT
    True
    """

    def __init__(self, size: int = 0, roots: Sequence[bytes] = ()) -> None:
        """Go on from a tree of `size` leaves with these roots, the largest subtree first.

        Raises:
            ValueError: There are not as many roots as a tree of this size has.
        """
        if len(roots) != size.bit_count() or size < 0:
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} perfect subtrees")
        self.size = size
        self._roots = list(roots)

    @property
    def roots(self) -> tuple[bytes, ...]:
        """The roots of the perfect subtrees, the largest first."""
        return tuple(self._roots)

    def add(self, data: bytes) -> None:
        """Add a leaf at the end."""
        node = leaf_hash(data)
        size = self.size
        while size & 1:
            node = node_hash(self._roots.pop(), node)
            size >>= 1
        self._roots.append(node)
        self.size += 1

    def root(self) -> str:
        """Return the root of the whole tree: 64 hexadecimal digits."""
        if not self._roots:
            return EMPTY_ROOT
        node = self._roots[-1]
        for left in reversed(self._roots[:-1]):
            node = node_hash(left, node)
        return node.hex()


def inclusion_path(leaves: Sequence[bytes], index: int) -> list[str]:
    """Return the hashes beside the way from a leaf up to the root (RFC 6962 section 2.1.1).

    Args:
        leaves: All leaves of the tree.
        index: The leaf's place, from 0.

    Raises:
        IndexError: There is no such leaf.
    """
    if not 0 <= index < len(leaves):
        raise IndexError(f"leaf {index} of a tree with {len(leaves)} leaves")
    level = [leaf_hash(leaf) for leaf in leaves]
    path = []
    while len(level) > 1:
        beside = index ^ 1
        if beside < len(level):
            path.append(level[beside].hex())
        # A node without a neighbour rises unchanged: the last subtree need not be perfect.
        pairs = zip(level[::2], [*level[1::2], None], strict=False)
        level = [left if right is None else node_hash(left, right) for left, right in pairs]
        index //= 2
    return path


def inclusion_holds(leaf: bytes, index: int, size: int, path: Sequence[str], root: str) -> bool:
    """Say whether a path proves that a leaf stands at a place of a tree with a root.

    The steps are those of RFC 9162 section 2.1.3.2.
    """
    if not 0 <= index < size:
        return False
    place, last, node = index, size - 1, leaf_hash(leaf)
    for beside in path:
        if last == 0:
            return False
        if place & 1 or place == last:
            node = node_hash(bytes.fromhex(beside), node)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            node = node_hash(node, bytes.fromhex(beside))
        place, last = place >> 1, last >> 1
    return last == 0 and node.hex() == root
