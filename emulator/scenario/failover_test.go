package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// failing is a leaf-spine with failover, faults and other keys.
func failing(failover, faults, rest string) string {
	return `
algorithm: none
topology: {kind: leaf-spine, leaves: 2, spines: 4, hosts_per_leaf: 1}
traffic: [{from: h0, to: h1, size: 1MB}]
run: {until: 20ms}
failover: ` + failover + `
faults: [` + faults + `]
` + rest
}

// The units of instants.
const (
	micro = unit.Time(unit.Microsecond)
	milli = unit.Time(unit.Millisecond)
)

// What an end of a link knows follows from the fault's detect, else its switch's, else that of all; a NIC has that of
// all.
func TestEndsLearnAtTheirOwnTimes(t *testing.T) {
	p := plansOf(t, failing("{detect: 100us, propagate: 50us, restore: 1ms}",
		"{link: leaf0-spine0, down: 1ms, up: 2ms}, {link: leaf1-spine1, down: 1ms, up: 2ms, detect: 300us}, "+
			"{link: h0-leaf0, down: 1ms, up: 2ms}, {link: leaf0-spine2, down: 1ms, up: 1050us}",
		"switches: {leaf*: {failover: {detect: 10us, restore: 2ms}}}"))[0]
	times := func(detected, restored unit.Time) plan.EndTimes {
		return plan.EndTimes{Detected: detected, Restored: restored}
	}
	for name, want := range map[string][2]plan.EndTimes{
		"leaf0-spine0": {times(milli+10*micro, 4*milli), times(milli+100*micro, 3*milli)},
		"leaf1-spine1": {times(milli+300*micro, 4*milli), times(milli+300*micro, 3*milli)},
		"h0-leaf0":     {times(milli+100*micro, 2*milli), times(milli+10*micro, 2*milli)},
		"leaf0-spine2": {times(milli+10*micro, 3*milli+50*micro), times(unit.Never, milli+50*micro)},
	} {
		t.Run(name, func(t *testing.T) {
			link := slices.IndexFunc(p.Links, func(l plan.Link) bool {
				return p.NodeName(l.A.Node)+"-"+p.NodeName(l.B.Node) == name
			})
			c := plan.ConvergenceOf(p, link, fabric.Outage{From: milli, To: 2 * milli})
			if c.Ends != want {
				t.Errorf("%s: %v, want %v", name, c.Ends, want)
			}
		})
	}
}

// A fault's detect without failover makes both ends learn late, and changes no table. Without it the ends' knowledge is
// not set, and failover without outages changes nothing but itself.
func TestDetectWithoutFailover(t *testing.T) {
	const scenario = `
algorithm: none
topology: {kind: star, hosts: 2}
traffic: [{from: h0, to: h1, size: 1MB}]
faults: [{link: h0-s0, flaps: {from: 1ms, times: 2, down: 100us, up: 1ms}%s}]
`
	p := plansOf(t, strings.ReplaceAll(scenario, "%s", ", detect: 20us"))[0]
	want := []fabric.Outage{
		{From: milli + 20*micro, To: milli + 100*micro},
		{From: 2*milli + 120*micro, To: 2*milli + 200*micro},
	}
	for end := range 2 {
		if got := p.Attachment(0, end == 1).Knows; got == nil || !slices.Equal(got.Down, want) {
			t.Errorf("end %d knows %v, want %v", end, got, want)
		}
	}
	if p.Failover != nil {
		t.Error("there is a failover")
	}
	c := plan.ConvergenceOf(p, 0, fabric.Outage{From: 2*milli + 100*micro, To: 2*milli + 200*micro})
	if c.Ends[0].Detected != 2*milli+120*micro || c.Settled != unit.Never {
		t.Errorf("of the second flap follows %+v", c)
	}
	if p = plansOf(t, strings.ReplaceAll(scenario, "%s", ""))[0]; p.Links[0].Knows != nil {
		t.Error("ends that know at once have their own spans")
	}
}

// Signals that are lost in one direction and switches that reboot have a detection time of their own, with failover or
// without: of a signal it counts from when the end hears nothing, or hears of the remote fault a flight later; a switch
// that reboots knows at once. Control: faults that leave it out.
func TestDetectOfOtherFaults(t *testing.T) {
	for _, failover := range []string{"", "failover: {detect: 5ms, propagate: 1us, restore: 1us}\n"} {
		t.Run(fmt.Sprintf("%q", failover), func(t *testing.T) {
			for _, x := range []struct {
				fault string
				want  [2]unit.Time // of the host, and of the switch
			}{
				{"{kind: one-way, link: h0-s0, toward: h0, down: 1ms, up: 2ms, detect: 20us}",
					[2]unit.Time{milli + 20*micro, milli + 21*micro}},
				{"{kind: one-way, link: h0-s0, toward: s0, down: 1ms, up: 2ms, detect: 20us}",
					[2]unit.Time{milli + 21*micro, milli + 20*micro}},
				{"{kind: one-way, link: h0-s0, toward: s0, down: 1ms, up: 2ms, detect: 20us, remote_fault: false}",
					[2]unit.Time{unit.Never, milli + 20*micro}},
				{"{kind: switch-reboot, switch: s0, down: 1ms, up: 2ms, detect: 20us}",
					[2]unit.Time{milli + 20*micro, milli}},
			} {
				p := plansOf(t, "algorithm: none\ntopology: {kind: star, hosts: 2, latency: 1us}\n"+
					"traffic: [{from: h0, to: h1, size: 1MB}]\n"+failover+"faults: ["+x.fault+"]\n")[0]
				if p.KindOf(p.Links[0].A.Node) != plan.KindNIC {
					t.Fatal("the link does not begin at the host")
				}
				c := plan.ConvergenceOf(p, 0, p.Links[0].Outages[0])
				if got := [2]unit.Time{c.Ends[0].Detected, c.Ends[1].Detected}; got != x.want {
					t.Errorf("%s%s: known at %v, want %v", failover, x.fault, got, x.want)
				}
			}
		})
	}
}

// RFC 2439: 1000 at each loss, falling by half in 1 ms. The third loss in 2 ms is above 2000, and keeps the link out
// until 750: log2(p/750) half lives after it.
func TestDampening(t *testing.T) {
	p := plansOf(t, failing("{detect: 0s, propagate: 0s, restore: 0s, dampening: {half_life: 1ms}}",
		"{link: leaf0-spine0, flaps: {from: 1ms, times: 3, down: 100us, up: 400us}}", ""))[0]
	var restored []unit.Time
	for _, c := range p.Failover.Convergence {
		restored = append(restored, c.Ends[0].Restored)
	}
	// 1000, 1000/sqrt 2 + 1000 = 1707.1, 1707.1/sqrt 2 + 1000 = 2207.1: log2(2207.1/750) = 1.5572
	if len(restored) != 3 || restored[0] != 1100*micro || restored[1] != 1600*micro ||
		restored[2] < 2*milli+1556*micro || restored[2] > 2*milli+1558*micro {
		t.Errorf("restored at %v, want 1.1 ms, 1.6 ms and 3.557 ms", restored)
	}
}

// A ceiling of 2 x 750 keeps the second and the third loss from more than 1500, which is a half life above reuse: a
// link is out for max_suppress after the last loss. A ceiling at suppress is refused.
func TestDampeningHasACeiling(t *testing.T) {
	const keys = "{detect: 0s, propagate: 0s, restore: 0s, dampening: {suppress: 1400, half_life: 1ms, max_suppress: %s}}"
	const flaps = "{link: leaf0-spine0, flaps: {from: 1ms, times: 3, down: 100us, up: 400us}}"
	p := plansOf(t, failing(strings.Replace(keys, "%s", "1ms", 1), flaps, ""))[0]
	var restored []unit.Time
	for _, c := range p.Failover.Convergence {
		restored = append(restored, c.Ends[0].Restored)
	}
	if want := []unit.Time{1100 * micro, 2500 * micro, 3 * milli}; !slices.Equal(restored, want) {
		t.Errorf("restored at %v, want %v", restored, want)
	}
	want := plan.Dampening{
		Penalty:     1000,
		Suppress:    1400,
		Reuse:       750,
		HalfLife:    unit.Millisecond,
		MaxSuppress: unit.Millisecond,
	}
	if got := p.Failover.Written.Dampening; got == nil || *got != want {
		t.Errorf("the plan has %+v", got)
	}
	_, err := Parse("x.yaml", []byte(failing(strings.Replace(keys, "%s", "900us", 1), flaps, "")), nil)
	if err == nil || !strings.Contains(err.Error(), "allowed is more than 900.464us") {
		t.Errorf("a ceiling at suppress: %v", err)
	}
}

// What does not follow routes is refused beside failover, in one message with its place.
func TestFailoverIsRefused(t *testing.T) {
	const links = "[{endpoints: [a, s0]}, {endpoints: [b, s1]}, {endpoints: [c, s2]}, {endpoints: [s0, s1]}, " +
		"{endpoints: [s1, s2]}, {endpoints: [s2, s0]}"
	const nodes = "[{name: s0, kind: switch}, {name: s1, kind: switch}, {name: s2, kind: switch}, {name: a}, {name: b}, " +
		"{name: c}]"
	explicit := func(links string) string {
		return "algorithm: none\ntraffic: [{from: a, to: b, size: 1MB}]\nfailover: {}\n" +
			"topology: {kind: explicit, nodes: " + nodes + ", links: " + links + "]}\n"
	}
	const fault = "{link: leaf0-spine0, down: 1ms}"
	for _, x := range []struct{ scenario, want string }{
		{failing("{buckets: 3}", fault, ""),
			"x.yaml:6:21: buckets is 3, and leaf0 has groups of 4 ports: allowed are 4 or more"},
		{strings.Replace(failing("{}", fault, ""), "size: 1MB", "size: 1MB, path: 1", 1), "x.yaml:4:47: path pins flows"},
		{failing("{}", fault, "switch: {proximal: {enabled: true}}"), "proximal CNP is on at leaf0"},
		{strings.Replace(failing("{}", fault, "switches: {leaf0: {failover: {detect: 1ms}}}"), "failover: {}\n", "", 1),
			"failover of a switch without failover of the scenario"},
		{explicit(links), "x.yaml:3:11: failover does not apply to a ring"},
		{"algorithm: none\ntopology: {kind: two-dc, scale: 1/8}\n" +
			"traffic: [{from: a-h0, to: b-h0, size: 1MB}]\nfailover: {}\n",
			"x.yaml:4:11: failover does not apply to two-dc"},
		{"algorithm: none\ntopology: {kind: star, hosts: 3}\ntraffic: [{from: h0, to: h2, size: 1MB}]\nfailover: {}\n" +
			"edges: [{node: h1, stack: kernel}]\n", "failover does not apply to a fabric with edges"},
	} {
		t.Run(fmt.Sprintf("%.50q", x.scenario), func(t *testing.T) {
			_, err := Parse("x.yaml", []byte(x.scenario), nil)
			if err == nil || !strings.Contains(err.Error(), x.want) || strings.Count(err.Error(), "\n") > 0 {
				t.Errorf("%s\nsays: %v\nwant one message: %s", x.scenario, err, x.want)
			}
		})
	}
	if _, err := Parse("x.yaml", []byte(explicit(strings.TrimSuffix(links, ", {endpoints: [s2, s0]}"))), nil); err != nil {
		t.Errorf("a chain is refused: %v", err)
	}
}

// Outages and runs that are over before the routes have followed are worth a warning, and so are tables that ports do
// not share evenly.
func TestFailoverWarnings(t *testing.T) {
	for _, x := range []struct{ failover, fault, want string }{
		{"{}", "{link: leaf0-spine0, flaps: {from: 1ms, times: 3, down: 1ms, up: 1ms}}",
			"no end of a link that is down learns of it, since detect is longer: no route changes; link leaf0-spine0 from 1ms " +
				"to 2ms, and 2 more"},
		{"{detect: 1ms, propagate: 1ms}", "{link: leaf0-spine0, down: 1ms, up: 2500us}",
			"a link is up again before the routes have followed: detect and propagate take longer than the outage; link " +
				"leaf0-spine0 from 1ms to 2.5ms, settled at 3ms"},
		{"{}", "{link: leaf0-spine0, down: 1ms}",
			"the run ends at 20ms, before the routes have followed a link that is down; link leaf0-spine0 from 1ms to never, " +
				"settled at 21ms"},
		{"{detect: 1ms, propagate: 1ms, buckets: 6}", "{link: leaf0-spine0, down: 1ms}",
			"buckets is 6, and leaf0 has groups of 4 ports"},
		{"{detect: 1ms, propagate: 1ms, buckets: 8}", "{link: leaf0-spine0, down: 1ms}", ""},
	} {
		t.Run(fmt.Sprintf("failover=%s,fault=%s", x.failover, x.fault), func(t *testing.T) {
			got := strings.Join(Analyse(plansOf(t, failing(x.failover, x.fault, ""))[0], nil).Warnings, "\n")
			if !strings.Contains(got, x.want) || x.want == "" && got != "" {
				t.Errorf("%s, %s: warnings are\n%s\nwant\n%s", x.failover, x.fault, got, x.want)
			}
		})
	}
}
