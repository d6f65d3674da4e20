#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing to build (needs.sh build), to build the studio's page (needs.sh page), to test
# (needs.sh test), to test with other programs (needs.sh clients), to compile for the web (needs.sh web) or to test
# that (needs.sh web-test), to make a release (needs.sh dist) or Debian packages (needs.sh deb) or to test those
# (needs.sh test-deb), or to test on an emulated aarch64 (needs.sh aarch64), and nothing else.
# Without root it prints the one line to run.
set -u
cd "$(dirname "$0")/.." || exit

missing=()
need() { # need PACKAGE COMMAND...: the package, unless the command succeeds
    local package=$1
    shift
    "$@" >/dev/null 2>&1 || missing+=("$package")
}
has_library() { pkg-config --exists "$1"; }
has_python() { # the first of the path or Debian's, whichever has all that tests import
    python3 -c "import ensurepip, numpy, pytest" || /usr/bin/python3 -c "import ensurepip, numpy, pytest"
}
has_header() { echo "#include <$1>" | cc -E -x c - -o /dev/null; }

need gcc command -v cc
need g++ command -v c++
need make command -v make
need cmake command -v cmake
need pkg-config command -v pkg-config
need libgdal-dev has_library gdal
need libjansson-dev has_library jansson
need libopenexr-dev has_library OpenEXR
need libzstd-dev has_library libzstd
need libcivetweb-dev has_header civetweb.h
need libxxhash-dev has_header xxhash.h
need opencl-c-headers has_header CL/cl.h
if [[ "${1:-build}" =~ ^(build|test)$ ]]; then # mpirun gully run
    need libopenmpi-dev command -v mpicc
    need openmpi-bin command -v mpirun
fi
if [ "${1:-build}" = test ]; then
    need libcmocka-dev has_library cmocka
    need zlib1g-dev has_header zlib.h
    need clang command -v clang
    need clang-format command -v clang-format
    need povray command -v povray
    need chromium command -v chromium
    need qemu-user command -v qemu-x86_64
    need python3-numpy has_python
    need python3-pytest has_python
    need python3-venv has_python
    need pocl-opencl-icd test -e /etc/OpenCL/vendors/pocl.icd
    need ocl-icd-libopencl1 test -e /usr/lib/$(uname -m)-linux-gnu/libOpenCL.so.1
fi
case ${1:-build} in web*)
    need emscripten command -v emcc
    need dpkg-dev command -v dpkg-source
    ;;
esac
if [ "${1:-build}" = web-test ]; then
    need chromium command -v chromium
    need gdal-bin command -v gdal_translate
fi
if [ "${1:-build}" = clients ]; then
    need python3-numpy has_python
    need python3-pytest has_python
    need python3-venv has_python
    need blender command -v blender
    need godot3-server command -v godot3-server
    need assimp-utils command -v assimp
    need admesh command -v admesh
    need gdal-bin command -v gdal_translate
    need grass-core command -v grass
fi
prepare=
if [ "${1:-build}" = aarch64 ]; then
    need qemu-user command -v qemu-aarch64
    need gcc-aarch64-linux-gnu command -v aarch64-linux-gnu-gcc
    need g++-aarch64-linux-gnu command -v aarch64-linux-gnu-g++
    need libc6-dev-arm64-cross dpkg -s libc6-dev-arm64-cross
    need libcmocka-dev:arm64 test -e /usr/lib/aarch64-linux-gnu/libcmocka.so
    prepare="dpkg --add-architecture arm64 && "
fi
if [ "${1:-build}" = deb ]; then # dpkg-buildpackage wants what it names from Debian
    for package in dpkg-dev fakeroot xz-utils $(sed -nE '/^Build-Depends:/,/^[S]/s/^(Build-Depends:)? +([a-z0-9.+-]+).*/\2/p' debian/control); do
        need "${package/#debhelper-compat/debhelper}" dpkg -s "${package/#debhelper-compat/debhelper}"
    done
fi
if [ "${1:-build}" = dist ]; then
    need xz-utils command -v xz
fi
if [ "${1:-build}" = test-deb ]; then
    need mmdebstrap command -v mmdebstrap
    need lintian command -v lintian
fi
has_page() { [[ "$1" =~ ^(page|dist|deb)$ ]] && [ -f studio/page/index.html ]; } # a release has it built
if [[ "${1:-build}" =~ ^(page|test|clients|dist|deb)$ ]] && ! has_page "$1"; then
    need nodejs command -v node
    need npm command -v npm
fi
[ ${#missing[@]} -eq 0 ] && exit 0

install="${prepare}apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
if ! command -v apt-get >/dev/null; then
    echo "Gully needs what Debian calls: ${missing[*]}. Please install it and try again." >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "Missing: ${missing[*]}. Please run this line and try again:" >&2
    echo "    sudo sh -c '$install'" >&2
    exit 1
fi
echo "Installing what is missing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log_file=$(mktemp)
trap 'rm -f "$log_file"' EXIT
if ! (eval "$install") >"$log_file" 2>&1; then
    cat "$log_file" >&2
    echo "That did not work; the line was: $install" >&2
    exit 1
fi
