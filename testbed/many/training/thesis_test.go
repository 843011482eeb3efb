package training

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/tier"
)

// The TIMELY that is learnt from is the thesis's: Table 6 has a mean RTT of
// 11.9797 us, a 99th percentile of 102.673, a maximum of 165.244 and a mean rate
// of 15.6302 Gb/s.
func TestTimelyIsTheThesis(t *testing.T) {
	slow(t)
	o := DefaultOptions()
	o.Algorithms = shipped.Find
	s, err := o.source("timely")
	if err != nil {
		t.Fatal(err)
	}
	for _, seed := range []uint64{1, 2, 3} {
		t.Run(fmt.Sprintf("seed=%v", seed), func(t *testing.T) {
			run, err := o.run(context.Background(), &Report{}, "test", s, seed)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct{ got, printed, within float64 }{
				{run.MeanRTT, 11.9797, 0.01}, {run.P99RTT, 102.673, 0.04}, {run.MaxRTT, 165.244, 0.01},
				{run.MeanRate, 15.6302, 0.02},
			} {
				if off := c.got/c.printed - 1; max(off, -off) > c.within {
					t.Errorf("seed %d: %g, printed is %g, allowed is a difference of %g %%", seed, c.got, c.printed, 100*c.within)
				}
			}
		})
	}
}

func slow(t *testing.T) {
	t.Helper()
	tier.Slow(t)
}

// The shipped file equals its command's output, and predicts better than an untrained network. If the former fails, the
// inputs of the runs have changed: rocelab train pidnn --out plugins/pidnn/weights/shipped.txt
func TestShippedWeights(t *testing.T) {
	slow(t)
	o := DefaultOptions()
	o.Algorithms = shipped.Find
	path := filepath.Join(t.TempDir(), "weights.txt")
	r := train(t, o)
	if err := r.WriteWeights(path); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../../plugins/pidnn/weights/shipped.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("plugins/pidnn/weights/shipped.txt is not what its command makes")
	}
	lstm, rest := &r.Predictors[0], r.Predictors[3:]
	for _, naive := range rest {
		if lstm.Test.MAPE >= naive.Test.MAPE || lstm.Test.Loss >= naive.Test.Loss {
			t.Errorf("the LSTM scores %+v, %s %+v", lstm.Test, naive.Name, naive.Test)
		}
	}
	if lstm.Test.MAPE > 0.06 {
		t.Errorf("MAPE of the LSTM is %g, allowed is 0.06", lstm.Test.MAPE)
	}
}
