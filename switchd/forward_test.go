package switchd

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// fan is a switch with one NIC at port 0 and four equal hops, ports 1 to 4, to
// NIC 1.
func fan(mode profile.Forwarding) Config {
	c := star(5)
	c.Profile.Forwarding = mode
	c.Routes = []uint16{0, 1}
	c.NextHops = [][]uint16{{0}, {1, 2, 3, 4}}
	return c
}

// hops sends n frames of a flow, with gap between them, and returns their ports.
func hops(b *bench, n int, at unit.Time, gap unit.Duration, srcPort uint16) (ports []fabric.LinkID) {
	for i := range n {
		f := data(1, uint32(i))
		f.SrcPort = srcPort
		b.arrive(0, at.Add(gap*unit.Duration(i)), f)
	}
	b.run(at.Add(gap * unit.Duration(n)))
	for _, d := range b.sent {
		ports = append(ports, d.Link)
	}
	b.sent = nil
	return ports
}

func distinct(ports []fabric.LinkID) int {
	seen := map[fabric.LinkID]bool{}
	for _, p := range ports {
		seen[p] = true
	}
	return len(seen)
}

func TestECMPKeepsAFlowOnItsPath(t *testing.T) {
	b, again := newBench(t, fan(profile.ECMP)), newBench(t, fan(profile.ECMP))
	var count [5]int
	for i := range 400 {
		at := us * unit.Time(2+10*i)
		ports := hops(b, 5, at, unit.Microsecond, uint16(0xC000+i))
		if distinct(ports) != 1 || hops(again, 1, at, 5*unit.Microsecond, uint16(0xC000+i))[0] != ports[0] {
			t.Fatalf("flow %d took %v", i, ports)
		}
		count[ports[0]]++
	}
	for p, n := range count[1:] { // binomial(400, 1/4): mean 100, sigma 8.7
		if n < 57 || n > 143 {
			t.Errorf("port %d: %d of 400 flows", p+1, n)
		}
	}
}

// TestNoPolarisation: the flows that one switch sends to one hop spread over
// all hops of the next switch, which has another ID.
func TestNoPolarisation(t *testing.T) {
	var count [4]int
	n := 0
	for i := range 4000 {
		f := data(1, 0)
		f.SrcPort = uint16(0xC000 + i)
		if flowHash(f, 1)%4 == 0 {
			count[flowHash(f, 2)%4]++
			n++
		}
	}
	for hop, got := range count { // binomial(1000, 1/4): sigma 13.7
		if got < n/4-69 || got > n/4+69 {
			t.Errorf("hop %d: %d of %d", hop, got, n)
		}
	}
}

// TestNoPolarisationOverTwoTiers: switches of a second tier spread the traffic of the first over all of their links, by
// Pearson's chi-square: the sum of (seen - expected)^2 / expected over a switch's four links has 3 degrees of freedom,
// over the four switches behind one 12. By pure chance these exceed 16.266 and 32.909 once in a thousand (NIST/SEMATECH
// e-Handbook of Statistical Methods, 1.3.6.7.4, upper tail of 0.001). Were all switches to hash alike, a switch of the
// second tier would use one link of four: 3 a flow.
func TestNoPolarisationOverTwoTiers(t *testing.T) {
	const ways, flows = 4, 4096
	var tiers [2][ways]*Switch
	for tier := range tiers {
		for i := range tiers[tier] {
			c := fan(profile.ECMP)
			c.ID = uint32(ways*tier + i)
			tiers[tier][i] = newBench(t, c).s
		}
	}
	chiSquare := func(seen [ways]int) (sum float64) {
		expected := float64(seen[0]+seen[1]+seen[2]+seen[3]) / ways
		for _, n := range seen {
			sum += (float64(n) - expected) * (float64(n) - expected) / expected
		}
		return sum
	}
	for number, first := range tiers[0] {
		var up [ways]int
		var links [ways][ways]int // of the second tier, by switch
		for i := range flows {
			f := data(1, 0)
			f.SrcIP, f.SrcPort = firstIP+100+uint32(i/64), 0xC000+uint16(i%64)
			way := first.fwd.next(f, 0) - 1
			up[way]++
			links[way][tiers[1][way].fwd.next(f, 0)-1]++
		}
		if got := chiSquare(up); got > 16.266 {
			t.Errorf("switch %d: chi-square %.1f of its links %v", number, got, up)
		}
		sum := 0.0
		for way := range links {
			sum += chiSquare(links[way])
		}
		if sum > 32.909 {
			t.Errorf("behind switch %d: chi-square %.1f of the second tier's links %v", number, sum, links)
		}
	}
}

func TestFlowlet(t *testing.T) {
	b := newBench(t, fan(profile.Flowlet))
	if ports := hops(b, 100, 2*us, 10*unit.Microsecond, 0xC000); distinct(ports) != 1 {
		t.Error("gaps of 10 us changed the path")
	}
	ports := hops(b, 200, 9*ms, 10*unit.Microsecond+1, 0xC000)
	changed := 0
	for i := 1; i < len(ports); i++ {
		if ports[i] != ports[i-1] {
			changed++
		}
	}
	if changed < 119 || changed > 180 { // binomial(199, 3/4): mean 149, sigma 6.1
		t.Errorf("gaps above 10 us: %d changes of 199", changed)
	}
	if len(b.s.fwd.table) != flowlets {
		t.Errorf("table of %d entries", len(b.s.fwd.table))
	}
}

func TestSprayAndRoundRobin(t *testing.T) {
	var count [5]int
	for _, p := range hops(newBench(t, fan(profile.Spray)), 4000, 2*us, 100*unit.Nanosecond, 0xC000) {
		count[p]++
	}
	for p, n := range count[1:] { // binomial(4000, 1/4): sigma 27.4
		if n < 863 || n > 1137 {
			t.Errorf("spray, port %d: %d", p+1, n)
		}
	}
	stream := chance.New(1, "s0/spray")
	for i, p := range hops(newBench(t, fan(profile.Spray)), 100, 2*us, 100*unit.Nanosecond, 0xC000) {
		if want := fabric.LinkID(1 + stream.Below(4)); p != want {
			t.Fatalf("spray, frame %d: port %d, want %d of the switch's own stream", i, p, want)
		}
	}
	for i, p := range hops(newBench(t, fan(profile.RoundRobin)), 40, 2*us, 100*unit.Nanosecond, 0xC000) {
		if int(p) != 1+i%4 {
			t.Fatalf("round robin, frame %d: port %d", i, p)
		}
	}
}

// TestLeastQueue: of idle ports the first; of busy ones that which is free
// first; a queued frame weighs more than a busy wire.
func TestLeastQueue(t *testing.T) {
	b := newBench(t, fan(profile.LeastQueue))
	ports := hops(b, 6, 2*us, unit.Nanosecond, 0xC000)
	b.run(9 * us)
	for _, d := range b.sent {
		ports = append(ports, d.Link)
	}
	want := []fabric.LinkID{1, 2, 3, 4, 1, 2}
	for i := range want {
		if ports[i] != want[i] {
			t.Fatalf("ports %v, want %v", ports, want)
		}
	}
}
