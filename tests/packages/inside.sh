#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What deb_test.sh does inside the fresh Debian. /carried has the packages, the release and what uses them.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root
fail() {
    echo "FAILED: $*"
    exit 1
}
install() {
    apt-get install -qq --no-install-recommends "$@" >/tmp/apt.log 2>&1 || { tail -n 20 /tmp/apt.log; fail "apt-get install $*"; }
}
cd /carried
mkdir /tried

echo "== the program"
install ./gully_*.deb ./libgully0*.deb ./libgully-tools*.deb
cd /tried
gully --version
gully demo --size 64 -o demo -q
[ -s demo/after.png ] || fail "no picture of the demo"
gully studio --help | grep -q "Usage: gully studio" || fail "no help of the studio"
gully studio --no-browser >page.log 2>&1 && fail "the studio runs without its page"
grep -q "page is not there" page.log || fail "what is missing? $(cat page.log)"
for file in man/man1/gully.1.gz bash-completion/completions/gully zsh/vendor-completions/_gully \
    fish/vendor_completions.d/gully.fish applications/gully-studio.desktop icons/hicolor/scalable/apps/gully.svg; do
    [ -s "/usr/share/$file" ] || fail "no /usr/share/$file"
done

echo "== Python"
install /carried/python3-gully_*.deb
python3 /carried/use.py >python.txt
cat python.txt
gully generate mountains -o start.tif --width 48 --height 32 -q
cat >scene.json <<'JSON'
{"gully": 1, "terrain": {"file": "start.tif"}, "cell_size": [10, 10], "model": "pipe", "rain": {"rate": 1e-3}, "steps": 20}
JSON
gully run scene.json -o run -q
grep -q "\"terrain\": \"$(cat python.txt)\"" run/report.json || fail "Python has another hash than $(grep -A9 hash run/report.json)"

echo "== the documentation"
install /carried/gully-doc_*.deb
[ -s /usr/share/doc/gully/docs/install.md ] || fail "no documentation"

echo "== the studio"
install /carried/gully-studio_*.deb
timeout 60 gully studio --no-browser >studio.log 2>&1 &
studio=$!
for _ in $(seq 40); do grep -q token studio.log && break; sleep 0.5; done
address=$(sed -n 's/^Gully studio: //p' studio.log)
python3 - "$address" <<'PYTHON' || fail "the studio does not serve its page: $(cat studio.log)"
import sys, urllib.request
page = urllib.request.urlopen(sys.argv[1]).read().decode()
assert "<script" in page, page
PYTHON
kill "$studio"
wait "$studio" || true

echo "== C, with pkg-config and CMake"
install gcc libc6-dev pkg-config cmake make /carried/libgully-dev_*.deb
gcc -Wall -Werror /carried/use.c -o use $(pkg-config --cflags --libs gully-tools)
[ "$(./use)" = "$(cat python.txt)" ] || fail "C has another hash: $(./use)"
gcc -Wall -Werror /usr/share/doc/libgully-dev/examples/erode.c -o erode $(pkg-config --cflags --libs gully) -lm
./erode | grep "Eroded" || fail "the example of libgully-dev does not run"
mkdir project
cp /carried/use.c project
cp /carried/use_cmake.txt project/CMakeLists.txt
cmake -S project -B project/build >cmake.log && cmake --build project/build >>cmake.log || { cat cmake.log; fail "CMake"; }
[ "$(project/build/use)" = "$(cat python.txt)" ] || fail "with CMake another hash"

echo "== the release, without git and npm"
install xz-utils
tar xf /carried/gully-*.tar.xz
cd gully-*/
command -v git npm && fail "this machine is not bare"
make page >/tmp/make.log 2>&1 || { tail -n 40 /tmp/make.log; fail "make"; }
[ -s build/studio/index.html ] || fail "no page"
build/gully run ../scene.json -o ../release -q
grep -q "\"terrain\": \"$(cat ../python.txt)\"" ../release/report.json || fail "the release has another hash"
make install PREFIX=/opt/gully >/tmp/make.log 2>&1 || { tail -n 40 /tmp/make.log; fail "make install"; }
/opt/gully/bin/gully --version
[ -s /opt/gully/share/gully/studio/index.html ] || fail "make install without the page"
make dist >/tmp/make.log 2>&1 || { tail -n 40 /tmp/make.log; fail "make dist in a release"; }
cmp build/dist/gully-*.tar.xz /carried/gully-*.tar.xz || fail "a release of the release is another one"
cd ..

echo "== and gone"
apt-get purge -qq gully gully-studio gully-doc libgully0.1 libgully-tools0.1 libgully-dev python3-gully >/tmp/apt.log 2>&1 || fail "purge"
left=$(find /usr /etc -iname '*gully*')
[ -z "$left" ] || fail "left behind: $left"
echo "everything in the fresh Debian works"
