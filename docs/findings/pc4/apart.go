package main

import (
	"fmt"
	"io"
	"strings"
)

// The number of scenarios of each kind that PC4 was not made for: a flow over several full links, flows over paths of
// different lengths into one port, and a port shared with DCQCN.
const each = 5

const headApart = `# Written by go run ./docs/findings/pc4 apart %s: do not edit.
# What PC4 was not made for, drawn: parking lots, paths of different lengths, ports shared with DCQCN.
name: p7

topology: {kind: star}
switch: {headroom_rule: frames, pause_response: 0s, alpha_rate: 100Gbps}
nic: {pause_response: 0s}
mtu: 1000B

algorithms:
  subject: {name: pc4, params: {set: evidence}}

traffic: [{kind: incast}]   # a variant has its own

algorithm: subject
expect: {congestion: any}

sweep: {record: true}

variants:
`

// writeApart writes the scenario that a hash draws, which is that of the registry of claims when the constants and the
// criteria were fixed.
func writeApart(to io.Writer, hash string) error {
	d := &dice{hash: hash}
	text := fmt.Sprintf(headApart, hash)
	for kind, one := range []func(*dice, string) string{lot, lengths, mix} {
		for i := range each {
			text += one(d, fmt.Sprintf("%s-%d", []string{"lot", "lengths", "mix"}[kind], i))
		}
	}
	_, err := io.WriteString(to, text)
	return err
}

// drawnFabric is any rate, latency and MTU.
func drawnFabric(d *dice) fabric {
	return fabric{rate: one(d, 40., 100, 200, 400), latency: one(d, 0.5, 1, 2, 5), mtu: one(d, 1000, 4096)}
}

// graph is a topology in the making.
type graph struct{ nodes, links strings.Builder }

func (g *graph) toSwitch(name string) {
	fmt.Fprintf(&g.nodes, "        - {name: %s, kind: switch}\n", name)
}

// host is a host at a switch.
func (g *graph) host(name, at string) {
	fmt.Fprintf(&g.nodes, "        - {name: %s}\n", name)
	g.link(name, at, "")
}

func (g *graph) link(a, b, rest string) {
	fmt.Fprintf(&g.links, "        - {endpoints: [%s, %s]%s}\n", a, b, rest)
}

// variant is a variant of the graph.
func (g *graph) variant(name string, f fabric, traffic string, until string) string {
	return fmt.Sprintf("  - name: %s\n    topology:\n      kind: explicit\n      rate: %gGbps\n      latency: %gus\n"+
		"      nodes:\n%s      links:\n%s    mtu: %dB\n    traffic:\n%s    run: {until: %s}\n",
		name, f.rate, f.latency, &g.nodes, &g.links, f.mtu, traffic, until)
}

// lot is a flow over two to five links, each with one to four flows more.
func lot(d *dice, name string) string {
	f, links, more := drawnFabric(d), d.between(2, 5), d.between(1, 4)
	g, traffic := &graph{}, "      - {name: long, from: a, to: b, jitter: 1us}\n"
	for i := range links + 1 {
		g.toSwitch(fmt.Sprint("s", i))
		if i > 0 {
			g.link(fmt.Sprint("s", i-1), fmt.Sprint("s", i), "")
		}
	}
	g.host("a", "s0")
	g.host("b", fmt.Sprint("s", links))
	for i := range links {
		for k := range more {
			from, to := fmt.Sprintf("c%dx%d", i, k), fmt.Sprintf("d%dx%d", i, k)
			g.host(from, fmt.Sprint("s", i))
			g.host(to, fmt.Sprint("s", i+1))
			traffic += fmt.Sprintf("      - {name: %[1]s, from: %[1]s, to: %[2]s, jitter: 1us}\n", from, to)
		}
	}
	return g.variant(name, f, traffic, "4ms")
}

// lengths is two to four paths over one to five switches into one port, one to four flows on each.
func lengths(d *dice, name string) string {
	f, paths := drawnFabric(d), d.between(2, 4)
	g, traffic := &graph{}, ""
	for i := range 5 {
		g.toSwitch(fmt.Sprint("s", i))
		if i > 0 {
			g.link(fmt.Sprint("s", i-1), fmt.Sprint("s", i), fmt.Sprintf(", rate: %gGbps", 16*f.rate))
		}
	}
	g.host("r", "s0")
	switches := []int{0, 1, 2, 3, 4}
	for i := range paths {
		at := int(d.share() * float64(len(switches)))
		for k := range d.between(1, 4) {
			from := fmt.Sprintf("h%dx%d", i, k)
			g.host(from, fmt.Sprint("s", switches[at]))
			traffic += fmt.Sprintf("      - {name: %[1]s, from: %[1]s, to: r, jitter: 1us}\n", from)
		}
		switches = append(switches[:at:at], switches[at+1:]...)
	}
	return g.variant(name, f, traffic, "4ms")
}

// mix is one to sixteen flows of PC4 and one to sixteen of DCQCN into one port.
func mix(d *dice, name string) string {
	f, own, others := drawnFabric(d), d.between(1, 16), d.between(1, 16)
	set := one(d, "nvidia", "paper")
	return fmt.Sprintf("  - name: %s\n", name) + f.keys(fmt.Sprintf("hosts: %d", own+others+1)) + fmt.Sprintf(
		"    traffic:\n      - {name: own, from: h0..h%d, to: h%d, jitter: 1us, algorithm: subject}\n"+
			"      - {name: other, from: h%d..h%d, to: h%[2]d, jitter: 1us, algorithm: {name: dcqcn, params: {set: %[5]s}}}\n"+
			"    run: {until: 6ms}\n", own-1, own+others, own, own+others-1, set)
}
