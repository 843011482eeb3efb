package switchd

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var everybody = wire.MAC{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}

// host returns the address of a foreign host.
func host(i int) wire.MAC { return wire.MAC{2, 0xAA, 0, 0, byte(i >> 8), byte(i)} }

// foreign returns an opaque frame of n bytes from one station to another: ARP by its type.
func foreign(dst, src wire.MAC, n int) *wire.Frame {
	b := make([]byte, n)
	copy(b, dst[:])
	copy(b[6:], src[:])
	b[12], b[13] = 8, 6
	f := new(wire.Frame)
	f.SetOpaque(b)
	return f
}

// tcp returns an opaque frame of TCP to station dst of the fabric.
func tcp(dst int, tos, ttl uint8, src wire.MAC) *wire.Frame {
	b := make([]byte, 100)
	copy(b, everybody[:]) // routed by its address in the fabric alone
	copy(b[6:], src[:])
	b[12] = 8
	p := b[14:]
	p[0], p[1], p[3], p[8], p[9] = 0x45, tos, 86, ttl, 6
	binary.BigEndian.PutUint32(p[12:], firstIP+90)
	binary.BigEndian.PutUint32(p[16:], firstIP+uint32(dst))
	sum := uint32(0)
	for i := 0; i < 20; i += 2 {
		sum += uint32(binary.BigEndian.Uint16(p[i:]))
	}
	binary.BigEndian.PutUint16(p[10:], ^uint16(sum>>16+sum))
	f := new(wire.Frame)
	f.SetOpaque(b)
	return f
}

// bridging is star with all ports in the tree except the last, which leads to a NIC.
func bridging(n int) Config {
	c := star(n)
	c.Tree = slices.Repeat([]bool{true}, n)
	c.Tree[n-1] = false
	return c
}

// wantPorts checks the ports through which frames left since the last time, and forgets them.
func (b *bench) wantPorts(what string, ports ...fabric.LinkID) {
	b.Helper()
	var got []fabric.LinkID
	for _, d := range b.sent {
		got = append(got, d.Link)
	}
	slices.Sort(got)
	if !slices.Equal(got, ports) {
		b.Errorf("%s leaves by %v, want %v", what, got, ports)
	}
	b.sent = nil
	b.wantBalance()
}

// wantBalance checks that all frames that came in or were made have left, were dropped or are here.
func (b *bench) wantBalance() {
	b.Helper()
	if err := b.s.CheckInvariants(); err != nil {
		b.Error(err)
	}
	in, out := uint64(0), uint64(0)
	for i := range b.s.ports {
		r := b.record(i)
		in += r.RxBytes + r.SourcedBytes
		out += r.TxBytes + r.DropBytes
	}
	if _, resident := b.s.Resident(); in != out+resident {
		b.Errorf("%d B came in or were made, %d B left or were dropped, %d B are here", in, out, resident)
	}
}

// TestBridgeLearns: a frame for an unknown station goes to all ports of the tree, then the answer and all that follows
// to one. A station that moved is found at its latest port, one that is silent for five minutes nowhere. NICs receive
// none of it.
func TestBridgeLearns(t *testing.T) {
	b := newBench(t, bridging(5))
	b.checked = true
	at := 10 * us
	send := func(what string, port int, dst, src wire.MAC, ports ...fabric.LinkID) {
		t.Helper()
		b.arrive(port, at, foreign(dst, src, 60))
		b.run(at + 5*us)
		at += 10 * us
		b.wantPorts(what, ports...)
	}
	send("a question to all", 0, everybody, host(0), 1, 2, 3)
	send("a question to nobody that is known", 0, host(1), host(0), 1, 2, 3)
	send("the answer", 1, host(0), host(1), 0)
	send("what follows", 0, host(1), host(0), 1)
	send("a frame to a neighbour at the same port", 1, host(1), host(7))
	b.wantDrops(1, fabric.DropSamePort, 1)
	send("the first frame elsewhere", 2, host(0), host(1), 0)
	send("a frame after the move", 0, host(1), host(0), 2)
	at += unit.Time(stationAge) - 20*us
	send("a frame in time", 0, host(1), host(0), 2)
	at += 20 * us
	send("a frame to one that was silent for long", 0, host(1), host(0), 1, 2, 3)
	send("a frame from a group", 1, host(0), wire.MAC{1, 0, 0, 0, 0, 9}, 0)
	send("a frame to that group", 0, wire.MAC{1, 0, 0, 0, 0, 9}, host(0), 1, 2, 3)
	send("a frame of a NIC to no address of the fabric", 4, host(0), host(9))
	b.wantDrops(4, fabric.DropNoRoute, 1)
}

// TestBridgeKeepsTo4096Stations: the frames to one more flood; once an old one is forgotten there is room. Tier:
// -short.
func TestBridgeKeepsTo4096Stations(t *testing.T) {
	b := newBridge(&Config{Tree: []bool{true, true}, Ports: star(2).Ports})
	for i := range maxStations {
		b.learn(host(i), i%2, us)
	}
	b.learn(host(maxStations), 0, 2*us)
	if len(b.stations) != maxStations || b.find(host(maxStations), 2*us) != -1 || b.find(host(3), 2*us) != 1 {
		t.Errorf("%d stations, the last at %d, the third at %d", len(b.stations), b.find(host(maxStations), 2*us),
			b.find(host(3), 2*us))
	}
	late := us + unit.Time(stationAge) + 1
	b.learn(host(3), 1, late-us) // which was heard again
	b.learn(host(maxStations), 0, late)
	if len(b.stations) != 2 || b.find(host(maxStations), late) != 0 {
		t.Errorf("after their time %d stations are left, want 2", len(b.stations))
	}
}

// TestALiarTakesItsShareOfTheTable: a device sends 100,000 frames from as many addresses to a station that is known.
// A quiet neighbour that spoke once meanwhile is reached without a flood, and so is the other station.
func TestALiarTakesItsShareOfTheTable(t *testing.T) {
	b := newBench(t, bridging(5)) // four ports of the tree
	b.arrive(1, us, foreign(everybody, host(1), 60))
	b.run(3 * us)
	const lies = 100_000
	at := 10 * us
	for i := range lies {
		b.arrive(0, at, foreign(host(1), wire.MAC{2, 0xBB, 0, byte(i >> 16), byte(i >> 8), byte(i)}, 60))
		if i == lies/2 {
			b.arrive(2, at, foreign(host(1), host(2), 60))
		}
		at += 10 * ns
		if i%1000 == 999 {
			b.run(at)
			b.sent = nil
		}
	}
	at += 10 * us
	b.run(at)
	b.sent = nil
	for i, way := range [][2]int{{1, 2}, {2, 1}} {
		b.arrive(way[0], at+unit.Time(i)*us, foreign(host(way[1]), host(way[0]), 60))
	}
	b.run(at + 5*us)
	b.wantPorts("what the quiet neighbours say to each other", 1, 2)
	want := record.Bridge{Stations: maxStations / 4, Unlearned: lies - maxStations/4}
	if got := b.record(0).Bridge; got != want {
		t.Errorf("the liar's port: %+v, want %+v", got, want)
	}
}

// TestWhatIsDroppedTeachesNothing: neither a flood above the bound, nor a link-local frame, nor one to a neighbour at
// the same port.
func TestWhatIsDroppedTeachesNothing(t *testing.T) {
	b := newBench(t, bridging(4))
	b.arrive(0, us, foreign(everybody, host(0), 60))
	for i := range 100 { // 64 KB are passed on
		b.arrive(0, 2*us+unit.Time(i)*ns, foreign(everybody, host(100+i), 1000))
	}
	b.arrive(0, 3*us, foreign(wire.MAC{1, 0x80, 0xC2, 0, 0, 14}, host(1), 60))
	b.arrive(0, 4*us, foreign(host(0), host(2), 60))
	b.run(5 * us)
	r := b.record(0)
	if r.Drops[fabric.DropFlood] < 30 || r.Drops[fabric.DropLinkLocal] != 1 || r.Drops[fabric.DropSamePort] != 1 {
		t.Fatalf("dropped %v", r.Drops)
	}
	if want := 101 - r.Drops[fabric.DropFlood]; r.Bridge.Stations != want {
		t.Errorf("%d stations are known, want the %d whose frames were passed on", r.Bridge.Stations, want)
	}
}

// TestAStationMovesOnceASecond: one that is heard at two ports in turn is where it moved first, until a second is over.
func TestAStationMovesOnceASecond(t *testing.T) {
	b := newBridge(&Config{Tree: []bool{true, true, true}, Ports: star(3).Ports})
	b.learn(host(1), 0, us)
	const each = 10 * ms
	for i := range 350 {
		b.learn(host(1), i%2, unit.Time(i+1)*each)
	}
	// It moves to port 1 at 20 ms, to 0 at 1.03 s, to 1 at 2.04 s and to 0 at 3.05 s.
	for port, want := range []record.Bridge{{Stations: 1, Moved: 2, Held: 50 + 50}, {Moved: 2, Held: 50 + 23}} {
		t.Run(fmt.Sprintf("Stations=%v", want.Stations), func(t *testing.T) {
			if got := b.ports[port].count; got != want {
				t.Errorf("port %d: %+v, want %+v", port, got, want)
			}
		})
	}
	if got := b.find(host(1), 350*each); got != 0 {
		t.Errorf("it is at %d, want 0", got)
	}
}

// TestStormIsCut: of a storm of broadcasts 64 KB and then one per cent of the link pass, separately at each port, and
// frames for a known station pass all the while.
func TestStormIsCut(t *testing.T) {
	b := newBench(t, bridging(4))
	b.arrive(1, us, foreign(everybody, host(1), 60))
	b.run(3 * us)
	b.sent = nil
	const n, spacing = 10_000, 1 * us // 1 KB a microsecond, 8 Gb/s
	for i := range n {
		at := 10*us + unit.Time(i)*spacing
		b.arrive(0, at, foreign(everybody, host(0), 1000))
		if i%100 == 0 {
			b.arrive(2, at, foreign(host(1), host(2), 100))
		}
	}
	b.run(20 * ms)
	floods, known := 0, 0
	for _, d := range b.sent {
		switch {
		case d.Frame.Dst == host(1):
			known++
		case d.Link == 1:
			floods++
		}
	}
	bytes := 64_000 + 10_000_000/1000*125 // 1 Gb/s for 10 ms
	if want := bytes / 1000; floods < want-2 || floods > want+2 {
		t.Errorf("%d of %d broadcasts passed, want %d", floods, n, want)
	}
	if known != 100 {
		t.Errorf("%d of 100 frames to a known station passed", known)
	}
	b.wantDrops(0, fabric.DropFlood, uint64(n-floods))
	b.wantBalance()
}

// TestLinkLocalEndsHere: LLDP, spanning trees, 802.3x pauses; the next group address passes. PFC is obeyed as
// ever.
func TestLinkLocalEndsHere(t *testing.T) {
	b := newBench(t, bridging(4))
	for i := range 17 {
		b.arrive(0, us+unit.Time(i)*100*ns, foreign(wire.MAC{1, 0x80, 0xC2, 0, 0, byte(i)}, host(0), 60))
	}
	b.arrive(1, 5*us, pfc(100, 3))
	b.run(9 * us)
	b.wantDrops(0, fabric.DropLinkLocal, 16)
	if r := b.record(1); r.RxPFCFrames != 1 || r.Classes.At(3).ReceivedXOFF != 1 {
		t.Errorf("PFC is not obeyed: %+v", r.Classes.At(3))
	}
	for _, d := range b.sent {
		if d.Frame.Dst != (wire.MAC{1, 0x80, 0xC2, 0, 0, 16}) {
			t.Errorf("%v passes", d.Frame)
		}
	}
	if len(b.sent) != 2 {
		t.Errorf("%d frames left, want 2", len(b.sent))
	}
}

// TestBridgeWithoutTreeIsNone: without edges a frame that has no address of the fabric has no route.
func TestBridgeWithoutTreeIsNone(t *testing.T) {
	b := newBench(t, star(3))
	b.arrive(0, us, tcp(77, 0, 64, host(0)))
	b.run(5 * us)
	b.wantDrops(0, fabric.DropNoRoute, 1)
	c := star(3)
	c.Tree = []bool{true}
	if _, err := New(c); err == nil {
		t.Error("a tree of one port is taken for a switch of three")
	}
}

// TestForeignPacketsAreRouted: opaque IPv4 to an address of the fabric takes its route, for any MACs, and its TTL falls
// by one; with a TTL of 1 it ends. A bridged packet keeps its TTL, 1 included.
func TestForeignPacketsAreRouted(t *testing.T) {
	b := newBench(t, bridging(4))
	b.checked = true
	b.arrive(0, us, tcp(2, 0, 64, host(0)))
	b.arrive(0, 2*us, tcp(3, 0, 64, host(0))) // a NIC's address
	b.arrive(0, 3*us, tcp(2, 0, 1, host(0)))
	b.arrive(0, 4*us, tcp(77, 0, 1, host(0)))
	b.run(9 * us)
	var got string
	for _, d := range b.sent {
		p := d.Frame.AppendTo(nil)[14:]
		sum := uint32(0)
		for i := 0; i < 20; i += 2 {
			sum += uint32(binary.BigEndian.Uint16(p[i:]))
		}
		got += fmt.Sprintf("%d:%d:%04x ", d.Link, p[8], uint16(sum>>16+sum))
	}
	if want := "2:63:ffff 3:63:ffff 1:1:ffff 2:1:ffff "; got != want {
		t.Errorf("port:TTL:checksum %s, want %s", got, want)
	}
	b.wantDrops(0, fabric.DropTTL, 1)
	b.wantBalance()
}

// TestOpaqueIsMarked: a frame of TCP that is ECN-capable leaves with CE and a right checksum, any other as it is.
func TestOpaqueIsMarked(t *testing.T) {
	c := bridging(4)
	c.Profile.ECN[0] = profile.WRED{Enabled: true, Pmax: 1}
	c.Profile.DropNotECT = false
	b := newBench(t, c)
	var want [][]byte
	for i := range 4 {
		for port, f := range []*wire.Frame{tcp(2, 2, 64, host(0)), tcp(2, 0, 64, host(1))} {
			b.arrive(port, us+unit.Time(i)*ns, f)
			if port == 1 {
				want = append(want, f.AppendTo(nil))
			}
		}
	}
	b.run(9 * us)
	var by [4]int
	for _, d := range b.sent {
		by[d.Frame.ECN()]++
		var back wire.Frame
		if wire.DecodeAny(d.Frame.AppendTo(nil), &back); back.EtherType != wire.EtherTypeIPv4 || back.TOS != d.Frame.TOS {
			t.Errorf("%v is %v on the wire", d.Frame, &back)
		}
		if got := d.Frame.AppendTo(nil); d.Frame.ECN() == wire.NotECT {
			got[22], got[24], got[25] = want[0][22], want[0][24], want[0][25] // TTL and checksum
			if !bytes.Equal(got, want[0]) {
				t.Errorf("what is not ECN-capable changed to %x", got)
			}
		}
	}
	if by[wire.CE] == 0 || by[wire.CE]+by[wire.ECT0] != 4 || by[wire.NotECT] != 4 {
		t.Errorf("left by ECN: %v", by)
	}
}

// TestFloodAllocatesNothing once there are free frames.
func TestFloodAllocatesNothing(t *testing.T) {
	b := newBench(t, bridging(4))
	at := 10 * us
	one := foreign(everybody, host(0), 1000).AppendTo(nil)
	step := func() {
		f := b.out.Decode(one)
		b.arrive(0, at, f)
		at += 100 * us
		b.run(at - 10*us)
		for _, d := range b.sent {
			b.out.Free(d.Frame)
		}
		b.sent = b.sent[:0]
	}
	step()
	if n := testing.AllocsPerRun(50, step); n > 0 {
		t.Errorf("%v allocations a flood", n)
	}
}
