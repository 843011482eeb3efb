package training

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/testbed/model"
)

// Options are the settings of a training. DefaultOptions is a training as the thesis describes it.
type Options struct {
	// Seed is the seed of the whole training. Runs that make the data to train
	// with, to test with and to tune with have seeds of their own, 3 Seed, 3
	// Seed + 1 and 3 Seed + 2. Range: 0 to 2^60. Default 1.
	Seed uint64
	// Scale multiplies the sizes of the incast's flows. Range: above 0, at
	// most 10. Default 1.
	Scale float64
	// Data names the sources of the RTTs. Default timely and pidnn-tuning
	// (thesis, section 3.4.2).
	Data []string
	// Networks names the networks to train. The PID is tuned with the LSTM, or not at all. Default all.
	Networks []string
	// Pairs bounds the pairs that are kept to train with and, each, to test
	// with. Range: at least Train and Test. Default 19058, which is all that
	// the thesis had.
	Pairs int
	Fitting
	// Algorithms finds the algorithms that make the data.
	Algorithms model.Find
	// Begin, if not nil, receives each new step, Progress the progress of a run.
	Begin    func(what string)
	Progress func(model.Progress)
}

// DefaultOptions returns the thesis's training.
func DefaultOptions() Options {
	return Options{
		Seed:     1,
		Scale:    1,
		Data:     []string{"timely", "pidnn-tuning"},
		Networks: Names,
		Pairs:    19058,
		Fitting: Fitting{
			Epochs: 19,
			Train:  800,
			Test:   200,
			Batch:  1,
			Rate:   0.001,
		},
	}
}

// Quick shortens a training to about a second: flows of a twentieth, fewer
// draws.
func (o *Options) Quick() { o.Scale, o.Epochs, o.Train, o.Test = 0.05, 4, 200, 80 }

// Check joins the faults of the options, each with its flag.
func (o *Options) Check() error {
	var errs []error
	bad := func(wrong bool, flag string, value any, allowed string) {
		if wrong {
			errs = append(errs, fmt.Errorf("--%s %v: allowed is %s", flag, value, allowed))
		}
	}
	bad(o.Seed > 1<<60, "seed", o.Seed, "0 to 2^60")
	bad(!(o.Scale > 0 && o.Scale <= 10), "scale", o.Scale, "above 0, at most 10")
	bad(o.Epochs < 1 || o.Epochs > 100000, "epochs", o.Epochs, "1 to 100000")
	bad(o.Train < Bins, "train", o.Train, fmt.Sprintf("at least %d, one of each bin", Bins))
	bad(o.Test < Bins, "test", o.Test, fmt.Sprintf("at least %d, one of each bin", Bins))
	bad(o.Batch < 1 || o.Batch > o.Train, "batch", o.Batch, fmt.Sprintf("1 to --train, which is %d", o.Train))
	bad(!(o.Rate > 0 && o.Rate <= 1), "rate", o.Rate, "above 0, at most 1")
	bad(o.Pairs < max(o.Train, o.Test), "pairs", o.Pairs, fmt.Sprintf("at least --train and --test, %d",
		max(o.Train, o.Test)))
	bad(len(o.Data) == 0, "data", `""`, "one algorithm or more")
	for i, name := range o.Data {
		bad(slices.Contains(o.Data[:i], name), "data", name, "each algorithm once")
		if _, err := o.source(name); err != nil {
			errs = append(errs, err)
		}
	}
	bad(len(o.Networks) == 0, "network", `""`, strings.Join(Names, ", "))
	for i, name := range o.Networks {
		bad(!slices.Contains(Names, name), "network", name, strings.Join(Names, ", "))
		bad(slices.Contains(o.Networks[:i], name), "network", name, "each network once")
	}
	return errors.Join(errs...)
}

// Command is the command line that trains with these options: the flags that
// differ from the defaults.
func (o *Options) Command() string {
	d := DefaultOptions()
	words := []string{"rocelab train pidnn", "--seed " + strconv.FormatUint(o.Seed, 10)}
	say := func(differs bool, flag string, value any) {
		if differs {
			words = append(words, fmt.Sprintf("--%s %v", flag, value))
		}
	}
	say(o.Scale != d.Scale, "scale", o.Scale)
	say(!slices.Equal(o.Data, d.Data), "data", strings.Join(o.Data, ","))
	say(!slices.Equal(o.Networks, d.Networks), "network", strings.Join(o.Networks, ","))
	say(o.Epochs != d.Epochs, "epochs", o.Epochs)
	say(o.Train != d.Train, "train", o.Train)
	say(o.Test != d.Test, "test", o.Test)
	say(o.Batch != d.Batch, "batch", o.Batch)
	say(o.Rate != d.Rate, "rate", o.Rate)
	say(o.Pairs != d.Pairs, "pairs", o.Pairs)
	return strings.Join(words, " ")
}

// The seeds of the runs.
func (o *Options) trainSeed() uint64 { return 3 * o.Seed }
func (o *Options) testSeed() uint64  { return 3*o.Seed + 1 }
func (o *Options) tuneSeed() uint64  { return 3*o.Seed + 2 }
