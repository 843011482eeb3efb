package lab

// Broken has a variant for each kind of fault, and two in which nothing breaks: flows across and within two leaves,
// most of them long enough to meet the fault. Each variant is the same on every runner.
const Broken = `
name: broken
algorithm: dcqcn
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 2}
switch: {buffer: 2MB, ecn: {kmin: 20KB, kmax: 80KB}, pfc: {quanta: 1000}, latency: 300ns}
nic: {rto: {floor: 60us, initial: 60us}}
traffic: [{kind: all-to-all, size: 60KB}]
record: {interval: 10us}
variants:
  - {name: whole}
  - {name: whole-through, switch: {cut_through: true}}
  - {name: outage, faults: [{link: leaf0-spine*, down: 10us, up: 40us}]}
  - {name: flaps, faults: [{link: leaf0-spine0, flaps: {from: 5us, times: 5, down: 2us, up: 9us}}]}
  - {name: detected-late, faults: [{link: leaf0-spine0, down: 10us, up: 40us, detect: 6us}]}
  - {name: rerouted, faults: [{link: leaf0-spine0, down: 10us, up: 40us}],
     failover: {detect: 3us, propagate: 4us, restore: 5us}}
  - {name: rerouted-through, switch: {cut_through: true}, faults:
      [{link: leaf0-spine0, flaps: {from: 8us, times: 3, down: 9us, up: 9us}}],
     failover: {detect: 3us, propagate: 4us, restore: 1us, buckets: 8, weighted: true}}
  - {name: slow, faults:
      [{link: h1-leaf0, rate: 40Gbps, from: 5us, to: 50us}, {link: leaf1-spine*, rate: 10Gbps, toward: leaf1}]}
  - {name: slow-through, switch: {cut_through: true}, faults: [{link: leaf*-spine*, rate: 25Gbps, from: 9us, to: 30us}]}
  - {name: bit-errors, faults: [{link: h*-leaf*, ber: 1e-6}]}
  - {name: reboot, faults: [{kind: switch-reboot, switch: spine0, down: 10us, up: 30us}]}
  - {name: reboot-leaf, faults: [{kind: switch-reboot, switch: leaf*, down: 10us, up: 30us}]}
  - name: reboot-around
    failover: {detect: 5us, propagate: 5us, restore: 10us}
    faults: [{kind: switch-reboot, switch: spine0, down: 10us, up: 30us}]
  - name: drain
    failover: {detect: 5us, propagate: 5us, restore: 10us}
    faults: [{kind: drain, switch: spine1, from: 5us, down: 20us, up: 40us}]
  - name: drain-link
    failover: {detect: 5us, propagate: 5us, restore: 10us, buckets: 16}
    faults: [{kind: drain, link: leaf0-spine1, from: 5us, up: 30us}]
  - {name: one-way, faults: [{kind: one-way, link: leaf0-spine0, toward: leaf0, down: 5us, up: 30us}]}
  - name: one-way-silent
    faults: [{kind: one-way, link: leaf0-spine0, toward: spine0, down: 5us, up: 30us, remote_fault: false}]
  - name: one-way-around
    failover: {detect: 2us, propagate: 2us, restore: 5us}
    faults: [{kind: one-way, link: leaf0-spine0, toward: leaf0, down: 5us, up: 30us}]
  - {name: gray-flows, faults: [{link: h*-leaf*, loss: 0.2, of: {buckets: [0, 2], of: 8}}]}
  - {name: gray-long, faults: [{link: h*-leaf*, loss: 0.02, of: {longer: 500B}}]}
`
