#!/bin/sh
# Repeats the search for PC4's constants, of which ../pc4-constants.md tells: half an hour and more of one
# processor. It goes on where it was stopped, and ends with FOLDER/sets.csv, which front.svg is drawn
# of, and with FOLDER/*.scores.csv.
#
#   sh docs/findings/pc4/search.sh FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
key=algorithm.params

# run NAME SCENARIO FLAG...: a sweep and its table. A case that is missed is a result.
run() {
  folder=$out/$1-$2
  file=$here/$2.yaml
  shift 2
  rocelab sweep "$file" --out "$folder" "$@" || [ $? -eq 1 ]
  rocelab sweep table "$folder" --format csv > "$folder.csv"
}

# score NAME TITLE SCENARIO...: the sets of sweeps of one name, the best first.
score() {
  name=$1
  title=$2
  shift 2
  for asked in "$@"; do
    shift
    set -- "$@" "$here/$asked.yaml" "$out/$name-$asked.csv"
  done
  (cd "$here" && go run . score "$title" "$@")
}

run printed train --set $key.set=printed
run printed train-delay --set $key.set=printed
score printed "drawn, as printed" train train-delay > "$out/printed.scores.csv"

# Nearer to what that found: the same target on all paths, about 1 us for few flows.
near="--set sweep={} --set $key.set=printed --draws 50 --draw-seed 3 --draw $key.beta=0.4..1.2
  --draw $key.max_mdf=0.1..0.4 --draw $key.adjust_interval=1.2..4.0 --draw $key.sub_gain=0.4..0.8"
# shellcheck disable=SC2086  # flags are words
run near train $near --draw $key.hai_share=0.05..0.3:log --draw $key.ai_share=0.002..0.03:log \
  --draw $key.tq0=0.8us..1.1us --draw $key.tq_noise=1.5..3.0
# shellcheck disable=SC2086
run near train-delay $near
score near "drawn nearer, as printed" train train-delay > "$out/near.scores.csv"

# The extension.
run extension train --set $key.set=return-to-base --draws 30 --draw-seed 2 \
  --draw $key.pull=0.01..0.15:log --draw $key.above=0.0..1.0
run extension train-delay --set $key.set=return-to-base --draws 30 --draw-seed 2
score extension "drawn, return to base" train train-delay > "$out/extension.scores.csv"

# The named sets.
named="--set sweep={} --grid $key.set=earlier,printed,return-to-base"
for scenario in train train-delay; do
  # shellcheck disable=SC2086
  run named $scenario $named
done
score named named train train-delay > "$out/named.scores.csv"
cat "$out/printed.scores.csv" "$out/near.scores.csv" "$out/extension.scores.csv" "$out/named.scores.csv" \
  > "$out/sets.csv"

# What no search saw.
for scenario in held-out drawn others parking-lot; do
  # shellcheck disable=SC2086
  run named $scenario $named --seeds 3
  score named named "$scenario" > "$out/named-$scenario.scores.csv"
done

# Each constant set otherwise.
for set in printed return-to-base; do
  for part in tq_noise=0 tq_noise=1 tq_path=1 tq_path=0.5 sub_gain=0 cwnd_rtt=base cwnd_rtt=measured pull=0 above=1 \
    hai_share=0.05 ai_share=0.01 beta=0.8 max_mdf=0.5 adjust_interval=3 feedback=any first_rtt=1pkt; do
    case $set-$part in printed-pull* | printed-above*) continue ;; esac
    run "$set-$part" train --set sweep={} --set $key.set=$set --grid "$key.$part"
    score "$set-$part" "$set" train > "$out/part-$set-$part.scores.csv"
  done
done
