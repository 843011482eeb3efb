package pidnn

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/pidnn/lstm"
	"github.com/rocelab/rocelab/plugins/pidnn/weights"
)

var rewrite = flag.Bool("rewrite", false, "store the transcripts in testdata anew")

func TestTranscripts(t *testing.T) { cctest.Golden(t, Algorithm{}, "testdata/*.txt", *rewrite) }

func given(params string) map[string]string {
	m := map[string]string{}
	for _, f := range strings.Fields(params) {
		k, v, _ := strings.Cut(f, "=")
		m[k] = v
	}
	return m
}

func parsed(t testing.TB, params string) cc.Params {
	t.Helper()
	p, err := hosting.Parse(Algorithm{}.Describe(), given(params))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// flow is a sender that has started.
type flow struct {
	*sender
	e cc.Event
	d cc.Decision
}

func begun(c cc.Controller) *flow {
	f := &flow{sender: c.NewSender(cctest.Facts()).(*sender), d: cc.Decision{Rate: 100 * unit.Gbps}}
	f.Handle(&cc.Event{Kind: cc.EventStart}, &f.d)
	return f
}

func start(t testing.TB, params string) *flow {
	t.Helper()
	c, err := Algorithm{}.New(parsed(t, params))
	if err != nil {
		t.Fatal(err)
	}
	return begun(c)
}

func (f *flow) ack(acked, inflight unit.Bytes, rtt float64) {
	f.e = cc.Event{
		Kind:     cc.EventAck,
		Now:      f.e.Now.Add(us(rtt)),
		Acked:    acked,
		Inflight: inflight,
		RTT:      us(rtt),
	}
	f.Handle(&f.e, &f.d)
}

// A flow starts at 10 Gb/s, or at what its line has.
func TestStart(t *testing.T) {
	if s := start(t, ""); s.d.Rate != 10*unit.Gbps || s.d.Window != 0 || s.d.Gap != 0 || s.d.WakeAt != 0 {
		t.Errorf("%+v", s.d)
	}
	if s := start(t, "initial_rate=400Gbps"); s.d.Rate != 100*unit.Gbps {
		t.Errorf("%+v", s.d)
	}
}

// Only samples decide: other ACKs, losses and NAKs leave rate and window.
func TestOnlySamplesDecide(t *testing.T) {
	s := start(t, "")
	s.ack(1000, 9000, 6)
	before := s.d
	for _, kind := range []cc.EventKind{cc.EventSent, cc.EventNak, cc.EventCNP, cc.EventTimeout, cc.EventTimer} {
		s.Handle(&cc.Event{Kind: kind, Now: s.e.Now}, &s.d)
	}
	s.ack(1000, 9000, 60)
	if s.d != before || s.features.Samples != 1 {
		t.Errorf("%+v, before %+v", s.d, before)
	}
}

func TestTargetInBaseRTTs(t *testing.T) {
	for params, want := range map[string]float64{"": 5e6, "target=1us": 1.19 * 4.19e6, "target=1us target_rtts=0": 1e6,
		"target_rtts=1": 5e6, "target_rtts=2": 8.38e6} {
		t.Run(fmt.Sprintf("%q", params), func(t *testing.T) {
			near(t, params, start(t, params).target.at, want)
		})
	}
}

// The weights come from the file, and their network predicts.
func TestWeights(t *testing.T) {
	n := &lstm.Network{}
	n.W[lstm.Parameters-1] = 0.1 // out = 0.1 always
	file, err := weights.Encode(n, weights.Meta{Command: "by hand"})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "w.txt")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	s, plain := start(t, "weights="+path), start(t, "predictor=smoothed")
	for _, f := range []*flow{s, plain} {
		for range 3 {
			f.ack(1000, 0, 5)
		}
	}
	near(t, "e without the network", plain.outputs.p, 0)
	near(t, "e with it: RTTpred 5.5 us", s.outputs.p, 0.1)
}

func TestParametersThatDoNotFit(t *testing.T) {
	cut := filepath.Join(t.TempDir(), "cut.txt")
	whole, err := os.ReadFile("weights/shipped.txt")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, whole[:len(whole)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ params, name, message string }{
		{"weights=/nowhere/w.txt", "weights", "there is no file /nowhere/w.txt here; expected shipped, a file"},
		{"weights=" + cut, "weights", cut + " is truncated"},
		{"weights=shipped predictor=off", "weights", "is for predictor on"},
		{"winit=3KB", "winit", "is for window on"},
		{"rttch_num=3", "rttch_num", "is for rttch on or literal"},
		{"rttch=on rttch_num=2.5", "rttch_num", "2.5 is not a whole number"},
		{"max_rate=1Mbps", "max_rate", "1Mbps is below min_rate, 1Gbps"},
	} {
		t.Run(fmt.Sprintf("%.50q", c.params), func(t *testing.T) {
			_, err := Algorithm{}.New(parsed(t, c.params))
			var wrong *cc.ParamError
			if !errors.As(err, &wrong) || wrong.Param != c.name || !strings.Contains(err.Error(), c.message) {
				t.Errorf("%q: error %v, want %s: %s", c.params, err, c.name, c.message)
			}
		})
	}
}

// Flows that share a learner go on with each other's gains; the others do not.
func TestSharedLearner(t *testing.T) {
	l := &Learner{Gains: Gains{-0.2, -0.05, 0.1}}
	c, err := Algorithm{}.NewTraining(parsed(t, "predictor=off kp=-9"), nil, l)
	if err != nil {
		t.Fatal(err)
	}
	a, b := begun(c), begun(c)
	for range 5 {
		a.ack(1000, 0, 5.5)
		b.ack(1000, 0, 5.4)
	}
	if l.Steps != 8 || l.Kp >= -0.2 { // the first sample of either has no outcome to learn from
		t.Errorf("%+v", l)
	}
	own, other := start(t, "learn=true"), start(t, "learn=true")
	own.ack(1000, 0, 5.5)
	own.ack(1000, 0, 5.5)
	if own.learner.Steps != 1 || other.learner.Steps != 0 {
		t.Error("flows learn from each other unasked")
	}
}

// closedLoop is a flow in a closed loop: a queue grows by what 8 such flows send beyond 100 Gb/s, and the RTT with it.
// Its network is the test's own, so that the shipped one does not matter.
func closedLoop(t testing.TB, params string, samples int) []unit.BitRate {
	n := &lstm.Network{}
	c := chance.New(5, "weights")
	for i := range n.W {
		n.W[i] = float64(c.Float64()*0.2) - 0.1
	}
	controller, err := Algorithm{}.NewTraining(parsed(t, params), n, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := begun(controller)
	noise, queue := chance.New(6, "noise"), 0.0
	var rates []unit.BitRate
	for range samples {
		queue = max(0, queue+float64((float64(8*f.d.Rate)/100e9-1)*4.19))
		f.ack(1000, 0, 4.19+queue+float64(0.2*noise.Float64()))
		rates = append(rates, f.d.Rate)
	}
	return rates
}

// A flow finds its share of the line by the PID without the network. Two lives are the same, and all decisions are the
// same on every machine that runs the tests.
func TestLife(t *testing.T) {
	for _, c := range []struct {
		params string
		digest uint64
		fair   bool // a random network predicts with a bias
	}{{"", 0x34544cdf9fa3743d, false}, {"predictor=off", 0xee53ce079ead38a5, true},
		{"predictor=off rttch=literal window=on learn=true", 0x25c19e83719dd117, true}} {
		t.Run(fmt.Sprintf("params=%q", c.params), func(t *testing.T) {
			a, b := closedLoop(t, c.params, 2000), closedLoop(t, c.params, 2000)
			if !slices.Equal(a, b) {
				t.Errorf("%q: two lives differ", c.params)
			}
			h, mean := uint64(14695981039346656037), 0.0
			for i, r := range a {
				h = (h ^ uint64(r)) * 1099511628211
				if i >= 1000 {
					mean += float64(r) / 1000
				}
			}
			if h != c.digest {
				t.Errorf("%q: digest %#x, want %#x", c.params, h, c.digest)
			}
			if c.fair && math.Abs(mean-12.5e9) > 0.5e9 {
				t.Errorf("%q: %v bit/s in the mean, a fair share is 12.5e9", c.params, mean)
			}
		})
	}
}

func TestHandleAllocatesNothing(t *testing.T) {
	s := start(t, "rttch=on window=on learn=true")
	if n := testing.AllocsPerRun(100, func() { s.ack(1000, 0, 5.2) }); n != 0 {
		t.Errorf("%v allocations per event", n)
	}
	if s.features.Samples < 100 {
		t.Errorf("only %d samples", s.features.Samples)
	}
}

func benchmark(b *testing.B, params string, inflight unit.Bytes) {
	s := start(b, params)
	rtts := [...]unit.Duration{us(5.1), us(4.8), us(5.3), us(4.9)}
	e := cc.Event{Kind: cc.EventAck, Acked: 1000, Inflight: inflight}
	for i := 0; b.Loop(); i++ {
		e.Now = e.Now.Add(us(5))
		e.RTT = rtts[i&3]
		s.Handle(&e, &s.d)
	}
}

// A sample and its decision, with the network, without it, and an ACK that is not a sample.
func BenchmarkDecision(b *testing.B)    { benchmark(b, "", 0) }
func BenchmarkDecisionPID(b *testing.B) { benchmark(b, "predictor=off", 0) }
func BenchmarkAck(b *testing.B)         { benchmark(b, "", 1<<60) }
