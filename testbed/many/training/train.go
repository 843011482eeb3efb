package training

import (
	"context"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/pidnn/lstm"
)

// Report is the result of a training.
type Report struct {
	// Command is the command line that repeats it.
	Command string `json:"command"`
	Seed    uint64 `json:"seed"`
	// Runs are the runs that were carried out, in their order.
	Runs []*run `json:"runs"`
	// Train and Test count the pairs that were drawn from, balanced over the bins, All the pairs of the test runs as
	// they came.
	Train int `json:"train_pairs"`
	Test  int `json:"test_pairs"`
	All   int `json:"all_test_pairs"`
	// Predictors are the networks in the order of Names, then the naive ones.
	Predictors []Predictor `json:"predictors"`
	// Tuned is the PID's tuning with the LSTM in the loop, TunedAlone that
	// without; nil if no LSTM was trained.
	Tuned      *Tuning `json:"tuned,omitempty"`
	TunedAlone *Tuning `json:"tuned_alone,omitempty"`

	// Network is the trained LSTM, nil if none was wanted.
	Network *lstm.Network `json:"-"`
}

// Predictor is one way to predict, and how well it does.
type Predictor struct {
	Name string `json:"name"`
	// Parameters is their number, 0 of a naive predictor.
	Parameters int `json:"parameters"`
	// Train and Test are scores on all pairs that were drawn from, All on the
	// pairs of the test runs as they came: what a flow meets.
	Train Score `json:"train"`
	Test  Score `json:"test"`
	All   Score `json:"all"`
	// Curve is the loss curve, nil of a naive predictor.
	Curve []Epoch `json:"curve,omitempty"`
}

// Train collects, trains, tests and tunes. An error is a *dataError where the
// runs vary too little, or ctx's.
func Train(ctx context.Context, o Options) (*Report, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	r := &Report{Command: o.Command(), Seed: o.Seed}
	train, err := o.collect(ctx, r, "train", o.trainSeed())
	if err != nil {
		return nil, err
	}
	all, err := o.collect(ctx, r, "test", o.testSeed())
	if err != nil {
		return nil, err
	}
	if train, err = o.balanced(train, "train", o.Train); err != nil {
		return nil, err
	}
	test, err := o.balanced(all, "test", o.Test)
	if err != nil {
		return nil, err
	}
	r.Train, r.Test, r.All = len(train), len(test), len(all)
	for _, name := range Names {
		if !slices.Contains(o.Networks, name) {
			continue
		}
		p, n, err := o.train(ctx, name, train, test, all)
		if err != nil {
			return nil, err
		}
		r.Predictors = append(r.Predictors, p)
		if l, ok := n.(*lstmNetwork); ok {
			r.Network = &l.Network
		}
	}
	for _, naive := range []struct {
		name    string
		predict func([steps]float64) float64
	}{{"out = 0", average}, {"out = K_t", newest}} {
		r.Predictors = append(r.Predictors, Predictor{Name: naive.name,
			Train: score(train, naive.predict), Test: score(test, naive.predict), All: score(all, naive.predict)})
	}
	if r.Network == nil {
		return r, nil
	}
	if err := o.tune(ctx, r); err != nil {
		return nil, err
	}
	return r, nil
}

// collect carries out a run of each source under the seed and returns all their
// pairs.
func (o *Options) collect(ctx context.Context, r *Report, use string, seed uint64) (pairs []pair, err error) {
	for _, label := range o.Data {
		s, err := o.source(label)
		if err != nil {
			return nil, err
		}
		run, err := o.run(ctx, r, use, s, seed)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, run.pairs...)
	}
	return pairs, nil
}

// run carries out a run and puts it into the report.
func (o *Options) run(ctx context.Context, r *Report, use string, s source, seed uint64) (*run, error) {
	p, err := Incast(seed, o.Scale)
	if err != nil {
		return nil, err
	}
	o.begin(use + ": " + s.label)
	run, err := collectRTTs(ctx, p, use, s, o.Progress)
	if err != nil {
		return nil, err
	}
	r.Runs = append(r.Runs, run)
	return run, nil
}

func (o *Options) begin(what string) {
	if o.Begin != nil {
		o.Begin(what)
	}
}

// balanced returns the pairs to draw from, draws of them at a time.
func (o *Options) balanced(pairs []pair, use string, draws int) ([]pair, error) {
	runs := use + " runs (" + strings.Join(o.Data, ", ") + ")"
	return balance(runs, pairs, (draws+Bins-1)/Bins, (o.Pairs+Bins-1)/Bins, chance.New(o.Seed, "training/balance/"+use))
}

// train trains a network. All networks meet the same pairs in the same order.
func (o *Options) train(ctx context.Context, name string, train, test, all []pair) (Predictor, network, error) {
	n, err := newNetwork(name, chance.New(o.Seed, "training/weights/"+name))
	if err != nil {
		return Predictor{}, nil, err
	}
	o.begin("train " + name)
	curve, err := fit(ctx, n, slices.Clone(train), slices.Clone(test), o.Fitting, chance.New(o.Seed, "training/draw"))
	if err != nil {
		return Predictor{}, nil, err
	}
	return Predictor{
		Name:       name,
		Parameters: len(n.Weights()),
		Curve:      curve,
		Train:      score(train, n.Forward),
		Test:       score(test, n.Forward),
		All:        score(all, n.Forward),
	}, n, nil
}
