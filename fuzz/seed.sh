#!/usr/bin/env bash
# Writes the seed corpora of the fuzz targets, fuzz/corpus/TARGET/seed-*, from
# the sample collection: its texts, and archives of them. What the fuzzer found
# itself in earlier runs stays.
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

# Packs the start of each sample, once.
packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT
pack() {
  local file
  cargo build --quiet --release --bin pgna
  for file in tests/data/*.pgn; do
    head -c "$seed_bytes" "$file" >"$packed/sample.pgn"
    "${CARGO_TARGET_DIR:-target}/release/pgna" pack --quiet --force \
      "$packed/sample.pgn" --output "$packed/$(basename "$file" .pgn).pgna"
  done
}

# archives TARGET [PREFIX]: the archives, after a few bytes of options.
archives() {
  local target=$1 prefix=${2:-} file
  mkdir -p "fuzz/corpus/$target"
  for file in "$packed"/*.pgna; do
    { printf '%b' "$prefix" && cat "$file"; } \
      >"fuzz/corpus/$target/seed-archive-$(basename "$file" .pgna)"
  done
}

# huffman_vectors TARGET CODEC SELECTOR: the vectors of a codec whose first
# selector that is, after the form, the plies and no null moves.
huffman_vectors() {
  local target=$1 codec=$2 first=$3 file selector plies
  mkdir -p "fuzz/corpus/$target"
  for file in tests/vectors/"$codec"/*.bin; do
    selector=$(field "${file%.bin}.json" selector)
    plies=$(field "${file%.bin}.json" plies)
    { printf '%b' "$(printf '\\x%02x' $((selector - first)) $((plies % 256)) 0)" && cat "$file"; } \
      >"fuzz/corpus/$target/seed-$(basename "$file" .bin)"
  done
}

# field FILE NAME: a number of a JSON file that has one field a line.
field() { sed -n "s/^ *\"$2\": \([0-9]*\),*$/\1/p" "$1"; }

huffman_vectors huffman_decode huffman 1
huffman_vectors huffman_index_decode huffman-index 3
texts split_lossless half '\x80'
texts archive_roundtrip one '\x08'
texts archive_roundtrip many '\x07'
texts archive_read damaged '\x01\x01\x80\x00\x01'
texts archive_read forged '\x02\x01\x80\x00\x01'
texts mmap_vs_slice whole '\x01\x00'

pack
archives container_open
archives archive_read '\x00\x00'
archives mmap_vs_slice '\x00\x00'
