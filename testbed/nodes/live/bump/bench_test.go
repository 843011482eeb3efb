package bump

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// stream sends full frames through a network at a part of its rate, window by window.
type stream struct {
	*network
	frame []byte
	room  []byte
	at    unit.Time
	out   int
}

// marking are options that make a queue mark.
func marking() *Options {
	o := options()
	o.Kmin, o.Kmax = 150*unit.KB, 450*unit.KB
	return &o
}

func newStream(t testing.TB, o *Options) *stream {
	p, err := o.Plan()
	if err != nil {
		t.Fatal(err)
	}
	n, err := newNetwork(p)
	if err != nil {
		t.Fatal(err)
	}
	s := &stream{network: n, frame: make([]byte, 1514)}
	s.frame[12] = 8
	n.edges[1].Outward = func(_ unit.Time, f *wire.Frame) {
		s.room = f.AppendTo(s.room[:0])
		s.out++
	}
	return s
}

// send makes a frame come in, and runs everything due until then.
func (s *stream) send() {
	f := s.network.out.New()
	f.SetOpaque(s.frame)
	s.next[s.place[0]] = min(s.next[s.place[0]], s.edges[0].Inject(s.at, s.at.Add(s.lookahead), f))
	s.at = s.at.Add(13 * unit.Microsecond)
	for at := s.earliest(); at < s.at; at = s.earliest() {
		s.run(min(at.Add(s.lookahead), s.at))
	}
}

func TestAFrameAllocatesNothing(t *testing.T) {
	s := newStream(t, marking())
	for range 2000 {
		s.send() // the queues grow
	}
	if n := testing.AllocsPerRun(2000, s.send); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
	if s.out < 3000 {
		t.Errorf("%d frames of 4000 left", s.out)
	}
}

// A frame through all five nodes, without the interfaces.
func BenchmarkFrame(b *testing.B) {
	s := newStream(b, marking())
	for b.Loop() {
		s.send()
	}
}
