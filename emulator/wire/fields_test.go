package wire

import (
	"bytes"
	"fmt"
	"testing"
)

func TestPSN(t *testing.T) {
	for _, c := range []struct {
		a, b uint32
		want int
	}{
		{5, 5, 0}, {6, 5, 1}, {5, 6, -1}, {0, 0xFFFFFF, 1}, {0xFFFFFF, 0, -1}, {2, 0xFFFFFE, 4},
		{0x7FFFFF, 0, 1<<23 - 1}, {0x800000, 0, -1 << 23}, {0, 0x800000, -1 << 23},
	} {
		t.Run(fmt.Sprintf("a=%v,b=%v", c.a, c.b), func(t *testing.T) {
			if got := DiffPSN(c.a, c.b); got != c.want {
				t.Errorf("DiffPSN(%#x, %#x) = %d, want %d", c.a, c.b, got, c.want)
			}
			if got := AddPSN(c.b, c.want); got != c.a {
				t.Errorf("AddPSN(%#x, %d) = %#x, want %#x", c.b, c.want, got, c.a)
			}
		})
	}
}

func TestSetPayloadKeepsPadAndLength(t *testing.T) {
	f := Frame{EtherType: EtherTypeIPv4, Opcode: WriteMiddle, Flags: FlagMigReq | 0x30}
	for n, pad := range []uint8{0, 3, 2, 1, 0, 3} {
		f.Len()
		f.SetPayload(n + 1000)
		if f.Flags != FlagMigReq|pad<<PadShift || int(f.Len()) != 1000+(n+3)&^3+58 {
			t.Errorf("%d bytes: flags %#x, length %d", n+1000, f.Flags, f.Len())
		}
	}
}

func TestMarkCE(t *testing.T) {
	f := Frame{TOS: 0x6A}
	if f.MarkCE(); f.TOS != 0x6B || f.ECN() != CE || f.DSCP() != 26 {
		t.Errorf("TOS %#x", f.TOS)
	}
}

func TestNamesAndAddresses(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{IPString(0x0a4d00ff), "10.77.0.255"},
		{NodeMAC(0x010203, 0x0405).String(), "02:01:02:03:04:05"},
		{PFCDst.String(), "01:80:c2:00:00:01"},
		{WriteLastImm.String(), "RC RDMA WRITE Last with Immediate"},
		{Opcode(0x22).String(), "UC SEND Last"},
		{UDSendOnly.String(), "UD SEND Only"},
		{FetchAdd.String(), "RC FetchAdd"},
		{CNP.String(), "CNP"},
		{Opcode(0xFF).String(), "opcode 0xff"},
		{vectors[5].frame.String(), "10.0.0.1 > 10.0.0.2 RC SEND Only QP 0x12 PSN 1 8B ext 1 AckReq"},
		{vectors[2].frame.String(), "10.0.0.2 > 10.0.0.1 RC Acknowledge QP 0x11 PSN 5 syndrome 0x60 MSN 3"},
		{vectors[9].frame.String(), "10.0.0.2 > 10.0.0.1 CNP QP 0x11 PSN 0 rate 8.3Gbps"},
		{vectors[7].frame.String(), "172.16.0.3 > 172.16.0.1 UDP 49911 84B"},
		{vectors[8].frame.String(), "PFC from 02:00:00:00:00:01 XOFF 3 for 65535 quanta"},
	} {
		t.Run(fmt.Sprintf("want=%s", c.want), func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("got %q, want %q", c.got, c.want)
			}
		})
	}
}

func TestSetPFC(t *testing.T) {
	f := Frame{PSN: 7, Rare: &Rare{}}
	f.SetPFC(node1, 3, 0xFFFF)
	if got, want := f.AppendTo(nil), unhex(t, vectors[8].bytes); !bytes.Equal(got, want) {
		t.Errorf("\n got %x\nwant %x", got, want)
	}
	f.SetPFC(node1, 3, 0)
	if got := f.String(); got != "PFC from 02:00:00:00:00:01 XON 3" {
		t.Error(got)
	}
}

// TestPatternTellsPacketsApart: neighbours in QP or PSN differ, every length
// is a prefix of the longest, and the check sees a change anywhere.
func TestPatternTellsPacketsApart(t *testing.T) {
	long := make([]byte, 1003)
	Pattern(0x12, 7, long)
	for n := range long {
		b := make([]byte, n)
		Pattern(0x12, 7, b)
		if !bytes.Equal(b, long[:n]) || !isPattern(0x12, 7, b) {
			t.Fatalf("%d bytes are no prefix", n)
		}
		if n > 0 {
			b[n-1] ^= 1
			if isPattern(0x12, 7, b) {
				t.Fatalf("a change of byte %d is not seen", n-1)
			}
		}
	}
	if isPattern(0x12, 8, long) || isPattern(0x13, 7, long) {
		t.Error("neighbours have one pattern")
	}
}

// engineFrame is a WRITE Middle with time stamp as the engine sends them by
// the million.
func engineFrame() Frame {
	f := usual(Frame{
		SrcIP:   ip1,
		DstIP:   ip2,
		TOS:     0x6A,
		Opcode:  WriteMiddle,
		DestQP:  0x12,
		PSN:     99,
		ExtTime: 1e6,
		ExtA:    2175,
	})
	f.SetPayload(1000)
	f.SetExtension(ExtOneWayData)
	return f
}

func TestEngineFramesNeedNoAllocation(t *testing.T) {
	f, b := engineFrame(), make([]byte, 0, MaxFrameLen)
	var g Frame
	if n := testing.AllocsPerRun(100, func() {
		b = f.AppendTo(b[:0])
		if Decode(b, &g) != nil || g.Rare != nil {
			t.Error("not decoded")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkAppendTo(b *testing.B) {
	f, buf := engineFrame(), make([]byte, 0, MaxFrameLen)
	b.ReportAllocs()
	for b.Loop() {
		buf = f.AppendTo(buf[:0])
	}
}

func BenchmarkDecode(b *testing.B) {
	f := engineFrame()
	buf := f.AppendTo(nil)
	var g Frame
	b.ReportAllocs()
	for b.Loop() {
		if err := Decode(buf, &g); err != nil {
			b.Fatal(err)
		}
	}
}
