package training

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/pidnn/weights"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// quick is a training of a fraction of a second.
func quick() Options {
	o := DefaultOptions()
	o.Algorithms = shipped.Find
	o.Quick()
	return o
}

// once is the report of quick, made once for all tests.
var once = sync.OnceValues(func() (*Report, error) { return Train(context.Background(), quick()) })

func shared(t *testing.T) *Report {
	t.Helper()
	r, err := once()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func train(t *testing.T, o Options) *Report {
	t.Helper()
	r, err := Train(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// files are all bytes that a training leaves.
func files(t *testing.T, r *Report) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "weights.txt")
	if err := r.WriteWeights(path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := bytes.NewBuffer(b)
	if err := errors.Join(r.WriteCSV(all), r.Document().Print(all, page.FormatTable, page.Page{})); err != nil {
		t.Fatal(err)
	}
	return all.Bytes()
}

func TestSameSeedSameBytes(t *testing.T) {
	tier.Everyday(t)
	o := quick()
	first := files(t, shared(t))
	if !bytes.Equal(first, files(t, train(t, o))) {
		t.Error("two trainings with one seed differ")
	}
	o.Seed = 2
	if bytes.Equal(first, files(t, train(t, o))) {
		t.Error("two seeds gave the same")
	}
}

func TestReport(t *testing.T) {
	o, r := quick(), shared(t)
	var runs []string
	seeds := map[string]uint64{}
	for _, run := range r.Runs {
		runs = append(runs, run.Use+": "+run.Algorithm)
		seeds[run.Use] = run.Seed
		if run.Samples < 1000 || run.MeanRTT < 4 || run.P99RTT < run.MeanRTT || run.MaxRTT < run.P99RTT || run.MeanRate <= 0 {
			t.Errorf("%+v", *run)
		}
	}
	if want := []string{"train: timely", "train: pidnn-tuning", "test: timely", "test: pidnn-tuning",
		"tune: pidnn, predictor lstm", "tune: pidnn, predictor off", "check: pidnn, tuned"}; !slices.Equal(runs, want) {
		t.Errorf("runs %v, want %v", runs, want)
	}
	if seeds["train"] != 3 || seeds["test"] != 4 || seeds["tune"] != 5 || seeds["check"] != 4 {
		t.Errorf("seeds %v", seeds)
	}
	var names []string
	for _, p := range r.Predictors {
		names = append(names, p.Name)
		if (p.Parameters > 0) != (len(p.Curve) == o.Epochs) {
			t.Errorf("%s: %d parameters, %d epochs", p.Name, p.Parameters, len(p.Curve))
		}
	}
	if want := []string{"lstm", "gru", "rnn", "out = 0", "out = K_t"}; !slices.Equal(names, want) {
		t.Errorf("predictors %v", names)
	}
	if r.Train%Bins != 0 || r.Test%Bins != 0 || r.Train < o.Train || r.All < r.Test {
		t.Errorf("%d, %d and %d pairs", r.Train, r.Test, r.All)
	}
}

// The thesis, section 3.5.3: Kp goes down from -0.2, and steps are not longer than 0.1 mu(t), for any error.
func TestGainsGoTheirWay(t *testing.T) {
	r := shared(t)
	for _, tuning := range []*Tuning{r.Tuned, r.TunedAlone} {
		if first := tuning.Curve[0]; first != (Gains{0, -0.2, -0.05, 0.1}) {
			t.Errorf("begins with %+v", first)
		}
		if final := tuning.Final; final.Kp > -0.22 || final.Kd > 0.1 || final.Kd < -0.1 || final.Steps < 500 {
			t.Errorf("predictor %s: ends with %+v", tuning.Predictor, final)
		}
		for i, g := range tuning.Curve[1:] {
			before, most := tuning.Curve[i], 0.0
			for s := before.Steps; s < g.Steps; s++ {
				most += 0.001 / sqrt(float64(s+1))
			}
			for _, moved := range []float64{g.Kp - before.Kp, g.Ki - before.Ki, g.Kd - before.Kd} {
				t.Run(fmt.Sprintf("moved=%v", moved), func(t *testing.T) {
					if max(moved, -moved) > most*1.000001 {
						t.Errorf("predictor %s: %+v follows %+v, a way of more than %g", tuning.Predictor, g, before, most)
					}
				})
			}
		}
	}
}

func sqrt(v float64) float64 {
	x := v
	for range 60 {
		x = (x + v/x) / 2
	}
	return x
}

// The written file is the trained network, with its origin.
func TestWeightsFile(t *testing.T) {
	o := quick()
	o.Networks = []string{"lstm"}
	r := train(t, o)
	path := filepath.Join(t.TempDir(), "weights.txt")
	for range 2 { // also over a file that is there
		if err := r.WriteWeights(path); err != nil {
			t.Fatal(err)
		}
	}
	n, m, err := weights.Load(path)
	if err != nil || n.W != r.Network.W {
		t.Fatalf("other weights, %v", err)
	}
	if want := "rocelab train pidnn --seed 1 --scale 0.05 --network lstm --epochs 4 --train 200 --test 80"; m.Command !=
		want {
		t.Errorf("command %q, want %q", m.Command, want)
	}
	if m.Seed != 1 || m.TestMAPE != r.Predictors[0].Test.MAPE || m.TrainMAPE != r.Predictors[0].Train.MAPE ||
		m.Kp != r.Tuned.Final.Kp {
		t.Errorf("%+v", m)
	}
	if left, _ := filepath.Glob(filepath.Dir(path) + "/*"); len(left) != 1 {
		t.Errorf("left %v", left)
	}
	o.Networks = []string{"rnn"}
	if err := train(t, o).WriteWeights(path); err == nil {
		t.Error("weights were written without an LSTM")
	}
}

func TestNothingIsLeftHalfWritten(t *testing.T) {
	folder := t.TempDir()
	taken := filepath.Join(folder, "taken")
	if err := os.Mkdir(taken, 0o700); err != nil {
		t.Fatal(err)
	}
	r := &Report{}
	if err := WriteFile(taken, r.WriteCSV); err == nil || CanWrite(taken) == nil || CanWrite(taken+"/x/y") == nil ||
		CanWrite(taken+"/x") != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 {
		t.Errorf("left %v", left)
	}
}

// An RTT that stays is nothing to learn from.
func TestRefusesDataWithoutVariation(t *testing.T) {
	o := quick()
	o.Data = []string{"fixed"}
	_, err := Train(context.Background(), o)
	var data *dataError
	if !errors.As(err, &data) || data.Need != 50 {
		t.Fatalf("%v", err)
	}
	if !strings.HasPrefix(err.Error(), "train runs (fixed): pairs by |K|") {
		t.Error(err)
	}
}

// Wherever it is interrupted, there is no report: in a run to train with, to test
// with, in a network's training, in a run to tune with, in the last run.
func TestStops(t *testing.T) {
	for _, at := range []string{"train: timely", "test: timely", "train lstm", "tune: pidnn, predictor off",
		"check: pidnn, tuned"} {
		t.Run(at, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			o := quick()
			o.Networks = []string{"lstm"}
			o.Begin = func(what string) {
				if what == at {
					cancel()
				}
			}
			if r, err := Train(ctx, o); !errors.Is(err, context.Canceled) || r != nil {
				t.Errorf("cancelled in %s: %v, %v", at, r != nil, err)
			}
			cancel()
		})
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		change func(*Options)
		words  string
	}{
		{func(o *Options) { o.Seed = 1 << 61 }, "--seed 2305843009213693952: allowed is 0 to 2^60"},
		{func(o *Options) { o.Scale = 0 }, "--scale 0: allowed is above 0, at most 10"},
		{func(o *Options) { o.Epochs = 0 }, "--epochs 0: allowed is 1 to 100000"},
		{func(o *Options) { o.Train = 3 }, "--train 3: allowed is at least 4, one of each bin"},
		{func(o *Options) { o.Test = -1 }, "--test -1: allowed is at least 4"},
		{func(o *Options) { o.Batch = 801 }, "--batch 801: allowed is 1 to --train, which is 800"},
		{func(o *Options) { o.Rate = 2 }, "--rate 2: allowed is above 0, at most 1"},
		{func(o *Options) { o.Pairs = 799 }, "--pairs 799: allowed is at least --train and --test, 800"},
		{func(o *Options) { o.Data = nil }, `--data "": allowed is one algorithm or more`},
		{func(o *Options) { o.Data = []string{"timely", "timely"} }, "--data timely: allowed is each algorithm once"},
		{func(o *Options) {
			o.Data = []string{"cubic"}
		}, "--data cubic: there is no such algorithm: allowed are pidnn-tuning, pidnn-untrained and"},
		{func(o *Options) { o.Networks = []string{"cnn"} }, "--network cnn: allowed is lstm, gru, rnn"},
		{func(o *Options) { o.Networks = nil }, `--network "": allowed is lstm, gru, rnn`},
	} {
		t.Run(c.words, func(t *testing.T) {
			o := DefaultOptions()
			o.Algorithms = shipped.Find
			if err := o.Check(); err != nil {
				t.Fatal(err)
			}
			c.change(&o)
			if err := o.Check(); err == nil || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%v, want %q", err, c.words)
			}
			if _, err := Train(context.Background(), o); err == nil {
				t.Errorf("%s: it was trained", c.words)
			}
		})
	}
}

// The thesis's incast: 635 MB in all, to one receiver.
func TestIncast(t *testing.T) {
	p, err := Incast(7, 1)
	if err != nil || p.Seed != 7 || p.Payload() != 635*unit.MB || len(p.Flows) != 20 {
		t.Fatalf("%v", err)
	}
	for _, f := range p.Flows {
		if f.Dst != 20 || f.Src == 20 {
			t.Errorf("%s goes from %d to %d", f.Name, f.Src, f.Dst)
		}
	}
	if p, err = Incast(7, 0.1); err != nil || p.Payload() != 63500*unit.KB {
		t.Errorf("%v, %v", p.Payload(), err)
	}
	q, err := Incast(8, 0.1)
	if err != nil || q.Flows[0].Start == p.Flows[0].Start && q.Flows[1].Start == p.Flows[1].Start {
		t.Errorf("another seed starts flows at the same instants, %v", err)
	}
}
