package switchd

import (
	"fmt"
	"maps"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/wan"
)

// span is two switches with 12 km of fibre between them. A host at port 0 of the
// near one sends whenever it may, one at port 0 of the far one hears.
type span struct {
	*testing.T
	near, far *Switch
	path      *wan.Path
	out       *fabric.Outbox
	hash      trace.Hash
	now, free unit.Time
	sent      uint32
	heard     []unit.Time
}

// Links: near to path 0, path to near 1, path to far 2, far to path 3, hosts 4.
func newSpan(t *testing.T, d profile.DCI) *span {
	t.Helper()
	ch := fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Microsecond}
	w := wan.Config{Name: "wan0", Seed: 1, MaxFrame: frameLen,
		Profile: profile.WAN{Phases: []profile.WANPhase{{Delay: [2]unit.Duration{rtt / 2, rtt / 2}}}}}
	w.Ports = [2]fabric.Attachment{{Link: 1, Tx: ch, Rx: ch}, {Link: 2, Tx: ch, Rx: ch}}
	path, err := wan.New(w)
	if err != nil {
		t.Fatal(err)
	}
	s := &span{T: t, path: path, out: fabric.NewOutbox(1, make([]uint8, 5))}
	s.out.Begin(0, &s.hash)
	s.out.Use(0)
	make1 := func(name string, link fabric.LinkID, nic0 uint16) *Switch {
		c := dciStar(2)
		c.Name, c.Profile.DCI = name, d
		c.Ports[0].Link, c.Ports[1].Link = 4, link
		c.Routes = []uint16{nic0, 1 - nic0} // NIC 0 is at the near switch
		sw, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		return sw
	}
	s.near, s.far = make1("near", 0, 0), make1("far", 3, 1)
	return s
}

// step runs one window, in which the near host sends up to n frames and the far one holds its class if hold is set.
func (s *span) step(n int, hold bool) {
	s.Helper()
	const window = us
	end := s.now + window
	for s.free = max(s.free, s.now); n > 0 && s.free < end && !has(s.near.ports[0].xoff, 3); n-- {
		f := data(1, s.sent)
		s.near.Deliver(0, s.free, f.Len(), f)
		s.free, s.sent = s.free.Add(frameTime), s.sent+1
	}
	f := pfc(0, 3)
	if hold {
		f = pfc(65535, 3)
	}
	s.far.Deliver(0, s.now, f.Len(), f)
	for _, node := range []fabric.Node{s.near, s.path, s.far} {
		node.Advance(end, s.out)
		for _, d := range s.out.Lane(0, 0) {
			switch d.Link {
			case 0:
				s.path.Deliver(0, d.Start, d.Frame.Len(), d.Frame)
			case 1:
				s.near.Deliver(1, d.Start, d.Frame.Len(), d.Frame)
			case 2:
				s.far.Deliver(1, d.Start, d.Frame.Len(), d.Frame)
			case 3:
				s.path.Deliver(1, d.Start, d.Frame.Len(), d.Frame)
			case 4:
				if d.Frame.EtherType == wire.EtherTypeIPv4 {
					s.heard = append(s.heard, d.Start)
				}
			}
		}
		s.out.Reset(0, 0)
	}
	s.now = end
}

// burst sends at line rate into a receiver that is stopped for 800 us and then hears
// all, and returns what the far DCI port and the near one recorded.
func (s *span) burst() (far, near record.Port) {
	s.Helper()
	for i := 0; s.now < 2500*us; i++ {
		n := 1 << 20
		if s.now > 1500*us {
			n = 0
		}
		s.step(n, s.now < 800*us)
		if i%20 == 0 {
			for _, sw := range []*Switch{s.near, s.far} {
				if err := sw.CheckInvariants(); err != nil {
					s.Fatalf("%s at %v: %v", sw.streams.name, s.now, err)
				}
			}
		}
	}
	return s.far.Records(s.now)[1], s.near.Records(s.now)[1]
}

// Under PFC across the fibre a burst at full rate loses nothing, with the
// headroom that is computed from the length. What it uses is needed: with a frame
// less it loses one or more.
func TestBurstAcrossFibre(t *testing.T) {
	s := newSpan(t, profile.DCI{PFC: profile.DCIPFC{Enabled: true}})
	far, near := s.burst()
	used := far.Classes.At(3).HeadroomMax
	if !maps.Equal(far.Drops, near.Drops) || far.Drops[fabric.DropHeadroom] != 0 || len(s.heard) != int(s.sent) {
		t.Errorf("%d frames sent, %d heard, dropped %v and %v", s.sent, len(s.heard), far.Drops, near.Drops)
	}
	if far.Classes.At(3).SentXOFF == 0 || near.Classes.At(3).Paused < 300*unit.Microsecond || used < 1466*unit.KB {
		t.Errorf("%d XOFF, paused %v, headroom %v used", far.Classes.At(3).SentXOFF, near.Classes.At(3).Paused, used)
	}
	if n := s.near.Records(s.now)[0].Classes.At(3).SentXOFF; n == 0 {
		t.Error("the pause did not go on to the host")
	}
	if s.far.BufferMax() > 8*frameLen || !maps.Equal(s.near.ports[1].rec.Drops, s.near.ports[0].rec.Drops) ||
		far.PoolMax < 2970*unit.KB {
		t.Errorf("far shared buffer %v, DCI memory %v", s.far.BufferMax(), far.PoolMax)
	}

	short := newSpan(t, profile.DCI{PFC: profile.DCIPFC{Enabled: true, Headroom: used - frameLen}})
	if far, _ := short.burst(); far.Drops[fabric.DropHeadroom] == 0 {
		t.Errorf("nothing was lost with headroom of %v, a frame less than used", used-frameLen)
	}
}

// After a pause the pipe does not run dry: with XON at one BDP the far host hears
// frame after frame from the end of its own pause on, but for the way of the XON
// frame through the ports. With XON at nothing it waits an RTT.
func TestXONKeepsThePipeFull(t *testing.T) {
	for _, x := range []struct {
		xon         unit.Bytes
		least, most unit.Duration
	}{{0, 0, unit.Microsecond}, {1, rtt, rtt + unit.Microsecond}} {
		t.Run(fmt.Sprintf("xon=%v", x.xon), func(t *testing.T) {
			s := newSpan(t, profile.DCI{PFC: profile.DCIPFC{Enabled: true, XON: x.xon}})
			s.burst()
			gap := unit.Duration(0)
			for i := 1; i < len(s.heard); i++ {
				if s.heard[i-1] > 800*us && s.heard[i] < 1500*us {
					gap = max(gap, s.heard[i].Sub(s.heard[i-1])-frameTime)
				}
			}
			if gap < x.least || gap > x.most {
				t.Errorf("XON %v: the longest gap is %v, want %v to %v", x.xon, gap, x.least, x.most)
			}
		})
	}
}

// Without PFC what the receiver does not take overflows the memory of the port,
// and the near switch never hears of it.
func TestBurstAcrossFibreWithoutPFC(t *testing.T) {
	s := newSpan(t, profile.DefaultSwitch().DCI)
	far, near := s.burst()
	if far.Drops[fabric.DropDCIBuffer] == 0 || far.PoolMax > 3750*unit.KB || far.PoolMax <= 3750*unit.KB-frameLen {
		t.Errorf("dropped %v, at most %v held", far.Drops, far.PoolMax)
	}
	if far.Classes.At(3).SentXOFF != 0 || near.RxPFCFrames != 0 || near.Classes.At(3).Paused != 0 ||
		s.far.BufferMax() != 0 || s.near.BufferMax() != 0 {
		t.Errorf("%d pauses sent, shared buffers %v, %v", far.Classes.At(3).SentXOFF, s.near.BufferMax(), s.far.BufferMax())
	}
	if got := int(s.sent) - int(far.Drops[fabric.DropDCIBuffer]); len(s.heard) != got {
		t.Errorf("%d heard, want %d", len(s.heard), got)
	}
}
