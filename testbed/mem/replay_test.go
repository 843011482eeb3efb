package mem

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/edge"
	"github.com/rocelab/rocelab/edge/journal"
	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/engine/enginetest"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/model"
)

// withEdges is two switches over fibre, an edge at each, and flows of our own NICs beside them.
const withEdges = `
name: edges
algorithm: dcqcn
topology:
  kind: explicit
  nodes:
    - {name: s0, kind: switch}
    - {name: s1, kind: switch}
    - {name: a, kind: edge, interface: vethA, queue: 60KB}
    - {name: b, kind: edge, interface: vethB, pfc: here}
    - {name: h0, kind: host}
    - {name: h1, kind: host}
  links:
    - {endpoints: ["a:0", "s0:0"], rate: 2Gbps}
    - {endpoints: ["b:0", "s1:0"], rate: 1Gbps}
    - {endpoints: ["h0:0", "s0:1"], rate: 1Gbps, latency: 10us}
    - {endpoints: ["h1:0", "s1:1"], rate: 1Gbps, latency: 10us}
    - {endpoints: ["s0:2", "s1:2"], rate: 1Gbps, latency: 10us}
traffic:
  - {name: f, kind: flow, from: h0, to: h1, size: 300KB}
controller: {latency: 200us}
faults: [{link: b-s1, loss: 0.01}]
run: {until: 4ms}
`

func edgesPlan(t *testing.T, text string) *plan.Plan {
	t.Helper()
	s, err := scenario.Parse("test.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	return plans[0]
}

// datagram is a frame of a host's stack: UDP over IPv4, to an address of the fabric.
func datagram(from, to uint32, tos byte, payload int) []byte {
	b := make([]byte, 14+20+8+payload)
	b[12], b[13] = 0x08, 0x00
	ip := b[14:]
	ip[0], ip[1], ip[8], ip[9] = 0x45, tos, 64, 17
	binary.BigEndian.PutUint16(ip[2:], uint16(len(ip)))
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

// host is a real host at an edge: it sends frames at any time, and the edge learns of them late, from their reader,
// while the windows run.
type host struct {
	*edge.Edge
	keep *journal.Writer
	send []sending
}

type sending struct {
	came, told unit.Time
	frame      []byte
}

// newHost makes what the host at an edge sends: datagrams to the other edge and to a NIC,
// RoCE of its own, padded and not, pauses and frames that mean nothing.
func newHost(p *plan.Plan, e *edge.Edge, place int, late unit.Duration, keep *journal.Writer) *host {
	rng := chance.New(uint64(place), "host")
	h := &host{Edge: e, keep: keep}
	me, other := p.EdgeAt(place).IP, p.EdgeAt(1-place).IP
	told := unit.Time(0)
	for at := unit.Time(0); at < p.Until; at += unit.Time(rng.Below(uint64(15 * unit.Microsecond))) {
		var frame []byte
		switch rng.Below(20) {
		case 0:
			f := wire.Frame{EtherType: wire.EtherTypeMACControl, Dst: wire.PFCDst, ClassEnable: 8}
			f.Pause[3] = uint16(rng.Below(100))
			frame = f.AppendTo(nil)
		case 1:
			frame = bytes.Repeat([]byte{byte(rng.Uint64())}, 60+int(rng.Below(500)))
		case 2:
			frame = datagram(me, plan.FirstIP+1, 2, int(rng.Below(1400)))
		case 3, 4:
			f := wire.Frame{
				EtherType: wire.EtherTypeIPv4,
				TTL:       64,
				Opcode:    wire.WriteOnly,
				SrcIP:     me,
				DstIP:     other,
			}
			f.VA, f.UDPChecksum, f.Src = rng.Uint64(), uint16(rng.Uint64()), wire.MAC{2, 0, 0, 0, 0, byte(rng.Uint64())}
			f.SetPayload(1 + int(rng.Below(1000)))
			f.Rare = &wire.Rare{Payload: bytes.Repeat([]byte{byte(rng.Uint64())}, int(f.PayloadLen))}
			frame = f.AppendTo(nil)
		case 5:
			f := wire.Frame{
				EtherType: wire.EtherTypeIPv4,
				TTL:       64,
				Opcode:    wire.SendOnly,
				SrcIP:     me,
				DstIP:     other,
			}
			f.Rare = &wire.Rare{Unpadded: true}
			frame = f.AppendTo(nil) // of 58 bytes
		default:
			frame = datagram(me, other, byte(rng.Below(4)), int(rng.Below(1400)))
		}
		told = max(told, at.Add(unit.Duration(rng.Below(uint64(late)+1))))
		h.send = append(h.send, sending{at, told, frame})
	}
	return h
}

func (h *host) Advance(horizon unit.Time, out *fabric.Outbox) unit.Time {
	for len(h.send) > 0 && h.send[0].told < horizon {
		s := h.send[0]
		h.send = h.send[1:]
		f := out.New()
		wire.DecodeAny(s.frame, f)
		h.keep.Add(s.came, h.Inject(s.came, horizon, f), s.frame)
	}
	next := h.Edge.Advance(horizon, out)
	if len(h.send) > 0 {
		next = min(next, h.send[0].told)
	}
	return next
}

// live runs a plan until end with hosts at its edges, as the live runner does: nothing is
// known before. It returns the journals.
func live(t *testing.T, p *plan.Plan, end unit.Time, late unit.Duration) (*result.Outcome, map[string]*bytes.Buffer) {
	t.Helper()
	return liveWith(t, p, end, func(e *edge.Edge, place int, keep *journal.Writer) fabric.Node {
		return newHost(p, e, place, late, keep)
	})
}

// liveWith is live with the hosts that host makes for each edge.
func liveWith(t *testing.T, p *plan.Plan, end unit.Time,
	host func(e *edge.Edge, place int, keep *journal.Writer) fabric.Node) (*result.Outcome, map[string]*bytes.Buffer) {
	t.Helper()
	b, err := build(p, shipped.Find)
	if err != nil {
		t.Fatal(err)
	}
	neighbour, weight := placement(p)
	c := engine.Config{
		Nodes:     make([]fabric.Node, len(b.nodes)),
		Targets:   targets(p),
		Neighbour: neighbour,
		Weight:    weight,
		Lookahead: p.Lookahead(),
		Schedule:  engine.Schedule{Until: end, Limit: p.Limit, EndGrid: p.EndGrid},
		Finished:  b.finished(),
	}
	files := map[string]*bytes.Buffer{}
	var writers []*journal.Writer
	for i, n := range b.nodes {
		c.Nodes[i] = n.Machine
		if m, ok := n.Model.(model.EdgeModel); ok {
			files[n.Name] = &bytes.Buffer{}
			w, err := journal.NewWriter(files[n.Name], journal.Header{Edge: n.Name}, 0)
			if err != nil {
				t.Fatal(err)
			}
			c.Nodes[i] = host(m.Edge, len(writers), w)
			writers = append(writers, w)
		}
	}
	e := engine.New(c)
	ended, _, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range writers {
		if err := w.Close(ended); err != nil {
			t.Fatal(err)
		}
	}
	e.Settle()
	reports := make([]model.Report, len(b.nodes))
	for i, n := range b.nodes {
		reports[i] = n.Report(ended, e.Hashes()[i])
	}
	out, err := model.Assemble(p, ended, slices.Values(reports))
	if err != nil {
		t.Fatal(err)
	}
	return out, files
}

// readersOf opens journals for a replay.
func readersOf(t *testing.T, files map[string]*bytes.Buffer) func(string) *journal.Reader {
	t.Helper()
	return func(name string) *journal.Reader {
		file, ok := files[name]
		if !ok {
			return nil
		}
		r, err := journal.Open(name, bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// again replays journals.
func again(t *testing.T, p *plan.Plan, files map[string]*bytes.Buffer, o Options,
	so enginetest.Windows) *result.Outcome {
	t.Helper()
	o.Algorithms, o.Edges = shipped.Find, readersOf(t, files)
	out, err := Run(enginetest.With(context.Background(), so), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A run with hosts at its edges, learned of late or in time, is replayed: same trace and same counters of every node,
// with every frame encoded or not, on one or several workers, for any windows.
func TestReplayOfALiveRun(t *testing.T) {
	for _, late := range []unit.Duration{0, 70 * unit.Microsecond, 2 * unit.Millisecond} {
		t.Run(fmt.Sprintf("late=%v", late), func(t *testing.T) {
			p := edgesPlan(t, withEdges)
			want, files := live(t, p, p.Until, late)
			in := &want.Devices[0].Ports[0]
			if in.SourcedFrames < 250 || want.Devices[1].Ports[0].SunkFrames < 150 || in.Drops[fabric.DropNICQueue] > 0 {
				t.Fatalf("%d frames came in, %d were dropped", in.SourcedFrames, in.Drops[fabric.DropNICQueue])
			}
			for i := range want.Devices {
				p := &want.Devices[i].Ports[0]
				sent := p.Over.Sent.Rest
				for bin := range p.Over.Sent.Len() {
					sent += uint64(p.Over.Sent.At(bin))
				}
				if sent != p.TxBytes || sent == 0 {
					t.Errorf("edge %d sent %d bytes, its series has %d", i, p.TxBytes, sent)
				}
			}
			for _, f := range result.Judge(want, result.Summarise(want)).Findings {
				if f.Status == result.Red && f.Subject == result.Conservation {
					t.Error(f.Text)
				}
			}
			sheet := sheetOf(t, want)
			unmoved := strings.Count(sheet, ",0,0.000\n")
			if late == 0 && unmoved != 2 || late > unit.Millisecond && unmoved != 0 {
				t.Errorf("late by %v: %s", late, sheet)
			}
			rng := chance.New(3, "cuts")
			lookahead := p.Lookahead()
			for what, how := range map[string]struct {
				options Options
				windows enginetest.Windows
			}{
				"plain":   {options: Options{Workers: 1}},
				"codec":   {options: Options{Workers: 1, Codec: true}},
				"workers": {options: Options{Workers: 3}, windows: enginetest.Windows{AllWorkers: true}},
				"windows": {options: Options{Workers: 1}, windows: enginetest.Windows{
					Cut: func(unit.Time) unit.Duration { return 1 + unit.Duration(rng.Below(uint64(lookahead))) }}},
			} {
				got := again(t, edgesPlan(t, withEdges), files, how.options, how.windows)
				if got.Trace != want.Trace || got.End != want.End || got.Interrupted || got.Events != want.Events {
					t.Errorf("late by %v, %s: trace %016x at %v, want %016x at %v", late, what, got.Trace, got.End, want.Trace,
						want.End)
				}
				for _, part := range [][2]any{{sheetOf(t, got), sheet}, {got.Devices, want.Devices},
					{got.Switches, want.Switches}, {got.NICs, want.NICs}, {got.Flows, want.Flows}, {got.InFlight, want.InFlight}} {
					if !reflect.DeepEqual(part[0], part[1]) {
						t.Errorf("late by %v, %s: %T differ", late, what, part[0])
					}
				}
			}
		})
	}
}

// An interrupted run is replayed until then, and is interrupted.
func TestReplayOfAnInterruptedRun(t *testing.T) {
	p := edgesPlan(t, withEdges)
	for _, text := range []string{withEdges, strings.ReplaceAll(withEdges, "run: {until: 4ms}", "")} {
		t.Run(fmt.Sprintf("%.50q", text), func(t *testing.T) {
			const end = unit.Time(1234567 * unit.Nanosecond)
			want, files := live(t, p, end, 0)
			got := again(t, edgesPlan(t, text), files, Options{Workers: 1}, enginetest.Windows{})
			if got.Trace != want.Trace || got.End != end || !got.Interrupted || got.Exhausted {
				t.Errorf("trace %016x at %v, want %016x at %v; interrupted %v", got.Trace, got.End, want.Trace, want.End,
					got.Interrupted)
			}
		})
	}
}

// sheetOf returns the sheet of the edges as a run folder has it.
func sheetOf(t *testing.T, out *result.Outcome) string {
	t.Helper()
	f, err := result.Create(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	s := result.Summarise(out)
	if err := f.WriteRun("", out, s, result.Judge(out, s)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(&result.Manifest{}); err != nil {
		t.Fatal(err)
	}
	sheet, err := os.ReadFile(filepath.Join(f.Dir(), "edges.csv"))
	if err != nil {
		t.Fatal(err)
	}
	return string(sheet)
}

// Nothing is left to happen at an edge before the end of its journal, for more could have
// come.
func TestReplayWaitsForTheEndOfItsJournal(t *testing.T) {
	p := edgesPlan(t, withEdges)
	b, err := build(p, shipped.Find)
	if err != nil {
		t.Fatal(err)
	}
	_, files := live(t, edgesPlan(t, withEdges), 1, 0)
	c := engine.Config{Nodes: make([]fabric.Node, len(b.nodes))}
	r, err := b.replay(&c, readersOf(t, files))
	if err != nil {
		t.Fatal(err)
	}
	out := fabric.NewOutbox(1, make([]uint8, 2*len(p.Links)))
	out.Begin(0, new(trace.Hash))
	for _, e := range r.nodes {
		if next := e.Advance(1, out); next > 1 {
			t.Errorf("edge %s: the next event is at %v, want 1 ps", e.name, next)
		}
	}
}

// A bit of what came in changes the trace.
func TestAnotherFrameIsAnotherRun(t *testing.T) {
	p := edgesPlan(t, withEdges)
	want, files := live(t, p, p.Until, 0)
	r := readersOf(t, files)("a")
	var changed bytes.Buffer
	w, err := journal.NewWriter(&changed, r.Header(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var e journal.Entry
	for n := 0; ; n++ {
		more, err := r.Next(&e)
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		if n == 100 {
			e.Frame[len(e.Frame)-1] ^= 1
		}
		w.Add(e.Came, e.Taken, e.Frame)
	}
	if err := w.Close(r.Footer().End); err != nil {
		t.Fatal(err)
	}
	files["a"] = &changed
	got := again(t, edgesPlan(t, withEdges), files, Options{Workers: 1}, enginetest.Windows{})
	if got.Trace == want.Trace {
		t.Error("the trace is the same")
	}
}

func TestEdgesWithoutJournalsAreRefused(t *testing.T) {
	var refused *EdgesError
	_, err := Run(context.Background(), edgesPlan(t, withEdges), Options{Algorithms: shipped.Find})
	if !errors.As(err, &refused) || fmt.Sprint(refused.Names) != "[a b]" || !strings.Contains(err.Error(), "--edges") {
		t.Errorf("without journals: %v", err)
	}
	_, files := live(t, edgesPlan(t, withEdges), unit.Time(unit.Millisecond), 0)
	delete(files, "b")
	_, err = Run(context.Background(), edgesPlan(t, withEdges), Options{Algorithms: shipped.Find,
		Edges: readersOf(t, files)})
	if !errors.As(err, &refused) || fmt.Sprint(refused.Names) != "[b]" {
		t.Errorf("without one journal: %v", err)
	}
}

// A frame that no interface of that MTU lets in is refused.
func TestFrameThatIsTooLongIsRefused(t *testing.T) {
	_, files := live(t, edgesPlan(t, withEdges), unit.Time(unit.Millisecond), 0)
	var long bytes.Buffer
	w, err := journal.NewWriter(&long, journal.Header{Edge: "b"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.Add(5, 5, make([]byte, 1518))
	w.Add(9, 9, make([]byte, 1523))
	if err := w.Close(unit.Time(unit.Millisecond)); err != nil {
		t.Fatal(err)
	}
	files["b"] = &long
	_, err = Run(context.Background(), edgesPlan(t, withEdges), Options{Algorithms: shipped.Find,
		Edges: readersOf(t, files)})
	var damaged *journal.DamagedError
	const want = "a frame of 1523 bytes came in at edge b, which lets in 1522"
	at := int64(bytes.Index(long.Bytes(), make([]byte, 1518))) + 1518 + 4 // behind the first entry's checksum
	if !errors.As(err, &damaged) || *damaged != (journal.DamagedError{Name: "b", Offset: at, Problem: want}) {
		t.Errorf("%v, want %s at %d", err, want, at)
	}
}
