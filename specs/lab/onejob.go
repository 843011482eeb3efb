package lab

// OneJob is one job across two data centres, without ECMP's choice: eight ranks, four in each
// data centre, one spine there, and a DCI of one link, oversubscribed 4:1. So its bound is exact,
// 37.13 ms an iteration. Settings of switches and other keys are written behind it.
const OneJob = `
topology: {kind: two-dc, scale: "1/64", spines: 1, uplink_rate: 200Gbps, dci_links: 1, dci_rate: 50Gbps}
mtu: 4096B
nic: {rto: {floor: 20ms, initial: 20ms}}
algorithm: dcqcn
traffic:
  - {name: job, operation: all-reduce, method: hierarchical, groups: 2, size: 64MB, compute: 10ms, iterations: 4,
     hosts: [a-h0, a-h2, a-h4, a-h6, b-h0, b-h2, b-h4, b-h6]}
`
