package mem

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/edge"
	"github.com/rocelab/rocelab/edge/journal"
	"github.com/rocelab/rocelab/emulator/engine/enginetest"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd/verbs"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// driven is a NIC that sends at 1 Gb/s through a switch to a stack behind a link of 100 Mb/s, as its algorithm lets it.
const driven = `
name: driven
mtu: 1024B
topology:
  nodes:
    - {name: h0}
    - {name: guest, kind: edge, interface: va}
    - {name: s, kind: switch}
  rate: 1Gbps
  links:
    - {endpoints: [h0, s], latency: 20us}
    - {endpoints: [guest, s], latency: 20us, rate: 100Mbps}
switch: {pfc: {enabled: false}, ecn: {kmin: 10KB, kmax: 40KB, scale_rate: 0bps}}
run: {until: 100ms}
peers:
  - edge: guest
    qp: 17
    psn: 5
    rkey: 9
    va: 4096
    length: 1MiB
    algorithm: dcqcn
    work: [{verb: write, length: 200KB, count: 3}, {verb: send, length: 4KB, count: 20}, {verb: read, length: 20KB}]
`

// stack is the host behind the edge: the far end of the plan's only peer; it answers 30 us after a frame came.
type stack struct {
	*edge.Edge
	keep *journal.Writer
	end  *verbs.QP
	own  plan.Peer
	to   uint32
	came fifo.Queue[due]
	ce   uint64
}

type due struct {
	at    unit.Time
	frame []byte
}

func newStack(t *testing.T, p *plan.Plan, e *edge.Edge, keep *journal.Writer) *stack {
	t.Helper()
	own := p.Peers[0]
	v := own.Verbs
	v.PeerQP, v.FirstPSN, v.PeerPSN, v.Memory, v.Peer, v.Work = own.OwnQP, v.PeerPSN, v.FirstPSN, v.Peer, v.Memory, nil
	end, err := verbs.New(v)
	if err != nil {
		t.Fatal(err)
	}
	s := &stack{
		Edge: e,
		keep: keep,
		end:  end,
		own:  own,
		to:   p.NICs[own.NIC].IP,
	}
	e.Outward = func(at unit.Time, frame *wire.Frame) {
		s.came.Push(due{at.Add(30 * unit.Microsecond), frame.AppendTo(nil)})
	}
	return s
}

func (s *stack) Advance(horizon unit.Time, out *fabric.Outbox) unit.Time {
	for {
		now := s.end.Next()
		if !s.came.Empty() {
			now = min(now, s.came.First().at)
		}
		if now >= horizon {
			return min(s.Edge.Advance(horizon, out), now)
		}
		if !s.came.Empty() && s.came.First().at == now {
			var f wire.Frame
			if wire.DecodeAny(s.came.Pop().frame, &f); f.ECN() == wire.CE {
				s.ce++
			}
			s.end.Take(now, &f)
		} else {
			s.end.Advance(now)
		}
		for _, f := range s.end.Out() {
			f.EtherType, f.TTL, f.PKey, f.DestQP = wire.EtherTypeIPv4, 64, wire.DefaultPKey, s.own.OwnQP
			f.SrcIP, f.DstIP, f.SrcPort, f.Src = s.own.IP, s.to, 0xC123, s.own.MAC
			text := f.AppendTo(nil)
			frame := out.New()
			wire.DecodeAny(text, frame)
			s.keep.Add(now, s.Inject(now, horizon, frame), text)
		}
	}
}

// drivenRun runs the scenario with a stack at the edge.
func drivenRun(t *testing.T, p *plan.Plan) (*result.Outcome, *stack, map[string]*bytes.Buffer) {
	t.Helper()
	var s *stack
	o, files := liveWith(t, p, p.Until, func(e *edge.Edge, _ int, keep *journal.Writer) fabric.Node {
		s = newStack(t, p, e, keep)
		return s
	})
	return o, s, files
}

// An algorithm drives what a NIC asks of a real stack: the switch marks, the edge answers with CNPs in the stack's
// name, the algorithm obeys them, the flow has its rows, and the content is right. The journal replays it to its trace.
// Red: if the sender ignores the CNPs, or the edge makes none.
func TestAlgorithmDrivesPeer(t *testing.T) {
	p := edgesPlan(t, driven)
	o, s, files := drivenRun(t, p)
	sender, receiver := o.Flows[0].Sender, o.Flows[0].Receiver
	size := p.Flows[0].Size
	if size != 680_000 || sender.Completed > o.End || sender.Acked != size || receiver.Bytes != size {
		t.Errorf("of %v %v acknowledged, %v seen at the edge, complete at %v", size, sender.Acked, receiver.Bytes,
			sender.Completed)
	}
	if there := s.end.Record(); there.Writes != 3 || there.Sends != 20 || there.Reads != 1 {
		t.Errorf("%+v", there)
	}
	if receiver.Marked == 0 || receiver.Marked != s.ce || receiver.CNPs == 0 || sender.CNPs != receiver.CNPs {
		t.Errorf("%d marks at the edge, %d at the stack, %d CNPs made, %d taken", receiver.Marked, s.ce, receiver.CNPs,
			sender.CNPs)
	}
	if sender.Told != sender.CNPs || sender.Answers == 0 || sender.RateMin >= 200*unit.Mbps {
		t.Errorf("%d of %d CNPs were told, %d decisions, the least rate is %v", sender.Told, sender.CNPs, sender.Answers,
			sender.RateMin)
	}
	if receiver.ACKs != sender.Acks || sender.Acks == 0 || sender.Resent != 0 {
		t.Errorf("%d ACKs at the edge, %d taken, %d packets sent again", receiver.ACKs, sender.Acks, sender.Resent)
	}
	if found := o.Violations(); len(found) > 0 {
		t.Error(found)
	}
	got := again(t, edgesPlan(t, driven), files, Options{Workers: 1, Codec: true}, enginetest.Windows{})
	if got.Trace != o.Trace || !reflect.DeepEqual(got.Flows, o.Flows) || sheetOf(t, got) != sheetOf(t, o) {
		t.Errorf("replayed, trace %016x and flows %+v, want %016x and %+v", got.Trace, got.Flows, o.Trace, o.Flows)
	}
}

// A part of a collective at the same NIC makes all ends of flows before the connection is there. Red: if the flow then
// sends packets of its own.
func TestAlgorithmDrivesPeerBesideACollective(t *testing.T) {
	beside := strings.Replace(driven, "    - {name: guest,", "    - {name: h1}\n    - {name: guest,", 1)
	beside = strings.Replace(beside, "  links:\n", "  links:\n    - {endpoints: [h1, s], latency: 20us}\n", 1) +
		"traffic: [{name: job, kind: collective, operation: all-reduce, hosts: [h0, h1], size: 100KB, iterations: 2, " +
		"algorithm: dcqcn}]\n"
	p := edgesPlan(t, beside)
	o, s, _ := drivenRun(t, p)
	for i := range p.Flows {
		if f := o.Flows[i].Sender; p.Flows[i].Carrier != nil && (f.Completed > o.End || f.Acked != p.Flows[i].Size) {
			t.Errorf("of %v %v acknowledged, complete at %v", p.Flows[i].Size, f.Acked, f.Completed)
		}
	}
	if there := s.end.Record(); there.Writes != 3 || there.Sends != 20 || there.Reads != 1 {
		t.Errorf("%+v", there)
	}
}
