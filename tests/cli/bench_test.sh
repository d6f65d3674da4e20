# SPDX-License-Identifier: MIT
# gully bench: rows with the agreed keys, for every law.
source "$(dirname "$0")/lib.sh" "$@"
available=$(awk '/MemAvailable/ {print int($2 / 1024)}' /proc/meminfo 2>/dev/null || echo 99999)
if [ "$available" -lt 3000 ]; then
    echo "skipped: needs 2 GiB of memory, $available MiB are free"
    exit 0
fi
expect_exit 0 "$gully" bench --milliseconds 5 --law pipe --size 48 --threads 1 --json
expect_silent err
cp out rows
[ "$(head -n 1 rows)" = "[" ] || fail "not an array"
count=$(grep -c '"law": "pipe"' rows)
[ "$count" = 8 ] || fail "$count rows instead of 8"
for key in law variant size threads mcell_steps_per_s ns_per_cell_step vs_memcpy vs_reference peak_mib backend; do
    [ "$(grep -c "^    \"$key\": " rows)" = "$count" ] || fail "$key is not in every row"
done
[ "$(grep -c '^    "' rows)" = $((10 * count)) ] || fail "there are other keys"
for variant in flux 'pipes=8' semi_lagrangian 'flux\+masks' 'flux\+layers' 'flux\+all' 'flux\+half' 'flux\+pond'; do expect_in rows "\"variant\": \"$variant\""; done
grep -q '": 0.0,' rows && fail "something took no time"

expect_exit 0 "$gully" bench --milliseconds 5 --law thermal --size 32 --threads 2
expect_out "processors"
expect_out "memcpy ns"
expect_out "^thermal +8 +32 +2 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9]"

# The growth, and what others have published.
expect_out "cost of a cell and step against 32 x 32"
expect_out "^ +32 +1.00"
expect_exit 0 "$gully" bench --milliseconds 5 --law newton --size 32 --threads 1
expect_out "^Anh et al. 2007, GeForce 7900 GS +newton +2048 +100 +44.3 +105.6"
expect_out "^newton +off by [0-9.e+-]+, [0-9.e+-]+; the terrain changed by"

# Worlds with a part of their memory beside those in memory: the same terrain, or it fails.
expect_exit 0 "$gully" bench --memory 50 --law pipe --size 512 --json
for key in size bytes memory step_seconds step_seconds_with_memory times bytes_per_cell_step; do expect_in out "^    \"$key\": [0-9.]+"; done
expect_exit 2 "$gully" bench --memory 100
expect_err "memory"

# Levels by error beside the finest level.
expect_exit 0 "$gully" bench --levels 0.4 --size 512 --steps 44 --threads 2 --json
for key in size threads steps levels_error levels_seconds levels_mib levels_cell_steps expected_error finest_seconds finest_mib finest_cell_steps error correlation_4x4; do expect_in out "^    \"$key\": [0-9.]+"; done
expect_exit 0 "$gully" bench --levels 0.4 --size 64 --steps 12 --threads 1 --alone
expect_out "island in a sea"
expect_exit 2 "$gully" bench --levels 0
expect_err "levels"
finish
