package pcapng_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/wire"
	_ "github.com/rocelab/rocelab/emulator/wire/layers"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func write(t testing.TB, psn uint32) *wire.Frame {
	f := &wire.Frame{
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
		Flags:     wire.FlagMigReq,
		Opcode:    wire.WriteMiddle,
		DestQP:    0x12,
		PSN:       psn,
	}
	f.SetPayload(1000)
	return f
}

// TestGoldenBytes spells out a file of one interface and one frame, field by
// field as in the sections of the pcapng draft.
func TestGoldenBytes(t *testing.T) {
	var out bytes.Buffer
	w, err := pcapng.NewWriter(&out, []pcapng.Interface{{Name: "leaf1:3", Rate: 100 * unit.Gbps}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WritePacket(0, 0x1_2345_6789, pcapng.Inbound, []byte{1, 2, 3, 4, 5}, "CE"); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	// The blocks are the section header (4.1), then the ones named below.
	want := "\x0a\x0d\x0d\x0a\x2c\x00\x00\x00\x4d\x3c\x2b\x1a\x01\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff" +
		"\x04\x00\x07\x00rocelab\x00" + "\x00\x00\x00\x00" + "\x2c\x00\x00\x00" +
		"\x01\x00\x00\x00\x38\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00" + // 4.2 interface description
		"\x02\x00\x07\x00leaf1:3\x00" + "\x08\x00\x08\x00\x00\xe8\x76\x48\x17\x00\x00\x00" +
		"\x09\x00\x01\x00\x0c\x00\x00\x00" +
		"\x00\x00\x00\x00" + "\x38\x00\x00\x00" +
		"\x06\x00\x00\x00\x3c\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00" + // 4.3 enhanced packet
		"\x89\x67\x45\x23\x05\x00\x00\x00\x05\x00\x00\x00" +
		"\x01\x02\x03\x04\x05\x00\x00\x00" + "\x02\x00\x04\x00\x01\x00\x00\x00" + "\x01\x00\x02\x00CE\x00\x00" +
		"\x00\x00\x00\x00" + "\x3c\x00\x00\x00"
	if got := out.String(); got != want {
		t.Errorf("\n got %x\nwant %x", got, want)
	}
}

func TestWriterRefuses(t *testing.T) {
	for _, list := range [][]pcapng.Interface{nil, {{Name: "", Rate: 1}}, {{Name: "a"}},
		{{Name: strings.Repeat("a", 1<<16), Rate: 1}}} {
		t.Run(fmt.Sprint(list), func(t *testing.T) {
			if _, err := pcapng.NewWriter(io.Discard, list); err == nil {
				t.Errorf("interfaces %.50v are accepted", list)
			}
		})
	}
	w, err := pcapng.NewWriter(io.Discard, []pcapng.Interface{{Name: "a", Rate: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if w.WritePacket(1, 0, 0, nil, "") == nil || w.WritePacket(-1, 0, 0, nil, "") == nil || w.WritePacket(0, -1, 0,
		nil, "") == nil ||
		w.WritePacket(0, 0, 0, nil, strings.Repeat("a", 1<<16)) == nil {
		t.Error("a wrong packet is accepted")
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestErrorOfTheFileIsReported(t *testing.T) {
	w, err := pcapng.NewWriter(fullDisk{}, []pcapng.Interface{{Name: "a", Rate: 1}})
	if err == nil {
		err = w.Flush()
	}
	if !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
}

// bench is a recorder of two ports on one cable, both captured: a (node 0,
// port 0) sends on link 0, b (node 1, port 2) on link 1; 100 Gb/s, 1 us.
type bench struct {
	*pcapng.Recorder
	out bytes.Buffer
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := new(bench)
	c := fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Microsecond}
	at := fabric.Attachment{Tx: c, Rx: c}
	var err error
	b.Recorder, err = pcapng.NewRecorder(&b.out, []pcapng.Port{
		{
			Node:       0,
			Port:       0,
			Name:       "a:0",
			Out:        0,
			In:         1,
			Attachment: at,
		}, {
			Node:       1,
			Port:       2,
			Name:       "b:2",
			Out:        1,
			In:         0,
			Attachment: at,
		}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// traffic plays the calls of a run to r; flush is called between windows with
// what a runner would say.
func traffic(t testing.TB, r *pcapng.Recorder, flush func(unit.Time)) {
	const us = unit.Time(unit.Microsecond)
	// A frame of 1058 B occupies the wire for (1058 + 24) x 80 ps = 86.56 ns.
	// The node at b runs first, though its frame leaves later.
	ack := write(t, 7)
	ack.Opcode, ack.Syndrome = wire.Acknowledge, wire.SyndromeACK
	ack.SetPayload(0)
	r.Departed(1, 300_000, ack)
	marked := write(t, 2)
	marked.MarkCE()
	r.Departed(0, 0, write(t, 1))
	r.Departed(0, 86_560, marked)
	r.Departed(0, 173_120, write(t, 3))
	r.Departed(5, 0, write(t, 99)) // a link that nobody captures
	flush(1*us + 86_560)
	aged := write(t, 1)
	aged.TTL--
	r.Dropped(1, 2, 1*us+86_560, fabric.DropHeadroom, aged)
	r.Dropped(1, 1, 1*us+86_560, fabric.DropHeadroom, aged) // another port
	flush(1*us + 173_120)
	r.Dropped(1, 2, 1*us+173_120, fabric.DropNoBuffer, marked)
	flush(1*us + 259_680)
	r.Dropped(1, 2, 2*us, fabric.DropWatchdog, write(t, 3)) // out of the queue, later
	var pfc wire.Frame
	pfc.SetPFC(wire.NodeMAC(1, 0), 3, 0xFFFF)
	r.Departed(1, 2*us, &pfc)
	r.Departed(0, 3*us, write(t, 4)) // still on the link at the end
	if err := r.Close(3*us + 1); err != nil {
		t.Fatal(err)
	}
}

func recorded(t testing.TB) []byte {
	b := newBench(t)
	traffic(t, b.Recorder, func(upTo unit.Time) {
		if err := b.Flush(upTo); err != nil {
			t.Fatal(err)
		}
	})
	return b.out.Bytes()
}

// TestRecorderThroughGopacket reads the file with the library's reader, which
// keeps nanoseconds and no comments.
func TestRecorderThroughGopacket(t *testing.T) {
	r, err := pcapgo.NewNgReader(bytes.NewReader(recorded(t)), pcapgo.DefaultNgReaderOptions)
	if err != nil {
		t.Fatal(err)
	}
	if r.SectionInfo().Application != "rocelab" || r.LinkType() != layers.LinkTypeEthernet {
		t.Errorf("section %+v, link type %v", r.SectionInfo(), r.LinkType())
	}
	var got []string
	for {
		b, info, err := r.ReadPacketData()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if p := gopacket.NewPacket(b, layers.LayerTypeEthernet, gopacket.Default); p.ErrorLayer() != nil {
			t.Error(p.ErrorLayer().Error())
		}
		var f wire.Frame
		if err := wire.Decode(b, &f); err != nil {
			t.Error(err)
		}
		n, err := r.Interface(info.InterfaceIndex)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%d %s %d", info.Timestamp.UnixNano(), n.Name, f.PSN))
	}
	want := "0 a:0 1,86 a:0 2,173 a:0 3,300 b:2 7,1086 b:2 1,1173 b:2 2,1259 b:2 3,1306 a:0 7,2000 b:2 3,2000 b:2 " +
		"0,3000 a:0 4"
	// The ACK has 62 B and arrives at 300 + (62 + 24) x 0.08 + 1000 = 1306.88 ns;
	// the PFC frame and the last WRITE arrive after the end.
	if s := strings.Join(got, ","); s != want {
		t.Errorf("\n got %s\nwant %s", s, want)
	}
}

// TestBytesDoNotDependOnFlushes: a flush at each window and none but the last
// give the same file.
func TestBytesDoNotDependOnFlushes(t *testing.T) {
	want := recorded(t)
	b := newBench(t)
	traffic(t, b.Recorder, func(unit.Time) {})
	if !bytes.Equal(b.out.Bytes(), want) {
		t.Error("the file depends on Flush")
	}
	if again := recorded(t); !bytes.Equal(again, want) {
		t.Error("the file is not reproducible")
	}
}

// TestOneInstant: at one picosecond port a receives and sends, b sends, and a
// node drops another packet than the one that arrives.
func TestOneInstant(t *testing.T) {
	b := newBench(t)
	const at = 1_086_560
	b.Departed(1, 0, write(t, 10)) // arrives at a at that instant
	b.Departed(1, at, write(t, 30))
	b.Departed(0, at, write(t, 20))
	b.Dropped(0, 0, at, fabric.DropWatchdog, write(t, 11))
	if err := b.Close(at + 1); err != nil {
		t.Fatal(err)
	}
	r, err := pcapgo.NewNgReader(bytes.NewReader(b.out.Bytes()), pcapgo.DefaultNgReaderOptions)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []uint32{10, 10, 11, 20, 30} { // sent by b at 0; then at the instant
		data, _, err := r.ReadPacketData()
		var f wire.Frame
		if err != nil || wire.Decode(data, &f) != nil || f.PSN != want {
			t.Fatalf("PSN %d, want %d (%v)", f.PSN, want, err)
		}
	}
	if n := bytes.Count(b.out.Bytes(), []byte("dropped: watchdog")); n != 1 {
		t.Errorf("%d comments, want 1", n)
	}
}

// TestDropOfAnotherDatagram: a datagram that is dropped at the instant at which another arrives is not mistaken for it,
// though their BTHs do not distinguish them.
func TestDropOfAnotherDatagram(t *testing.T) {
	datagram := func(payload ...byte) *wire.Frame {
		f := write(t, 0)
		f.SetDatagram(payload)
		return f
	}
	for _, c := range []struct {
		dropped byte
		packets int
	}{{1, 2}, {2, 3}} {
		b := newBench(t)
		f := datagram(1)
		to := fabric.Attachment{Rx: fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Microsecond}}
		at := to.ArrivalOf(0, f)
		b.Departed(1, 0, f)
		b.Dropped(0, 0, at, fabric.DropWatchdog, datagram(c.dropped))
		if err := b.Close(at + 1); err != nil {
			t.Fatal(err)
		}
		r, err := pcapgo.NewNgReader(&b.out, pcapgo.DefaultNgReaderOptions)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for ; err == nil; n++ {
			_, _, err = r.ReadPacketData()
		}
		if n--; n != c.packets {
			t.Errorf("payload %d dropped while 1 arrives: %d packets, want %d", c.dropped, n, c.packets)
		}
	}
}

func TestRecorderRefuses(t *testing.T) {
	at := fabric.Attachment{Tx: fabric.Channel{Rate: 1}}
	for _, ports := range [][]pcapng.Port{
		nil, {{Name: "a", Out: -1, Attachment: at}}, {{Name: "a", In: 1}},
		{{Name: "a", In: 1, Attachment: at}, {Name: "b", In: 2, Attachment: at}},
	} {
		if _, err := pcapng.NewRecorder(io.Discard, ports); err == nil {
			t.Errorf("%+v is accepted", ports)
		}
	}
}

// TestLongLink keeps many frames in flight: each comes out once, in order.
func TestLongLink(t *testing.T) {
	b := newBench(t)
	const n = 5000
	for i := range n {
		at := unit.Time(i) * 86_560
		b.Departed(0, at, write(t, uint32(i)))
		if err := b.Flush(at); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(unit.Never); err != nil {
		t.Fatal(err)
	}
	r, err := pcapgo.NewNgReader(&b.out, pcapgo.DefaultNgReaderOptions)
	if err != nil {
		t.Fatal(err)
	}
	next := [2]uint32{}
	for range 2 * n {
		data, info, err := r.ReadPacketData()
		if err != nil {
			t.Fatal(err)
		}
		var f wire.Frame
		if err := wire.Decode(data, &f); err != nil || f.PSN != next[info.InterfaceIndex] {
			t.Fatalf("PSN %d, want %d (%v)", f.PSN, next[info.InterfaceIndex], err)
		}
		next[info.InterfaceIndex]++
	}
}

func TestRecordingNeedsNoAllocation(t *testing.T) {
	b := newBench(t)
	f := write(t, 1)
	at := unit.Time(0)
	step := func() {
		b.Departed(0, at, f)
		at += 86_560
		if err := b.Flush(at); err != nil {
			t.Fatal(err)
		}
		b.out.Reset()
	}
	for range 1000 {
		step()
	}
	if n := testing.AllocsPerRun(100, step); n > 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// TestTshark reads the file with tshark: time stamps (tshark 4.0 shows whole
// nanoseconds), directions, comments, and no malformed frame.
func TestTshark(t *testing.T) {
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("tshark is not installed")
	}
	file := filepath.Join(t.TempDir(), "run.pcapng")
	if err := os.WriteFile(file, recorded(t), 0o600); err != nil {
		t.Fatal(err)
	}
	read := func(args ...string) string {
		cmd := exec.Command(tshark, append([]string{"-r", file, "--disable-heuristic", "rpcrdma_infiniband"}, args...)...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", cmd, err)
		}
		return string(out)
	}
	got := read("-T", "fields", "-E", "separator=|", "-e", "frame.time_epoch", "-e", "frame.interface_name", "-e",
		"frame.packet_flags_direction",
		"-e", "frame.comment", "-e", "infiniband.bth.psn", "-e", "frame.protocols")
	want := `0.000000000|a:0|0x00000002||1|eth:ethertype:ip:udp:infiniband:data
0.000000086|a:0|0x00000002|CE|2|eth:ethertype:ip:udp:infiniband:data
0.000000173|a:0|0x00000002||3|eth:ethertype:ip:udp:infiniband:data
0.000000300|b:2|0x00000002||7|eth:ethertype:ip:udp:infiniband
0.000001086|b:2|0x00000001|dropped: headroom|1|eth:ethertype:ip:udp:infiniband:data
0.000001173|b:2|0x00000001|CE, dropped: no_buffer|2|eth:ethertype:ip:udp:infiniband:data
0.000001259|b:2|0x00000001||3|eth:ethertype:ip:udp:infiniband:data
0.000001306|a:0|0x00000001||7|eth:ethertype:ip:udp:infiniband
0.000002000|b:2||dropped: watchdog|3|eth:ethertype:ip:udp:infiniband:data
0.000002000|b:2|0x00000002|||eth:ethertype:macc
0.000003000|a:0|0x00000002||4|eth:ethertype:ip:udp:infiniband:data
`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if bad := read("-Y", "_ws.malformed || _ws.expert.severity >= 0x00600000"); bad != "" {
		t.Errorf("malformed frames:\n%s", bad)
	}
}
