package mem

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/model"
)

// meshWithEdges has loops: three leaves, each linked twice to both spines. Three hosts are edges.
const meshWithEdges = `
name: mesh
algorithm: dcqcn
topology: {kind: leaf-spine, leaves: 3, spines: 2, hosts_per_leaf: 2, uplinks: 4, rate: 10Gbps}
edges: [{node: h0, interface: a}, {node: h2, interface: b}, {node: h5, interface: c, mtu: 9000B}]
traffic: [{name: f, kind: flow, from: h1, to: h4, size: 300KB}]
controller: {latency: 200us}
run: {until: 60ms}
`

// outsider is a host at an edge: what it sends, and what it heard.
type outsider struct {
	edge  model.EdgeModel
	heard [][]byte
}

// mac returns the Ethernet address of an outsider.
func mac(i int) []byte { return []byte{2, 0xAA, 0, 0, 0, byte(i)} }

// toAll is the broadcast address.
var toAll = bytes.Repeat([]byte{0xFF}, 6)

// ethernet joins addresses and what follows them.
func ethernet(dst, src []byte, rest ...[]byte) []byte {
	return slices.Concat(dst, src, slices.Concat(rest...))
}

// sendOutside runs a scenario with edges, at which say makes frames come in, and returns the outcome and the frames
// that the outsiders received.
func sendOutside(t *testing.T, text string, codec bool, say func([]*outsider)) (*result.Outcome, []*outsider) {
	t.Helper()
	s, err := scenario.Parse("test.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	p := plans[0]
	blueprints, err := model.Blueprints(p)
	if err != nil {
		t.Fatal(err)
	}
	c := engine.Config{
		Targets:   targets(p),
		Lookahead: p.Lookahead(),
		Codec:     codec,
		Schedule:  engine.Schedule{Until: p.Until, Limit: p.Limit, EndGrid: p.EndGrid},
	}
	var nodes []*model.Node
	var outsiders []*outsider
	builder := model.NewBuilder(blueprints.Algorithms, shipped.Find)
	for i := range blueprints.Nodes {
		n, err := builder.Build(&blueprints.Nodes[i])
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := n.Model.(model.EdgeModel); ok {
			o := &outsider{edge: e}
			e.Outward = func(_ unit.Time, f *wire.Frame) { o.heard = append(o.heard, f.AppendTo(nil)) }
			outsiders = append(outsiders, o)
		}
		nodes, c.Nodes = append(nodes, n), append(c.Nodes, n.Machine)
	}
	say(outsiders)
	e := engine.New(c)
	end, _, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	e.Settle()
	reports := make([]model.Report, len(nodes))
	for i, n := range nodes {
		reports[i] = n.Report(end, e.Hashes()[i])
	}
	out, err := model.Assemble(p, end, slices.Values(reports))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Judge(out, result.Summarise(out)).Findings {
		if f.Status == result.Red {
			t.Errorf("finding: %s", f.Text)
		}
	}
	return out, outsiders
}

// send makes a frame come in at a time.
func (o *outsider) send(at unit.Time, b []byte) {
	f := new(wire.Frame)
	wire.DecodeAny(b, f)
	o.edge.Inject(at, 0, f)
}

// padded is b as a wire carries it.
func padded(b []byte) []byte { return slices.Concat(b, make([]byte, max(0, 60-len(b)))) }

const millisecond = unit.Time(unit.Millisecond)

// A broadcast reaches each edge exactly once in a fabric that has loops, and none of our NICs; a frame for one station
// reaches only that once it spoke. Our flows and the accounts of all frames are as ever, with frames as bytes too.
func TestBroadcastReachesEachEdgeOnce(t *testing.T) {
	arp := []byte{8, 6}
	var hashes []string
	for _, codec := range []bool{false, true} {
		question := ethernet(toAll, mac(0), arp, []byte("who has"), make([]byte, 40))
		answer := ethernet(mac(0), mac(1), arp, []byte("I have"), make([]byte, 40))
		thanks := ethernet(mac(1), mac(0), arp, []byte("thanks"), make([]byte, 40))
		lldp := ethernet([]byte{1, 0x80, 0xC2, 0, 0, 0x0E}, mac(2), []byte{0x88, 0xCC}, make([]byte, 50))
		out, list := sendOutside(t, meshWithEdges, codec, func(list []*outsider) {
			list[0].send(millisecond, question)
			list[1].send(5*millisecond, answer)
			list[0].send(10*millisecond, thanks)
			list[2].send(10*millisecond, lldp)
		})
		for i, want := range [][][]byte{{answer}, {question, thanks}, {question}} {
			t.Run(fmt.Sprint(want), func(t *testing.T) {
				if !slices.EqualFunc(list[i].heard, want, func(a, b []byte) bool { return bytes.Equal(a, padded(b)) }) {
					t.Errorf("codec %t: host %d heard %q, want %q", codec, i, list[i].heard, want)
				}
			})
		}
		drops := result.Summarise(out).ByReason
		brought := out.Flows[0].Receiver.Bytes
		if drops[fabric.DropLinkLocal] != 1 || drops[fabric.DropUnknownQP] != 0 || brought != 300*unit.KB {
			t.Errorf("drops %v, the flow brought %v", drops, brought)
		}
		hashes = append(hashes, fmt.Sprint(out.Trace))
	}
	if hashes[0] != hashes[1] {
		t.Errorf("the trace is %s, with frames as bytes %s", hashes[0], hashes[1])
	}
}

// oddBytes are the bytes after the addresses in frames that our codecs do not know.
var oddBytes = map[string][]byte{
	"ARP":           {8, 6, 0, 1},
	"802.1Q":        append([]byte{0x81, 0, 0x60, 5, 0x86, 0xDD, 0x60}, make([]byte, 80)...),
	"priority tag":  append([]byte{0x81, 0, 0xE0, 0, 8, 6}, make([]byte, 60)...),
	"QinQ":          append([]byte{0x88, 0xA8, 0, 5, 0x81, 0, 0, 6, 8, 6}, make([]byte, 60)...),
	"jumbo":         append([]byte{8, 6}, bytes.Repeat([]byte{0x5A}, 9000)...),
	"802.3":         append([]byte{0, 40}, make([]byte, 60)...),
	"a lie of IPv4": append([]byte{8, 0, 0x4F, 0, 0xFF, 0xFF}, make([]byte, 90)...),
	"a lie of IPv6": {0x86, 0xDD, 0x6F},
	"a runt":        {9},
}

// Every odd frame crosses two switches byte for byte, in the order in which they were sent.
func TestOddFramesCrossUnharmed(t *testing.T) {
	var names []string
	for name := range oddBytes {
		names = append(names, name)
	}
	slices.Sort(names)
	_, list := sendOutside(t, meshWithEdges, true, func(list []*outsider) {
		list[2].send(millisecond, ethernet(toAll, mac(2), []byte{8, 6})) // so that it is known
		for i, name := range names {
			list[0].send(2*millisecond+unit.Time(i)*millisecond, ethernet(mac(2), mac(0), oddBytes[name]))
		}
	})
	if len(list[2].heard) != len(names) {
		t.Fatalf("%d of %d frames came", len(list[2].heard), len(names))
	}
	for i, name := range names {
		if want := padded(ethernet(mac(2), mac(0), oddBytes[name])); !bytes.Equal(list[2].heard[i], want) {
			t.Errorf("%s came as\n%x, want\n%x", name, list[2].heard[i], want)
		}
	}
	if len(list[1].heard) != 1 {
		t.Errorf("the third host heard %d frames, want the first alone", len(list[1].heard))
	}
}

// Of a storm of broadcasts what the bound allows comes out, once, and a host that is known is reached meanwhile. Tier:
// -short.
func TestStormIsCutWhileOthersTalk(t *testing.T) {
	const frames = 4000 // 1 KB each every 5 us: 1.6 Gb/s for 20 ms
	out, list := sendOutside(t, meshWithEdges, false, func(list []*outsider) {
		list[1].send(millisecond/2, ethernet(toAll, mac(1), []byte{8, 6}))
		for i := range frames {
			at := millisecond + unit.Time(i)*5*unit.Time(unit.Microsecond)
			list[0].send(at, ethernet(toAll, mac(0), []byte{8, 6}, make([]byte, 986)))
			if i%100 == 0 {
				list[2].send(at, ethernet(mac(1), mac(2), []byte{8, 6}))
			}
		}
	})
	// 64 KB, then 100 Mb/s for 20 ms.
	least, most := 64+248, 64+252
	floods, talk := 0, 0
	for _, b := range list[1].heard {
		if b[0] == 0xFF {
			floods++
		} else {
			talk++
		}
	}
	if floods < least || floods > most || talk != frames/100 {
		t.Errorf("host 1 heard %d of the storm, want %d to %d, and %d frames for it, want %d", floods, least, most, talk,
			frames/100)
	}
	if got := result.Summarise(out).ByReason[fabric.DropFlood]; int(got) != frames-floods {
		t.Errorf("%d frames are counted as cut, want %d", got, frames-floods)
	}
}
