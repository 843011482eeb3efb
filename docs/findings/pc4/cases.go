package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// fabric is the fabric of a case: rate in Gb/s, latency of a link in us, payload of a packet in bytes.
type fabric struct {
	rate, latency float64
	mtu           int
}

var usual = fabric{100, 1, 1000}

// header is the length of PC4's frames beside the payload, ack an ACK's length, both with preamble and gap.
const (
	header = 98
	ack    = 106
)

// packet returns the time of a full-size packet on a link, in us.
func (f fabric) packet() float64 { return float64((f.mtu+header)*8) / f.rate / 1e3 }

// rtt returns the base RTT over one switch, in us.
func (f fabric) rtt() float64 { return 2*f.packet() + 2*ack*8/f.rate/1e3 + 4*f.latency }

// wire returns the time of a message of the given bytes on a link, in us.
func (f fabric) wire(bytes int) float64 {
	packets := math.Ceil(float64(bytes) / float64(f.mtu))
	return (float64(bytes) + packets*header) * 8 / f.rate / 1e3
}

// keys returns the lines of a variant that set the fabric.
func (f fabric) keys(topology string) string {
	return fmt.Sprintf("    topology: {%s, rate: %gGbps, latency: %gus}\n    mtu: %dB\n",
		topology, f.rate, f.latency, f.mtu)
}

// endless is the length of runs without sizes, in us: a number of round trips, and more for flows that each have less
// than a packet in flight.
func (f fabric) endless(flows int) float64 {
	return math.Round(max(700*f.rtt(), 45*float64(flows)*f.packet()))
}

// even is n flows of a size at one port, F6a: the slowdown 0.97 n to 1.06 n, the mean wait at most 1.3 us, or 2 sqrt(n)
// + 4 packets if that is more. With clocks, they are off by up to 100 ns, N1.
func even(name string, f fabric, n, size int, clocks bool) string {
	wait := max(1.3, (2*math.Sqrt(float64(n))+4)*f.packet())
	text := fmt.Sprintf("  - name: %s\n", name) + f.keys(fmt.Sprintf("hosts: %d", n+1)) +
		fmt.Sprintf("    traffic: {size: %dB}\n", size)
	if clocks {
		text += "    nic: {clock: {offset: 100ns, drift_ppm: 1, resync: 10ms}}\n"
	}
	return text + fmt.Sprintf(
		"    expect: {checks: [slowdown_mean >= %.4g, slowdown_mean <= %.4g, queueing_mean_us <= %.4g]}\n",
		0.97*float64(n), 1.06*float64(n), wait)
}

// join is a flow beside which a short one starts, F6b: it gets 48 to 52 % of the port.
func join(name string, f fabric, size int) string {
	start := math.Round(70 * f.rtt())
	alone := f.wire(size)
	return fmt.Sprintf("  - name: %s\n", name) + f.keys("hosts: 3") + fmt.Sprintf(
		"    traffic:\n      - {name: long, from: h0, to: h2}\n"+
			"      - {name: short, from: h1, to: h2, size: %dB, start: %gus, jitter: 1us}\n"+
			"    run: {until: %gus}\n    expect: {checks: [fct_mean_us >= %.5g, fct_mean_us <= %.5g, utilisation >= 0.98]}\n",
		size, start, math.Round(start+2.2*alone+70*f.rtt()), alone/0.52+f.rtt(), alone/0.48+f.rtt())
}

// paths is each near and each far senders at one port, F11: Jain 0.95. The far ones are switches away, the receiver's
// included: 2 in a dumbbell, 3 in a leaf-spine, 5 in a fat tree.
func paths(name string, f fabric, each, switches int) string {
	var topology, senders, receiver string
	switch switches {
	case 2:
		topology = fmt.Sprintf("kind: dumbbell, left: %d, right: %d, bottleneck_rate: %gGbps", each, each+1,
			f.rate*float64(each))
		senders, receiver = fmt.Sprintf("h0..h%d", 2*each-1), fmt.Sprintf("h%d", 2*each)
	case 3:
		topology = fmt.Sprintf("kind: leaf-spine, leaves: 2, spines: 1, hosts_per_leaf: %d, uplink_rate: %gGbps", each+1,
			f.rate*float64(each))
		senders, receiver = fmt.Sprintf("[h0..h%d, h%d..h%d]", each-1, each+1, 2*each), fmt.Sprintf("h%d", each)
	case 5:
		topology = "kind: fat-tree, k: 4, core_rate: 400Gbps"
		senders, receiver = "[h0, h15]", "h1"
	}
	return fmt.Sprintf("  - name: %s\n", name) + f.keys(topology) + fmt.Sprintf(
		"    traffic: [{kind: incast, senders: %s, receiver: %s, jitter: 1us}]\n    run: {until: %gus}\n"+
			"    expect: {checks: [jain >= 0.95, utilisation >= 0.95]}\n", senders, receiver, f.endless(2*each))
}

// many is flows of a size from senders senders at one port, T2: the port at 95 %, the slowdown at most 1.02 times the
// effect of just sharing.
func many(name string, f fabric, senders, flows, size int) string {
	n, alone := float64(senders*flows), f.wire(size)
	return fmt.Sprintf("  - name: %s\n", name) + f.keys(fmt.Sprintf("hosts: %d", senders+1)) + fmt.Sprintf(
		"    traffic: {flows: %d, size: %dB, jitter: 1us}\n"+
			"    switch: {buffer: 10GB, pfc: {enabled: false}, ecn: {enabled: false}}\n"+
			"    nic: {rto: {floor: 100ms, initial: 100ms}}\n"+
			"    expect: {checks: [utilisation >= 0.95, slowdown_p99 <= %.5g, drops == 0]}\n",
		flows, size, 1.02*(n*alone+f.rtt())/(alone+f.rtt()))
}

const head = `# Written by go run ./docs/findings/pc4 cases %s: do not edit.
# Cases that no search for PC4's constants saw; ../pc4-constants.md has the results.
name: pc4-%s

algorithm: {name: pc4, params: {}}
topology: {kind: star}
switch: {headroom_rule: frames, pause_response: 0s, alpha_rate: 100Gbps}
nic: {pause_response: 0s}
traffic: [{kind: incast, size: 12MB}]   # a variant has its own

variants:
`

func writeCases(to io.Writer, which string) error {
	name, cases := "held-out", heldOut()
	if which != name {
		name, cases = "drawn", drawn(which)
	}
	_, err := fmt.Fprintf(to, head+"%s", which, name, strings.Join(cases, ""))
	return err
}

func heldOut() []string {
	slow, fast, large, far := fabric{25, 1, 1000}, fabric{400, 1, 1000}, fabric{100, 1, 4096}, fabric{100, 5, 1000}
	return []string{
		even("even-3", usual, 3, 25e6, false),
		even("even-24", usual, 24, 10e6, false),
		even("even-25g", slow, 8, 5e6, false),
		even("even-400g", fast, 8, 25e6, false),
		even("even-4096", large, 8, 25e6, false),
		even("clocks-3", usual, 3, 25e6, true),
		even("clocks-24", usual, 24, 10e6, true),
		even("clocks-25g", slow, 8, 5e6, true),
		even("clocks-400g", fast, 8, 25e6, true),
		join("join-25g", slow, 5e6),
		join("join-400g", fast, 20e6),
		paths("paths-2-switches", usual, 1, 2),
		paths("paths-5-switches", usual, 1, 5),
		paths("paths-5us", far, 4, 3),
		paths("paths-16", usual, 16, 3),
		paths("paths-400g", fast, 4, 3),
		many("many-300", usual, 30, 10, 400e3),
		many("many-2500", usual, 50, 50, 200e3),
		many("many-25g", slow, 30, 10, 200e3),
		many("many-400g", fast, 30, 10, 1e6),
		many("many-4096", large, 30, 10, 1e6),
		`  - name: f7-jitter
    topology: {hosts: 8}
    traffic: [{kind: all-to-all, flows: 8, size: 400KB, jitter: 300us}]
    expect: {checks: [utilisation >= 0.95]}
  - name: f10-3
    topology: {kind: dumbbell, left: 3, right: 1}
    traffic: [{kind: incast, senders: h0..h2, receiver: h3, spacing: 2ms, duration: 6ms}]
    run: {until: 10100us}
    expect: {checks: [jain >= 0.972, utilisation >= 0.95]}
  - name: f12-pc4
    topology: {kind: dumbbell, left: 4, right: 4}
    traffic:
      - {name: forward, kind: incast, senders: h0..h1, receiver: h4, size: 10MB}
      - {name: reverse, kind: incast, senders: h5..h6, receiver: h2}
    nic: {ack_class: data}
    run: {until: 4ms}
    expect: {checks: [fct_max_us <= 1978]}
  - name: f12-4
    topology: {kind: dumbbell, left: 6, right: 6}
    traffic:
      - {name: forward, kind: incast, senders: h0..h3, receiver: h6, size: 5MB}
      - {name: reverse, kind: incast, senders: h7..h10, receiver: h4, algorithm: {name: dcqcn, params: {set: paper}}}
    nic: {ack_class: data}
    run: {until: 4ms}
    expect: {checks: [fct_max_us <= 1978]}
  - name: shared-2
    topology: {hosts: 6}
    traffic:
      - {name: three, kind: flow, from: h0, to: h1..h3}
      - {name: fourth, from: h5, to: h1, size: 6MB}
    run: {until: 1500us}
    expect: {checks: [fct_max_us <= 832]}
`,
	}
}

// dice draws from a commit's hash, which was not chosen.
type dice struct {
	hash  string
	throw int
}

// share returns the next draw, from 0 up to 1.
func (d *dice) share() float64 {
	d.throw++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", d.hash, d.throw))
	return float64(binary.BigEndian.Uint64(sum[:])>>11) / (1 << 53)
}

// between draws a whole number by its logarithm, both ends included.
func (d *dice) between(low, high float64) int {
	return int(low * math.Pow((high+1)/low, d.share()))
}

func one[T any](d *dice, of ...T) T { return of[int(d.share()*float64(len(of)))] }

// drawn returns ten cases: of each kind two, and two of any.
func drawn(hash string) []string {
	d := &dice{hash: hash}
	var cases []string
	for i := range 10 {
		f := fabric{
			rate:    one(d, 25., 40, 50, 100, 200, 400),
			latency: one(d, 0.5, 1, 2, 3, 5),
			mtu:     one(d, 1000, 1024, 2048, 4096),
		}
		bdp := f.rate * f.rtt() / 8 * 1e3
		kind := i / 2
		if kind == 4 {
			kind = d.between(1, 4) - 1
		}
		name := fmt.Sprintf("drawn-%d-%s", i, []string{"even", "join", "paths", "many"}[kind])
		switch kind {
		case 0:
			cases = append(cases, even(name, f, d.between(2, 40), int(bdp*float64(d.between(150, 300))), false))
		case 1:
			cases = append(cases, join(name, f, int(bdp*float64(d.between(60, 200)))))
		case 2:
			cases = append(cases, paths(name, f, d.between(1, 8), one(d, 2, 3)))
		case 3:
			cases = append(cases, many(name, f, d.between(10, 60), d.between(5, 50), int(bdp*float64(d.between(4, 12)))))
		}
	}
	return cases
}
