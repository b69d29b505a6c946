#!/usr/bin/env bash
# Writes the seed corpora of the fuzz targets, fuzz/corpus/TARGET/seed-*, from
# the sample collection and the vectors of the specification. What the fuzzer
# found itself in earlier runs stays.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The fuzzer mutates small inputs best: only the start of a long file is taken.
seed_bytes=8192

# texts TARGET NAME [PREFIX]: the samples, after a few bytes of options.
texts() {
  local target=$1 name=$2 prefix=${3:-} file
  mkdir -p "fuzz/corpus/$target"
  for file in tests/data/*.pgn; do
    { printf '%b' "$prefix" && head -c "$seed_bytes" "$file"; } \
      >"fuzz/corpus/$target/seed-$name-$(basename "$file")"
  done
}

# vectors TARGET GLOB…: files of tests/vectors, as they are.
vectors() {
  local target=$1 file
  shift
  mkdir -p "fuzz/corpus/$target"
  for file in "$@"; do
    [[ -f $file ]] && cp "$file" "fuzz/corpus/$target/seed-${file//\//-}"
  done
  return 0
}

# archives TARGET: the start of each sample, packed.
archives() {
  local target=$1 file part
  mkdir -p "fuzz/corpus/$target"
  part=$(mktemp -d)
  for file in tests/data/*.pgn; do
    head -c "$seed_bytes" "$file" >"$part/sample.pgn"
    cargo run --quiet --release -- pack "$part/sample.pgn" -q -f \
      -o "fuzz/corpus/$target/seed-$(basename "$file" .pgn)"
  done
  rm -rf "$part"
}

texts split_lossless half '\x80'
texts archive_roundtrip one '\x08'
texts archive_roundtrip many '\x07'
texts archive_read damaged '\x01\x01\x80\x00\x01'
texts archive_read forged '\x02\x01\x80\x00\x01'
texts mmap_vs_slice whole '\x01\x00'
