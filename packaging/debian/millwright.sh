#!/bin/sh
# The Node beside the program runs it, whatever else is installed.
set -eu
program=$(dirname "$(dirname "$(readlink -f "$0")")")
# Without a limit Node lets short-lived objects grow to as much memory as all the rest, and threads that optimize keep more.
exec "$program/node/bin/node" --max-semi-space-size=8 --no-concurrent-recompilation "$program/bin/millwright.js" "$@"
