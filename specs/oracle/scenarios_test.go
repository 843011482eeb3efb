package oracle

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// The scenarios of every run of the tests: each has what random ones seldom have, or all together.
var fixed = []struct{ name, text string }{
	// An endless flow that stops, a late one that does not, one that the run's end cuts short, losses, pauses.
	{"lossy star", `
topology: {kind: star, hosts: 5, rate: 25Gbps, latency: 1us}
switch: {buffer: 400KB, alpha: 0.1, classes: {dscp: {34: 4}}, pfc: {lossless: [3, 4]}, ecn: {kmin: 10KB, kmax: 40KB}}
nic: {rto: {floor: 60us, initial: 100us}, ack_every: 3}
traffic:
  - {name: endless, kind: flow, from: h0, to: h4, stop: 150us, algorithm: dcqcn}
  - {name: late, kind: flow, from: h1, to: h4, start: 90us, algorithm: {name: swift}}
  - {name: sized, kind: incast, senders: [h1, h2, h3], receiver: h4, size: 150KB, algorithm: dcqcn, dscp: 34}
  - {name: cut, kind: flow, from: h4, to: h0, size: 900KB, start: 30us, algorithm: none}
faults: [{link: h2-s0, loss: 0.05}, {link: h4-s0, loss: 0.002}]
record: {interval: 10us}
run: {until: 251us}
`},
	// Two switches of two tiers, a job of two iterations beside flows that end early, and no end asked for.
	{"jobs", `
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 4, rate: 100Gbps, uplink_rate: 100Gbps}
switch: {ecn: {kmin: 20KB, kmax: 80KB}, latency: 300ns}
algorithm: dcqcn
traffic:
  - {name: ring, operation: all-reduce, method: ring, hosts: [h0, h1, h4, h5], size: 200KB, iterations: 2,
     compute: 5us}
  - {name: all, operation: all-to-all, method: direct, hosts: [h2, h3, h6], size: 60KB, compute: 2us,
     stragglers: {h6: 3}}
  - {name: cross, kind: flow, from: h7, to: h0, size: 20KB, start: 11us}
`},
	// DCI ports without PFC, whose memory overflows, and losses in bursts on a fibre that flaps.
	{"fibre", `
topology:
  kind: dumbbell
  left: 2
  right: 2
  rate: 10Gbps
  bottleneck_rate: 10Gbps
  bottleneck_wan: {length: 4km, backward_length: 5km, jitter: 1us, burst_loss: {enter: 0.002, leave: 0.3},
    timeline: [{at: 300us, flap: 20us}]}
switch: {dci: {buffer: 60KB, ecn: {kmin: 10KB, kmax: 50KB}}}
nic: {rto: {floor: 120us, initial: 200us}}
controller: {latency: 100us}
traffic:
  - {name: a, kind: flow, from: h0, to: h2, size: 200KB, algorithm: dcqcn}
  - {name: b, kind: flow, from: h1, to: h2, size: 200KB, algorithm: timely}
  - {name: c, kind: flow, from: h3, to: h0, size: 100KB, algorithm: dcqcn}
faults: [{link: h2-s1, loss: 0.3, frames: acks}]
run: {until: 900us}
record: {interval: 20us}
`},
	// NICs that pause without need, one beyond the end; watchdogs, victims, and a job that is cut short.
	{"storm", `
topology: {kind: dumbbell, left: 3, right: 3, rate: 10Gbps, bottleneck_rate: 10Gbps}
switch:
  {buffer: 400KB, watchdog: {detect: 180us, restore: 50us}, classes: {dscp: {34: 4}}, pfc: {lossless: [3, 4]}}
nic: {rto: {floor: 50us, initial: 50us}}
algorithm: none
traffic:
  - {name: broken, kind: flow, from: h0, to: h3, size: 300KB}
  - {name: beside, kind: flow, from: h1, to: h4, size: 200KB}
  - {name: cut, operation: all-gather, method: ring, hosts: [h2, h5], size: 100KB, iterations: 9, compute: 60us}
  - {name: whole, operation: broadcast, method: tree, hosts: [h1, h2], size: 10KB}
faults:
  - {kind: pfc-storm, host: h3, class: 3, from: 40us, to: 440us}
  - {kind: pfc-storm, host: h5, class: 3, from: 860us, to: 3ms}
  - {kind: pfc-storm, host: h5, class: 4, from: 700us, to: 800us}
run: {until: 900us}
`},
	// Classes without PFC, with buffers that overflow and WRED that drops ACKs, and a class with too little headroom.
	{"lossy classes", `
topology: {kind: star, hosts: 4, rate: 10Gbps, latency: 1us}
switch:
  {buffer: 120KB, headroom: 1KB, reserve: 0, alpha: 0.25, ecn: {kmin: 5KB, kmax: 30KB, scale_rate: 0, classes: [0, 3]}}
nic: {rto: {floor: 60us, initial: 100us}, ack_class: data}
traffic:
  - {name: lossy, kind: incast, senders: [h0, h1, h2], receiver: h3, size: 100KB, dscp: 0, algorithm: none}
  - {name: back, kind: flow, from: h3, to: h0, size: 100KB, dscp: 0, algorithm: dcqcn}
  - {name: lossless, kind: incast, senders: [h1, h2], receiver: h0, size: 100KB, algorithm: none}
run: {until: 1500us}
`},
	// A link that goes down while one flow sends for good, whose QP falls into error, and another waits.
	{"given up", `
topology: {kind: star, hosts: 4, rate: 10Gbps, latency: 1us}
nic: {rto: {mode: fixed, ack_timeout: 3, retries: 2}, receive_rate: 6Gbps, receive_buffer: 20KB}
traffic:
  - {name: dead, kind: flow, from: h0, to: h1, size: 200KB, algorithm: dcqcn}
  - {name: soon, kind: flow, from: h2, to: h1, size: 200KB, start: 120us, algorithm: none}
  - {name: alive, kind: flow, from: h2, to: h3, size: 200KB, algorithm: none}
faults: [{link: h1-s0, down: 60us, up: 10s}, {link: h3-s0, loss: 0.02}]
run: {limit: 20ms}
`},
	// Switches that notify each other and learn, in a site and across a fibre.
	{"proximal", lab.TwoDC + "variants: [{name: small, traffic: {size: 120KB}}]\n"},
	// A job across a fibre, which has a bound.
	{"bound", `
topology: {kind: two-dc, scale: "1/64", spines: 1, uplink_rate: 200Gbps, dci_links: 1, dci_rate: 50Gbps,
  dci_wan: {length: 2km}}
mtu: 4096B
algorithm: dcqcn
traffic:
  - {name: job, operation: all-reduce, method: hierarchical, groups: 2, size: 512KB, compute: 20us, iterations: 2,
     hosts: [a-h0, a-h2, b-h0, b-h2]}
`},
}

// draw makes a scenario by chance.
type draw struct {
	*chance.Stream
	out     strings.Builder
	endless bool // some flow has no size
}

func (d *draw) of(list ...string) string { return list[d.Below(uint64(len(list)))] }
func (d *draw) between(lo, hi int64) int64 {
	return d.Between(lo, hi)
}
func (d *draw) one(in uint64) bool           { return d.Below(in) == 0 }
func (d *draw) line(format string, a ...any) { fmt.Fprintf(&d.out, format+"\n", a...) }
func (d *draw) host(n int) string            { return fmt.Sprintf("h%d", d.Below(uint64(n))) }
func (d *draw) algorithm() string {
	return d.of("dcqcn", "dctcp", "hpcc", "pc4", "timely", "swift", "none", "dcqcn", "dcqcn")
}

// drawn is the scenario of a seed: a fabric, two to five entries of traffic with algorithms of their own, settings
// that make queues, marks, pauses, losses and timeouts, and an end that may come in the midst of it.
func drawn(seed uint64) string {
	d := &draw{Stream: chance.New(seed, "oracle")}
	d.line("seed: %d", d.Below(1000))
	links, hosts, fibre := d.topology()
	pauses := d.settings(fibre)
	d.line("traffic:")
	for entry := range 2 + d.Below(4) {
		d.traffic(int(entry), hosts)
	}
	d.faults(links, hosts, pauses)
	if d.one(2) {
		d.line("record: {interval: %dus}", d.between(2, 30))
	} else if d.one(4) {
		d.line("record: {off: true}")
	}
	if !d.endless && d.one(2) {
		d.line("run: {limit: 1500us}")
	} else {
		d.line("run: {until: %dns}", d.between(60_000, 400_000))
	}
	return d.out.String()
}

// topology draws a fabric, and returns its links, its number of hosts, and whether it has a fibre.
func (d *draw) topology() (links []string, hosts int, fibre bool) {
	rate, latency := d.of("10Gbps", "25Gbps", "40Gbps", "100Gbps"), d.between(300, 2000)
	common := fmt.Sprintf("rate: %s, latency: %dns", rate, latency)
	switch d.Below(4) {
	case 0:
		hosts = int(d.between(3, 7))
		d.line("topology: {kind: star, hosts: %d, %s}", hosts, common)
		for h := range hosts {
			links = append(links, fmt.Sprintf("h%d-s0", h))
		}
	case 1:
		left, right := int(d.between(1, 3)), int(d.between(1, 3))
		hosts = left + right
		between := fmt.Sprintf("bottleneck_latency: %dus", d.between(1, 6))
		if fibre = d.one(2); fibre {
			between = fmt.Sprintf("bottleneck_wan: {length: %dm, jitter: %dns, loss: %s}", d.between(450, 6000),
				d.between(0, 900), d.of("0", "0.001", "0.01"))
		} else {
			links = append(links, "s0-s1")
		}
		d.line("topology: {kind: dumbbell, left: %d, right: %d, %s, bottleneck_rate: %s, %s}", left, right, common,
			d.of("10Gbps", "25Gbps", "100Gbps"), between)
		for h := range hosts {
			links = append(links, fmt.Sprintf("h%d-s%d", h, min(1, h/left)))
		}
	default:
		leaves, each := int(d.between(2, 3)), int(d.between(2, 3))
		hosts = leaves * each
		d.line("topology: {kind: leaf-spine, leaves: %d, spines: %d, hosts_per_leaf: %d, %s, uplink_rate: %s}", leaves,
			d.between(1, 3), each, common, d.of("10Gbps", "40Gbps", "100Gbps"))
		for h := range hosts {
			links = append(links, fmt.Sprintf("h%d-leaf%d", h, h/each))
		}
	}
	return links, hosts, fibre
}

// settings draws the settings of switches and NICs, and returns whether PFC is on.
func (d *draw) settings(fibre bool) (pauses bool) {
	kmin := d.between(4, 60)
	settings := fmt.Sprintf("ecn: {kmin: %dKB, kmax: %dKB, point: %s, scale_rate: %s}", kmin, kmin+d.between(0, 200),
		d.of("dequeue", "dequeue", "enqueue"), d.of("0", "25Gbps", "100Gbps"))
	settings += fmt.Sprintf(", buffer: %dKB, alpha: %s, reserve: %s", d.between(700, 2000), d.of("0.02", "0.125", "1"),
		d.of("0", "4KB"))
	if pauses = !d.one(3); !pauses {
		settings += ", pfc: {enabled: false}"
	}
	if d.one(3) {
		settings += fmt.Sprintf(", latency: %dns", d.between(100, 800))
	}
	if fibre {
		settings += fmt.Sprintf(", dci: {ecn: {kmin: %dKB, kmax: 400KB}, pfc: {enabled: %s}}", d.between(5, 50),
			d.of(fmt.Sprint(pauses), "false"))
	}
	d.line("switch: {%s}", settings)
	d.line("nic: {rto: {floor: %dus, initial: %dus}, ack_every: %d, receiver: %s, ack_class: %s, "+
		"nak: interval, nak_interval: %dus}",
		d.between(30, 200), d.between(60, 200), d.between(1, 4), d.of("gbn", "gbn", "gbn", "ooo"),
		d.of("control", "control", "data"), d.between(20, 300))
	d.line("controller: {latency: 100us}")
	return pauses
}

// traffic draws an entry.
func (d *draw) traffic(entry, hosts int) {
	head := fmt.Sprintf("  - {name: t%d, algorithm: %s, start: %dns, ", entry, d.algorithm(), d.between(0, 60_000))
	size := fmt.Sprintf("size: %dB", d.between(1, 150_000))
	if d.one(3) {
		size = fmt.Sprintf("size: %dKB", d.between(1, 400))
	}
	switch d.Below(8) {
	case 0, 1:
		from := d.Below(uint64(hosts))
		to := (from + 1 + d.Below(uint64(hosts-1))) % uint64(hosts)
		d.line("%skind: flow, from: h%d, to: h%d, flows: %d, %s}", head, from, to, d.between(1, 3), size)
	case 2:
		from := d.Below(uint64(hosts))
		to := (from + 1 + d.Below(uint64(hosts-1))) % uint64(hosts)
		stop := ""
		d.endless = true
		if d.one(2) {
			stop = fmt.Sprintf(", stop: %dns", d.between(61_000, 400_000))
		}
		d.line("%skind: flow, from: h%d, to: h%d%s}", head, from, to, stop)
	case 3, 4:
		d.line("%skind: incast, senders: %d, receiver: h%d, events: %d, period: %dus, %s}", head,
			d.between(1, int64(hosts-1)), hosts-1, d.between(1, 3), d.between(20, 100), size)
	case 5:
		d.line("%skind: permutation, %s}", head, size)
	case 6:
		d.line("  - {name: t%d, algorithm: %s, kind: poisson, load: 0.%d, until: %dus, "+
			"distribution: [[300B, 20], [3KB, 60], [60KB, 100]]}", entry, d.algorithm(), d.between(3, 6), d.between(100, 200))
	default:
		job := d.of("operation: all-reduce, method: ring", "operation: all-gather, method: ring",
			"operation: all-to-all, method: pairwise", "operation: broadcast, method: tree")
		d.line("%s%s, hosts: all, size: %dB, iterations: %d, compute: %dus}", head, job,
			int64(hosts)*d.between(1, 30_000), d.between(1, 3), d.between(0, 12))
	}
}

// faults draws losses, an outage and a PFC storm, or none.
func (d *draw) faults(links []string, hosts int, pauses bool) {
	var list []string
	if d.one(2) {
		list = append(list, fmt.Sprintf("{link: %s, loss: %s, frames: %s}", d.of(links...), d.of("0.001", "0.01", "0.05"),
			d.of("all", "data", "acks")))
	}
	if d.one(4) {
		at := d.between(20, 200)
		list = append(list, fmt.Sprintf("{link: %s, down: %dus, up: %dus}", d.of(links...), at, at+d.between(1, 40)))
	}
	if pauses && d.one(4) {
		at := d.between(10, 100)
		list = append(list, fmt.Sprintf("{kind: pfc-storm, host: %s, class: 3, from: %dus, to: %dus}", d.host(hosts), at,
			at+d.between(5, 100)))
	}
	if len(list) > 0 {
		d.line("faults: [%s]", strings.Join(list, ", "))
	}
}
