"""Inclusion proofs of many entries at once: see `audit.merkle`, which proves one."""

from collections.abc import Iterable, Sequence

from audit.merkle import leaf_hash, node_hash


def inclusion_paths(leaves: Sequence[bytes], places: Iterable[int]) -> dict[int, list[str]]:
    """Return the hashes beside the way from each of some leaves up to the root.

    The tree is gone through once, so that hundreds of proofs cost little more than one.

    >>> from audit.merkle import inclusion_path
    >>> leaves = [bytes([n]) for n in range(7)]
    >>> inclusion_paths(leaves, [6])[6] == inclusion_path(leaves, 6)
    True

    Args:
        leaves: All leaves of the tree.
        places: The leaves' places, from 0.

    Raises:
        IndexError: There is no such leaf.
    """
    paths: dict[int, list[str]] = {place: [] for place in places}
    if any(not 0 <= place < len(leaves) for place in paths):
        raise IndexError(f"a leaf that a tree with {len(leaves)} leaves does not have")
    level = [leaf_hash(leaf) for leaf in leaves]
    height = 0
    while len(level) > 1:
        for place, path in paths.items():
            beside = (place >> height) ^ 1
            if beside < len(level):
                path.append(level[beside].hex())
        pairs = zip(level[::2], [*level[1::2], None], strict=False)
        level = [left if right is None else node_hash(left, right) for left, right in pairs]
        height += 1
    return paths
