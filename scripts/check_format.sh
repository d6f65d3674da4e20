#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is every file as clang-format leaves it, with its licence on top, and is no comment torn? Names what is not.
set -u
cd "$(dirname "$0")/.."
failed=0
note() {
    echo "$1"
    failed=1
}

# clang-format, if it is the one that .clang-format was written for.
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    while read -r line; do note "$line: not formatted (make format)"; done < <(
        git ls-files '*.c' '*.h' | xargs -n 50 clang-format --dry-run 2>&1 | sed -n 's/:[0-9]*: warning:.*//p' | sort -u)
fi

# The licence, in the first two lines of every source.
while read -r file; do
    head -n 2 "$file" | grep -q 'SPDX-License-Identifier: MIT' || note "$file: no line 'SPDX-License-Identifier: MIT' on top"
done < <(git ls-files '*.c' '*.h' '*.hpp' '*.ts' '*.mjs' '*.cjs' '*.py' '*.sh')

# Comments that a formatter has torn: a line of a word or two in the middle of a sentence, and rules that were joined.
while read -r line; do note "$line"; done < <(
    git ls-files '*.c' '*.h' '*.hpp' | xargs awk '
        FNR == 1 { before = text = "" }
        { next_is = $0 ~ /^ *\/\/\/? / && $0 !~ /SPDX/
          next_text = next_is ? $0 : ""
          sub(/^ *\/\/\/? /, "", next_text)
          if (text != "" && before != "" && next_text ~ /^[a-z(]/ && length(text) < 22 && text !~ /[.:;,)]$/ && before !~ /[.:;)]$/ &&
              length(before) > 60)
              print FILENAME ":" FNR - 1 ": a torn comment: " text
          if (next_text ~ /-----.*[a-z].*-----.*-----/) print FILENAME ":" FNR ": rules run together"
          before = text; text = next_text }')
[ $failed = 0 ] && echo "formatted, licensed, whole"
exit $failed
