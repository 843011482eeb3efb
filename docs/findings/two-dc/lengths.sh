#!/bin/sh
# Repeats the sweep of which ../two-dc-lengths.md tells: two minutes of one processor for each seed, or with
# quick, for three lengths and one seed, ten seconds. It goes on where it was stopped, and leaves in
# FOLDER lengths.csv, a picture and a table for each kind of memory.
#
#   sh docs/findings/two-dc/lengths.sh FOLDER [SEEDS | quick]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$here"

length=topology.dci_wan.length
buffer=switch.dci.buffer
case ${2:-1} in
quick)
  memories=computed
  set -- --set "sweep={}" --grid $length=10km,120km,1000km --grid $buffer=0B
  ;;
*)
  memories="computed fixed"
  set -- --seeds "${2:-1}"
  ;;
esac
rocelab sweep lengths.yaml --out "$out/runs" "$@"
rocelab sweep table "$out/runs" --metrics iteration_mean_us,bound_us,drops,queue_max_bytes,timeouts --format csv |
  sed 's/,[^,]*$//' > "$out/lengths.csv" # without the traces
for memory in $memories; do
  go run . draw "$memory" "$out/lengths.csv" > "$out/$memory.svg"
  go run . table "$memory" "$out/lengths.csv" > "$out/$memory.md"
done
