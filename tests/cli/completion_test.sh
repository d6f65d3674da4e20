# SPDX-License-Identifier: MIT
# What shells complete: every command, every option, the names of a choice, else files.
source "$(dirname "$0")/lib.sh" "$@"

for shell in bash zsh fish; do
    expect_exit 0 "$gully" help --completion $shell
    cp out completion.$shell
    expect_out "gully"
done
expect_exit 2 "$gully" help --completion tcsh
expect_err "--completion wants one of bash\|zsh\|fish"

# Every long option of every command is in all three.
for command in $("$gully" --help | sed -n 's/^  \([a-z]*\)  *.*/\1/p'); do
    for option in $("$gully" $command --help | grep -o '^ .*--[a-z-]*' | grep -o -- '--[a-z-]*$' | sort -u); do
        [ "$option" = --help ] && continue
        expect_in completion.bash "$option[ ']"
        expect_in completion.zsh "'$option"
        expect_in completion.fish "from $command' -l ${option#--}( |$)"
    done
done

complete_words() { # WORDS...: what the last one can become
    bash -c 'source completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gully; echo "${COMPREPLY[*]}"' - "$@"
}
[ "$(complete_words gully ma)" = maps ] || fail "ma is not completed to maps"
[ "$(complete_words gully info --ra)" = --range ] || fail "--ra is not completed to --range"
[ "$(complete_words gully info --unit ft)" = "ft ftUS" ] || fail "ft has not two continuations"
touch land.tif
[ "$(complete_words gully info la)" = land.tif ] || fail "a file is not completed"
if command -v zsh >/dev/null; then zsh -n completion.zsh || fail "zsh does not read it"; fi
if command -v fish >/dev/null; then fish -n completion.fish || fail "fish does not read it"; fi
finish
