# To be sourced: builds the program that holds all fuzz targets.
#
# Sets $program to a copy of it, which is removed at exit, so that a build while it runs
# does not change it. run_target TARGET FLAG… runs a target, targets prints their names.

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

targets() {
  local file
  for file in fuzz_targets/*.rs; do basename "$file" .rs; done
}
export -f run_target
