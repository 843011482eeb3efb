package lab

// LongHaul is a dumbbell over a long-haul path with all possible events: ways of unequal length, jitter, losses in
// bursts, a switch to a longer and to a shorter path, a flap in the middle of the transfer, and pauses across it.
const LongHaul = `
name: long-haul
topology:
  kind: dumbbell
  left: 2
  right: 2
  bottleneck_rate: 200Gbps # twice what h2 takes
  bottleneck_wan:
    length: 20km
    backward_length: 25km
    equipment: 3us
    jitter: 2us
    burst_loss: {enter: 0.002, leave: 0.3}
    timeline:
      - {at: 300us, length: 30km, jitter: 0s}
      - {at: 500us, flap: 20us}
      - {at: 900us, length: 10km, loss: 0.001}
switch: {ecn: {kmin: 20KB, kmax: 80KB}, reserve: 0, alpha: 0.01, dci: {pfc: {enabled: true, xon: 50KB}}}
nic: {rto: {floor: 600us, initial: 600us}}
controller: {latency: 1ms}
traffic:
  - {from: h0, to: h2, size: 1MB}
  - {from: h1, to: h2, size: 1MB}
  - {from: h3, to: h0, size: 300KB}
record: {interval: 50us}
variants:
  - {name: dcqcn, algorithm: dcqcn}
  - {name: pc4, algorithm: pc4}
`
