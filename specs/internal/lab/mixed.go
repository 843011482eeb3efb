package lab

// Mixed has every shipped algorithm in one fabric, some at one port: all that a
// frame can carry for an algorithm is on the wire, and much of it shares queues.
const Mixed = `
name: mixed
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 4}
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
nic: {clock: {noise: 20ns}}
traffic:
  - {name: dcqcn, from: h0, to: h4, flows: 2, size: 100KB, algorithm: {name: dcqcn, params: {recovery: rtt, ` +
	`rtt_in_cnp: true, cnp_jitter: 2us}}}
  - {name: dctcp, from: h1, to: h4, flows: 2, size: 100KB, algorithm: dctcp}
  - {name: hpcc, from: h2, to: h5, flows: 2, size: 100KB, algorithm: hpcc}
  - {name: pc4, from: h3, to: h5, flows: 2, size: 100KB, algorithm: pc4}
  - {name: pidnn, from: h0, to: h6, flows: 2, size: 100KB, algorithm: pidnn}
  - {name: swift, from: h1, to: h6, flows: 2, size: 100KB, algorithm: swift}
  - {name: timely, from: h2, to: h6, flows: 2, size: 500KB, algorithm: timely}
  - {name: none, from: h3, to: h4, size: 100KB, algorithm: none}
record: {interval: 10us}
`
