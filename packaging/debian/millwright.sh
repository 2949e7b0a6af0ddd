#!/bin/sh
# The Node beside the program runs it, whatever else is installed.
set -eu
program=$(dirname "$(dirname "$(readlink -f "$0")")")
# Commands of operators use the configuration of the service, as the unit does, where nothing else is said.
config=/etc/millwright/millwright.yaml
if [ -z "${MILLWRIGHT_CONFIG-}" ] && [ -r "$config" ]; then export MILLWRIGHT_CONFIG="$config"; fi
# Without a limit Node lets short-lived objects grow to as much memory as all the rest, and threads that optimize keep more.
exec "$program/node/bin/node" --max-semi-space-size=8 --no-concurrent-recompilation "$program/bin/millwright.js" "$@"
