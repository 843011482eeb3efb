package model

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/edge"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// withEdges is a switch with two edges and a NIC.
func withEdges(t *testing.T) *plan.Plan {
	t.Helper()
	s, err := scenario.Parse("test.yaml", []byte(`
name: two
topology:
  kind: explicit
  nodes:
    - {name: s0, kind: switch}
    - {name: a, kind: edge, interface: vethA, queue: 50KB}
    - {name: b, kind: edge, interface: vethB, pfc: here}
    - {name: h, kind: host}
  links:
    - {endpoints: ["a:0", "s0:0"], rate: 1Gbps}
    - {endpoints: ["b:0", "s0:1"], rate: 1Gbps}
    - {endpoints: ["h:0", "s0:2"], rate: 1Gbps}
switch: {classes: {dscp: {26: 3, 10: 5}}}
run: {until: 3ms}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	return plans[0]
}

// An edge's blueprint has the plan's settings, and the classes of the switch, and reaches another process as it is.
func TestBlueprintOfAnEdge(t *testing.T) {
	p := withEdges(t)
	f, err := Blueprints(p)
	if err != nil {
		t.Fatal(err)
	}
	a, ok := f.Nodes[2].Design.(*Edge)
	if !ok || a.Model.Name != "a" || a.Model.Queue != 50*unit.KB || a.Model.PFCHere || a.Plan.Interface != "vethA" ||
		a.Model.ClassOf[10] != 5 || a.Model.Attachment.Tx.Latency != 100*unit.Microsecond {
		t.Fatalf("%+v", f.Nodes[2].Design)
	}
	if b := f.Nodes[3].Design.(*Edge); !b.Model.PFCHere || b.Model.Queue != unit.MB {
		t.Errorf("%+v", b.Model)
	}
	message, err := json.Marshal(&f.Nodes[2])
	if err != nil {
		t.Fatal(err)
	}
	var back Blueprint
	if err := json.Unmarshal(message, &back); err != nil || !reflect.DeepEqual(back, f.Nodes[2]) {
		t.Errorf("it comes back as %+v, %v", back.Design, err)
	}
	p.Devices[0].Config = nil
	if _, err := Blueprints(p); err == nil || !strings.HasPrefix(err.Error(), "edge a: ") {
		t.Errorf("an edge without settings: %v", err)
	}
}

// An edge's record survives its way from another process, has a cell for each column, and
// one of another node is refused.
func TestRecordOfAnEdge(t *testing.T) {
	p := withEdges(t)
	f, err := Blueprints(p)
	if err != nil {
		t.Fatal(err)
	}
	n, err := NewBuilder(nil, nil).Build(&f.Nodes[2])
	if err != nil {
		t.Fatal(err)
	}
	r := n.Record(1000).(*edgeRecord)
	r.Wait.Add(3 * unit.Microsecond)
	r.Moved, r.MovedMax, r.Port.SourcedFrames, r.Port.DropBytes = 7, 1500*unit.Nanosecond, 11, 13
	var message bytes.Buffer
	if err := gob.NewEncoder(&message).Encode(r); err != nil {
		t.Fatal(err)
	}
	var back edgeRecord
	if err := gob.NewDecoder(&message).Decode(&back); err != nil || !reflect.DeepEqual(back.Row(), r.Row()) {
		t.Errorf("it comes back as %v, %v", back.Row(), err)
	}
	r.Foreign.Kinds[record.ForeignCNP], r.Foreign.Posing = 5, []record.Posing{{Flow: 0, CNPs: 2}}
	if want := "11,0,0,0,5,0,0,0,2,0,0,0,0,0,0,13,0,0,3.000,3.000,3.000,7,1.500"; strings.Join(r.Row(), ",") != want ||
		len(r.Row()) != len(edgeSheet.Columns) {
		t.Errorf("its row is %v, want %s", r.Row(), want)
	}
	// A CNP that the edge made and had no room for is not from outside.
	r.Foreign.MadeCNPs, r.Foreign.MadeBytes, r.Foreign.DroppedCNPs, r.Foreign.DroppedBytes = 4, 0, 3, 12
	r.Port.Drops = map[fabric.DropReason]uint64{fabric.DropNICQueue: 5}
	if want := "7,0,0,0,5,0,0,0,2,4,3,0,0,2,0,1,0,0,3.000,3.000,3.000,7,1.500"; strings.Join(r.Row(), ",") != want {
		t.Errorf("its row is %v, want %s", r.Row(), want)
	}
	report := n.Report(1000, 0)
	if err := report.Check(p, &f.Nodes[2], 3000); err != nil {
		t.Error(err)
	}
	m := n.Model.(EdgeModel).Edge
	m.Deliver(0, 0, 60, &wire.Frame{EtherType: wire.EtherTypeMACControl})
	m.Advance(unit.Time(unit.Second), fabric.NewOutbox(1, make([]uint8, 8)))
	if n.Report(1000, 0).Trace == report.Trace {
		t.Error("what left at an edge is not in its trace")
	}
	if err := r.Check(p, f.Nodes[1].Design); err == nil {
		t.Error("a record of an edge is taken for another node's")
	}
}

// A record of flows that end behind an edge, from a process that is not rocelab's, is refused if a part or a time is
// wrong.
func TestCarriedRecordsAreChecked(t *testing.T) {
	design := &Edge{}
	design.Model.Carried = []edge.Carried{{Flow: 4}}
	for _, c := range []struct {
		name     string
		receiver *record.Receiver
		want     string
	}{
		{"none", nil, "without the receiver of flow 4"},
		{"half of one", &record.Receiver{}, "without the receiver of flow 4"},
		{"a whole one", record.NewReceiver(), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &edgeRecord{edge.Counters{Carried: map[uint32]*record.Receiver{4: c.receiver}}}
			if err := r.Check(withEdges(t), design); c.want == "" && err != nil ||
				c.want != "" && (err == nil || err.Error() != c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	early := record.NewReceiver()
	early.First = -1
	r := &edgeRecord{edge.Counters{Carried: map[uint32]*record.Receiver{4: early}}}
	if err := checkTimes(reflect.ValueOf(r).Elem(), 9); err == nil {
		t.Error("a time before the run is taken")
	}
}
