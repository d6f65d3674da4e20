#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# deb_test.sh DEBS RELEASES: the packages and the release in a fresh Debian (make test-deb). It is fetched, some hundred MB,
# and gone afterwards. Needs root, for its namespaces.
set -eu
here=$(realpath "$(dirname "$0")")
debs=$(realpath "$1")
releases=$(realpath "$2")
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
carried=$(mktemp -d)
log_file=$(mktemp)
trap 'rm -rf "$carried" "$log_file"' EXIT

# No errors, and nothing of this machine in a package.
lintian --fail-on error "$debs"/*.deb
for deb in "$debs"/*.deb; do
    dpkg-deb -x "$deb" "$carried/x"
done
if grep -rlF "$(realpath "$here/../..")" "$carried/x"; then
    echo "FAILED: these files name the folder in which they were built" >&2
    exit 1
fi
rm -rf "$carried/x"

cp "$debs"/*.deb "$releases"/*.tar.xz "$here/inside.sh" "$here/use.c" "$here/use_cmake.txt" "$here/use.py" "$carried"
mmdebstrap --quiet --variant=minbase --format=null \
    --customize-hook="mkdir \$1/carried; cp $carried/* \$1/carried" \
    --customize-hook="chroot \$1 bash /carried/inside.sh" "$suite" /dev/null 2>&1 | tee "$log_file"
grep -q "^everything in the fresh Debian works" "$log_file"
