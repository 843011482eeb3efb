package link

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A serializer gives every length the time that the accounting gives it, with
// whole bytes and without.
func TestTimeIsTheAccountings(t *testing.T) {
	for _, c := range []struct {
		name string
		rate unit.BitRate
		// whole is set if Full needs no division.
		whole bool
	}{
		{"1 Gb/s, 8 ns", unit.Gbps, true},
		{"25 Gb/s, 320 ps", 25 * unit.Gbps, true},
		{"100 Gb/s, 80 ps", 100 * unit.Gbps, true},
		{"400 Gb/s, 20 ps", 400 * unit.Gbps, true},
		{"8 Tb/s, 1 ps", 8 * unit.Tbps, true},
		{"30 Gb/s, 266.67 ps", 30 * unit.Gbps, false},
		{"16 Tb/s, 0.5 ps", 16 * unit.Tbps, false},
		{"998.627 Mb/s, 8010.9991 ps", 998_627 * unit.Kbps, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, accounting := range []wire.Accounting{wire.Full, wire.Bare48} {
				s := NewSerializer(accounting, c.rate)
				if got, want := s.perByte != 0, c.whole && accounting == wire.Full; got != want {
					t.Errorf("%s, %v: whole bytes %t, want %t", c.name, accounting, got, want)
				}
				for payload := 0; payload < 9000; payload += 7 {
					f := &wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteMiddle}
					f.SetPayload(payload)
					want := accounting.SerialTime(f, c.rate)
					if got := s.Time(f.Len(), f); got != want {
						t.Fatalf("%s, %v: %v takes %v, want %v", c.name, accounting, f.Len(), got, want)
					}
					if got := s.TimeOf(accounting.Bytes(f)); got != want {
						t.Fatalf("%s, %v: %v by its bytes takes %v, want %v", c.name, accounting, f.Len(), got, want)
					}
				}
			}
		})
	}
}

// A byte at 998.627 Mb/s takes 8010.9991 ps, rounded up 8011: 1000 of them take a
// thousand times as long, to the picosecond, and 1502 do not.
func TestByteThatIsWholeOverAThousandOnly(t *testing.T) {
	const rate = 998_627 * unit.Kbps
	if rate.SerialTime(1000) != 1000*rate.SerialTime(1) {
		t.Fatal("the rate shows nothing")
	}
	f := &wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteMiddle}
	f.SetPayload(1420) // 1478 B and 24 B around them
	s := NewSerializer(wire.Full, rate)
	// 1502 x 8 x 10^12 / 998627000 = 12032520.65, rounded up.
	if got := s.Time(f.Len(), f); got != 12_032_521*unit.Picosecond {
		t.Errorf("%v takes %d ps, want 12032521", f.Len(), got)
	}
}

// 65535 quanta last 335.5 us at 100 Gb/s (IEEE 802.3, 31B.2).
func TestPauseTime(t *testing.T) {
	for _, c := range []struct {
		quanta uint16
		rate   unit.BitRate
		want   unit.Duration
	}{
		{0, 100 * unit.Gbps, 0},
		{1, 100 * unit.Gbps, 5120},
		{1<<16 - 1, 100 * unit.Gbps, 335_539_200},
		{1<<16 - 1, 400 * unit.Gbps, 83_884_800},
		{3, 7 * unit.Gbps, 219_429}, // rounded up
	} {
		t.Run(fmt.Sprintf("quanta=%v,rate=%v", c.quanta, c.rate), func(t *testing.T) {
			if got := PauseTime(c.quanta, c.rate); got != c.want {
				t.Errorf("%d quanta at %v last %d ps, want %d", c.quanta, c.rate, got, c.want)
			}
		})
	}
}

// A frame that starts while the link is slow takes its time at the lower rate, one that starts before or after does
// not; its start can be computed from its end.
func TestTimeWhileTheLinkIsSlow(t *testing.T) {
	f := &wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteMiddle}
	f.SetPayload(1000) // 1058 B, 1082 with FCS, preamble and gap
	const us = unit.Time(unit.Microsecond)
	s := NewSerializer(wire.Full, 100*unit.Gbps).WhenSlow([]fabric.Slow{
		{From: 10 * us, To: 20 * us, Rate: 25 * unit.Gbps}, {From: 20 * us, To: 30 * us, Rate: 50 * unit.Gbps},
	})
	for start, want := range map[unit.Time]unit.Duration{
		0: 86_560, 10*us - 1: 86_560, 10 * us: 346_240, 20*us - 1: 346_240, 20 * us: 173_120, 30*us - 1: 173_120,
		30 * us: 86_560,
	} {
		t.Run(fmt.Sprintf("start=%v", start), func(t *testing.T) {
			if got := s.TimeAt(start, f.Len(), f); got != want {
				t.Errorf("from %v it takes %v, want %v", start, got, want)
			}
			if got := s.StartOf(start.Add(want), f.Len(), f); got != start && start != 20*us && start != 30*us {
				t.Errorf("a frame that started at %v is said to have started at %v", start, got)
			}
		})
	}
	if got := s.StartOf(30*us+86_565, f.Len(), f); got != 30*us-86_555 {
		t.Errorf("of two starts with one end, at 50 and at 100 Gb/s, %v is returned, want the earlier one", got)
	}
	if s.Rate() != 100*unit.Gbps || s.RateAt(15*us) != 25*unit.Gbps || s.Time(f.Len(), f) != 86_560 || !s.IsSlow() {
		t.Error("the rates are wrong")
	}
	if s := NewSerializer(wire.Full, unit.Gbps).WhenSlow(nil); s.IsSlow() || s.perByte == 0 {
		t.Error("a link that is never slow divides")
	}
}
