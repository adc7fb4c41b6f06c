#!/bin/sh
# Say in one line what is missing on this machine and how to get it.
#   require.sh environment   what making the environment needs
#   require.sh test          what the tests need besides; installed at once where that is possible
set -u
python=${PYTHON:-python3}

missing() {
    echo "pitwatch: missing $1: $2" >&2
    exit 2
}

# Debian's package $2 gives $1: install it when we may, else say how.
want() {
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "Installing $2 ..."
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$2"; } \
            >/dev/null 2>&1 && return
    fi
    missing "$1" "apt-get install $2"
}

case "${1:-}" in
environment)
    command -v "$python" >/dev/null 2>&1 ||
        missing "Python 3.11 or newer" "apt-get install python3 python3-venv (or name one: make PYTHON=/path/to/python3)"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        missing "Python 3.11 or newer" "$($python --version 2>&1) is too old; name a newer one: make PYTHON=/path/to/python3"
    "$python" -c 'import venv, ensurepip' >/dev/null 2>&1 ||
        missing "Python's venv module" "apt-get install python3-venv"
    ;;
test)
    command -v chromium >/dev/null 2>&1 || want "the browser that the tests drive" chromium
    ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 ||
        want "the database server that the tests start" postgresql
    ;;
*)
    echo "use: require.sh environment|test" >&2
    exit 2
    ;;
esac
