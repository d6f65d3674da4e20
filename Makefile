# The front door. CMake does the work; what is missing on a Debian machine is installed first.
.PHONY: all demo studio page web python test test-aarch64 test-web test-clients soak fuzz bench compare same realism realism-pipe realism-stream figures install dist deb test-deb debug format check-format clean test-studio test-hour

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
MAKEFLAGS += --no-print-directory

all: | needs-build
	@cmake --preset release --log-level=WARNING -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DGULLY_TESTS=OFF >/dev/null
	@cmake --build build --parallel $(JOBS)

# Builds, erodes the built-in mountain and says where the pictures are.
demo: all
	@build/gully demo

# Builds the page as well and starts the studio: ends with an address to click.
studio: page
	@build/gully studio

page: all | needs-page
	@scripts/page.sh

# The studio that needs no server: build/web, for any static host (docs/web.md).
web: | needs-web
	@scripts/web.sh build/web $(JOBS)

# It in a real Chromium, and its engine under node against this machine's: hashes and speed.
test-web: all web | needs-web-test
	@WEB_ALL=yes bash tests/cli/web_test.sh build/gully .

# All of the page's tests in a real Chromium; `make test` runs the quick ones of them.
test-studio: page | needs-test
	@STUDIO_ALL=yes bash tests/cli/studio_page_test.sh build/gully .

# A restless user of the studio for MINUTES (60), from a SEED (1): no error, bounded memory, the same hashes again.
test-hour: page | needs-test
	@rm -rf build/hour && mkdir -p build/hour
	@cd build/hour && node ../../tests/studio/browser/hour.mjs $(CURDIR)/build/gully $(CURDIR) $(CURDIR)/build/studio $(or $(MINUTES),60) $(or $(SEED),1)

# The Python package, to be used in place (PYTHONPATH=build/python); pip install ./python installs it.
python: all
	@python3 python/backend.py build/python
	@echo "The package is in build/python: PYTHONPATH=build/python python3, or pip install ./python"

# Everything under gcc, the sanitizers and clang; ends with the line "N passed, M failed".
test: | needs-test
	@scripts/test.sh $(JOBS)

# What other programs read of our files; the programs are installed first. `make test` skips what is not there.
test-clients: export GULLY_CLIENTS = all
test-clients: all | needs-clients
	@bash tests/cli/pipelines_test.sh build/gully .
	@bash tests/cli/clients_test.sh build/gully .
	@bash tests/cli/gltf_test.sh build/gully .
	@bash tests/cli/python_test.sh build/gully .

# The golden hashes, the laws' battery and the references in double on an emulated aarch64: the same bits. About ten minutes.
test-aarch64: | needs-aarch64
	@scripts/test_aarch64.sh $(JOBS)

# Looks for inputs that break a reader, FUZZ_SECONDS (60) for each of them.
fuzz: | needs-test
	@scripts/fuzz.sh $(JOBS)

# A run that is killed 50 times in a row and resumed ends like one that was not; the same of a rank under mpirun, 30 times;
# and a large world on 1 to 6 ranks, with little memory and resumed in all ways: the same hashes. Then a world of
# 32,768 x 32,768 cells with 4 GiB for them; it takes 20 GB of disk and about half an hour.
soak: all | needs-test
	@cmake --preset release -DGULLY_TESTS=ON >/dev/null && cmake --build build --target soak_tests >/dev/null
	@ctest --test-dir build -L soak --output-on-failure
	@cmake --build build --target activity_threads_test >/dev/null && GULLY_TEST_RUNS=100 build/tests/activity_threads_test
	@bash tests/cli/kill_test.sh build/gully . 50 20000
	@bash tests/cli/mpi_kill_soak.sh build/gully . 30
	@bash tests/cli/mpi_same_soak.sh build/gully .
	@bash tests/cli/huge_soak.sh build/gully .

# How fast the laws step here: kept as bench/results/MACHINE.csv, beside what that file said before. `build/gully bench` measures all.
bench: all
	@scripts/bench.sh

# Is what is here faster than a commit? In pairs of runs, which a noisy machine cannot spoil; and the memory of both.
# COMMIT=... (HEAD), SIZES="..." (1024 4096), VARIANTS="..." (all).
compare: | needs-build
	@scripts/compare.sh $(or $(COMMIT),HEAD) $(SIZES)

# Does what is here come to the same bits as a commit (COMMIT=..., HEAD), in every field and account?
same: | needs-build
	@scripts/same.sh $(or $(COMMIT),HEAD)

# How generated ground measures before and after a scene, beside real land: SCENE=... (scenes/demo.json), SIZE=...,
# KINDS="..." (mountains fbm warped), SEEDS="..." (1 2 3). Fails if fewer measures are real than before.
realism: all
	@scripts/realism.sh $(SCENE)

# Does `stream` leave land that measures like land, ageing and rising, and the same land at any resolution? About half an hour.
realism-stream: all
	@EVERY=1 scripts/realism.sh scenes/ageing.json
	@EVERY=1 scripts/realism.sh scenes/rising.json
	@SET="dt=120 steps=200" scripts/resolution.sh scenes/ageing.json

# Does the demo's rain do the same to its mountain in cells of 20, 10 and 5 m? About two minutes.
realism-pipe: all
	@CHANGE=1 RELIEF=900 OCTAVES=7 SET='program=[{"name":"wet","steps":200,"set":{"rain.rate":1e-3}},{"name":"dry","steps":100,"set":{"params.evaporation":0.03}}]' \
		SET_512="dt=0.64 program.0.steps=142 program.1.steps=71" SET_1024="dt=0.4544" \
		SET_2048="dt=0.32 program.0.steps=284 program.1.steps=142" scripts/resolution.sh scenes/demo.json

# The pictures of the README and the docs, made by the program.
figures: page | needs-test
	@scripts/figures.sh

install: all
	@cmake --install build

# A release that builds without git and npm: build/dist/gully-VERSION.tar.xz.
dist: | needs-dist
	@scripts/dist.sh

# Debian packages: build/deb/*.deb.
deb: | needs-deb
	@scripts/deb.sh $(JOBS)

# The packages and the release in a fresh Debian, which is fetched: installed, run, linked with, built.
test-deb: deb dist | needs-test-deb
	@bash tests/packages/deb_test.sh build/deb build/dist

debug: | needs-build
	@cmake --preset debug --log-level=WARNING -DGULLY_TESTS=OFF >/dev/null
	@cmake --build build/debug --parallel $(JOBS)

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

# Is every file formatted, licensed and free of what formatters have torn? A part of `make test`.
check-format:
	@scripts/check_format.sh

clean:
	@rm -rf build

needs-%:
	@scripts/needs.sh $*
