package bump

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/live/outside"
)

// What comes in leaves, is lost by the long haul, finds the buffer full, or is under way when the wire ends:
// nothing else. The second half comes twice as fast as the long haul is.
func TestEveryFrameIsAccountedFor(t *testing.T) {
	o := options()
	o.Buffer = 100 * unit.KB
	o.Burst = &profile.WANLoss{Enter: 0.01, Leave: 0.2, Bad: 1}
	s := newStream(t, &o)
	const frames = 4000
	for n := range frames {
		s.send()
		if n > frames/2 {
			s.at -= 7 * unit.Time(unit.Microsecond)
		}
	}
	found, err := s.balance(s.at)
	if err != nil || len(found) > 0 {
		t.Fatalf("%v, %v", found, err)
	}
	in, out := s.edges[0].Counters(s.at).Port.SourcedFrames, s.edges[1].Counters(s.at).Port.SunkFrames
	lost := s.haul.Records(s.at)[0].RxLostFrames
	dropped := uint64(0)
	for _, n := range s.switches[0].Records(s.at)[inward].Drops {
		dropped += n
	}
	if in < frames-10 || lost == 0 || dropped == 0 || out+lost+dropped >= in {
		t.Errorf("%d in, %d out, %d lost, %d dropped: want some of all, and some under way", in, out, lost, dropped)
	}
	s.nodes[s.place[0]].Deliver(0, s.at, 60, s.network.out.New()) // out of nowhere
	if found, err = s.balance(s.at); err != nil || len(found) != 1 || !strings.Contains(found[0].Text, "in flight") {
		t.Errorf("a frame that nobody sent: %v, %v", found, err)
	}
}

// An interface's counters, the port's and the model's agree frame by frame.
func TestInterfacesAreAccountedFor(t *testing.T) {
	sound := side{
		port: outside.Counters{Received: 10, Sent: 8, Early: 2},
		device: device.Counters{
			Received:  12,
			Sent:      4,
			NoBuffer:  1,
			TooLong:   1,
			WhileDown: 1,
			Refused:   1,
			Malformed: 7,
		},
		waiting: 3,
		entered: 10,
		left:    11,
	}
	if found := sound.violations("eth1"); len(found) > 0 {
		t.Errorf("%v", found)
	}
	for want, change := range map[string]func(*side){
		"13 frames came in":                 func(s *side) { s.device.Received++ },
		"10 frames were taken, but 9":       func(s *side) { s.entered-- },
		"11 frames left, but 8":             func(s *side) { s.waiting-- },
		"8 frames were to be sent, but 4":   func(s *side) { s.device.TooLong-- },
		"interface eth1: 12 frames left":    func(s *side) { s.left++ },
		"from before the run and 9 were":    func(s *side) { s.port.Received--; s.entered-- },
		"8 frames were to be sent, but 3":   func(s *side) { s.device.Sent-- },
		"12 frames came in, but 1 from bef": func(s *side) { s.port.Early-- },
	} {
		s := sound
		change(&s)
		if found := s.violations("eth1"); len(found) != 1 || !strings.Contains(found[0].Text, want) {
			t.Errorf("%s: %v", want, found)
		}
	}
}

// A frame lost at either interface is lost outside the models, once; one that crossed unfinished is not lost. Tier:
// -short.
func TestLostOutside(t *testing.T) {
	in := device.Counters{
		Received:    1e6,
		RingFull:    1,
		Truncated:   10,
		WrongLength: 100,
		Malformed:   1e7,
		TooLong:     1e8,
	}
	out := device.Counters{
		Sent:      1e6,
		NoBuffer:  1000,
		TooLong:   10_000,
		WhileDown: 100_000,
		Refused:   1_000_000,
		RingFull:  1e9,
	}
	if got := lostOutside(&in, &out); got != 1_111_111 {
		t.Errorf("%d frames are lost, want 1111111", got)
	}
}
