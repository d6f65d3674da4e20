#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the engine alone for aarch64 and runs what compares bits and numbers under qemu-aarch64.
set -eu
cd "$(dirname "$0")/.."
PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig cmake -S . -B build/aarch64 -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O3 -DGULLY_WERROR=ON \
    -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ \
    -DCMAKE_LIBRARY_ARCHITECTURE=aarch64-linux-gnu \
    -DCMAKE_CROSSCOMPILING_EMULATOR="qemu-aarch64;-L;/" \
    -DGULLY_TOOLS=OFF -DGULLY_OPENCL=OFF -DGULLY_TESTS=ON >/dev/null
tests="golden_test power_test exact_test half_test reference_test diffusion_reference_test newton_reference_test
    layers_reference_test stream_reference_test wind_reference_test"
# shellcheck disable=SC2086 # words
cmake --build build/aarch64 --parallel "${1:-$(nproc)}" --target $tests
ctest --test-dir build/aarch64 --parallel "${1:-$(nproc)}" --output-on-failure --no-tests=error \
    -R "^($(echo $tests | tr ' ' '|'))\$"
