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

# vectors CODEC TARGET: the vectors of a move codec, after the options of its
# target: for the Huffman family the form, for models the level, then for all the start position (the
# first of the list, or the second, of which only the rest is given), the plies
# and no null moves.
vectors() {
  local codec=$1 target=$2 file selector plies
  mkdir -p "fuzz/corpus/$target"
  for file in tests/vectors/"$codec"/*.bin; do
    selector=$(field "${file%.bin}.json" selector)
    plies=$(field "${file%.bin}.json" plies)
    {
      case $selector in
        1 | 3) printf '\x00\x41' ;;
        2 | 4) printf '\x01\x00' ;;
        9) printf '\x00\x00' ;;
        10) printf '\x01\x00' ;;
        11) printf '\x02\x00' ;;
        *) printf '\x00' ;;
      esac
      printf '%b' "$(printf '\\x%02x' $((plies % 256)) 0)" && cat "$file"
    } >"fuzz/corpus/$target/seed-$(basename "$file" .bin)"
  done
}

# xiangqi CODE TARGET: the vectors of a code of Xiangqi positions, or of links.
xiangqi() {
  local code=$1 target=$2 file
  mkdir -p "fuzz/corpus/$target"
  for file in tests/vectors/"$code"/*.bin; do
    cp "$file" "fuzz/corpus/$target/seed-$(basename "$file" .bin)"
  done
}

# xiangqi_fens TARGET: the FENs of those vectors.
xiangqi_fens() {
  local target=$1 file
  mkdir -p "fuzz/corpus/$target"
  for file in tests/vectors/xq-array/*.json; do
    sed -n 's/^ *"fen": "\(.*\)",*$/\1/p' "$file" \
      >"fuzz/corpus/$target/seed-$(basename "$file" .json)"
  done
}

# field FILE NAME: a number of a JSON file that has one field a line.
field() { sed -n "s/^ *\"$2\": \([0-9]*\),*$/\1/p" "$1"; }

# positions CODE: the vectors of a position code, after the option that says
# that they are bits.
positions() {
  local code=$1 target=${1//-/_}_decode hex number=0
  mkdir -p "fuzz/corpus/$target"
  while read -r hex; do
    number=$((number + 1))
    printf '%b' "\\x00$(sed 's/../\\x&/g' <<<"$hex")" >"fuzz/corpus/$target/seed-$number"
  done < <(sed -n 's/^ *"hex": "\([0-9a-f]*\)",*$/\1/p' "tests/vectors/position/$code.json")
}

vectors huffman huffman_decode
vectors huffman-index huffman_index_decode
vectors radix radix_decode
vectors radix-end radix_end_decode
vectors squares squares_decode
vectors san san_decode
vectors model model_codec_decode
for file in tests/vectors/position/*.json; do
  positions "$(basename "$file" .json)"
done
xiangqi xq-array xq_array_decode
xiangqi xq-list xq_list_decode
xiangqi xq-prefix xq_prefix_decode
xiangqi xq-ranked xq_ranked_decode
xiangqi xq-link xq_link_decode
xiangqi_fens xq_fen
texts prose half '\x80'
texts annotations prose '\x08\x00\x00\x00\x01'
texts lines_decode model '\x01\x00'
texts columns pack '\x00\x01\x00\x00'
texts columns strings '\x03\x01\x00'
texts split_lossless half '\x80'
texts indexes games '\x01'
texts archive_roundtrip one '\x08'
texts archive_roundtrip many '\x07'
texts archive_read damaged '\x01\x01\x80\x00\x01'
texts archive_read forged '\x02\x01\x80\x00\x01'
texts recover damaged '\x01\x01\x80\x00\x01'
texts recover blind '\x02\x01\x80\x00\x00'
texts mmap_vs_slice whole '\x01\x00'

pack
archives container_open
archives archive_read '\x00\x00'
archives recover '\x00\x00'
archives mmap_vs_slice '\x00\x00'
