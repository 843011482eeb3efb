package lockstep

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/internal/sealed"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// ofTwo is the setup of a small run.
func ofTwo() Setup {
	return Setup{
		Run:          7,
		Participants: 2,
		Links:        4,
		Lookahead:    unit.Microsecond,
		Schedule:     engine.Schedule{Limit: 100 * us, EndGrid: 10 * unit.Microsecond},
		Sampled:      make([]bool, 2),
	}
}

// The page has its blocks, and holders of its file cannot change its size: touching it never ends a process. Tier:
// -short.
func TestPageIsThereAndStays(t *testing.T) {
	_, f := create(t, ofTwo())
	if !sealed.Sealed(f) {
		t.Error("its size is not for good")
	}
	if err := f.Truncate(0); err == nil {
		t.Error("it was cut to nothing")
	}
}

func TestPageOfAnotherRunIsRefused(t *testing.T) {
	_, f := create(t, ofTwo())
	for _, change := range []func(*Setup){
		func(s *Setup) { s.Participants, s.Sampled = 40, make([]bool, 40) },
		func(s *Setup) { s.Links = 2 },
		func(s *Setup) { s.Links = 4000 },
		func(s *Setup) { s.Run++ },
	} {
		other := ofTwo()
		change(&other)
		if p, err := Map(f, other); err == nil {
			p.Close()
			t.Errorf("the page passes for one of %+v", other)
		}
	}
	for size, want := range map[int64]string{0: "0 B", 1 << 20: "not sealed memory"} {
		t.Run(fmt.Sprintf("size=%v", size), func(t *testing.T) {
			plain, err := os.Create(filepath.Join(t.TempDir(), "plain"))
			if err != nil {
				t.Fatal(err)
			}
			defer plain.Close()
			if err := plain.Truncate(size); err != nil {
				t.Fatal(err)
			}
			if _, err := Map(plain, ofTwo()); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("a file of %d B: %v, want %q", size, err, want)
			}
		})
	}
}

func TestNonsensicalSetupsAreRefused(t *testing.T) {
	for name, change := range map[string]func(*Setup){
		"no participant":           func(s *Setup) { s.Participants, s.Sampled = 0, nil },
		"negative participants":    func(s *Setup) { s.Participants = -1 },
		"all memory":               func(s *Setup) { s.Participants = math.MaxInt },
		"negative links":           func(s *Setup) { s.Links = -4 },
		"a page of all memory":     func(s *Setup) { s.Links = math.MaxInt / 64 },
		"samples of too few":       func(s *Setup) { s.Sampled = nil },
		"no lookahead":             func(s *Setup) { s.Lookahead = 0 },
		"a negative sample period": func(s *Setup) { s.SamplePeriod = -1 },
		"no end":                   func(s *Setup) { s.Schedule = engine.Schedule{} },
		"no end grid":              func(s *Setup) { s.Schedule.EndGrid = 0 },
		"an end after the limit":   func(s *Setup) { s.Schedule.Until = 200 * us },
		"a negative limit":         func(s *Setup) { s.Schedule.Limit = -us },
	} {
		t.Run(name, func(t *testing.T) {
			s := ofTwo()
			change(&s)
			if p, err := Create(s); err == nil {
				p.Close()
				t.Errorf("%s passes", name)
			}
		})
	}
	if s := ofTwo(); s.Check() != nil {
		t.Error(s.Check())
	}
}

// What a daemon may have written is looked at before anything is made of it.
func TestNonsenseInThePageIsSeen(t *testing.T) {
	for name, write := range map[string]func(h *header){
		"":                          func(*header) {},
		"a time before the run":     func(h *header) { h.start.Store(-1) },
		"a time after the run":      func(h *header) { h.start.Store(int64(101 * us)) },
		"an end before the run":     func(h *header) { h.end.Store(math.MinInt64) },
		"an end after the limit":    func(h *header) { h.end.Store(int64(unit.Never)) },
		"an end for no reason":      func(h *header) { h.window.Store(3); h.over.Store(77) },
		"an end without any window": func(h *header) { h.over.Store(1) },
	} {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			p, _ := create(t, ofTwo())
			write(p.head)
			if err := p.Check(); (err != nil) != (name != "") {
				t.Errorf("%q: %v", name, err)
			}
		})
	}
}

// Reading a page is harmless for any words in it.
func FuzzPage(f *testing.F) {
	f.Add([]byte{}, uint16(0))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, uint16(64))
	f.Add([]byte("\x01\x00\x00\x00\x00\x00\x00\x00"), uint16(96))
	told := int(unsafe.Sizeof(header{})) + 6*line // after the six arrays of words of both participants
	f.Add(bytes.Repeat([]byte{0xff}, 2*line), uint16(told))
	f.Fuzz(func(t *testing.T, words []byte, at uint16) {
		setup := ofTwo()
		if len(words)%2 == 1 {
			setup.Clock, setup.Looks = &Pace{Dilation: 3}, []bool{true, false}
		}
		p, err := Create(setup)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		copy(p.bytes[int(at)%len(p.bytes):], words)
		v, err := View(p.File(), setup)
		if err != nil {
			return // magic, size or run are others
		}
		defer v.Close()
		checked := v.Check()
		end, why, over := v.Over()
		if checked == nil && (v.Now() < 0 || v.Now() > 100*us ||
			over && (end < 0 || end > 100*us || why > engine.Interrupted || v.Window() == 0)) {
			t.Errorf("at %v, over %v at %v for %v after %d windows passes", v.Now(), over, end, why, v.Window())
		}
		if v.Wall() < 0 {
			t.Error("it took", v.Wall())
		}
		for _, i := range v.Laggards() {
			if i < 0 || i >= setup.Participants {
				t.Error("waiting for participant", i)
			}
		}
		if hops, acked, tally := v.Told(); hops > math.MaxInt64 || acked < 0 || tally.Sent < 0 || tally.Delivered < 0 ||
			tally.Longest < 0 || max(tally.Marks, tally.CNPs, tally.XOFFs, tally.Drops, tally.Completed) > math.MaxInt64 {
			t.Errorf("%d hops, %v acknowledged, %+v", hops, acked, tally)
		}
		v.Aborted()
		v.Due()
		v.Lag()
		if setup.Clock != nil {
			lags := v.Lags()
			lags.Quantile(0.5)
			list, _ := v.Standstills()
			for _, s := range list {
				if checked == nil && (s.Last < 0 || s.Last >= setup.Participants || s.Took < 0) {
					t.Errorf("a standstill of participant %d for %v passes", s.Last, s.Took)
				}
			}
		}
	})
}
