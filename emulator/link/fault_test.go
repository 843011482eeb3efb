package link

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func TestOutagesInOrderAndApart(t *testing.T) {
	for _, c := range []struct {
		name       string
		list, want []fabric.Outage
	}{
		{"none", nil, nil},
		{"sorted", []fabric.Outage{{From: 5, To: 6}, {From: 1, To: 2}}, []fabric.Outage{{From: 1, To: 2}, {From: 5, To: 6}}},
		{"touching", []fabric.Outage{{From: 1, To: 3}, {From: 3, To: 4}}, []fabric.Outage{{From: 1, To: 4}}},
		{"overlapping", []fabric.Outage{{From: 2, To: 9}, {From: 1, To: 3}}, []fabric.Outage{{From: 1, To: 9}}},
		{"one within another", []fabric.Outage{{From: 1, To: 9}, {From: 2, To: 3}}, []fabric.Outage{{From: 1, To: 9}}},
		{"empty", []fabric.Outage{{From: 4, To: 4}, {From: 1, To: 2}, {From: 7, To: 6}}, []fabric.Outage{{From: 1, To: 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := slices.Clone(c.list)
			o := NewOutages(c.list)
			if !slices.Equal(o.remaining, c.want) {
				t.Errorf("%s: %v, want %v", c.name, o.remaining, c.want)
			}
			if !slices.Equal(c.list, before) {
				t.Errorf("%s: the list is now %v", c.name, c.list)
			}
		})
	}
}

func TestOutagesMeet(t *testing.T) {
	o := NewOutages([]fabric.Outage{{From: 10, To: 20}, {From: 30, To: 31}})
	for _, c := range []struct {
		from, to unit.Time
		want     bool
	}{
		{0, 10, false}, {0, 11, true}, {19, 25, true}, {20, 30, false}, {20, 31, true}, {25, 90, true}, {31, 90, false},
	} {
		t.Run(fmt.Sprintf("from=%v,to=%v", c.from, c.to), func(t *testing.T) {
			if got := o.Meets(c.from, c.to); got != c.want {
				t.Errorf("[%d, %d): %t, want %t", c.from, c.to, got, c.want)
			}
		})
	}
	if _, ok := o.Next(); ok {
		t.Error("an outage is left")
	}
}

// A link goes down and up at its outages' ends, and then not again.
func TestFaultsChange(t *testing.T) {
	f := NewFaults(&fabric.Attachment{Outages: []fabric.Outage{{From: 30, To: 40}, {From: 10, To: 20}}}, 1, "x")
	for i, at := range []unit.Time{10, 20, 30, 40} {
		t.Run(fmt.Sprintf("at=%v", at), func(t *testing.T) {
			if got := f.NextChange(); got != at {
				t.Fatalf("change at %d, want %d", got, at)
			}
			down := f.Toggle()
			want := fabric.DropNone
			if i%2 == 0 {
				want = fabric.DropLinkDown
			}
			if got := f.Lost(&wire.Frame{}, 50); got != want || down != (i%2 == 0) {
				t.Errorf("after %d: down %t, frames are lost for %v, want %v", at, down, got, want)
			}
		})
	}
	if got := f.NextChange(); got != unit.Never {
		t.Errorf("a change at %d after the last outage", got)
	}
}

// Frames are lost with the link's probability, by the stream's own numbers, and
// none is drawn in an outage.
func TestFaultsLose(t *testing.T) {
	a := &fabric.Attachment{Loss: 0.25, Outages: []fabric.Outage{{From: 1, To: 2}}}
	fates := func(f *Faults, n int) (list []fabric.DropReason) {
		for range n {
			list = append(list, f.Lost(&wire.Frame{}, 50))
		}
		return list
	}
	want := fates(NewFaults(a, 1, "x"), 4000)
	lost := 0
	for _, fate := range want {
		if fate == fabric.DropLinkLoss {
			lost++
		}
	}
	if lost < 900 || lost > 1100 {
		t.Errorf("%d of 4000 frames lost, want about 1000", lost)
	}
	if slices.Equal(fates(NewFaults(a, 1, "y"), 4000), want) || slices.Equal(fates(NewFaults(a, 2, "x"), 4000), want) {
		t.Error("another stream or seed loses the same frames")
	}
	f := NewFaults(a, 1, "x")
	f.Toggle()
	if slices.Contains(fates(f, 100), fabric.DropNone) {
		t.Error("a frame passes in an outage")
	}
	f.Toggle()
	if !slices.Equal(fates(f, 4000), want) {
		t.Error("the outage drew numbers")
	}
}

// A link that loses one kind of frames lets the others pass and draws nothing for
// them.
func TestFaultsLoseOneKind(t *testing.T) {
	var ack, data, pause, cnp wire.Frame
	ack.Opcode, data.Opcode, cnp.Opcode = wire.Acknowledge, wire.WriteMiddle, wire.CNP
	pause.SetPFC(wire.MAC{}, 3, 1)
	frames := map[string]*wire.Frame{"acks": &ack, "data": &data, "pause": &pause, "cnp": &cnp}
	for kind, want := range map[fabric.Frames][]string{
		fabric.AllFrames:  {"acks", "cnp", "data", "pause"},
		fabric.AckFrames:  {"acks"},
		fabric.DataFrames: {"data"},
	} {
		t.Run(fmt.Sprintf("kind=%v", kind), func(t *testing.T) {
			f := NewFaults(&fabric.Attachment{Loss: 1, LossOf: kind}, 1, "x")
			var got []string
			for name, frame := range frames {
				if f.Lost(frame, 50) == fabric.DropLinkLoss {
					got = append(got, name)
				}
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("a link that loses %s loses %v, want %v", fabric.FramesNames[kind], got, want)
			}
		})
	}
	acks, mixed := NewFaults(&fabric.Attachment{Loss: 0.5, LossOf: fabric.AckFrames}, 1, "x"),
		NewFaults(&fabric.Attachment{Loss: 0.5, LossOf: fabric.AckFrames}, 1, "x")
	for i := range 100 {
		mixed.Lost(&data, 50)
		if acks.Lost(&ack, 50) != mixed.Lost(&ack, 50) {
			t.Fatalf("packets drew a number before ACK %d", i)
		}
	}
}

func TestLinkWithoutFaults(t *testing.T) {
	for _, outages := range [][]fabric.Outage{nil, {{From: 3, To: 3}}} {
		if f := NewFaults(&fabric.Attachment{Outages: outages}, 1, "x"); f != nil {
			t.Errorf("outages %v: %+v", outages, f)
		}
	}
}

// A frame that started while the link was down is lost though it arrives after the outage; one that started before or
// after is not.
func TestFramesThatStartInAnOutage(t *testing.T) {
	f := NewFaults(&fabric.Attachment{Outages: []fabric.Outage{{From: 10, To: 20}, {From: 30, To: 40}}}, 1, "x")
	for range 4 {
		f.Toggle()
	}
	for start, want := range map[unit.Time]fabric.DropReason{
		9: fabric.DropNone, 10: fabric.DropLinkDown, 19: fabric.DropLinkDown, 20: fabric.DropNone, 29: fabric.DropNone,
		30: fabric.DropLinkDown, 39: fabric.DropLinkDown, 40: fabric.DropNone,
	} {
		t.Run(fmt.Sprintf("start=%v", start), func(t *testing.T) {
			if got := f.Lost(&wire.Frame{}, start); got != want {
				t.Errorf("a frame that started at %d is lost for %v, want %v", start, got, want)
			}
		})
	}
}

// A gray failure loses frames of some flows, by their hash, or long ones; it draws no number for any other. Tier:
// -short.
func TestGrayLoss(t *testing.T) {
	frame := func(port uint16, payload int) *wire.Frame {
		f := &wire.Frame{EtherType: wire.EtherTypeIPv4, SrcPort: port, Opcode: wire.WriteMiddle}
		f.SetPayload(payload)
		return f
	}
	var inBuckets, others int
	f := NewFaults(&fabric.Attachment{Loss: 1, LossIn: &fabric.Gray{Buckets: []uint32{1, 3}, Of: 4}}, 1, "x")
	for port := range uint16(4000) {
		fr := frame(port, 100)
		bucket := wire.FlowHash(fr, fabric.GraySeed) % 4
		lost := f.Lost(fr, 50) == fabric.DropLinkLoss
		if want := bucket == 1 || bucket == 3; lost != want {
			t.Fatalf("a frame of bucket %d is lost: %t", bucket, lost)
		}
		if lost {
			inBuckets++
		} else {
			others++
		}
	}
	if inBuckets < 1850 || others < 1850 {
		t.Errorf("%d flows are struck and %d spared, want about as many", inBuckets, others)
	}
	var pause wire.Frame
	pause.SetPFC(wire.MAC{}, 3, 1)
	all := NewFaults(&fabric.Attachment{Loss: 1, LossIn: &fabric.Gray{Buckets: []uint32{0}, Of: 1}}, 1, "x")
	if all.Lost(&pause, 50) != fabric.DropNone || all.Lost(frame(1, 100), 50) != fabric.DropLinkLoss {
		t.Error("a pause is of a flow, or a packet is of none")
	}
	long := NewFaults(&fabric.Attachment{Loss: 1, LossIn: &fabric.Gray{Longer: frame(1, 100).Len()}}, 1, "x")
	if long.Lost(frame(1, 100), 50) != fabric.DropNone || long.Lost(frame(1, 104), 50) != fabric.DropLinkLoss {
		t.Error("a frame as long as the limit is lost, or one that is longer is not")
	}
	plain := NewFaults(&fabric.Attachment{Loss: 0.5, LossIn: &fabric.Gray{Longer: 200}}, 1, "x")
	mixed := NewFaults(&fabric.Attachment{Loss: 0.5, LossIn: &fabric.Gray{Longer: 200}}, 1, "x")
	for range 100 {
		mixed.Lost(frame(1, 10), 50)
		if plain.Lost(frame(1, 1000), 50) != mixed.Lost(frame(1, 1000), 50) {
			t.Fatal("short frames drew a number")
		}
	}
}

// An end that hears of an outage by remote fault loses what ends while it takes its link for down, or started while
// the other end sent the fault in place of frames; one that never hears of it loses nothing, and counts the others in
// their places.
func TestOutagesOfOneWay(t *testing.T) {
	away := fabric.OneWay{Dark: fabric.AToB}
	silent := fabric.OneWay{Dark: fabric.AToB, Silent: true}
	link := fabric.Outage{From: 100, To: 200, OneWay: away}
	if got := link.SeenFrom(true, 10); got != (fabric.Outage{From: 100, To: 200}) {
		t.Errorf("the end without a signal sees %v", got)
	}
	seen := link.SeenFrom(false, 10)
	if seen.From != 110 || seen.To != 210 || seen.OneWay.Lag != 10 {
		t.Errorf("the other end sees %v", seen)
	}
	link.OneWay.Dark = fabric.BToA
	if got := link.SeenFrom(false, 10); got != (fabric.Outage{From: 100, To: 200}) {
		t.Errorf("the end without a signal sees %v, in the other direction", got)
	}
	f := NewFaults(&fabric.Attachment{Outages: []fabric.Outage{seen}}, 1, "x")
	var frame wire.Frame
	if f.Lost(&frame, 99) != fabric.DropNone {
		t.Error("a frame is lost before the end hears of it")
	}
	f.Toggle()
	if f.Lost(&frame, 99) != fabric.DropLinkDown {
		t.Error("a frame that was cut short is not lost")
	}
	f.Toggle()
	for start, want := range map[unit.Time]fabric.DropReason{
		99: fabric.DropNone, 100: fabric.DropLinkDown, 199: fabric.DropLinkDown, 200: fabric.DropNone,
	} {
		t.Run(fmt.Sprintf("start=%v", start), func(t *testing.T) {
			if got := f.Lost(&frame, start); got != want {
				t.Errorf("a frame that started at %d is lost for %v, want %v", start, got, want)
			}
		})
	}
	unheard := fabric.Outage{From: 10, To: 20, OneWay: silent}
	f = NewFaults(&fabric.Attachment{Outages: []fabric.Outage{unheard, {From: 30, To: 40}}}, 1, "x")
	if at := f.NextChange(); at != 30 {
		t.Errorf("the first change that the end hears of is at %d, want 30", at)
	}
	f.Toggle()
	f.Lost(&frame, 35)
	if l := f.Losses(); l[0].Void.Frames != 0 || l[1].Void.Frames != 1 {
		t.Errorf("losses are %v, want one in the second outage", l)
	}
	f = NewFaults(&fabric.Attachment{Outages: []fabric.Outage{{From: 10, To: 20, OneWay: silent}}}, 1, "x")
	if f.NextChange() != unit.Never || f.Lost(&frame, 15) != fabric.DropNone {
		t.Error("an end that never hears of the outage does")
	}
}
