#!/bin/sh
# Refresh the lock files: exact versions with hashes, in pip's requirements format, no index address.
#   lock.sh PATH_TO_UV [more arguments for `uv pip compile`, such as --upgrade]
set -eu
uv=$1
shift
lock() {
    "$uv" pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links --no-header --quiet "$@"
}
lock --group build -o requirements/runtime.txt "$@"
lock --group build --group test -c requirements/runtime.txt -o requirements/test.txt "$@"
# OpenCV's two wheels overwrite each other's files: training uses the one that the runtime has.
lock --group build --group train -c requirements/runtime.txt -o requirements/train.txt \
    --override requirements/train-override.in "$@"
