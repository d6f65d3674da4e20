# SPDX-License-Identifier: MIT
# gully models: everything that has parameters can be asked for, in three forms.
source "$(dirname "$0")/lib.sh" "$@"

expect_exit 0 "$gully" models
for name in pipe diffusion newton wind thermal rain rain.drops rain.season sources boundary time \
    materials mountains; do
    expect_out "^  $name +[^ ]"
done
for name in $(sed -nE 's/^  ([^ ]+) .*/\1/p' out); do
    expect_exit 0 "$gully" models "$name"
    expect_out "^$name: "
    expect_out "^  name +default +range +unit +meaning"
    expect_exit 0 "$gully" models "$name" --json
    expect_out "\"name\": \"$name\""
    expect_exit 0 "$gully" models "$name" --markdown
    expect_out "^\| parameter \| default"
done

expect_exit 0 "$gully" models pipe
expect_out "^  capacity +0.6 +0 to 1(000000|e\+06) +s +sediment"
expect_out "^  transport +flux +semi_lagrangian, flux +how sediment travels"
expect_out "^  film +on +on, off +pipes narrow"
expect_exit 0 "$gully" models time
expect_out "^  dt "
expect_exit 0 "$gully" models materials
expect_out '#rrggbb'
expect_out "^  erodibility +1 +0 to 1000000 +multiplies"

# What a law makes of materials, of the number of steps, of a cycle.
default_cycle="A step is a cycle of operators, .*: rain, erode, transport, mix, evaporate, deposit\.$"
expect_exit 0 "$gully" models pipe
expect_out "^Knows materials\.$"
expect_exit 0 "$gully" models newton
expect_out "^(Knows|Does not know) materials\. Counts steps: .* else\.$"
for form in "" --markdown; do
    expect_exit 0 "$gully" models diffusion $form
    expect_out "$default_cycle"
done
expect_exit 0 "$gully" models diffusion --json
[ "$(sed -nE '/"operators"/,/\]/s/^ +"([a-z]+)",?$/\1/p' out | tr '\n' ' ')" = \
    "rain erode transport mix evaporate deposit " ] || fail "operators in JSON: $(cat out)"
expect_exit 0 "$gully" models pipe --json
expect_out '^  "materials": true,$'
expect_out '^  "operators": null,$'

# Every row of the public tables is there.
expect_exit 0 "$gully" models --markdown
expect_out "^### .pipe."
rows=$(grep -cE '^ *X\((number|integer|flag|choice|map), ' "$source_root"/include/gully/params.h)
printed=$(sed '/^## Generated/,$d' out | grep -cE '^\| `')
[ "$rows" = "$printed" ] || fail "$printed parameters printed, $rows declared in params.h"

# The page in the docs is what the program prints.
cmp -s out "$source_root/docs/parameters.md" || fail "docs/parameters.md is old: make figures"

expect_exit 0 "$gully" models --json
expect_out '^  "models": \['
expect_out '^  "generators": \['
finish
