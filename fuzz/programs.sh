# To be sourced: builds the program that holds all fuzz targets.
#
# Sets $program to a copy of it, which is removed at exit: what is built while it runs
# does not count. run_target TARGET FLAG… runs a target, and targets prints their names.

cargo +nightly fuzz build all >&2
host=$(rustc -vV | sed -n 's/^host: //p')
program=$(mktemp)
trap 'rm -f "$program"' EXIT
cp "${CARGO_TARGET_DIR:-target}/$host/release/all" "$program"
export program

run_target() {
  local target=$1
  shift
  PGNA_FUZZ_TARGET=$target "$program" "$@"
}

targets() {
  local file
  for file in fuzz_targets/*.rs; do basename "$file" .rs; done
}
export -f run_target
