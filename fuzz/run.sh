#!/usr/bin/env bash
# Runs fuzz targets and prints, as a table, what came of each.
#
#   fuzz/run.sh SECONDS [TARGET…]           all targets, if none is named
#   JOBS=2 fuzz/run.sh SECONDS [TARGET…]    two targets at a time
#
# Inputs come from corpus/TARGET and seeds/TARGET, and new ones go to the first. What a
# target prints is in logs/TARGET.log, an input that fails in artifacts/TARGET. Exit
# status 1 if an input fails or a target does not run; then the end of its log is printed,
# and the names of such targets at the end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
: "${1:?the seconds for each target}"
export seconds=$1
shift
source ./programs.sh

# The status that libFuzzer prints at the end: "#RUNS DONE cov: N ft: N corp: N/SIZE …".
run() {
  local target=$1 log=logs/$1.log start=$SECONDS
  mkdir -p "corpus/$target" "seeds/$target" "artifacts/$target"
  local status=0
  run_target "$target" "corpus/$target" "seeds/$target" \
    -artifact_prefix="artifacts/$target/" \
    -max_total_time="$seconds" -max_len=16384 -timeout=60 -rss_limit_mb=2048 \
    >"$log" 2>&1 || status=$?
  awk -v target="$target" -v findings="$((status != 0))" -v seconds="$((SECONDS - start))" '
    /^#[0-9]+/ {
      runs = substr($1, 2)
      for (i = 2; i < NF; i++) if ($i == "cov:") edges = $(i + 1); else if ($i == "ft:") features = $(i + 1)
    }
    END { printf "| `%s` | %d | %d | %d | %d | %d |\n", target, seconds, runs, edges, features, findings }
  ' "$log"
  ((status == 0)) && return
  tail -n 40 "$log" >&2
  touch "logs/$target.failed"
}
export -f run

mkdir -p logs
rm -f logs/*.failed
echo '| target | seconds | runs | edges covered | features | findings |'
echo '|---|---|---|---|---|---|'
printf '%s\n' "$@" | xargs -P "${JOBS:-1}" -I{} bash -c 'run {}'
for failed in logs/*.failed; do
  [[ -e $failed ]] || exit 0
  printf 'failed: %s\n' "$(basename "$failed" .failed)" >&2
done
exit 1
