#!/usr/bin/env bash
# Makes seeds/TARGET anew: of all inputs of corpus/TARGET and seeds/TARGET as few as
# reach every edge that they reach together, none longer than MAX_LEN bytes (default 1024).
#
#   fuzz/minimise.sh [TARGET…]     all targets, if none is named
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

source ./programs.sh

mkdir -p logs
for target in "$@"; do
  new=$(mktemp -d)
  mkdir -p "corpus/$target" "seeds/$target"
  run_target "$target" "$new" "corpus/$target" "seeds/$target" \
    -set_cover_merge=1 -use_counters=0 -max_len="${MAX_LEN:-1024}" >"logs/$target.log" 2>&1
  if [[ -z $(find "$new" -type f -print -quit) ]]; then
    echo "$target: nothing is left, see logs/$target.log" >&2
    exit 1
  fi
  rm -rf "seeds/$target"
  mv "$new" "seeds/$target"
  printf '%s: %d inputs, %d bytes\n' "$target" \
    "$(find "seeds/$target" -type f | wc -l)" "$(du -sb --apparent-size "seeds/$target" | cut -f1)"
done
