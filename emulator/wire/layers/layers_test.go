package layers_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/rocelab/rocelab/emulator/wire"
	roce "github.com/rocelab/rocelab/emulator/wire/layers"
	"github.com/rocelab/rocelab/plugins/cc/inband"
)

// goldenFrames returns the capture of soft-RoCE (see ../testdata).
func goldenFrames(t testing.TB) (frames [][]byte) {
	t.Helper()
	file, err := os.Open("../testdata/rxe.pcap")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := pcapgo.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for {
		b, _, err := r.ReadPacketData()
		if err == io.EOF {
			return frames
		}
		if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, b)
	}
}

// engineFrames returns one frame of each kind that the capture lacks: tag,
// CNP, PFC, each algorithm extension, notifications of 0 to 8 flows.
func engineFrames() (frames []wire.Frame) {
	base := wire.Frame{
		Dst:       wire.NodeMAC(2, 0),
		Src:       wire.NodeMAC(1, 0),
		EtherType: wire.EtherTypeIPv4,
		SrcIP:     0x0a000001,
		DstIP:     0x0a000002,
		TOS:       0x6A,
		TTL:       64,
		Fragment:  wire.DontFragment,
		SrcPort:   0xC001,
		PKey:      wire.DefaultPKey,
		Flags:     wire.FlagMigReq | wire.FlagSolicited,
		Opcode:    wire.WriteFirst,
		DestQP:    0x12,
		PSN:       0xFFFFFF,
		AckExt:    wire.AckReq,
		VA:        1 << 40,
		RKey:      7,
		DMALen:    1 << 20,
	}
	for _, ext := range append([]wire.ExtType{wire.ExtNone}, wire.Kinds()...) {
		f := base
		f.SetExtension(ext)
		switch ext {
		case wire.ExtNone:
			f.Tagged, f.TCI = true, 3<<13|100
		case wire.ExtECNEcho:
			f.ExtFlags = wire.ExtCE
		}
		for _, w := range ext.Kind().Words {
			switch w {
			case wire.WordTime:
				f.ExtTime = 1.7e18
			case wire.WordA:
				f.ExtA = 2175
			case wire.WordB:
				f.ExtB = 0xFFFFFF77
			case wire.WordINT:
				f.Rare = &wire.Rare{INT: inband.Stack{Hops: 2, Max: 5, Path: 0x1234, Record: [5]inband.Record{1, 1 << 63}}}
			case wire.WordOwn:
				f.Rare = &wire.Rare{OwnLen: 8, Own: [32]byte{9, 8, 7, 6, 5, 4, 3, 2}}
			}
		}
		f.SetPayload(1001)
		frames = append(frames, f)
	}
	cnp := base
	cnp.Opcode, cnp.Notify, cnp.VA, cnp.RKey, cnp.DMALen = wire.CNP, wire.BECN|0x15, 0, 0, 0
	cnp.Rare = &wire.Rare{Reserved: [16]byte{1, 15: 2}}
	var pfc wire.Frame
	pfc.SetPFC(wire.NodeMAC(1, 3), 3, 0xFFFF)
	frames = append(frames, cnp, pfc)
	for _, m := range messages() {
		f := base
		f.SetDatagram(m.AppendTo(nil))
		frames = append(frames, f)
	}
	return frames
}

func allFrames(t testing.TB) [][]byte {
	frames := goldenFrames(t)
	for _, f := range engineFrames() {
		frames = append(frames, f.AppendTo(nil))
	}
	return frames
}

func decode(b []byte) gopacket.Packet {
	return gopacket.NewPacket(b, layers.LayerTypeEthernet, gopacket.NoCopy)
}

func names(p gopacket.Packet) string {
	var s []string
	for _, l := range p.Layers() {
		s = append(s, l.LayerType().String())
	}
	return strings.Join(s, " ")
}

func TestSequenceOfLayers(t *testing.T) {
	golden := goldenFrames(t)
	engine := engineFrames()
	bytesOf := func(i int) []byte { return engine[i].AppendTo(nil) }
	extended := len(wire.Kinds())
	for _, c := range []struct {
		name  string
		frame []byte
		want  string
	}{
		{"empty SEND", golden[0], "Ethernet IPv4 UDP BTH ICRC"},
		{"ACK", golden[1], "Ethernet IPv4 UDP BTH AETH ICRC"},
		{"padded SEND", golden[2], "Ethernet IPv4 UDP BTH Payload ICRC"},
		{"SEND with immediate", golden[8], "Ethernet IPv4 UDP BTH ImmDt Payload ICRC"},
		{"UD", golden[84], "Ethernet IPv4 UDP BTH DETH Payload ICRC"},
		{"IPv6", golden[90], "Ethernet IPv6 UDP BTH Payload ICRC"},
		{"WRITE with tag", bytesOf(0), "Ethernet Dot1Q IPv4 UDP BTH RETH Payload ICRC"},
		{"WRITE with extension", bytesOf(1), "Ethernet IPv4 UDP BTH RETH AlgorithmExtension Payload ICRC"},
		{"CNP", bytesOf(extended + 1), "Ethernet IPv4 UDP BTH CNP ICRC"},
		{"PFC", bytesOf(extended + 2), "Ethernet PFC"},
		{"notification", bytesOf(extended + 3), "Ethernet IPv4 UDP Notification"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := names(decode(c.frame)); got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		})
	}
}

// TestAgreement rebuilds the frame of the codec from the layers.
func TestAgreement(t *testing.T) {
	seen := map[gopacket.LayerType]bool{}
	for i, b := range allFrames(t) {
		p := decode(b)
		if e := p.ErrorLayer(); e != nil {
			t.Fatalf("frame %d: %v", i+1, e.Error())
		}
		for _, l := range p.Layers() {
			seen[l.LayerType()] = true
		}
		var want wire.Frame
		if err := wire.Decode(b, &want); err != nil {
			t.Fatal(err)
		}
		got := frameOf(p, len(b))
		got.Len()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("frame %d (%v)\nlayers %+v %+v\n codec %+v %+v", i+1, &want, got, got.Rare, want, want.Rare)
		}
	}
	if len(seen) != 12+6 { // ours, and Ethernet, Dot1Q, IPv4, IPv6, UDP, Payload
		t.Errorf("%d layer types seen: %v", len(seen), seen)
	}
}

// frameOf builds the Frame of a packet of n bytes from its layers.
func frameOf(p gopacket.Packet, n int) wire.Frame {
	var f wire.Frame
	var r wire.Rare
	var rare bool
	for _, l := range p.Layers() {
		switch l := l.(type) {
		case *layers.Ethernet:
			f.Dst, f.Src, f.EtherType = wire.MAC(l.DstMAC), wire.MAC(l.SrcMAC), wire.EtherType(l.EthernetType)
		case *layers.Dot1Q:
			f.Tagged, f.EtherType, f.TCI = true, wire.EtherType(l.Type), uint16(l.Priority)<<13|l.VLANIdentifier
		case *layers.IPv4:
			f.TOS, f.TTL, f.ID, f.Fragment = l.TOS, l.TTL, l.Id, uint16(l.Flags)<<13|l.FragOffset
			f.SrcIP, f.DstIP = number(l.SrcIP), number(l.DstIP)
			if end := int(l.Length) + 14; end < 60 && n == end {
				rare, r.Unpadded = true, true
			}
		case *layers.IPv6:
			rare, f.TOS, f.TTL, r.FlowLabel = true, l.TrafficClass, l.HopLimit, l.FlowLabel
			r.SrcIP6, r.DstIP6 = [16]byte(l.SrcIP), [16]byte(l.DstIP)
		case *layers.UDP:
			f.SrcPort, f.UDPChecksum = uint16(l.SrcPort), l.Checksum
			if l.DstPort == wire.NotificationPort {
				rare, r.DstPort, f.UDPChecksum = true, wire.NotificationPort, 0
			}
		case *roce.BTH:
			f.Opcode, f.PKey, f.DestQP, f.PSN = l.Opcode, l.PKey, l.DestQP, l.PSN
			f.Flags = flag(l.Solicited, 0x80) | flag(l.MigReq, 0x40) | l.PadCnt<<4 | l.TVer
			f.Notify = flag(l.FECN, 0x80) | flag(l.BECN, 0x40) | l.Reserved6
			f.AckExt = flag(l.AckReq, 0x80) | uint8(l.Extension)
		case *roce.RETH:
			f.VA, f.RKey, f.DMALen = l.VA, l.RKey, l.DMALen
		case *roce.AETH:
			f.Syndrome, f.MSN = l.Syndrome, l.MSN
		case *roce.ImmDt:
			rare, r.Immediate = true, l.Data
		case *roce.AtomicETH:
			f.VA, f.RKey = l.VA, l.RKey
			rare, r.SwapAdd, r.Compare = true, l.SwapAdd, l.Compare
		case *roce.AtomicAckETH:
			rare, r.Original = true, l.Original
		case *roce.DETH:
			rare, r.QKey, r.SrcQP = true, l.QKey, l.SrcQP
		case *roce.CNP:
			r.Reserved, rare = l.Reserved, rare || l.Reserved != [16]byte{}
		case *roce.Extension:
			f.ExtFlags, f.ExtTime, f.ExtA, f.ExtB = l.Flags, l.Time, l.A, l.B
			r.INT, r.OwnLen = l.INT, uint8(copy(r.Own[:], l.Own))
			for _, w := range l.Type.Kind().Words {
				rare = rare || w == wire.WordINT || w == wire.WordOwn
			}
		case *gopacket.Payload:
			payload := []byte(*l)
			f.PayloadLen = uint16(len(payload))
			pattern := make([]byte, len(payload))
			if wire.Pattern(f.DestQP, f.PSN, pattern); !bytes.Equal(payload, pattern) {
				rare, r.Payload = true, payload
			}
		case *roce.PFC:
			f.ClassEnable, f.Pause = uint8(l.ClassEnable), l.Pause
		case *roce.Notification:
			r.Payload, f.PayloadLen = l.Contents, uint16(len(l.Contents))
		case *roce.ICRC:
		default:
			panic(fmt.Sprintf("unexpected layer %s", l.LayerType()))
		}
	}
	if rare {
		f.Rare = &r
	}
	return f
}

func number(ip []byte) uint32 {
	return uint32(ip[0])<<24 | uint32(ip[1])<<16 | uint32(ip[2])<<8 | uint32(ip[3])
}

func flag(set bool, mask uint8) uint8 {
	if set {
		return mask
	}
	return 0
}

// TestSerialise writes each layer of each frame by itself, then the whole
// frame with lengths, checksum and ICRC computed.
func TestSerialise(t *testing.T) {
	for i, b := range allFrames(t) {
		p := decode(b)
		var all []gopacket.SerializableLayer
		for _, l := range p.Layers() {
			all = append(all, l.(gopacket.SerializableLayer))
			if _, standard := l.(*gopacket.Payload); standard || l.LayerType() < 1000 {
				continue
			}
			buf := gopacket.NewSerializeBuffer()
			if err := l.(gopacket.SerializableLayer).SerializeTo(buf, gopacket.SerializeOptions{}); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(buf.Bytes(), l.LayerContents()) {
				t.Errorf("frame %d, %s\n got %x\nwant %x", i+1, l.LayerType(), buf.Bytes(), l.LayerContents())
			}
			if icrc, ok := l.(*roce.ICRC); ok {
				icrc.Value ^= 0xFFFFFFFF // to be put right below
			}
		}
		// The UDP checksum is 0 on the wire: let the library fix lengths only.
		buf := gopacket.NewSerializeBuffer()
		if err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true}, all...); err != nil {
			t.Fatal(err)
		}
		got := buf.Bytes()
		if p.Layer(roce.LayerTypeBTH) != nil {
			if err := roce.FixICRC(got); err != nil {
				t.Fatal(err)
			}
		}
		if len(b) < 60 { // the library pads
			got = got[:len(b)]
		}
		if !bytes.Equal(got, b) {
			t.Errorf("frame %d\n got %x\nwant %x", i+1, got, b)
		}
	}
}

// TestDecodingLayerParser decodes the same frames without a Packet.
func TestDecodingLayerParser(t *testing.T) {
	s := roce.NewStack()
	var (
		ethernet layers.Ethernet
		tag      layers.Dot1Q
		ip4      layers.IPv4
		ip6      layers.IPv6
		udp      layers.UDP
		pfc      roce.PFC
		payload  gopacket.Payload
		decoded  []gopacket.LayerType
	)
	parser := gopacket.NewDecodingLayerParser(layers.LayerTypeEthernet, &ethernet, &tag, &ip4, &ip6, &udp, &pfc, &payload)
	for _, l := range s.Layers() {
		parser.AddDecodingLayer(l)
	}
	for i, b := range allFrames(t) {
		if err := parser.DecodeLayers(b, &decoded); err != nil {
			t.Fatalf("frame %d: %v", i+1, err)
		}
		var got []string
		for _, l := range decoded {
			got = append(got, l.String())
		}
		want := strings.TrimSuffix(names(decode(b)), " ICRC")
		if strings.Join(got, " ") != want {
			t.Errorf("frame %d: %s, want %s", i+1, strings.Join(got, " "), want)
		}
	}
}

func TestFixICRCRefuses(t *testing.T) {
	f := engineFrames()[0]
	b := f.AppendTo(nil)
	for n := range 60 {
		if roce.FixICRC(b[:n]) == nil {
			t.Errorf("%d bytes are accepted", n)
		}
	}
	pfc := engineFrames()[len(wire.Kinds())+2]
	if roce.FixICRC(pfc.AppendTo(nil)) == nil {
		t.Error("a PFC frame has no ICRC")
	}
}

// TestTruncatedHeaders: each single header, cut anywhere, is an error layer that reports a truncation.
func TestTruncatedHeaders(t *testing.T) {
	for _, b := range allFrames(t)[230:] {
		for _, l := range decode(b).Layers() {
			if l.LayerType() < 1000 {
				continue
			}
			data := l.LayerContents()
			if l.LayerType() == roce.LayerTypeBTH {
				data = append(bytes.Clone(data), 0, 0, 0, 0)
			}
			for n := range len(data) {
				if icrc, ok := l.(*roce.ICRC); ok && n >= 4 && len(icrc.Pad) > 0 {
					continue
				}
				p := gopacket.NewPacket(data[:n], l.LayerType(), gopacket.Default)
				if n > 0 && (p.ErrorLayer() == nil || !p.Metadata().Truncated) {
					t.Errorf("%s cut to %d of %d bytes is accepted", l.LayerType(), n, len(data))
				}
			}
		}
	}
}

var ours = []gopacket.LayerType{roce.LayerTypeBTH, roce.LayerTypeRETH, roce.LayerTypeAETH, roce.LayerTypeCNP,
	roce.LayerTypeExtension,
	roce.LayerTypeICRC, roce.LayerTypePFC, roce.LayerTypeImmDt, roce.LayerTypeAtomicETH, roce.LayerTypeAtomicAckETH,
	roce.LayerTypeDETH,
	roce.LayerTypeNotification}

// FuzzDecoders gives any bytes to each decoder: no panic (gopacket would turn
// one into an error layer, so recovery is off), and each layer that was
// decoded writes its own bytes again.
func FuzzDecoders(f *testing.F) {
	for _, b := range allFrames(f) {
		for _, l := range decode(b).Layers() {
			for i, t := range ours {
				if t == l.LayerType() {
					f.Add(i, append(bytes.Clone(l.LayerContents()), l.LayerPayload()...))
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, which int, b []byte) {
		if which < 0 || which >= len(ours) || len(b) == 0 {
			return
		}
		p := gopacket.NewPacket(b, ours[which], gopacket.DecodeOptions{SkipDecodeRecovery: true})
		for _, l := range p.Layers() {
			if l.LayerType() < 1000 {
				continue
			}
			buf := gopacket.NewSerializeBuffer()
			if err := l.(gopacket.SerializableLayer).SerializeTo(buf, gopacket.SerializeOptions{}); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(buf.Bytes(), l.LayerContents()) {
				t.Errorf("%s\n got %x\nwant %x", l.LayerType(), buf.Bytes(), l.LayerContents())
			}
		}
	})
}
