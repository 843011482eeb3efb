#!/bin/sh
# Prints the draft's practice scenario at its size, 1024 NICs, as a scenario: 128 jobs of eight ranks, each with half a
# server in either data centre.
#
#   docs/findings/two-dc/draft-size.sh 8 balanced | rocelab run - --variant ecn --variant proximal   # a DCI of 4:1
#   docs/findings/two-dc/draft-size.sh 32 ecmp | rocelab run - --variant ecn --variant rate          # 1:1, as in the draft
#
# A run of two iterations takes some minutes of a processor, and 0.5 GB.
cat <<END
name: draft-size
topology: {kind: two-dc, dci_links: ${1:?links of each pair of spines, 8 or 32}}
mtu: 4096B
nic: {rto: {floor: 20ms, initial: 20ms}}
algorithm: dcqcn
switch: {proximal: {learning: {enabled: false}}}
variants:
  - {name: ecn}
  - {name: proximal, switch: {proximal: {enabled: true}}}
  - {name: rate, switch: {proximal: {enabled: true, rate: true, notify: always}}}
traffic:
END
job=0
while [ $job -lt 128 ]; do
  first=$((4 * job))
  hosts="a-h$first..a-h$((first + 3)), b-h$first..b-h$((first + 3))"
  echo "  - {name: job$job, operation: all-reduce, method: hierarchical, groups: 2, size: 64MB, hosts: [$hosts]," \
    "compute: 60ms, iterations: 2, paths: ${2:?paths, balanced or ecmp}}"
  job=$((job + 1))
done
