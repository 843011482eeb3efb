package veth

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// ownPorts is a switch whose ports differ in all that a port may have of its own, by their names and by the numbers.
const ownPorts = `
name: own-ports
algorithm: dcqcn
topology:
  kind: explicit
  nodes:
    - {name: s0, kind: switch, ports: [Ethernet0, Ethernet4, Ethernet8, Ethernet12]}
    - {name: a}
    - {name: b}
    - {name: c}
    - {name: d}
  links:
    - {endpoints: [a, "s0:Ethernet0"]}
    - {endpoints: [b, "s0:Ethernet4"]}
    - {endpoints: [c, "s0:Ethernet8"]}
    - {endpoints: [d, "s0:Ethernet12"]}
switch:
  buffer: 600KB
  ecn: {enabled: false}
  watchdog: {enabled: false}
  scheduling: {strict: []}
switches:
  s0:
    ports:
      Ethernet0: {ecn: {kmin: 10KB, kmax: 40KB}, scheduling: {strict: [6]}, headroom: 60KB}
      d: {watchdog: {enabled: true, detect: 50us, restore: 50us}, alpha: 0.5}
      1: {scheduling: {weights: {3: 9}}}
nic: {rto: {floor: 100us, initial: 200us}}
traffic:
  - {name: marked, kind: incast, receiver: a, size: 60KB}
  - {name: watched, kind: incast, receiver: d, size: 60KB}
faults: [{kind: pfc-storm, host: d, class: 3, from: 4us, to: 150us}]
record: {interval: 10us}
`

var _ = Describe("ports with settings of their own", Label("veth"), func() {
	It("have the trace and the files of the run in memory", func() {
		compare(lab.Plans(ownPorts), veth.PerServer)
	})

	It("act in this scenario", func() {
		s := inMemory(lab.Plans(ownPorts)[0])
		marks := func(port int) uint64 { return s.Switches[0].Ports[port].Queues.At(3).Marked }
		Expect([]uint64{marks(1), marks(2), marks(3)}).To(HaveEach(BeZero()))
		Expect(marks(0)).To(BeNumerically(">", 0))
		Expect(s.Switches[0].Ports[3].Classes.At(3).WatchdogFired).To(BeNumerically(">", 0))
		p := []*plan.Plan{lab.Plans(ownPorts)[0]}
		p[0].Switches[0].Profile.Own = nil
		Expect(inMemory(p[0]).Trace).NotTo(Equal(s.Trace))
	})
})
