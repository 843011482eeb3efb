package layers_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/wire"
	roce "github.com/rocelab/rocelab/emulator/wire/layers"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// messages returns a notification for each number of flows, with a different value in each field.
func messages() (all []notification.Message) {
	for count := range uint8(notification.MaxFlows + 1) {
		m := notification.Message{
			Type:      notification.Type(1 + count%4),
			Origin:    0x01020304,
			Sequence:  0xFF000000 | uint32(count),
			Time:      1_700_000_000_123_456_000,
			Port:      0xABCD,
			Priority:  count % 8,
			Depth:     3_000_000_001,
			Before:    77_777,
			Elapsed:   50 * unit.Microsecond,
			Rate:      400 * unit.Gbps,
			Usage:     0x8123,
			Degree:    0x4567,
			Threshold: 102_400,
			Kmax:      409_600,
			Lifetime:  3 * unit.Second,
			Live:      0x2345,
			Level:     0x6789,
			Count:     count,
		}
		for i := range uint32(count) {
			m.Flows[i] = notification.Flow{
				SrcIP:   0xac100001 + i,
				DstIP:   0xac110101 + i,
				DstQP:   0xABC012 + i,
				SrcQP:   0x11 + i,
				Bytes:   unit.Bytes(4_000_000_000 + i),
				SrcPort: 0xC010 + uint16(i),
				Share:   0xF00 + uint16(i),
			}
		}
		all = append(all, m)
	}
	return all
}

// TestNotificationAgrees holds the layer to package notification: what each
// reads of the same bytes is the same.
func TestNotificationAgrees(t *testing.T) {
	for _, want := range messages() {
		var f wire.Frame
		f.SetDatagram(want.AppendTo(nil))
		p := decode(f.AppendTo(nil))
		l, _ := p.Layer(roce.LayerTypeNotification).(*roce.Notification)
		if l == nil {
			t.Fatalf("no notification in %s: %v", names(p), p.ErrorLayer())
		}
		if l.Message != want || len(l.Contents) != want.Len() || len(l.Payload) != 0 {
			t.Errorf("%d bytes and %d more\n got %+v\nwant %+v", len(l.Contents), len(l.Payload), l.Message, want)
		}
	}
}

// TestNotificationByGopacketAlone builds a frame with gopacket's layers, its
// checksums included, and reads it with the codec.
func TestNotificationByGopacketAlone(t *testing.T) {
	ip := &layers.IPv4{
		Version:  4,
		IHL:      5,
		TOS:      0xC0,
		TTL:      64,
		Protocol: layers.IPProtocolUDP,
		SrcIP:    []byte{172, 16, 0, 3},
		DstIP:    []byte{172, 16, 0, 1},
	}
	udp := &layers.UDP{SrcPort: 0xC001, DstPort: wire.NotificationPort}
	if err := udp.SetNetworkLayerForChecksum(ip); err != nil {
		t.Fatal(err)
	}
	buf := gopacket.NewSerializeBuffer()
	want := notification.Message{
		Type:  notification.Learned,
		Depth: 12345,
		Count: 1,
		Flows: [8]notification.Flow{{DstQP: 0x11}},
	}
	if err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true},
		&layers.Ethernet{SrcMAC: make([]byte, 6), DstMAC: make([]byte, 6), EthernetType: layers.EthernetTypeIPv4}, ip, udp,
		&roce.Notification{Message: want}); err != nil {
		t.Fatal(err)
	}
	var f wire.Frame
	if err := wire.Decode(buf.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	var m notification.Message
	if err := notification.Decode(f.Rare.Payload, &m); err != nil || m != want {
		t.Errorf("%v: %+v, want %+v", err, m, want)
	}
}

// TestNotificationIsOverwritten: a layer that is used again, as parsers do,
// keeps nothing of the message before.
func TestNotificationIsOverwritten(t *testing.T) {
	var l, fresh roce.Notification
	for _, i := range []int{8, 1} {
		t.Run(fmt.Sprintf("i=%v", i), func(t *testing.T) {
			m := messages()[i]
			b := m.AppendTo(nil)
			fresh = roce.Notification{}
			if l.DecodeFromBytes(b, gopacket.NilDecodeFeedback) != nil ||
				fresh.DecodeFromBytes(b, gopacket.NilDecodeFeedback) != nil || int(l.Count) != i {
				t.Fatalf("%d flows, want %d", l.Count, i)
			}
		})
	}
	if !reflect.DeepEqual(l, fresh) {
		t.Errorf("\n got %+v\nwant %+v", l, fresh)
	}
}

func TestNotificationRefusals(t *testing.T) {
	m := messages()[2]
	base := m.AppendTo(nil)
	for _, c := range []struct {
		text      string
		kind      error
		truncated bool
		change    func(b []byte) []byte
	}{
		{
			text: "0x5053", kind: notification.ErrMagic,
			change: func(b []byte) []byte { b[1]++; return b },
		},
		{
			text: "2, allowed is 1", kind: notification.ErrVersion,
			change: func(b []byte) []byte { b[2]++; return b },
		},
		{
			text: "9, allowed are up to 8", kind: notification.ErrCount,
			change: func(b []byte) []byte { b[23] = 9; return b },
		},
		{
			text: "5, allowed are 1 to 4", kind: notification.ErrType,
			change: func(b []byte) []byte { b[3] = 5; return b },
		},
		{
			text: "109 bytes, 2 flows need 108", kind: notification.ErrLength,
			change: func(b []byte) []byte { return append(b, 0) },
		},
		{
			text: "107 bytes, 2 flows need 108", kind: notification.ErrLength, truncated: true,
			change: func(b []byte) []byte { return b[:107] },
		},
		{
			text: "59 bytes, want at least 60", kind: notification.ErrLength, truncated: true,
			change: func(b []byte) []byte { return b[:59] },
		},
	} {
		t.Run(c.text, func(t *testing.T) {
			p := gopacket.NewPacket(c.change(bytes.Clone(base)), roce.LayerTypeNotification, gopacket.Default)
			e := p.ErrorLayer()
			if e == nil || !errors.Is(e.Error(), c.kind) || !strings.Contains(e.Error().Error(), c.text) ||
				p.Metadata().Truncated != c.truncated {
				t.Errorf("want %q, got %v, truncated %t", c.text, e, p.Metadata().Truncated)
			}
		})
	}
	nine := &roce.Notification{Message: notification.Message{Type: notification.Clear, Count: 9}}
	if err := nine.SerializeTo(gopacket.NewSerializeBuffer(), gopacket.SerializeOptions{}); err == nil {
		t.Error("nine flows are written")
	}
}

// TestSourcePortIsNoNotification: RoCEv2 draws its source port from a range that contains the notifications' port.
func TestSourcePortIsNoNotification(t *testing.T) {
	f := engineFrames()[1]
	f.SrcPort = wire.NotificationPort
	if got := names(decode(f.AppendTo(nil))); got != "Ethernet IPv4 UDP BTH RETH AlgorithmExtension Payload ICRC" {
		t.Error(got)
	}
}
