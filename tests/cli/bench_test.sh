# gully bench: rows with the agreed keys, for every law.
source "$(dirname "$0")/lib.sh" "$@"
available=$(awk '/MemAvailable/ {print int($2 / 1024)}' /proc/meminfo 2>/dev/null || echo 99999)
if [ "$available" -lt 3000 ]; then
    echo "skipped: needs 2 GiB of memory, $available MiB are free"
    exit 0
fi
expect_exit 0 "$gully" bench --law pipe --size 48 --threads 1 --json
expect_silent err
cp out rows
[ "$(head -n 1 rows)" = "[" ] || fail "not an array"
count=$(grep -c '"law": "pipe"' rows)
[ "$count" = 5 ] || fail "$count rows instead of 5"
for key in law variant size threads mcell_steps_per_s ns_per_cell_step vs_memcpy vs_reference peak_mib; do
    [ "$(grep -c "^    \"$key\": " rows)" = "$count" ] || fail "$key is not in every row"
done
[ "$(grep -c '^    "' rows)" = $((9 * count)) ] || fail "there are other keys"
for variant in flux semi_lagrangian 'flux\+masks' 'flux\+all' 'flux\+pond'; do expect_in rows "\"variant\": \"$variant\""; done
grep -q '": 0.0,' rows && fail "something took no time"

expect_exit 0 "$gully" bench --law thermal --size 32 --threads 2
expect_out "processors"
expect_out "memcpy ns"
expect_out "^thermal +8 +32 +2 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9]"

# The growth, and what others have published.
expect_out "cost of a cell and step against 32 x 32"
expect_out "^ +32 +1.00"
expect_out "^Mei et al. 2007, GeForce 8800 GTX +1024 +6.3"
finish
