package nicd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// asked is a request of a test: WRITEs have their address, length and key, and the ones with a payload have 100 B.
type asked struct {
	op           wire.Opcode
	psn          uint32
	address      uint64
	length, rkey uint32
}

// region is a test's memory, and inside a WRITE of a message in it.
var region = Memory{RKey: 7, Address: 1000, Length: 500}

func inside(op wire.Opcode, psn uint32) asked { return asked{op, psn, 1000, 500, 7} }

// answersTo returns what a receiving end with that host answers, and how many bytes it took. A request comes each
// 100 ns from 1 us on; change, if not nil, sees the configuration.
func answersTo(t *testing.T, prof profile.NIC, change func(c *ReceiverConfig), requests ...asked) (string, unit.Bytes) {
	t.Helper()
	l := newLone(t, config("nic", 0, 1, prof))
	c := ReceiverConfig{
		Name:       "flow",
		QP:         FirstQP,
		Peer:       Peer{QP: 0x99, IP: 9},
		MTU:        1000,
		Controller: &script{},
		Path:       oneHop,
		Back:       oneHop,
	}
	if change != nil {
		change(&c)
	}
	must(t, l.n.AddReceiver(c))
	for i, r := range requests {
		f := wire.Frame{
			EtherType: wire.EtherTypeIPv4,
			SrcIP:     9,
			DstIP:     1,
			Opcode:    r.op,
			DestQP:    FirstQP,
			PSN:       r.psn,
			TTL:       63,
			AckExt:    wire.AckReq,
			VA:        r.address,
			DMALen:    r.length,
			RKey:      r.rkey,
			Rare:      new(wire.Rare),
		}
		if r.op.Headers()&wire.HasPayload != 0 {
			f.SetPayload(100)
		}
		l.arrive(at(us+unit.Duration(i)*100*ns), f)
	}
	var answers []string
	for _, d := range l.run(at(3 * us)) {
		answers = append(answers, fmt.Sprintf("%#x %d msn %d", d.Frame.Syndrome, d.Frame.PSN, d.Frame.MSN))
	}
	return strings.Join(answers, ", "), l.n.ReceiverRecord(FirstQP).Bytes
}

// A responder takes messages of SEND and WRITE, each whole, and refuses what it does not serve, what may not be
// written and what no receive is there for (IBA volume 1, 9.7.4 and 9.7.5.2).
func TestResponder(t *testing.T) {
	memory := func(c *ReceiverConfig) { c.Memory = &region }
	receives := func(rooms ...Receive) func(c *ReceiverConfig) {
		return func(c *ReceiverConfig) { c.Receives, c.RNRTimer = rooms, 18 }
	}
	longest := func(c *ReceiverConfig) {
		c.Receives, c.RNRTimer = []Receive{}, 31
	}
	only, first, middle := wire.WriteOnly, wire.WriteFirst, wire.WriteMiddle
	for _, x := range []struct {
		name     string
		change   func(c *ReceiverConfig)
		requests []asked
		want     string
		bytes    unit.Bytes
	}{
		{"SEND and WRITE", nil, []asked{{op: wire.SendOnly}, {op: only, psn: 1}, {op: wire.SendFirst, psn: 2},
			{op: wire.SendLastImm, psn: 3}}, "0x1f 0 msn 1, 0x1f 1 msn 2, 0x1f 2 msn 2, 0x1f 3 msn 3", 400},
		{"a SEND inside a WRITE", nil, []asked{{op: first}, {op: wire.SendMiddle, psn: 1}, {op: middle, psn: 1}},
			"0x1f 0 msn 0, 0x61 1 msn 0", 100},
		{"a WRITE inside a SEND", nil, []asked{{op: wire.SendFirst}, {op: wire.WriteLast, psn: 1}},
			"0x1f 0 msn 0, 0x61 1 msn 0", 100},
		{"a message inside another", nil, []asked{{op: first}, {op: only, psn: 1}}, "0x1f 0 msn 0, 0x61 1 msn 0", 100},
		{"the middle of nothing", nil, []asked{{op: middle}}, "0x61 0 msn 0", 0},
		{"after a whole message, too", nil, []asked{{op: only}, {op: wire.WriteLast, psn: 1}},
			"0x1f 0 msn 1, 0x61 1 msn 1", 100},
		{"READ, and nothing after it", nil, []asked{{op: wire.ReadRequest}, {op: only}, {op: only, psn: 1}},
			"0x61 0 msn 0", 0},
		{"CmpSwap", nil, []asked{{op: only}, {op: wire.CompareSwap, psn: 1}}, "0x1f 0 msn 1, 0x61 1 msn 1", 100},
		{"FetchAdd", nil, []asked{{op: wire.FetchAdd}}, "0x61 0 msn 0", 0},
		{"an early READ", nil, []asked{{op: wire.ReadRequest, psn: 3}, {op: only}}, "0x60 0 msn 0, 0x1f 0 msn 1", 100},
		{"a READ that is behind", nil, []asked{{op: only}, {op: wire.ReadRequest}, {op: only}},
			"0x1f 0 msn 1, 0x1f 0 msn 1", 100},
		{"a WRITE of all of a region", memory, []asked{inside(only, 0)}, "0x1f 0 msn 1", 100},
		{"of one byte more", memory, []asked{{only, 0, 1000, 501, 7}}, "0x62 0 msn 0", 0},
		{"from one byte before", memory, []asked{{only, 0, 999, 10, 7}}, "0x62 0 msn 0", 0},
		{"to one byte behind", memory, []asked{{only, 0, 1491, 10, 7}}, "0x62 0 msn 0", 0},
		{"to the last byte", memory, []asked{{only, 0, 1490, 10, 7}}, "0x1f 0 msn 1", 100},
		{"beyond the last address", memory, []asked{{only, 0, 1<<64 - 5, 10, 7}}, "0x62 0 msn 0", 0},
		{"far behind it", memory, []asked{{only, 0, 1 << 63, 10, 7}}, "0x62 0 msn 0", 0},
		{"with another key", memory, []asked{{only, 0, 1000, 10, 8}}, "0x62 0 msn 0", 0},
		{"of nothing, with any", memory, []asked{{only, 0, 5, 0, 8}}, "0x1f 0 msn 1", 100},
		{"a SEND needs no memory", memory, []asked{{op: wire.SendOnly}}, "0x1f 0 msn 1", 100},
		{"one receive for two SENDs", receives(Receive{0, 100}), []asked{{op: wire.SendOnly}, {op: wire.SendOnly, psn: 1}},
			"0x1f 0 msn 1, 0x32 1 msn 1", 100},
		{"a receive of the same instant", receives(Receive{at(us), 100}), []asked{{op: wire.SendOnly}}, "0x1f 0 msn 1", 100},
		{"the last timer", longest, []asked{{op: wire.SendOnly}}, "0x3f 0 msn 0", 0},
		{"of the next", receives(Receive{at(us) + 1, 100}), []asked{{op: wire.SendOnly}}, "0x32 0 msn 0", 0},
		{"a receive that comes in time for the second try", receives(Receive{at(1250 * ns), 300}),
			[]asked{{op: wire.SendFirst}, {op: wire.SendMiddle, psn: 1}, {op: wire.SendLast, psn: 2}, {op: wire.SendFirst},
				{op: wire.SendMiddle, psn: 1}, {op: wire.SendLast, psn: 2}},
			"0x32 0 msn 0, 0x1f 0 msn 0, 0x1f 1 msn 0, 0x1f 2 msn 1", 300},
		{"a SEND of one byte too many", receives(Receive{0, 199}), []asked{{op: wire.SendFirst}, {op: wire.SendLast, psn: 1}},
			"0x1f 0 msn 0, 0x63 1 msn 0", 100},
		{"immediate data take a receive", receives(Receive{0, 0}), []asked{{op: wire.WriteOnlyImm}, {op: first, psn: 1},
			{op: wire.WriteLastImm, psn: 2}}, "0x1f 0 msn 1, 0x1f 1 msn 1, 0x32 2 msn 1", 200},
		{"WRITEs without take none", receives([]Receive{}...), []asked{{op: only}}, "0x1f 0 msn 1", 100},
	} {
		t.Run(x.name, func(t *testing.T) {
			got, bytes := answersTo(t, profile.DefaultNIC(), x.change, x.requests...)
			if got != x.want || bytes != x.bytes {
				t.Errorf("%s: %s, %d B taken; want %s, %d B", x.name, got, bytes, x.want, x.bytes)
			}
		})
	}
}

// A receiver that keeps what comes early refuses a READ when it is its turn, not before.
func TestResponderThatKeeps(t *testing.T) {
	prof := profile.DefaultNIC()
	prof.OutOfOrder = true
	got, _ := answersTo(t, prof, nil, asked{op: wire.ReadRequest, psn: 1}, asked{op: wire.WriteMiddle},
		asked{op: wire.ReadRequest, psn: 1})
	if want := "0x1f 0 msn 0, 0x61 1 msn 0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Refused hosts, each with the allowed values.
func TestHostsThatAreRefused(t *testing.T) {
	keeps := profile.DefaultNIC()
	keeps.OutOfOrder = true
	for want, c := range map[string]struct {
		prof profile.NIC
		ReceiverConfig
	}{
		"in order":       {keeps, ReceiverConfig{Memory: &region}},
		"0 to 31":        {profile.DefaultNIC(), ReceiverConfig{Receives: []Receive{}, RNRTimer: 32}},
		"0 B and more":   {profile.DefaultNIC(), ReceiverConfig{Receives: []Receive{{0, -1}}}},
		"the one before": {profile.DefaultNIC(), ReceiverConfig{Receives: []Receive{{2, 0}, {1, 0}}}},
	} {
		t.Run(want, func(t *testing.T) {
			receiver := c.ReceiverConfig
			receiver.QP, receiver.MTU, receiver.Controller = FirstQP, 1000, &script{}
			receiver.Path, receiver.Back = oneHop, oneHop
			err := New(config("nic", 0, 1, c.prof)).AddReceiver(receiver)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want an error with %q", err, want)
			}
		})
	}
}
