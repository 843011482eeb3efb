package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/training"
	"github.com/rocelab/rocelab/testbed/model"
)

// trainFlags are the flags of train pidnn.
type trainFlags struct {
	training.Options
	quick         bool
	seeds         string
	out, csv      string
	format        page.Format
	progressStyle string
}

func trainCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "train",
		Short: "Train an algorithm that learns",
		Long:  `Train an algorithm before it is used.`,
		Args:  noSuchCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(trainPIDNNCommand())
	return c
}

func trainPIDNNCommand() *cobra.Command {
	options := &trainFlags{Options: training.DefaultOptions()}
	c := &cobra.Command{
		Use:   "pidnn",
		Short: "Train the RTT predictor of LSTM+PIDNN and tune its gains",
		Long: `Train the predictor of the next RTT for the algorithm pidnn, as the LSTM+PIDNN thesis
does, and tune the gains of its PID with the predictor in the loop.

The RTTs to learn from are those of the thesis's incast, run in this process with
each algorithm of --data. Equally many are kept of each range of |K|, the deviation of
an RTT from its running average, as a share of that average. Runs for training, for
testing and for tuning have different seeds: 3 x the seed of the training, and the
next two. Besides the LSTM, which pidnn uses, a GRU and a simple recurrent network
of the same width are trained, and compared with two predictors without training: the
RTT will be its average (out = 0), or will not change (out = K_t). MAPE is the mean
relative error of the predicted RTT.

The file of --out notes the tuned gains, but pidnn only takes the network from it:
gains are its parameters kp, ki and kd.

The same seed and flags give the same files, byte for byte.`,
		Example: `  rocelab train pidnn --out pidnn-weights.txt
  rocelab run incast.yaml --algorithm pidnn --set algorithm.params.weights=pidnn-weights.txt
  rocelab train pidnn --quick --network lstm
  rocelab train pidnn --seed 2 --data timely,pidnn-untrained --csv curve.csv
  rocelab train pidnn --quick --seeds 3
  rocelab train pidnn --format json | jq '.predictors[] | {name, mape: .test.mape}'`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			if options.quick {
				options.shorten(c.Flags().Changed)
			}
			if options.seeds != "" && c.Flags().Changed("seed") {
				return usage(errors.New("--seed and --seeds exclude each other"))
			}
			return options.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	flags := c.Flags()
	flags.Uint64Var(&options.Seed, "seed", options.Seed, "seed of the runs, the draws and the untrained weights")
	flags.StringVar(&options.seeds, "seeds", "", "seeds to train with"+seedsHelp)
	flags.StringVar(&options.out, "out", "", "write the trained LSTM to this file; parameter weights of pidnn takes it "+
		"(default: it is not kept)")
	flags.StringVar(&options.csv, "csv", "", "write the loss curves to this file")
	flags.StringSliceVar(&options.Data, "data", options.Data,
		"algorithms whose RTTs are the training data: pidnn-tuning (pidnn while its gains are tuned), "+
			"pidnn-untrained, timely (as in the thesis), or any other shipped one, with its defaults")
	flags.StringSliceVar(&options.Networks, "network", options.Networks,
		"networks to train: "+strings.Join(training.Names, ", "))
	flags.Float64Var(&options.Scale, "scale", options.Scale, "size of the incast's flows, as a multiple of the thesis's")
	flags.IntVar(&options.Epochs, "epochs", options.Epochs, "number of epochs, each with newly drawn pairs")
	flags.IntVar(&options.Train, "train", options.Train, "pairs drawn for training in each epoch")
	flags.IntVar(&options.Test, "test", options.Test, "pairs drawn for testing after each epoch")
	flags.IntVar(&options.Batch, "batch", options.Batch, "pairs in a batch, whose mean gradient makes a step")
	flags.Float64Var(&options.Rate, "rate", options.Rate, "step size of Adam")
	flags.IntVar(&options.Pairs, "pairs", options.Pairs, "largest number of pairs kept for training, and for testing")
	flags.BoolVar(&options.quick, "quick", false,
		"a training of seconds that only shows how it works; other flags given apply")
	flags.StringVar(&options.progressStyle, "progress", "auto",
		"on stderr: auto (a line on a terminal), plain (a line for each step), none")
	formatFlag(c, &options.format)
	return c
}

// shorten makes the training quick, but for the flags that were given.
func (f *trainFlags) shorten(given func(flag string) bool) {
	asked := f.Options
	f.Quick()
	for _, keep := range []struct {
		flag string
		back func()
	}{
		{"scale", func() { f.Scale = asked.Scale }}, {"epochs", func() { f.Epochs = asked.Epochs }},
		{"train", func() { f.Train = asked.Train }}, {"test", func() { f.Test = asked.Test }},
	} {
		if given(keep.flag) {
			keep.back()
		}
	}
}

func (f *trainFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	f.Algorithms = shipped.Find
	seeds, err := parseSeeds(f.seeds)
	if err != nil {
		return usage(err)
	}
	if len(seeds) == 0 {
		seeds = []uint64{f.Seed}
	}
	if err := f.check(len(seeds)); err != nil {
		return usage(err)
	}
	meter, err := meterFor(f.progressStyle, stderr)
	if err != nil {
		return usage(err)
	}
	if meter != nil {
		show := meter.Begin("")
		f.Progress = func(p model.Progress) { show(p) }
		f.Begin = func(what string) {
			meter.End()
			show = meter.Begin(what)
			if !meter.Live {
				fmt.Fprintln(stderr, terminal.Line(what))
			}
		}
	}
	var reports []*training.Report
	for _, f.Seed = range seeds {
		report, err := f.train(ctx, meter, stderr)
		if err != nil {
			return err
		}
		reports = append(reports, report)
	}
	if len(reports) == 1 {
		return printAs(stdout, f.format, reports[0], reports[0].Document())
	}
	d := &page.Document{Title: "Training", Kind: "train"}
	for _, report := range reports {
		d.Add(page.Section{Title: fmt.Sprintf("seed %d", report.Seed)}, page.Gap{})
		report.Add(d)
	}
	return printAs(stdout, f.format, reports, d)
}

// train trains with one seed, and writes the files that were asked for.
func (f *trainFlags) train(ctx context.Context, meter *campaign.Meter, stderr io.Writer) (*training.Report, error) {
	report, err := training.Train(ctx, f.Options)
	meter.End()
	if errors.Is(err, context.Canceled) {
		return nil, errInterrupted
	} else if err != nil {
		return nil, err
	}
	if f.csv != "" {
		if err := training.WriteFile(f.csv, report.WriteCSV); err != nil {
			return nil, host(err)
		}
	}
	if f.out != "" {
		if err := report.WriteWeights(f.out); err != nil {
			return nil, host(err)
		}
		fmt.Fprintf(stderr, "wrote %s\n", terminal.Line(f.out))
	}
	return report, nil
}

// check refuses flags that contradict the number of seeds, before anything is done.
func (f *trainFlags) check(seeds int) error {
	errs := []error{f.Options.Check()}
	if seeds > 1 && f.out+f.csv != "" {
		errs = append(errs, errors.New("--out and --csv are for one training: give one seed, with --seed"))
	}
	if f.out != "" && !slices.Contains(f.Networks, "lstm") {
		errs = append(errs, errors.New("--out is for the LSTM, and --network does not name it"))
	}
	for _, file := range []struct{ flag, path string }{{"out", f.out}, {"csv", f.csv}} {
		if file.path == "" {
			continue
		}
		if err := training.CanWrite(file.path); err != nil {
			errs = append(errs, fmt.Errorf("--%s: %w", file.flag, err))
		}
	}
	return errors.Join(errs...)
}
