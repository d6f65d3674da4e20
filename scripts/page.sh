#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the studio's page into a folder (build/studio), if something of it has changed since. A release has it built
# (studio/page): then it is copied.
set -eu
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-build/studio}")

is_new() { # FILE: nothing of the page's source is newer
    [ -f "$1" ] && [ -z "$(find studio/web -path studio/web/node_modules -prune -o -type f -newer "$1" -print -quit)" ]
}

is_new "$folder/index.html" && exit 0
if is_new studio/page/index.html; then
    mkdir -p "$folder"
    cp -r studio/page/. "$folder"
    exit 0
fi
echo "Building the studio's page"
log_file=$(mktemp)
trap 'rm -f "$log_file"' EXIT
if ! { npm --prefix studio/web ci --no-audit --no-fund && npm --prefix studio/web run build -- --outDir "$folder" --emptyOutDir; } >"$log_file" 2>&1; then
    cat "$log_file" >&2
    exit 1
fi
