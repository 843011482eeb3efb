package model

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc"
)

// ring is an all-reduce of four ranks beside a flow that ends at each of two of
// them, so that the QPs of one flow have different numbers at its ends.
func ring(t *testing.T) *plan.Plan {
	t.Helper()
	s, err := scenario.Parse("ring.yaml", []byte(`
algorithm: none
topology: {kind: star, hosts: 5}
traffic:
  - {from: h0, to: [h1, h2], size: 1kB}
  - {operation: all-reduce, hosts: 4, size: 4kB, compute: 1us}
`), func(string, map[string]string) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	return plans[0]
}

// Rank 2 sends on its third QP and waits for the flow of rank 1, which ends at
// its second; the controller's word is the operation, and one flow a receiver.
func TestRanksAreDrawn(t *testing.T) {
	p := ring(t)
	f, err := Blueprints(p)
	if err != nil {
		t.Fatal(err)
	}
	nic := f.nic(p, 2)
	if len(nic.Ranks) != 1 || len(nic.Ranks[0].Phases) != 2 || len(f.nic(p, 4).Ranks) != 0 {
		t.Fatalf("ranks %+v at h2, %d at h4", nic.Ranks, len(f.nic(p, 4).Ranks))
	}
	s := nic.Ends.At(2).Sender
	if s == nil || s.Name != "collective/h2-h3" || len(s.Messages) != 6 {
		t.Fatalf("third end of h2 is %+v", nic.Ends.At(2))
	}
	if want := (nicd.Await{QP: 0, Count: 1}); s.Messages[0][0] != want {
		t.Errorf("the first message waits for %+v, want %+v", s.Messages[0], want)
	}
	if want := (nicd.Await{QP: nicd.FirstQP + 1, Count: 5}); s.Messages[5][0] != want {
		t.Errorf("the last message waits for %+v, want %+v", s.Messages[5], want)
	}
	if want := (cc.Group{Mode: cc.ModeAllReduce, Ranks: 4, Flows: 1}); s.Group != want {
		t.Errorf("group %+v, want %+v", s.Group, want)
	}
	if r := nic.Ends.At(1).Receiver; r.Message != 1000 || r.GroupN != 1 || r.Size != 6000 {
		t.Errorf("receiver of h1's: message %v, group of %d, size %v", r.Message, r.GroupN, r.Size)
	}
}

func TestWaitsBeyondTheNICAreRefused(t *testing.T) {
	for _, x := range []struct {
		change func(*plan.Plan)
		want   string
	}{
		{func(p *plan.Plan) { p.Flows[2].Messages[0].After[0].Flow = 4 }, "flow collective/h0-h1: message 0: it waits for " +
			"flow collective/h2-h3, which neither starts nor ends at h0"},
		{func(p *plan.Plan) { p.NICs[3].Ranks[0].Phases[1].After[0].Flow = 0 },
			"collective/h3 at h3: phase 1: it waits for flow flow/h0-h1"},
		{func(p *plan.Plan) { p.Flows[2].Rank = 1 }, "flow collective/h0-h1 belongs to rank 1 of h0: that NIC has 1"},
	} {
		p := ring(t)
		x.change(p)
		if _, err := Blueprints(p); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v, want ..%s", err, x.want)
		}
	}
}
