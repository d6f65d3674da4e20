# SPDX-License-Identifier: MIT
# The shared libraries: every public function and nothing else, a version in their names, no path of
# the machine that built them.
source "$(dirname "$0")/lib.sh" "$@"
build=$(dirname "$gully")

cat "$source_root"/include/gully/*.h | tr '\n' ' ' | grep -oE 'GULLY_API [^;(]*gully_[a-z0-9_]+\(' |
    grep -oE 'gully_[a-z0-9_]+\($' | tr -d '(' | sort -u >declared
nm -D --defined-only "$build/libgully.so" "$build/libgully_tools.so" |
    sed -nE 's/^[0-9a-f]+ [A-Z] //p' | grep -vE '^(__bss_start|_edata|_end|GULLY[A-Z_]*_[0-9.]+)$' | sort >versioned # the linker's own
grep -vE '@@GULLY(_TOOLS)?_[0-9]+\.[0-9]+$' versioned && fail "no version: $(grep -v @@ versioned)"
sed 's/@@.*//' versioned >exported
[ "$(wc -l <declared)" -gt 200 ] || fail "only $(wc -l <declared) functions are declared"
diff declared exported >difference || fail "declared (<) and exported (>) differ: $(cat difference)"

for name in gully gully_tools; do
    readelf -d "$build/lib$name.so" >about
    expect_in about "SONAME.*\[lib$name\.so\.[0-9]+\.[0-9]+\]"
    grep -E 'R(UN)?PATH' about | grep -qv '\[\$ORIGIN\]' && fail "lib$name.so looks for libraries in $(grep PATH about)"
done
expect_in about "NEEDED.*\[libgully\.so\.[0-9]+\.[0-9]+\]"
readelf -d "$build/libgully.so" | grep NEEDED | grep -qvE 'lib(c|m|pthread|OpenCL)\.so|ld-linux' &&
    fail "the engine needs more than the C library: $(readelf -d "$build/libgully.so" | grep NEEDED)"
finish
