#!/usr/bin/env bash
# Installs each version of hammer that tests run, with all that it needs at fixed versions, below .cache; what is there already stays.
set -euo pipefail
cd "$(dirname "$0")/.."

for list in test/acceptance/hammer/gems/*.txt; do
  home=.cache/hammer-$(basename "$list" .txt)
  cmp --silent "$list" "$home/installed" && continue
  rm -rf "$home"
  # shellcheck disable=SC2046 -- one word per gem
  gem install --quiet --silent --no-document --ignore-dependencies --install-dir "$home" $(grep -v '^#' "$list" | tr ' ' ':')
  cp "$list" "$home/installed"
done
