package oracle

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/edge/journal"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/mem"
)

// withEdges has two hosts of others beside a flow of ours; what b hears is more than its link carries.
const withEdges = `
algorithm: dcqcn
topology:
  kind: explicit
  nodes:
    - {name: s0, kind: switch}
    - {name: s1, kind: switch}
    - {name: a, kind: edge, interface: vethA, queue: 10KB}
    - {name: b, kind: edge, interface: vethB}
    - {name: h0, kind: host}
    - {name: h1, kind: host}
  links:
    - {endpoints: ["a:0", "s0:0"], rate: 500Mbps}
    - {endpoints: ["b:0", "s1:0"], rate: 1Gbps}
    - {endpoints: ["h0:0", "s0:1"], rate: 1Gbps, latency: 10us}
    - {endpoints: ["h1:0", "s1:1"], rate: 1Gbps, latency: 10us}
    - {endpoints: ["s0:2", "s1:2"], rate: 1Gbps, latency: 10us}
traffic:
  - {name: f, kind: flow, from: h0, to: h1, size: 100KB, start: 300us}
controller: {latency: 200us}
faults: [{link: b-s1, loss: 0.02}]
run: {until: 3ms}
`

// datagram is a frame of a host's stack: UDP over IPv4.
func datagram(from, to uint32, id uint16, payload int) []byte {
	b := make([]byte, 14+20+8+payload)
	b[12], b[13] = 0x08, 0x00
	ip := b[14:]
	ip[0], ip[8], ip[9] = 0x45, 64, 17
	binary.BigEndian.PutUint16(ip[2:], uint16(len(ip)))
	binary.BigEndian.PutUint16(ip[4:], id)
	binary.BigEndian.PutUint32(ip[12:], from)
	binary.BigEndian.PutUint32(ip[16:], to)
	sum := uint32(0)
	for i := 0; i < 20; i += 2 {
		sum += uint32(binary.BigEndian.Uint16(ip[i:]))
	}
	sum = sum&0xFFFF + sum>>16
	binary.BigEndian.PutUint16(ip[10:], ^uint16(sum+sum>>16))
	return b
}

// journals are the random arrivals at the two edges of a plan, datagrams to the other edge at most a gap apart, and the
// number of frames.
func journals(t *testing.T, p *plan.Plan, gap unit.Duration) (read func(string) *journal.Reader, frames int) {
	t.Helper()
	files := map[string]*bytes.Buffer{}
	for place, i := range p.Edges() {
		name, random := p.Devices[i].Name, chance.New(uint64(place), "edge")
		files[name] = &bytes.Buffer{}
		w, err := journal.NewWriter(files[name], journal.Header{Edge: name}, 0)
		if err != nil {
			t.Fatal(err)
		}
		me, other := p.EdgeAt(p.Edges()[place]).IP, p.EdgeAt(p.Edges()[1-place]).IP
		for at := unit.Time(0); at < p.Until; at += unit.Time(random.Below(uint64(gap))) {
			w.Add(at, at, datagram(me, other, uint16(random.Uint64()), int(random.Below(1400))))
			frames++
		}
		if err := w.Close(p.Until); err != nil {
			t.Fatal(err)
		}
	}
	return func(name string) *journal.Reader {
		r, err := journal.Open(name, bytes.NewReader(files[name].Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}, frames
}

// quiet is the same with a short flow at the end, most of whose port's frames are of others, and came before.
var quiet = strings.NewReplacer("rate: 500Mbps", "rate: 2Gbps", "size: 100KB, start: 300us", "size: 20KB, start: 2ms").
	Replace(withEdges)

// watchEdges runs such a scenario.
func watchEdges(t *testing.T, text string, gap unit.Duration) *seen {
	t.Helper()
	p := plansOf(t, text)[0]
	read, frames := journals(t, p, gap)
	s := watch(t, p, mem.Options{Edges: read})
	s.cameIn = frames
	return s
}
