package edge

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// advance runs the edge to a horizon.
func (s *site) advance(horizon unit.Time) { s.edge.Advance(horizon, s.out) }

// wantLeft insists on what the edge sent: number@start, in us.
func (s *site) wantLeft(want string) {
	s.Helper()
	var list []string
	for _, p := range s.left {
		list = append(list, fmt.Sprintf("%d@%v", p.number, p.at))
	}
	if got := strings.Join(list, " "); got != want {
		s.Errorf("it sent %s, want %s", got, want)
	}
}

// serial is the time of a frame of 1226 B: with FCS, preamble and gap 1250 B, 10 us at
// 1 Gb/s.
const payload = 1226 - 58

// Frames leave one after the other at the link's rate.
func TestFramesAreSerialised(t *testing.T) {
	s := newSite(t, config())
	for i := range uint32(3) {
		s.edge.Inject(us, 50*us, frame(i+1, payload, 0))
	}
	s.edge.Inject(40*us, 50*us, frame(4, payload, 0))
	s.advance(50 * us)
	s.wantLeft("1@1us 2@11us 3@21us 4@40us")
	c := s.edge.Counters(45 * us)
	if c.Port.Busy != 35*unit.Microsecond || c.Port.TxBytes != 4*1226 || c.QueueMax != 2*1226 {
		t.Errorf("busy %v, %d B sent, %v in the queue at most", c.Port.Busy, c.Port.TxBytes, c.QueueMax)
	}
	if c.Wait.Max() != 20*unit.Microsecond {
		t.Errorf("waited %v at most, want 20us", c.Wait.Max())
	}
}

// What the queue has no room for is dropped, with a reason, and counted.
func TestFullQueueDrops(t *testing.T) {
	c := config()
	c.Queue = 2*1226 + 10
	c.Grid = record.Grid{Width: 10 * unit.Microsecond}
	s := newSite(t, c)
	for i := range uint32(5) {
		s.edge.Inject(us, 50*us, frame(i+1, payload, 0))
	}
	s.advance(50 * us)
	s.wantLeft("1@1us 2@11us 3@21us")
	got := s.edge.Counters(50 * us).Port
	if got.Drops[fabric.DropNICQueue] != 2 || got.DropBytes != 2*1226 || got.SourcedFrames != 5 || len(s.lost) != 2 ||
		s.lost[0].reason.String() != "nic_queue" {
		t.Errorf("dropped %v, %d B, of %d: %+v", got.Drops, got.DropBytes, got.SourcedFrames, s.lost)
	}
	// A frame takes 10 us from 1 us on: an eighth of a byte a nanosecond.
	if o := got.Over; !slices.Equal(o.Dropped.Bins, []uint32{2}) ||
		!slices.Equal(o.Sent.Bins, []uint32{1101, 1226, 1226, 125}) {
		t.Errorf("over time %v dropped and %v sent", o.Dropped.Bins, o.Sent.Bins)
	}
}

// Frames leave in the order in which the edge learned of them, for any classes and stamps.
func TestOrder(t *testing.T) {
	s := newSite(t, config())
	for i, dscp := range []uint8{26, 0, 26, 48, 0} {
		came := 10*us - unit.Time(i)*us
		if taken := s.edge.Inject(came, 50*us, frame(uint32(i+1), payload, dscp)); taken != 10*us {
			t.Errorf("what came at %v is taken at %v, want 10us", came, taken)
		}
	}
	s.advance(100 * us)
	s.wantLeft("1@10us 2@20us 3@30us 4@40us 5@50us")
}

// A frame reported too late starts so that it arrives after the window; the frames behind it wait, and all count as
// moved.
func TestLateFramesAreMoved(t *testing.T) {
	s := newSite(t, config())
	s.advance(1000 * us)
	if taken := s.edge.Inject(10*us, 1050*us, frame(1, payload, 0)); taken != 950*us {
		t.Errorf("taken at %v, want 950us", taken)
	}
	s.edge.Inject(30*us, 1050*us, frame(2, payload, 0))
	s.edge.Inject(960*us, 1050*us, frame(3, payload, 0))
	s.advance(1050 * us)
	s.wantLeft("1@950us 2@960us 3@970us")
	// The third is late by 10 us since the others were in its way.
	if c := s.edge.Counters(1050 * us); c.Moved != 3 || c.MovedMax != 940*unit.Microsecond {
		t.Errorf("%d frames moved by up to %v", c.Moved, c.MovedMax)
	}
}

// A pause of the device goes ahead of the queue, and is counted as one that is passed
// on.
func TestPauseOfTheDeviceGoesFirst(t *testing.T) {
	s := newSite(t, config())
	for i := range uint32(3) {
		s.edge.Inject(us, 50*us, frame(i+1, payload, 0))
	}
	stop := pause(3, 100)
	stop.PSN = 9
	s.edge.Inject(2*us, 50*us, stop)
	s.advance(50 * us)
	s.wantLeft("1@1us 9@11us 2@11.672us 3@21.672us")
	if c := s.edge.Counters(50 * us).Port; c.TxPFCFrames != 1 || c.PausesOut.Own().XOFF[3] != 1 || c.SourcedFrames != 4 {
		t.Errorf("%d pauses sent, %v, of %d frames", c.TxPFCFrames, c.PausesOut.All(), c.SourcedFrames)
	}
}

// A pause from the fabric goes outward in any case. With PFCHere the NIC queue obeys it
// for the class alone, until its time is over or it is taken back.
func TestPauseFromTheFabric(t *testing.T) {
	const quanta = 100 // of 512 ns: 51.2 us
	for _, here := range []bool{false, true} {
		t.Run(fmt.Sprintf("here=%v", here), func(t *testing.T) {
			c := config()
			c.PFCHere, c.Grid = here, record.Grid{Width: 10 * unit.Microsecond}
			s := newSite(t, c)
			arrival := s.edge.Deliver(0, 0, wire.PFCLen, pause(3, quanta))
			s.edge.Inject(arrival+us, arrival+50*us, frame(1, payload, 26))
			s.edge.Inject(arrival+us, arrival+50*us, frame(2, payload, 0))
			s.edge.Inject(arrival+us, arrival+50*us, frame(3, payload, 26))
			s.advance(arrival + 40*us)
			waiting := s.edge.Counters(arrival + 40*us).WaitingFrames
			s.advance(arrival + 200*us)
			counters := s.edge.Counters(arrival + 200*us)
			if len(s.outward) != 1 || s.outward[0].at != arrival || counters.Port.SunkFrames != 1 ||
				counters.Port.RxPFCFrames != 1 {
				t.Errorf("outward %v, %d sunk", s.outward, counters.Port.SunkFrames)
			}
			if !here {
				s.wantLeft("1@101.672us 2@111.672us 3@121.672us")
				p := &counters.Port
				if class := *p.Classes.At(3); p.PausesIn.Own().XOFF[3] != 1 || class != (record.Class{}) {
					t.Errorf("it counts %v in and %+v", p.PausesIn.All(), class)
				}
				return
			}
			s.wantLeft("2@101.672us 1@151.872us 3@161.872us")
			p := &counters.Port
			class := p.Classes.At(3)
			if p.PausesIn.Own().XOFF[3] != 0 || class.ReceivedXOFF != 1 || class.Paused != 51200*unit.Nanosecond ||
				waiting != 2 || counters.Moved != 0 {
				t.Errorf("it counts %v in and %+v, %d wait, %d moved", p.PausesIn.All(), class, waiting, counters.Moved)
			}
			held := unit.Duration(0)
			for bin := range p.Over.Paused.Len() {
				held += unit.Duration(p.Over.Paused.At(bin))
			}
			if held != class.Paused || p.Over.Paused.Len() != 16 {
				t.Errorf("over time it is held for %v, up to bin %d", held, p.Over.Paused.Len()-1)
			}
		})
	}
}

// A resume ends a pause before its time.
func TestResumeFromTheFabric(t *testing.T) {
	c := config()
	c.PFCHere = true
	s := newSite(t, c)
	s.edge.Deliver(0, 0, wire.PFCLen, pause(3, 60000))
	s.edge.Deliver(0, 20*us, wire.PFCLen, pause(3, 0))
	s.edge.Inject(101*us, 150*us, frame(1, payload, 26))
	s.advance(150 * us)
	s.wantLeft("1@120.672us")
}

// An outage does not hold frames, which are lost on the link; it loses what arrives, and lends none of that
// outward.
func TestOutage(t *testing.T) {
	c := config()
	// The first of these arrives as the outage begins, the last as it ends: after 10 us of
	// wire and 100 us.
	c.Attachment.Outages = []fabric.Outage{{From: 110 * us, To: 200 * us}}
	s := newSite(t, c)
	for i, start := range []unit.Time{0, 60 * us, 70 * us, 90 * us} {
		f := frame(uint32(i+1), payload, 0)
		s.edge.Deliver(0, start, f.Len(), f)
	}
	s.edge.Inject(105*us, 155*us, frame(5, payload, 0))
	s.edge.Inject(106*us, 155*us, frame(6, payload, 0))
	s.advance(300 * us)
	s.wantLeft("5@105us 6@115us")
	if len(s.lost) != 3 || s.lost[0].reason != fabric.DropLinkDown || len(s.outward) != 1 || s.outward[0].number != 4 {
		t.Errorf("lost %v, outward %v", s.lost, s.outward)
	}
	if c := s.edge.Counters(300 * us); c.Port.RxLostFrames != 3 || c.Port.RxFrames != 1 || c.Moved != 0 {
		t.Errorf("%d lost, %d received, %d moved", c.Port.RxLostFrames, c.Port.RxFrames, c.Moved)
	}
}

// A bad link loses frames with the scenario's probability, and lost frames are not lent out.
func TestLossOfTheLink(t *testing.T) {
	c := config()
	c.Attachment.Loss = 0.25
	s := newSite(t, c)
	const n = 4000
	for i := range uint32(n) {
		f := frame(i, 100, 0)
		s.edge.Deliver(0, unit.Time(i)*2*us, f.Len(), f)
	}
	s.advance(unit.Time(unit.Second))
	rec := s.edge.Counters(unit.Time(unit.Second)).Port
	if lost := len(s.lost); lost < n/5 || lost > n*3/10 || len(s.outward) != n-lost || rec.RxLostFrames != uint64(lost) ||
		rec.SunkFrames != uint64(n-lost) {
		t.Errorf("%d of %d lost, %d outward, counted %d and %d", lost, n, len(s.outward), rec.RxLostFrames, rec.SunkFrames)
	}
}

// Frames under way at the end are accounted for.
func TestInFlight(t *testing.T) {
	s := newSite(t, config())
	f := frame(1, 100, 0)
	s.edge.Deliver(0, 0, f.Len(), f)
	s.advance(50 * us)
	var seen []uint32
	s.edge.InFlight(func(port int, f *wire.Frame) { seen = append(seen, uint32(port), f.PSN) })
	if !reflect.DeepEqual(seen, []uint32{0, 1}) {
		t.Errorf("in flight %v, want frame 1 at port 0", seen)
	}
}

func TestWrongConfigIsNamed(t *testing.T) {
	c := Config{}
	c.ClassOf[7] = 8
	_, err := New(c)
	for _, part := range []string{"a link of 0bps and 0s", "a NIC queue of 0B", "DSCP 7 has class 8: allowed are 0 to 7"} {
		t.Run(part, func(t *testing.T) {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%v does not say %q", err, part)
			}
		})
	}
}
