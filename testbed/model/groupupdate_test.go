package model

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Senders get the updates of changes after their start and until they stop, the controller's latency late; changes
// known at their start are not repeated, and a flow with a given number gets none. Only its receiver knows the end of a
// flow with a size.
func TestGroupUpdatesReachSenders(t *testing.T) {
	s, err := scenario.Parse("words.yaml", []byte(`
algorithm: none
topology: {kind: star, hosts: 5}
controller: {latency: 20us}
run: {until: 10ms}
traffic:
  - {name: long, from: h0, to: h4}
  - {name: late, from: h1, to: h4, start: 1ms, stop: 2ms}
  - {name: fixed, from: h2, to: h4, stop: 3ms, group_flows: 7}
  - {name: sized, from: h3, to: h4, start: 4ms, size: 1kB}
`), func(string, map[string]string) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	p := plans[0]
	f, err := Blueprints(p)
	if err != nil {
		t.Fatal(err)
	}
	ms := func(n unit.Duration, flows int) nicd.GroupUpdate {
		return nicd.GroupUpdate{At: unit.Time(n*unit.Millisecond + 20*unit.Microsecond), Flows: flows}
	}
	for host, want := range [][]nicd.GroupUpdate{{ms(1, 3), ms(2, 2), ms(3, 1), ms(4, 2)}, nil, nil, nil} {
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			c := f.nic(p, host).Ends.At(0).Sender
			if len(c.GroupUpdates) != len(want) {
				t.Errorf("h%d is told %v, want %v", host, c.GroupUpdates, want)
				return
			}
			for i, w := range c.GroupUpdates {
				if early := w.At.Sub(want[i].At); w.Flows != want[i].Flows || early < 0 || early > unit.Microsecond {
					t.Errorf("h%d is told %v, want %v", host, w, want[i])
				}
			}
		})
	}
	if c := f.nic(p, 1).Ends.At(0).Sender; c.Group.Flows != 3 {
		t.Errorf("late starts with the word of %d flows, want 3", c.Group.Flows)
	}
}
