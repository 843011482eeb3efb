package daemon

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/switchd"
	"github.com/rocelab/rocelab/testbed/model"
)

func TestOrdersAreRefused(t *testing.T) {
	good := func() *Order {
		return &Order{Protocol: Protocol, Nodes: []model.Blueprint{{Design: &model.NIC{}}}, Ports: []Port{{}}}
	}
	if err := good().check(2); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(*Order)
		files  int
		want   string
	}{
		{"another protocol", func(o *Order) { o.Protocol++ }, 2, "build both anew"},
		{"no files", func(*Order) {}, 0, "0 files came with an order of 1 ports"},
		{"a file too many", func(*Order) {}, 3, "3 files came with an order of 1 ports"},
		{"a port of no node", func(o *Order) { o.Ports[0].Node = 1 }, 2, "port 0 of the order belongs to no node"},
		{"a port of a negative node", func(o *Order) { o.Ports[0].Node = -1 }, 2, "port 0 of the order belongs to no node"},
		{"a port that its node lacks", func(o *Order) { o.Ports[0].Number = 1 }, 2, "port 0 of the order belongs to no node"},
	} {
		o := good()
		c.change(o)
		if err := o.check(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// What is no order is answered, and the daemon goes on.
func TestNonsenseIsAnswered(t *testing.T) {
	s := &session{host: &Host{}}
	for _, message := range []string{"", "{", `{"Protocol": "one"}`, `{"Protocol": 99}`, `{"Protocol": 2}`} {
		r := s.carryOut(rawOrder{message: []byte(message)})
		if !strings.HasPrefix(r.Err, "order: ") || r.Plugin || r.Aborted {
			t.Errorf("%q: answered %+v", message, r)
		}
	}
}

func TestResultsTravelWhole(t *testing.T) {
	sender := &record.Sender{}
	sender.RTT.Add(5)
	sender.RTT.Add(5_000_000)
	want := &Result{
		Err:     "e",
		Plugin:  true,
		Aborted: true,
		Hops:    1 << 60,
		Reports: []model.Report{{ID: 3, Record: &model.NICRecord{Ends: []model.EndRecord{{Flow: 1, Sender: sender}}}}},
		Samples: []BlockedSample{{
			At:    7 * unit.Time(unit.Microsecond),
			Nodes: []BlockedNode{{Node: 2, Queues: []switchd.Blocked{{}}}},
		}},
		Ports: []PortCount{{Foreign: 1, Dropped: 2, Refused: 3}, {}},
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
