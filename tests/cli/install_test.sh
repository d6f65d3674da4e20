# SPDX-License-Identifier: MIT
# What is installed can be used: headers alone, pkg-config, a CMake package, the program.
source "$(dirname "$0")/lib.sh" "$@"
build=$(dirname "$gully")
prefix=$scratch/prefix
# The same compiler and flags as the build: a static library made for a sanitizer needs it.
cache() { sed -nE "s/^$1:[A-Z]+=(.*)/\1/p" "$build/CMakeCache.txt" | head -n 1; }
cc=$(cache CMAKE_C_COMPILER)
cxx=$(cache CMAKE_CXX_COMPILER)
cflags=$(cache CMAKE_C_FLAGS)

expect_exit 0 cmake --install "$build" --prefix "$prefix"
expect_file "$prefix/bin/gully"
expect_file "$prefix/share/man/man1/gully.1"
expect_in "$prefix/share/bash-completion/completions/gully" "complete .*gully"
expect_in "$prefix/share/zsh/site-functions/_gully" "#compdef gully"
expect_in "$prefix/share/fish/vendor_completions.d/gully.fish" "complete -c gully"
expect_in "$prefix/share/applications/gully-studio.desktop" "^Exec=gully studio"
expect_in "$prefix/share/icons/hicolor/scalable/apps/gully.svg" "<svg"
expect_exit 0 "$prefix/bin/gully" --version
expect_exit 0 "$prefix/bin/gully" demo --size 16 -o demo -q
expect_file demo/after.png

# Every public header compiles alone, as C and as C++, and with nothing else in sight.
for header in "$prefix"/include/gully/*.h; do
    name=$(basename "$header")
    echo "#include \"gully/$name\"" >alone.c
    cp alone.c alone.cpp
    expect_exit 0 "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$prefix/include" alone.c
    expect_exit 0 "$cxx" -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$prefix/include" alone.cpp
done

pc=$(dirname "$(find "$prefix" -name gully.pc)")
export PKG_CONFIG_PATH=$pc
libraries=$(dirname "$pc")
export LD_LIBRARY_PATH=$libraries
# shellcheck disable=SC2046,SC2086 # flags are words
expect_exit 0 "$cc" $cflags "$source_root/examples/erode.c" -o erode \
    $(pkg-config --cflags --libs gully) -lm
expect_exit 0 ./erode
expect_out "Eroded [0-9]+ m3"

cat >scene.c <<'C'
#include <stdio.h>
#include "gully/scene.h"
int main(void) {
    GullyScene* scene;
    GullyStatus status = gully_scene_load("none.json", NULL, 0, &scene);
    puts(gully_message());
    return status == GULLY_BAD_INPUT ? 0 : 1;
}
C
# shellcheck disable=SC2046,SC2086
expect_exit 0 "$cc" $cflags scene.c -o scene $(pkg-config --cflags --libs gully-tools)
expect_exit 0 ./scene
expect_out "none.json"

# Of both kinds of libraries each can be had.
if [ -e "$libraries/libgully.so" ]; then
    readelf -d scene >needed
    expect_in needed "libgully_tools\.so\.0\.1"
    readelf --dyn-syms --wide erode >needed
    expect_in needed "gully_sim_step@GULLY_0\.1"
    # shellcheck disable=SC2046,SC2086
    expect_exit 0 "$cc" $cflags "$source_root/examples/erode.c" -o erode-static \
        $(pkg-config --cflags gully) "$libraries/libgully.a" -lm -pthread
    LD_LIBRARY_PATH= expect_exit 0 ./erode-static
    expect_out "Eroded [0-9]+ m3"
    cat >shared.cmake <<'CMAKE'
add_executable(erode_shared erode.c)
target_link_libraries(erode_shared gully::shared m)
add_executable(scene_shared scene.c)
target_link_libraries(scene_shared gully::tools_shared)
CMAKE
fi

mkdir project
cp "$source_root/examples/erode.c" scene.c project
cat >project/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(user C)
find_package(gully 0.1 REQUIRED) # the engine alone looks for nothing but threads
if(TARGET PkgConfig::GDAL OR TARGET gully::tools)
    message(FATAL_ERROR "the engine asks for GDAL")
endif()
find_package(gully 0.1 REQUIRED COMPONENTS tools)
add_executable(erode erode.c)
target_link_libraries(erode gully::gully m)
add_executable(scene scene.c)
target_link_libraries(scene gully::tools)
CMAKE
[ -e shared.cmake ] && cat shared.cmake >>project/CMakeLists.txt
expect_exit 0 cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="$cflags"
expect_exit 0 cmake --build project/build
expect_exit 0 project/build/erode
expect_exit 0 project/build/scene
for program in erode_shared scene_shared; do
    [ ! -e shared.cmake ] || expect_exit 0 project/build/$program
done
finish
