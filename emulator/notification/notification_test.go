package notification_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// vectors are messages byte by byte, worked out from the layout in doc.go.
var vectors = []struct {
	name, bytes string
	message     notification.Message
}{
	{"congestion by one flow",
		"5052 01 01 00000003 0000002a 000000003b9aca07 0005 03 01 0001e240 00018a88 00002710 000186a0 4000 8000 00019000 " +
			"00064000 000003e8 0004 0000" +
			"ac100001 ac110002 00000012 00000011 0000c350 c001 ffff",
		notification.Message{
			Type:      notification.Congestion,
			Origin:    3,
			Sequence:  42,
			Time:      1_000_000_007_000,
			Port:      5,
			Priority:  3,
			Depth:     123456,
			Before:    101000,
			Elapsed:   10 * unit.Microsecond,
			Rate:      100 * unit.Gbps,
			Usage:     0x4000,
			Degree:    0x8000,
			Threshold: 102400,
			Kmax:      409600,
			Lifetime:  unit.Millisecond,
			Live:      4,
			Count:     1,
			Flows: [8]notification.Flow{{
				SrcIP:   0xac100001,
				DstIP:   0xac110002,
				DstQP:   0x12,
				SrcQP:   0x11,
				Bytes:   50000,
				SrcPort: 0xC001,
				Share:   65535,
			}},
		}},
	{"learned, two flows",
		"5052 01 02 01020304 fffffffe 0000000000000001 1234 00 02 00000000 00000000 00000000 00061a80 0000 0000 00000000 " +
			"00000000 002dc6c0 0000 0000" +
			"0a000001 0a000002 00ffffff 00000000 00000000 c002 0000" + "0a000003 0a000004 00000001 00abcdef 00000001 ffff 0001",
		notification.Message{
			Type:     notification.Learned,
			Origin:   0x01020304,
			Sequence: 1<<32 - 2,
			Time:     1000,
			Port:     0x1234,
			Rate:     400 * unit.Gbps,
			Lifetime: 3 * unit.Second,
			Count:    2,
			Flows: [8]notification.Flow{
				{SrcIP: 0x0a000001, DstIP: 0x0a000002, DstQP: 0xFFFFFF, SrcPort: 0xC002},
				{
					SrcIP:   0x0a000003,
					DstIP:   0x0a000004,
					DstQP:   1,
					SrcQP:   0xABCDEF,
					Bytes:   1,
					SrcPort: 0xFFFF,
					Share:   1,
				}},
		}},
	{"clear",
		"5052 01 03 00000000 00000000 0000000000000000 0000 07 00 00000001 00000002 00000003 00000004 0005 0006 00000007 " +
			"00000008 00000009 000a 000b",
		notification.Message{
			Type:      notification.Clear,
			Priority:  7,
			Depth:     1,
			Before:    2,
			Elapsed:   3 * unit.Nanosecond,
			Rate:      4 * unit.Mbps,
			Usage:     5,
			Degree:    6,
			Threshold: 7,
			Kmax:      8,
			Lifetime:  9 * unit.Microsecond,
			Live:      10,
			Level:     11,
		}},
	{"the end of every range",
		"5052 01 04 ffffffff ffffffff 0020c49ba5e353f7 ffff 07 00 ffffffff ffffffff ffffffff ffffffff ffff ffff ffffffff " +
			"ffffffff ffffffff ffff ffff",
		notification.Message{
			Type:      notification.Release,
			Origin:    math.MaxUint32,
			Sequence:  math.MaxUint32,
			Time:      unit.Never / 1000 * 1000,
			Port:      65535,
			Priority:  7,
			Depth:     math.MaxUint32,
			Before:    math.MaxUint32,
			Elapsed:   math.MaxUint32 * unit.Nanosecond,
			Rate:      math.MaxUint32 * unit.Mbps,
			Usage:     65535,
			Degree:    65535,
			Threshold: math.MaxUint32,
			Kmax:      math.MaxUint32,
			Lifetime:  math.MaxUint32 * unit.Microsecond,
			Live:      65535,
			Level:     65535,
		}},
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			want := unhex(t, v.bytes)
			dirty := append(bytes.Repeat([]byte{0xA5}, 3), bytes.Repeat([]byte{0x5A}, 300)...)
			if got := v.message.AppendTo(dirty[:3]); !bytes.Equal(got[3:], want) || !bytes.Equal(got[:3],
				[]byte{0xA5, 0xA5, 0xA5}) {
				t.Errorf("%s\n got %x\nwant %x", v.name, got[3:], want)
			}
			if v.message.Len() != len(want) {
				t.Errorf("%s: Len %d, want %d", v.name, v.message.Len(), len(want))
			}
			got := notification.Message{Flows: [8]notification.Flow{7: {Share: 1}}}
			if err := notification.Decode(want, &got); err != nil || got != v.message {
				t.Errorf("%s: %v\n got %+v\nwant %+v", v.name, err, got, v.message)
			}
		})
	}
}

// TestRoundTrip draws messages from the ranges of their fields: struct to bytes
// to struct gives the same struct.
func TestRoundTrip(t *testing.T) {
	s := chance.New(1, "notification")
	u := func(bits int) uint64 { return s.Uint64() >> (64 - bits) }
	for range 5000 {
		m := notification.Message{
			Type:      notification.Type(1 + u(2)),
			Origin:    uint32(u(32)),
			Sequence:  uint32(u(32)),
			Time:      unit.Time(u(53)) * 1000,
			Port:      uint16(u(16)),
			Priority:  uint8(u(3)),
			Depth:     unit.Bytes(u(32)),
			Before:    unit.Bytes(u(32)),
			Elapsed:   unit.Duration(u(32)) * unit.Nanosecond,
			Rate:      unit.BitRate(u(32)) * unit.Mbps,
			Usage:     uint16(u(16)),
			Degree:    uint16(u(16)),
			Threshold: unit.Bytes(u(32)),
			Kmax:      unit.Bytes(u(32)),
			Lifetime:  unit.Duration(u(32)) * unit.Microsecond,
			Live:      uint16(u(16)),
			Level:     uint16(u(16)),
			Count:     uint8(s.Below(9)),
		}
		for i := range m.Flows[:m.Count] {
			m.Flows[i] = notification.Flow{
				SrcIP:   uint32(u(32)),
				DstIP:   uint32(u(32)),
				DstQP:   uint32(u(24)),
				SrcQP:   uint32(u(24)),
				Bytes:   unit.Bytes(u(32)),
				SrcPort: uint16(u(16)),
				Share:   uint16(u(16)),
			}
		}
		var got notification.Message
		if err := notification.Decode(m.AppendTo(nil), &got); err != nil || got != m {
			t.Fatalf("%v\n got %+v\nwant %+v", err, got, m)
		}
	}
}

// TestEveryOtherLengthIsRefused cuts messages everywhere, and lets a byte
// follow.
func TestEveryOtherLengthIsRefused(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			b := append(unhex(t, v.bytes), 0)
			for n := range len(b) + 1 {
				if n == len(b)-1 {
					continue
				}
				var m notification.Message
				if err := notification.Decode(b[:n:n], &m); !errors.Is(err, notification.ErrLength) {
					t.Errorf("%s with %d bytes: %v", v.name, n, err)
				}
			}
		})
	}
}

// TestEveryBitCounts flips each bit: Decode accepts the message only if
// AppendTo gives back the flipped bytes.
func TestEveryBitCounts(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			b := unhex(t, v.bytes)
			for i := range 8 * len(b) {
				b[i/8] ^= 1 << (i % 8)
				var m notification.Message
				if notification.Decode(b, &m) == nil {
					if m == v.message {
						t.Errorf("%s: bit %d does not show", v.name, i)
					}
					if got := m.AppendTo(nil); !bytes.Equal(got, b) {
						t.Errorf("%s, bit %d\n got %x\nwant %x", v.name, i, got, b)
					}
				}
				b[i/8] ^= 1 << (i % 8)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	base := unhex(t, vectors[1].bytes)
	for _, c := range []struct {
		name  string
		at    int
		value byte
		kind  error
		text  string
	}{
		{"magic", 1, 0x51, notification.ErrMagic, "byte 0: 0x5051, want 0x5052"},
		{"version", 2, 2, notification.ErrVersion, "byte 2: 2, allowed is 1"},
		{"type 0", 3, 0, notification.ErrType, "byte 3: 0, allowed are 1 to 4"},
		{"type 5", 3, 5, notification.ErrType, "byte 3: 5"},
		{"count", 23, 9, notification.ErrCount, "byte 23: 9, allowed are up to 8"},
		{"count of fewer", 23, 1, notification.ErrLength, "byte 84: 108 bytes, 1 flows need 84"},
		{"count of more", 23, 3, notification.ErrLength, "byte 108: 108 bytes, 3 flows need 132"},
		{"priority", 22, 8, notification.ErrReserved, "byte 22: priority 8"},
		{"destination QP", 68, 1, notification.ErrReserved, "byte 68: QP 0x01ffffff"},
		{"source QP of the second flow", 96, 0x80, notification.ErrReserved, "byte 96: QP 0x80abcdef"},
		{"time", 12, 1, notification.ErrTime, "byte 12: 72057594037927937 ns, allowed are up to 9223372036854775 ns"},
		{"one nanosecond too late", 19, 0xF8, notification.ErrTime, "byte 12: 9223372036854776 ns"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := bytes.Clone(base)
			if c.at == 19 {
				b = unhex(t, vectors[3].bytes) // the last time that there is
			}
			b[c.at] = c.value
			var m notification.Message
			err := notification.Decode(b, &m)
			var typed *notification.DecodeError
			if !errors.Is(err, c.kind) || !errors.As(err, &typed) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%s: %v, want %q and %q", c.name, err, c.kind, c.text)
			}
		})
	}
}

// TestOutOfRange: what the fields cannot hold is brought into their ranges.
func TestOutOfRange(t *testing.T) {
	big := notification.Message{
		Type:      notification.Congestion,
		Time:      unit.Never,
		Priority:  255,
		Depth:     1 << 32,
		Before:    math.MaxInt64,
		Elapsed:   unit.Duration(unit.Never),
		Rate:      math.MaxInt64,
		Threshold: 1 << 40,
		Kmax:      1 << 32,
		Lifetime:  unit.Duration(unit.Never),
		Count:     255,
	}
	for i := range big.Flows {
		big.Flows[i] = notification.Flow{DstQP: 1 << 24, SrcQP: math.MaxUint32, Bytes: 1 << 32}
	}
	want := notification.Message{
		Type:      notification.Congestion,
		Time:      unit.Never / 1000 * 1000,
		Priority:  7,
		Depth:     math.MaxUint32,
		Before:    math.MaxUint32,
		Elapsed:   math.MaxUint32 * unit.Nanosecond,
		Rate:      math.MaxUint32 * unit.Mbps,
		Threshold: math.MaxUint32,
		Kmax:      math.MaxUint32,
		Lifetime:  math.MaxUint32 * unit.Microsecond,
		Count:     8,
	}
	for i := range want.Flows {
		want.Flows[i] = notification.Flow{DstQP: 0xFFFFFF, SrcQP: 0xFFFFFF, Bytes: math.MaxUint32}
	}
	small := notification.Message{
		Type:      notification.Clear,
		Time:      -1,
		Depth:     -1,
		Before:    math.MinInt64,
		Elapsed:   -1,
		Rate:      -unit.Mbps,
		Threshold: -1,
		Kmax:      -1,
		Lifetime:  -unit.Microsecond,
	}
	fine := notification.Message{
		Type:     notification.Clear,
		Time:     1999,
		Elapsed:  1999,
		Rate:     2*unit.Mbps - 1,
		Lifetime: 2*unit.Microsecond - 1,
	}
	for _, c := range []struct{ give, want notification.Message }{
		{big, want},
		{small, notification.Message{Type: notification.Clear}},
		{fine, notification.Message{
			Type:     notification.Clear,
			Time:     1000,
			Elapsed:  unit.Nanosecond,
			Rate:     unit.Mbps,
			Lifetime: unit.Microsecond,
		}},
	} {
		b := c.give.AppendTo(nil)
		var got notification.Message
		if err := notification.Decode(b, &got); err != nil || got != c.want {
			t.Errorf("%v\n got %+v\nwant %+v", err, got, c.want)
		}
		if len(b) > notification.MaxLen || len(b) != c.give.Len() {
			t.Errorf("%d bytes, Len %d", len(b), c.give.Len())
		}
	}
}

// FuzzDecode decodes any bytes: no panic, and accepted bytes come back unchanged.
func FuzzDecode(f *testing.F) {
	for _, v := range vectors {
		f.Add(unhex(f, v.bytes))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var m notification.Message
		if notification.Decode(b, &m) != nil {
			return
		}
		if got := m.AppendTo(nil); !bytes.Equal(got, b) {
			t.Errorf("%+v\n got %x\nwant %x", m, got, b)
		}
	})
}

// FuzzAppendTo gives any values: what AppendTo writes is accepted, and is the
// same when written again.
func FuzzAppendTo(f *testing.F) {
	f.Add(uint8(1), uint32(3), int64(5), int64(7), uint16(9), uint8(11))
	f.Add(uint8(2), uint32(1<<31), int64(math.MaxInt64), int64(math.MinInt64), uint16(65535), uint8(255))
	f.Fuzz(func(t *testing.T, kind uint8, a uint32, v, w int64, s uint16, count uint8) {
		m := notification.Message{
			Type:      notification.Type(1 + kind%4),
			Origin:    a,
			Sequence:  ^a,
			Time:      unit.Time(v),
			Port:      s,
			Priority:  count / 2,
			Depth:     unit.Bytes(v),
			Before:    unit.Bytes(w),
			Elapsed:   unit.Duration(w),
			Rate:      unit.BitRate(v ^ w),
			Usage:     ^s,
			Degree:    s / 3,
			Threshold: unit.Bytes(w / 2),
			Kmax:      unit.Bytes(v / 3),
			Lifetime:  unit.Duration(v / 5),
			Live:      s / 5,
			Level:     ^s / 7,
			Count:     count,
		}
		for i := range m.Flows {
			k := uint32(i)
			m.Flows[i] = notification.Flow{
				SrcIP:   a + k,
				DstIP:   a - k,
				DstQP:   a >> k,
				SrcQP:   a << k,
				Bytes:   unit.Bytes(v >> i),
				SrcPort: s + uint16(i),
				Share:   s,
			}
		}
		b := m.AppendTo(nil)
		var got notification.Message
		if err := notification.Decode(b, &got); err != nil {
			t.Fatalf("%+v: %v", m, err)
		}
		if again := got.AppendTo(nil); !bytes.Equal(again, b) {
			t.Errorf("\n got %x\nwant %x", again, b)
		}
	})
}

func TestNames(t *testing.T) {
	var names []string
	for i := range notification.Type(6) {
		names = append(names, i.String())
	}
	if got := strings.Join(names, ", "); got != "type 0, congestion, learned, clear, release, type 5" {
		t.Error(got)
	}
}

func TestNoAllocation(t *testing.T) {
	m, b := vectors[1].message, make([]byte, 0, notification.MaxLen)
	var got notification.Message
	if n := testing.AllocsPerRun(100, func() {
		b = m.AppendTo(b[:0])
		if notification.Decode(b, &got) != nil {
			t.Error("not decoded")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
