package lab

// Mixed has every shipped algorithm in one fabric, some at one port: all that a
// frame can carry for an algorithm is on the wire, and much of it shares queues.
const Mixed = `
name: mixed
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 8}
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
nic: {clock: {noise: 20ns}}
traffic:
  - {name: dcqcn, from: [h0, h1], to: h8, size: 100KB, algorithm: {name: dcqcn, params: {recovery: rtt, rtt_in_cnp: true, cnp_jitter: 2us}}}
  - {name: dctcp, from: [h1, h2], to: h8, size: 100KB, algorithm: dctcp}
  - {name: hpcc, from: [h2, h3, h8], to: h9, size: 100KB, algorithm: hpcc}
  - {name: pc4, from: [h3, h4], to: h10, size: 100KB, algorithm: pc4}
  - {name: pidnn, from: [h4, h5], to: h10, size: 100KB, algorithm: pidnn}
  - {name: swift, from: [h5, h6, h11], to: h9, size: 100KB, algorithm: swift}
  - {name: timely, from: [h6, h7], to: h9, size: 100KB, algorithm: timely}
  - {name: none, from: h7, to: h8, size: 100KB, algorithm: none}
record: {interval: 10us}
`
