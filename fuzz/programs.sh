# To be sourced: builds the program that holds all fuzz targets.
#
# The arguments of the script are the targets to run; if there are none, they become all
# targets. Sets $program to a copy of the program, which is removed at exit, so that a build
# while it runs does not change it. run_target TARGET FLAG… runs a target.

if (($# == 0)); then
  set -- fuzz_targets/*.rs
  set -- "${@##*/}"
  set -- "${@%.rs}"
fi
for target in "$@"; do
  if [[ ! -e fuzz_targets/$target.rs ]]; then
    printf '%s is not a fuzz target\n' "$target" >&2
    exit 2
  fi
done

cargo +nightly fuzz build all >&2
built=${CARGO_TARGET_DIR:-target}/$(rustc -vV | sed -n 's/^host: //p')/release
copy=$(mktemp -d "$(realpath "$built")/XXXXXX")
trap 'rm -rf "$copy"' EXIT
cp "$built/all" "$copy"
export program=$copy/all

run_target() {
  local target=$1
  shift
  PGNA_FUZZ_TARGET=$target "$program" "$@"
}

export -f run_target
