package daemon

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/edge/journal"
	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/switchd"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
)

// sound is an order that is fine, with a NIC whose port is the run's only link.
func sound() *Order {
	channel := fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Microsecond}
	return &Order{
		Protocol: Protocol,
		Setup: lockstep.Setup{
			Participants: 2,
			Links:        2,
			Lookahead:    unit.Microsecond,
			Schedule:     engine.Schedule{Until: unit.Time(unit.Second), Limit: unit.Time(unit.Second)},
			Sampled:      make([]bool, 2),
		},
		Nodes: []model.Blueprint{{
			Kind:   plan.KindNIC,
			Name:   "h0",
			Design: &model.NIC{Config: nicd.Config{Attachment: fabric.Attachment{Tx: channel, Rx: channel}}},
		}},
		Ports: []Port{{Peer: 1}},
	}
}

// beEdge has the node of a sound order be an edge, held to a clock.
func beEdge(o *Order) {
	o.Nodes[0].Kind, o.Edges = plan.KindEdge, []Edge{{}}
	o.Setup.Clock, o.Setup.Looks = &lockstep.Pace{Dilation: 1}, []bool{true, false}
}

func TestOrdersAreRefused(t *testing.T) {
	if err := sound().check(2); err != nil {
		t.Fatal(err)
	}
	edge := sound()
	beEdge(edge)
	if err := edge.check(4); err != nil {
		t.Fatal(err)
	}
	nic := func(o *Order) *model.NIC { return o.Nodes[0].Design.(*model.NIC) }
	for _, c := range []struct {
		name   string
		change func(*Order)
		files  int
		want   string
	}{
		{"another protocol", func(o *Order) { o.Protocol++ }, 2, "build both again"},
		{"no files", func(*Order) {}, 0, "0 files came with an order of 1 ports"},
		{"a file too many", func(*Order) {}, 3, "3 files came with an order of 1 ports"},
		{"a port of no node", func(o *Order) { o.Ports[0].Node = 1 }, 2, "port 0 of the order belongs to no node"},
		{"a port of a negative node", func(o *Order) { o.Ports[0].Node = -1 }, 2, "port 0 of the order belongs to no node"},
		{"a port that its node lacks", func(o *Order) { o.Ports[0].Number = 1 }, 2, "port 0 of the order belongs to no node"},
		{"a port to nobody", func(o *Order) { o.Ports[0].Peer = 2 }, 2, "leads to participant 2 of 2"},
		{"no setup", func(o *Order) { o.Setup = lockstep.Setup{} }, 2, "setup of 0 participants"},
		{"a place beyond the run", func(o *Order) { o.Index = 2 }, 2, "participant 2 of 2"},
		{"a negative place", func(o *Order) { o.Index = -1 }, 2, "participant -1 of 2"},
		{"a node without a model", func(o *Order) { o.Nodes[0].Design = nil }, 2, `node "h0" has no model`},
		{"no such algorithm", func(o *Order) { nic(o).Ends = model.EndsOf(model.End{}) }, 2, "runs algorithm 0 of 0"},
		{"a link beyond the run", func(o *Order) { nic(o).Attachment.Link = 2 }, 2, "direction 2 of 2"},
		{"a negative link", func(o *Order) { nic(o).Attachment.Link = -1 }, 2, "direction -1 of 2"},
		{"an edge of no node", func(o *Order) { o.Edges = []Edge{{Node: 1}} }, 4, "edge 0 of the order belongs to no node"},
		{"an edge at a NIC", func(o *Order) { o.Edges = []Edge{{}} }, 4, "edge 0 of the order belongs to no node"},
		{"a node that is two edges", func(o *Order) { beEdge(o); o.Edges = make([]Edge, 2) }, 6,
			"edge 1 of the order belongs to no node"},
		{"an edge without a clock", func(o *Order) { beEdge(o); o.Setup.Clock, o.Setup.Looks = nil, nil }, 4,
			"without a clock"},
		{"an edge that does not look", func(o *Order) { beEdge(o); o.Setup.Looks[0] = false }, 4, "without a clock"},
		{"real time without a clock", func(o *Order) { o.Realtime = true }, 2, "in real time without a clock"},
		{"an edge without its socket", beEdge, 2, "1 ports and 1 edges: want the page, a socket for each"},
		{"an edge without its drops", beEdge, 3, "which are 4"},
		{"an edge without its journal", func(o *Order) { beEdge(o); o.Edges[0].Journal = new(journal.Header) }, 4,
			"which are 5"},
		{"a link that carries nothing", func(o *Order) { nic(o).Attachment.Tx.Rate = 0 }, 2, "allowed are above 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := sound()
			c.change(o)
			if err := o.check(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			}
		})
	}
}

// An order whose models cannot be made, though its numbers fit, ends in an answer: the
// daemon goes on. The NIC's only flow has no end here.
func TestOrderThatCannotBeBuiltIsAnswered(t *testing.T) {
	o := sound()
	o.Algorithms = []plan.Algorithm{{Name: "dcqcn"}}
	o.Nodes[0].Design.(*model.NIC).Ends = model.EndsOf(model.End{})
	message, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	s := &session{host: &Host{Builtin: shipped.Find}}
	r := s.carryOut(rawOrder{message: message, files: make([]*os.File, 2)})
	if !strings.Contains(r.Err, "it cannot be carried out") || r.Plugin || r.Aborted {
		t.Errorf("answered %+v", r)
	}
}

// A malformed order is answered, and the daemon goes on.
func TestNonsenseIsAnswered(t *testing.T) {
	s := &session{host: &Host{}}
	for _, message := range []string{"", "{", `{"Protocol": "one"}`, `{"Protocol": 99}`, `{"Protocol": 2}`} {
		t.Run(fmt.Sprintf("%q", message), func(t *testing.T) {
			r := s.carryOut(rawOrder{message: []byte(message)})
			if !strings.HasPrefix(r.Err, "order: ") || r.Plugin || r.Aborted {
				t.Errorf("%q: answered %+v", message, r)
			}
		})
	}
}

func TestResultsTravelWhole(t *testing.T) {
	sender := record.NewSender()
	sender.RTT.Add(5)
	sender.RTT.Add(5_000_000)
	want := &Result{
		Err:     "e",
		Plugin:  true,
		Aborted: true,
		Hops:    1 << 60,
		Reports: []model.Report{{ID: 3, Record: &model.NICRecord{Ends: []model.EndRecord{{Flow: 1, Sender: sender}}}}},
		Samples: []blockedSample{{
			At:    7 * unit.Time(unit.Microsecond),
			Nodes: []blockedNode{{Node: 2, Queues: []switchd.Blocked{{}}}},
		}},
		Ports: []portCount{{Foreign: 1, Dropped: 2, Refused: 3}, {}},
	}
	b, err := encodeResult(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeResult(b)
	if err != nil {
		t.Fatal(err)
	}
	back := got.Reports[0].Record.(*model.NICRecord).Ends[0].Sender.RTT
	if back.Count() != 2 || back.Min() != 5 || back.Max() != 5_000_000 || back.Mean() != sender.RTT.Mean() {
		t.Errorf("a histogram came back as %+v", back)
	}
	got.Reports, want.Reports = nil, nil // which gob gives empty lists for none
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for n := range b {
		if _, err := DecodeResult(b[:n]); err == nil {
			t.Fatalf("%d of %d bytes pass", n, len(b))
		}
	}
}
