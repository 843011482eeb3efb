package inband

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const us = unit.Time(unit.Microsecond)

func stamp(r unit.BitRate, now unit.Time, sent, queue unit.Bytes) Record {
	s := NewStamper(r)
	return s.Stamp(now, sent, queue)
}

// The fields have the layout's offsets: 100 Gb/s is code 2, so bytes sent count in 512 B and the queue in 320 B.
func TestLayout(t *testing.T) {
	got := stamp(100*unit.Gbps, 5*us+999*unit.Time(unit.Picosecond), 10*512+511, 7*320+319)
	if want := Record(2<<61 | 5000<<37 | 10<<17 | 7); got != want {
		t.Errorf("record %#x, want %#x", uint64(got), uint64(want))
	}
	if got.Rate() != 100*unit.Gbps || got.Queue() != 7*320 {
		t.Errorf("rate %v and queue %v, want 100 Gb/s and 2240 B", got.Rate(), got.Queue())
	}
}

func TestRates(t *testing.T) {
	for code, rate := range []unit.BitRate{25, 50, 100, 200, 400, 800} {
		t.Run(fmt.Sprintf("rate=%v", rate), func(t *testing.T) {
			rate *= unit.Gbps
			if !Stampable(rate) || stamp(rate, 0, 0, 0).Rate() != rate || stamp(rate, 0, 0, 0)>>61 != Record(code) {
				t.Errorf("%v does not come back as code %d", rate, code)
			}
		})
	}
	for _, rate := range []unit.BitRate{0, 10 * unit.Gbps, 100*unit.Gbps + 1, 1600 * unit.Gbps} {
		t.Run(fmt.Sprintf("rate=%v", rate), func(t *testing.T) {
			if Stampable(rate) {
				t.Errorf("%v is no rate of a record", rate)
			}
		})
	}
}

// A difference is right across the wrap of each field: 2^24 ns, and 2^20 units
// of 512 B at 100 Gb/s.
func TestSinceWraps(t *testing.T) {
	const most = 512 << 20
	early := stamp(100*unit.Gbps, unit.Time(1<<24-100)*unit.Time(unit.Nanosecond), most-1024, 0)
	late := stamp(100*unit.Gbps, unit.Time(1<<24+28)*unit.Time(unit.Nanosecond), most+512, 0)
	if dt, sent := late.Since(early); dt != 128*unit.Nanosecond || sent != 1536 {
		t.Errorf("%v and %v, want 128 ns and 1536 B", dt, sent)
	}
}

// A queue beyond what the field holds reads as the most that it holds.
func TestQueueSaturates(t *testing.T) {
	if got := stamp(25*unit.Gbps, 0, 0, unit.GB).Queue(); got != (1<<17-1)*80 {
		t.Errorf("queue %v, want %v", got, (1<<17-1)*80)
	}
}

// Hops beyond the room are counted and not written.
func TestStack(t *testing.T) {
	s := Stack{Max: 2}
	for i := range 300 {
		s.Push(Record(i + 1))
	}
	if s.Hops != 255 || len(s.Records()) != 2 || s.Record != [MaxHops]Record{1, 2} {
		t.Errorf("%+v", s)
	}
	s = Stack{Hops: 3, Max: 9} // no stack of ours; a decoder refuses it
	if len(s.Records()) != 3 {
		t.Errorf("%d records of 3", len(s.Records()))
	}
}
