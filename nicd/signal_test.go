package nicd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/inband"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// What a packet gathers on its way comes back in its ACK and stands in the ACK's
// event, each packet's its own; a flow beside that did not ask sees nothing.
func TestTelemetryIsEchoed(t *testing.T) {
	p := newPair(t, profile.DefaultNIC())
	p.touch = func(_ fabric.LinkID, _ unit.Time, f *wire.Frame) bool {
		if f.Extension() == wire.ExtINT {
			if s := f.Rare.INT; s.Hops != 0 || s.Max != inband.MaxHops || s.Record != [inband.MaxHops]inband.Record{} {
				t.Errorf("packet %d leaves with %+v", f.PSN, s)
			}
			f.Rare.INT.Push(inband.Record(100 + f.PSN))
			f.Rare.INT.Push(inband.Record(200 + f.PSN))
		}
		return true
	}
	var got []inband.Record
	p.add(flow{size: 20_000}, &script{signals: cc.Signals{Acks: true, INT: true},
		handle: func(e *cc.Event, _ *cc.Decision) {
			if e.Kind == cc.EventAck {
				got = append(got, e.INT.Records()...)
			}
		}})
	p.add(flow{size: 20_000}, &script{signals: cc.Signals{Acks: true}, handle: func(e *cc.Event, _ *cc.Decision) {
		if e.INT != (inband.Stack{}) {
			t.Errorf("a flow that asked for nothing is told %+v", e.INT)
		}
	}})
	p.run(at(ms))
	if len(got) != 40 {
		t.Fatalf("%d records of 40", len(got))
	}
	for i, r := range got {
		if want := inband.Record(100*(1+i%2) + i/2); r != want {
			t.Errorf("record %d is %d, want %d", i, r, want)
		}
	}
}

// An own extension carries the sender's decision to the receiver and the
// receiver's feedback back: here the receiver answers each packet with what it
// carried plus one, and the sender sends on what came back.
func TestOwnExtension(t *testing.T) {
	p := newPair(t, profile.DefaultNIC())
	p.touch = func(link fabric.LinkID, _ unit.Time, f *wire.Frame) bool {
		want := []uint8{8, 4}[link]
		if f.DestQP == FirstQP && (f.Extension() != wire.ExtOwn || f.Rare.OwnLen != want) {
			t.Errorf("frame on link %d: extension %d", link, f.Extension())
		}
		return true
	}
	var seen, heard []byte
	p.add(flow{size: 6000}, &script{signals: cc.Signals{Acks: true, OwnData: 8, OwnAck: 4},
		handle: func(e *cc.Event, d *cc.Decision) {
			d.Window = 1
			if e.Kind == cc.EventAck {
				heard = append(heard, e.Own[0])
			}
			d.Own[0], d.Own[7], d.Own[8] = e.Own[0]+1, 77, 88 // the last does not travel
		},
		data: func(a *cc.Arrival, fb *cc.Feedback) {
			seen = append(seen, a.Own[0])
			if a.Own[7] != 77 || a.Own[8] != 0 {
				t.Errorf("packet carries %v", a.Own)
			}
			fb.Own[0] = a.Own[0] + 1
		}})
	p.add(flow{size: 6000}, &script{signals: cc.Signals{OneWayDelay: true}, data: func(a *cc.Arrival, _ *cc.Feedback) {
		if a.Own != [cc.OwnBytes]byte{} {
			t.Errorf("a receiver that asked for nothing is told %v", a.Own)
		}
	}})
	p.run(at(ms))
	if string(seen) != "\x01\x03\x05\x07\x09\x0b" || string(heard) != "\x02\x04\x06\x08\x0a\x0c" {
		t.Errorf("receiver saw %v, sender heard %v", seen, heard)
	}
}

// A CNP brings the RTT back that its packet carried: none from the first round,
// the sender's latest sample from then on.
func TestRTTInCNP(t *testing.T) {
	p := newPair(t, profile.DefaultNIC())
	carried := map[unit.Duration]bool{}
	p.touch = func(_ fabric.LinkID, _ unit.Time, f *wire.Frame) bool {
		if f.IsData() {
			f.MarkCE()
			carried[unit.Duration(f.ExtA&rttMask)*unit.Nanosecond] = true
		}
		return true
	}
	var got []unit.Duration
	p.add(flow{size: 100_000}, &script{signals: cc.Signals{ECT: true, CNP: true, CNPInterval: us, RTTInCNP: true},
		handle: func(e *cc.Event, d *cc.Decision) {
			d.Window = 2000
			if e.Kind == cc.EventCNP {
				got = append(got, e.RTT)
			}
		}})
	p.run(at(ms))
	if len(got) < 10 || got[0] != 0 || len(carried) < 2 {
		t.Fatalf("%d CNPs, the first with %v, %d RTTs carried", len(got), got[0], len(carried))
	}
	for i, rtt := range got {
		if !carried[rtt] || i > 2 && (rtt < 2*us || rtt > 3*us) {
			t.Errorf("CNP %d brings %v", i, rtt)
		}
	}
}

// One that did not ask gets none, for any reserved bytes.
func TestReservedBytesOfForeignCNP(t *testing.T) {
	l := newLone(t, config("a", 0, 1, profile.DefaultNIC()))
	told := 0
	qp := l.send(10_000, 0, &script{signals: cc.Signals{CNP: true}, handle: func(e *cc.Event, _ *cc.Decision) {
		if e.Kind == cc.EventCNP {
			told++
			if e.RTT != 0 {
				t.Errorf("RTT %v", e.RTT)
			}
		}
	}})
	f := ackFrame(qp, 0, 0)
	f.Opcode, f.Rare = wire.CNP, &wire.Rare{Reserved: [16]byte{1, 2, 3, 4, 5, 6, 7, 8}}
	l.arrive(at(us), f)
	l.run(at(2 * us))
	if told != 1 {
		t.Errorf("told of %d CNPs", told)
	}
}

func TestSignalsThatExcludeEachOther(t *testing.T) {
	for _, s := range []cc.Signals{
		{INT: true, Timestamp: true}, {INT: true, OwnAck: 4}, {RTTInCNP: true, ECNEcho: true},
		{OneWayDelay: true, OwnData: 4},
		{RTTInCNP: true}, {RateInCNP: true}, {OwnData: 3}, {OwnAck: 36}, {OwnAck: -4},
	} {
		t.Run(fmt.Sprint(s), func(t *testing.T) {
			if err := checkSignals(s); err == nil || !strings.Contains(err.Error(), "allowed") {
				t.Errorf("%+v: %v", s, err)
			}
		})
	}
	for _, s := range []cc.Signals{
		{INT: true}, {CNP: true, RTTInCNP: true, RateInCNP: true, Timestamp: true}, {OwnData: 32, OwnAck: 4},
	} {
		t.Run(fmt.Sprintf("CNP=%v,Timestamp=%v,INT=%v", s.CNP, s.Timestamp, s.INT), func(t *testing.T) {
			if err := checkSignals(s); err != nil {
				t.Errorf("%+v: %v", s, err)
			}
		})
	}
}
