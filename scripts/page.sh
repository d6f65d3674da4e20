#!/usr/bin/env bash
# Builds the studio's page into a folder (build/studio), if something of it has changed since.
set -eu
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-build/studio}")
page="$folder/index.html"
if [ -f "$page" ] && [ -z "$(find studio/web -path studio/web/node_modules -prune -o -type f -newer "$page" -print -quit)" ]; then
    exit 0
fi
echo "Building the studio's page"
log_file=$(mktemp)
trap 'rm -f "$log_file"' EXIT
if ! { npm --prefix studio/web ci --no-audit --no-fund && npm --prefix studio/web run build -- --outDir "$folder" --emptyOutDir; } >"$log_file" 2>&1; then
    cat "$log_file" >&2
    exit 1
fi
