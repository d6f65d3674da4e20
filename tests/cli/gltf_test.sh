# SPDX-License-Identifier: MIT
# glTF files pass Khronos' validator, which npm fetches once into the build tree.
source "$(dirname "$0")/lib.sh" "$@"
checker="$source_root/tests/cli/gltf_check.cjs"
if ! npm_package gltf-validator 2.0.0-dev.3.10; then
    cat npm.log >&2
    skip "npm cannot fetch gltf-validator, without which glTF files cannot be checked; it needs a registry"
    finish
fi
validator=$npm_folder

write_scene scene.json 70 20
"$gully" run scene.json -o run --quiet >/dev/null || fail "no run to look at"
"$gully" maps run -o maps --only splat >/dev/null || fail "no splat map"
expect_exit 0 "$gully" mesh run -o plain.glb
expect_exit 0 "$gully" mesh run -o plain.gltf
expect_exit 0 "$gully" mesh run -o texture.gltf --splat maps/splat.png --splat-as texture --error 1
expect_exit 0 "$gully" mesh run -o simple.glb --error 2 --scale 1.5
expect_exit 0 "$gully" mesh run -o colors.glb --splat maps/splat.png
expect_exit 0 "$gully" mesh run -o texture.glb --splat maps/splat.png --splat-as texture --error 1
expect_exit 0 "$gully" mesh run -o solid.glb --base 10 --error 1

# A wall in the middle, and a terrain of one square.
printf 'ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 7\nNODATA_value -9\n' >hole.asc
printf '1 2 3 4\n2 3 4 -9\n3 4 5 6\n' >>hole.asc
expect_exit 0 "$gully" mesh hole.asc -o hole.glb
printf 'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 0\n0 0\n' >square.asc
expect_exit 0 "$gully" mesh square.asc -o square.glb

expect_exit 0 "$gully" mesh run -o tiles --tiles 40 --levels 2 --error 1 --splat maps/splat.png
expect_file tiles/run_x1_y1_l1.glb

expect_exit 0 node "$checker" "$validator" ./*.glb ./*.gltf tiles/*.glb
expect_silent err
expect_out "plain.glb vertices 4900 triangles 9522 textures false"
expect_out "texture.glb .* textures true"
expect_out "plain.gltf vertices 4900 triangles 9522 textures false"
expect_out "texture.gltf .* textures true"
expect_out "hole.glb vertices 9 triangles 8 "
expect_out "square.glb vertices 4 triangles 2 "

# The checker sees what is wrong: a normal that is not one.
node -e '
const fs = require("fs"), bytes = fs.readFileSync("square.glb"), text = bytes.readUInt32LE(12);
bytes.writeFloatLE(9, 20 + text + 8 + 48); // header, JSON, header, four positions
fs.writeFileSync("bad.bin", bytes);'
expect_exit 1 node "$checker" "$validator" bad.bin
expect_err "ACCESSOR_VECTOR3_NON_UNIT"
finish
