package mem_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
)

const crossing = `
name: crossing
topology: {kind: leaf-spine, leaves: 3, spines: 4, hosts_per_leaf: 3}
algorithm: dcqcn
traffic:
  - {kind: permutation, size: 200KB}
`

// The ways of the slow flows are the ways of their frames: at each port of a switch the frames of the flows whose way
// it is on add up to the count of the data queue. If switches spread them it is on average. Tier: -short. Red with
// model.wayOf's frame without its source port.
func TestWaysOfSlowFlows(t *testing.T) {
	for _, c := range []struct {
		forwarding string
		within     float64
	}{{"ecmp", 0}, {"spray", 0.5}} {
		t.Run(c.forwarding, func(t *testing.T) {
			p := plansOf(t, crossing+"switch: {forwarding: "+c.forwarding+"}\n")
			o := done(t, p, 1)
			frames := map[plan.End]float64{}
			for _, slow := range o.Slow {
				for _, port := range slow.Ports {
					frames[port.End] += port.Share * float64(o.Flows[slow.Flow].Sender.Packets)
				}
			}
			if len(o.Slow) != len(p.Flows) {
				t.Fatalf("%d slow flows of %d", len(o.Slow), len(p.Flows))
			}
			used := 0
			for i := range o.Switches {
				for j := range o.Switches[i].Ports {
					counted := float64(o.Switches[i].Ports[j].Queues.At(3).Frames)
					want := frames[plan.End{Node: p.SwitchNode(i), Port: j}]
					if math.Abs(counted-want) > c.within*counted {
						t.Errorf("%s: %s:%d sent %v frames of data, its flows %v", c.forwarding, p.Switches[i].Name, j, counted, want)
					}
					if counted > 0 {
						used++
					}
				}
			}
			if used < len(p.Flows)+4 {
				t.Errorf("%s: %d ports alone were used", c.forwarding, used)
			}
		})
	}
}

// A path is dark at the end of a run if a flow's data or its ACKs go over the link that is down, and only then: a flow
// has timeouts if and only if the run names one. Tier: -short. Red with model.backOf's frame without its source port.
func TestDarkPathsAreThoseOfTheFlow(t *testing.T) {
	lost := map[bool]int{}
	for i := range 16 {
		side, spine, seed := fmt.Sprint("leaf", i%2), fmt.Sprint(i/2%4), fmt.Sprint(2+i/8)
		p := plansOf(t, `
name: dark
seed: `+seed+`
topology: {kind: leaf-spine, leaves: 2, spines: 4, hosts_per_leaf: 1}
algorithm: dcqcn
nic: {rto: {floor: 100us, initial: 200us}}
traffic: [{kind: flow, from: h0, to: h1}]
faults: [{link: `+side+"-spine"+spine+`, down: 50us, up: 1s}]
run: {until: 1ms}
`)
		o := done(t, p, 1)
		if silent := o.Flows[0].Sender.Timeouts > 0; silent != (len(o.Dark) == 1) {
			t.Errorf("seed %s, %s-spine%s: %d timeouts, and %v is dark", seed, side, spine, o.Flows[0].Sender.Timeouts, o.Dark)
		}
		for _, dark := range o.Dark {
			lost[dark.ACKs]++
		}
	}
	if lost[false] != 4 || lost[true] != 4 {
		t.Errorf("%d of 16 links lost data and %d ACKs, want 4 each", lost[false], lost[true])
	}
}

// Of the flows of an incast that starts late the one that was there before is beside all the time, and
// the one that is slowest was slowed down by CNPs.
func TestWhyAFlowIsSlow(t *testing.T) {
	p := plansOf(t, `
name: why
topology: {kind: star, hosts: 5}
algorithm: dcqcn
switch: {ecn: {kmin: 20KB, kmax: 100KB, pmax: 0.2}}
traffic:
  - {name: long, kind: flow, from: h0, to: h4, size: 2MB}
  - {name: late, kind: flow, from: h1, to: h4, size: 50KB, start: 50us}
  - {name: other, kind: flow, from: h2, to: h3, size: 50KB, start: 50us}
`)
	o := done(t, p, 1)
	slowest := o.Slowest()
	if slowest == nil || slowest.Flow != "late/h1-h4" && slowest.Flow != "long/h0-h4" {
		t.Fatalf("%+v", slowest)
	}
	text := slowest.String()
	for _, want := range []string{" times as long as alone: ", " held back to ", " by dcqcn while ", " free (after "} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%q has no %q", text, want)
			}
		})
	}
	for _, slow := range o.Slow {
		if p.Flows[slow.Flow].Name == "other/h2-h3" {
			for _, port := range slow.Ports {
				if port.Others != 0 || port.Flows != 1 {
					t.Errorf("a flow on ports of its own: %+v", port)
				}
			}
		}
	}
}

// A lone flow that is sent at 40 Gb/s is held back to that, but for the packets that lie on the edges of bins, and the
// rest of the line is free; it has no CNP. Tier: -short. Red with the port's busy time in place of its idle time, and
// with the bits of a bin over its held time.
func TestAFlowIsHeldBackToItsRate(t *testing.T) {
	slowest := done(t, plansOf(t, `
name: lone
topology: {kind: star, hosts: 2}
algorithm: {name: fixed, params: {rate: 40Gbps}}
traffic: [{kind: flow, from: h0, to: h1, size: 2MB}]
`), 1).Slowest()
	if slowest == nil || slowest.Why == nil {
		t.Fatalf("%+v", slowest)
	}
	held := slowest.Why.Held
	if math.Abs(held.Rate-40) > 0.4 || held.FreeLow > 60 || held.FreeHigh < 60 || held.FreeHigh-held.FreeLow > 10 {
		t.Errorf("%+v", held)
	}
	if text := slowest.String(); !strings.Contains(text, fmt.Sprintf(" held back to %.2f Gb/s by fixed while %.2f to %.2f"+
		" Gb/s of h0:0 were free; no packet", held.Rate, held.FreeLow, held.FreeHigh)) {
		t.Error(text)
	}
}

// A port asks for a pause when an ingress account is beyond XOFF: what the accounts held at most is
// between the two ends that pfc.csv has, but for a frame. Tier: -short. Red with the headroom of a
// port less, and with alpha of another rate.
func TestXOFFIsWherePortsPause(t *testing.T) {
	p := plansOf(t, `
name: pausing
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 4}
algorithm: fixed
switch: {buffer: 6MB}
traffic:
  - {kind: incast, senders: 6, receiver: h0, size: 1MB}
`)
	o := done(t, p, 1)
	paused := 0
	for i := range o.Switches {
		sw := &p.Switches[i]
		node := p.Node(p.SwitchNode(i))
		ports := p.AttachmentsOf(&node)
		for j := range o.Switches[i].Ports {
			class := o.Switches[i].Ports[j].Classes.At(3)
			if class.SentXOFF == 0 {
				continue
			}
			paused++
			least := sw.Profile.XOFFAt(j, ports, p.MaxFrame(), o.Switches[i].BufferMax)
			most := sw.Profile.XOFFAt(j, ports, p.MaxFrame(), 0)
			if class.IngressMax < least-p.MaxFrame() || class.IngressMax > most {
				t.Errorf("%s:%d held %v, XOFF is from %v to %v", sw.Name, j, class.IngressMax, least, most)
			}
		}
	}
	if paused == 0 {
		t.Error("no port paused another")
	}
}
