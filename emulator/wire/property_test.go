package wire

import (
	"bytes"
	"reflect"
	"testing"
	"unsafe"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/inband"
)

// wantSame compares two frames field by field, caches aside.
func wantSame(t *testing.T, got, want *Frame) {
	t.Helper()
	a, b := *got, *want
	a.size, b.size = 0, 0
	if !reflect.DeepEqual(a, b) {
		t.Errorf("\n got %+v %+v\nwant %+v %+v", a, a.Rare, b, b.Rare)
	}
}

var knownOpcodes = func() (all []Opcode) {
	for op, h := range headersOf {
		if h != 0 {
			all = append(all, Opcode(op))
		}
	}
	return all
}()

// randomFrame draws a frame that the wire can carry.
func randomFrame(s *chance.Stream) Frame {
	u := func(bits int) uint64 { return s.Uint64() >> (64 - bits) }
	f := Frame{}
	for i := range f.Dst {
		f.Dst[i], f.Src[i] = byte(u(8)), byte(u(8))
	}
	if s.Below(10) == 0 {
		f.EtherType, f.ClassEnable = EtherTypeMACControl, uint8(u(8))
		for i := range f.Pause {
			f.Pause[i] = uint16(u(16))
		}
		return f
	}
	f.Tagged = s.Below(4) == 0
	if f.Tagged {
		f.TCI = uint16(u(16))
	}
	f.TOS, f.TTL = uint8(u(8)), uint8(u(8))
	var r Rare
	if s.Below(4) == 0 {
		f.EtherType, r.FlowLabel = EtherTypeIPv6, uint32(u(20))
		for i := range r.SrcIP6 {
			r.SrcIP6[i], r.DstIP6[i] = byte(u(8)), byte(u(8))
		}
	} else {
		f.EtherType, f.SrcIP, f.DstIP = EtherTypeIPv4, uint32(u(32)), uint32(u(32))
		f.ID, f.Fragment = uint16(u(16)), uint16(u(2)<<14)
	}
	if f.EtherType == EtherTypeIPv4 && s.Below(8) == 0 {
		return randomDatagram(f, s)
	}
	f.SrcPort, f.UDPChecksum, f.PKey = uint16(u(16)), uint16(u(16)), uint16(u(16))
	f.Opcode = knownOpcodes[s.Below(uint64(len(knownOpcodes)))]
	f.Flags, f.Notify = uint8(u(8)), uint8(u(8))
	f.DestQP, f.PSN = uint32(u(24)), uint32(u(24))
	f.AckExt = uint8(u(1)<<7) | uint8(s.Below(uint64(lastKind)+1))
	randomHeaders(&f, &r, u)
	randomExtension(&f, &r, s, u)
	f.SetPayload(0)
	if headersOf[f.Opcode]&HasPayload != 0 {
		f.SetPayload(int(s.Below(MaxPayload + 1)))
		if s.Below(3) == 0 {
			f.SetPayload(int(s.Below(9)))
		}
		payload := make([]byte, f.PayloadLen)
		for i := range payload {
			payload[i] = byte(u(8))
		}
		if s.Below(2) == 0 && !isPattern(f.DestQP, f.PSN, payload) {
			r.Payload = payload
		}
	}
	g := f
	g.Rare = &r
	r.Unpadded = g.packetEnd() < minFrameLen && s.Below(2) == 0
	if callsForRare(&f) || !reflect.ValueOf(r).IsZero() {
		f.Rare = &r
	}
	return f
}

// randomDatagram makes f, whose Ethernet and IPv4 fields are drawn, a datagram.
func randomDatagram(f Frame, s *chance.Stream) Frame {
	f.SrcPort = uint16(s.Uint64())
	payload := make([]byte, s.Below(MaxDatagram+1))
	if s.Below(3) == 0 {
		payload = payload[:min(uint64(len(payload)), s.Below(20))]
	}
	for i := range payload {
		payload[i] = byte(s.Uint64())
	}
	f.SetDatagram(payload)
	f.Rare.Unpadded = f.packetEnd() < minFrameLen && s.Below(2) == 0
	return f
}

// callsForRare reports whether Decode stores a Rare for a frame even if it is zero.
func callsForRare(f *Frame) bool {
	kind := f.Extension().Kind()
	return kind.stack || kind.own || f.EtherType == EtherTypeIPv6 ||
		headersOf[f.Opcode]&(HasDETH|HasImm|HasAtomic|HasAtomicAck) != 0
}

func randomHeaders(f *Frame, r *Rare, u func(int) uint64) {
	h := headersOf[f.Opcode]
	if h&HasDETH != 0 {
		r.QKey, r.SrcQP = uint32(u(32)), uint32(u(24))
	}
	if h&(HasRETH|HasAtomic) != 0 {
		f.VA, f.RKey = u(64), uint32(u(32))
	}
	if h&HasRETH != 0 {
		f.DMALen = uint32(u(32))
	}
	if h&HasAtomic != 0 {
		r.SwapAdd, r.Compare = u(64), u(64)
	}
	if h&HasAETH != 0 {
		f.Syndrome, f.MSN = uint8(u(8)), uint32(u(24))
	}
	if h&HasAtomicAck != 0 {
		r.Original = u(64)
	}
	if h&HasImm != 0 {
		r.Immediate = uint32(u(32))
	}
	if h&HasReserved != 0 && u(1) == 0 {
		be.PutUint64(r.Reserved[:], u(64))
	}
}

func randomExtension(f *Frame, r *Rare, s *chance.Stream, u func(int) uint64) {
	if f.Extension() != ExtNone {
		f.ExtFlags = uint8(u(8))
	}
	for _, w := range f.Extension().Kind().Words {
		switch w {
		case WordTime:
			f.ExtTime = u(64)
		case WordA:
			f.ExtA = uint32(u(32))
		case WordB:
			f.ExtB = uint32(u(32))
		case WordINT:
			r.INT = inband.Stack{Hops: uint8(u(8)), Max: uint8(s.Below(6)), Path: uint16(u(16))}
			for i := range r.INT.Max {
				r.INT.Record[i] = inband.Record(u(64))
			}
		case WordOwn:
			r.OwnLen = uint8(4 * s.Below(9))
			for i := range r.OwnLen {
				r.Own[i] = byte(u(8))
			}
		}
	}
}

// TestRoundTrip draws frames of every opcode, extension, address family and
// tag: struct to bytes to struct gives the same struct, and Len is right.
func TestRoundTrip(t *testing.T) {
	s := chance.New(1, "wire")
	seen, datagrams := map[Opcode]bool{}, 0
	for range 20000 {
		f := randomFrame(s)
		b := f.AppendTo(nil)
		var got Frame
		if err := Decode(b, &got); err != nil {
			t.Fatalf("%v: %v\n%x", &f, err, b)
		}
		wantSame(t, &got, &f)
		if got.Len() != f.Len() || max(len(b), minFrameLen) != int(f.Len()) || len(b) > MaxFrameLen {
			t.Errorf("%v: %d bytes, Len %d, after Decode %d", &f, len(b), f.Len(), got.Len())
		}
		if got.Digest() != f.Digest() {
			t.Errorf("%v: digest changed", &f)
		}
		if t.Failed() {
			t.FailNow()
		}
		if f.IsDatagram() {
			datagrams++
			continue
		}
		seen[f.Opcode] = true
	}
	if datagrams < 1000 {
		t.Errorf("%d datagrams", datagrams)
	}
	if len(seen) != len(knownOpcodes) {
		t.Errorf("%d opcodes of %d", len(seen), len(knownOpcodes))
	}
}

// TestAppendToIgnoresTheBuffer puts frames after other bytes into dirty room.
func TestAppendToIgnoresTheBuffer(t *testing.T) {
	s := chance.New(2, "wire")
	for range 500 {
		f := randomFrame(s)
		want := f.AppendTo(nil)
		dirty := bytes.Repeat([]byte{0xA5}, MaxFrameLen+3)
		got := f.AppendTo(dirty[:3])
		if !bytes.Equal(got[3:], want) || !bytes.Equal(got[:3], []byte{0xA5, 0xA5, 0xA5}) {
			t.Fatalf("%v\n got %x\nwant %x", &f, got[3:], want)
		}
	}
}

// TestEveryTruncationOfRandomFrames cuts frames everywhere.
func TestEveryTruncationOfRandomFrames(t *testing.T) {
	s := chance.New(3, "wire")
	for range 50 {
		f := randomFrame(s)
		b := f.AppendTo(nil)
		for n := range b {
			var g Frame
			if Decode(b[:n:n], &g) == nil && n != f.packetEnd() {
				t.Fatalf("%v cut from %d to %d bytes is accepted", &f, len(b), n)
			}
		}
	}
}

// TestEveryBitBehindTheICRC flips bits of random frames from UDP on and
// repairs the ICRC, so that only the fields themselves can be refused.
func TestEveryBitBehindTheICRC(t *testing.T) {
	s := chance.New(5, "wire")
	for range 3000 {
		f := randomFrame(s)
		if f.IsPFC() || f.IsDatagram() { // for datagrams see TestDatagramBits
			continue
		}
		b := f.AppendTo(nil)
		from := 8 * (f.packetEnd() - icrcLen - int(f.PayloadLen) - f.extLen() - int(headerBytes[f.Opcode]) - bthLen - 4)
		for i := range 60 {
			bit := from + int(s.Below(8*uint64(bthLen+8+i)))
			if bit >= 8*len(b) {
				continue
			}
			flipped := bytes.Clone(b)
			flipped[bit/8] ^= 1 << (bit % 8)
			fixICRC(flipped)
			var g Frame
			if Decode(flipped, &g) != nil {
				continue
			}
			if got := g.AppendTo(nil); !bytes.Equal(got, flipped) {
				t.Fatalf("%v, bit %d\n got %x\nwant %x", &f, bit, got, flipped)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, v := range vectors {
		f.Add(unhex(f, v.bytes))
	}
	for _, b := range goldenFrames(f) {
		f.Add(b)
	}
	s := chance.New(4, "wire")
	for range 50 {
		g := randomFrame(s)
		f.Add(g.AppendTo(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		check := func(b []byte) {
			var g Frame
			if Decode(b, &g) != nil {
				return
			}
			if got := g.AppendTo(nil); !bytes.Equal(got, b) {
				t.Errorf("%v\n got %x\nwant %x", &g, got, b)
			}
			if got := g.String(); got == "" {
				t.Error("no description")
			}
		}
		check(b)
		// Random changes rarely leave the checksums right; repaired, they get
		// past them.
		if len(b) >= ethernetLen+ipv4Len && b[12] == 8 && b[13] == 0 {
			check(fixICRC(fixIPv4(bytes.Clone(b))))
			check(fixUDP(fixIPv4(bytes.Clone(b))))
		}
	})
}

// The digest reads the struct's first seven words: a change of any field in them must show, and the fields must be at
// the expected offsets.
func TestDigestSeesEveryHotField(t *testing.T) {
	base := Frame{EtherType: EtherTypeIPv4, Opcode: WriteOnly, PayloadLen: 100}
	want := base.Digest()
	for name, change := range map[string]func(*Frame){
		"SrcIP": func(f *Frame) { f.SrcIP++ }, "DstIP": func(f *Frame) { f.DstIP++ }, "DestQP": func(f *Frame) { f.DestQP++ },
		"PSN": func(f *Frame) { f.PSN++ }, "Opcode": func(f *Frame) { f.Opcode = SendOnly },
		"Flags":  func(f *Frame) { f.Flags++ },
		"Notify": func(f *Frame) { f.Notify = BECN }, "AckExt": func(f *Frame) { f.AckExt = AckReq },
		"SrcPort": func(f *Frame) { f.SrcPort++ },
		"TOS":     func(f *Frame) { f.TOS = CE }, "TTL": func(f *Frame) { f.TTL++ },
		"PayloadLen": func(f *Frame) { f.PayloadLen++ },
		"ExtTime":    func(f *Frame) { f.ExtTime++ }, "ExtA": func(f *Frame) { f.ExtA++ },
		"ExtB": func(f *Frame) { f.ExtB++ },
		"MSN":  func(f *Frame) { f.MSN++ }, "Syndrome": func(f *Frame) { f.Syndrome++ },
		"ExtFlags": func(f *Frame) { f.ExtFlags++ },
		"Tagged":   func(f *Frame) { f.Tagged = true }, "ClassEnable": func(f *Frame) { f.ClassEnable++ },
	} {
		t.Run(name, func(t *testing.T) {
			f := base
			f.size = 0
			change(&f)
			if f.Digest() == want {
				t.Errorf("a change of %s does not show in the digest", name)
			}
		})
	}
	if end := unsafe.Offsetof(base.Rare); end != 56 {
		t.Errorf("the fields of the digest end at byte %d, want 56", end)
	}
}
