package training

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/pidnn"
	"github.com/rocelab/rocelab/plugins/pidnn/lstm"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// Gains are a PID's, after a number of steps of learning.
type Gains struct {
	Steps int     `json:"steps"`
	Kp    float64 `json:"kp"`
	Ki    float64 `json:"ki"`
	Kd    float64 `json:"kd"`
}

// Tuning is the course of the gains in a run (thesis, section 3.5.3 and Figure 13).
//
// Each flow learns for itself, one step a sample, from the same gains on: gains shared by all flows would take as many
// steps as all of them together, and since Kp falls as long as it is tuned (package pidnn, Learner), would end far from
// the thesis's. The gains of the run are the gains of the flow that learnt longest; the others are on the same way,
// closer to its start.
type Tuning struct {
	// Predictor names what the PID was fed: the LSTM's predictions, or the
	// samples themselves.
	Predictor string `json:"predictor"`
	// Flow is that flow, Curve its gains at the start and after 1, 2, 4, ...
	// steps, Final those at its end.
	Flow  string  `json:"flow"`
	Curve []Gains `json:"curve"`
	Final Gains   `json:"final"`
}

// tune tunes the gains in separate runs, with the trained network in the
// loop and without, and carries a run out with the gains of the former.
func (o *Options) tune(ctx context.Context, r *Report) error {
	tuned, err := o.tuning(ctx, r, "lstm", initial)
	if err != nil {
		return err
	}
	alone, err := o.tuning(ctx, r, "off", with(initial, "predictor", "off"))
	if err != nil {
		return err
	}
	r.Tuned, r.TunedAlone = tuned, alone
	exact := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	gains := map[string]string{"kp": exact(tuned.Final.Kp), "ki": exact(tuned.Final.Ki), "kd": exact(tuned.Final.Kd)}
	withGains := source{"pidnn, tuned", "pidnn", trainedAlgorithm{network: r.Network}, gains}
	_, err = o.run(ctx, r, "check", withGains, o.testSeed())
	return err
}

func (o *Options) tuning(ctx context.Context, r *Report, predictor string, params map[string]string) (*Tuning, error) {
	flows := &learningAlgorithm{network: r.Network}
	label := "pidnn, predictor " + predictor
	if _, err := o.run(ctx, r, "tune", source{label, "pidnn", flows, params}, o.tuneSeed()); err != nil {
		return nil, err
	}
	longest := 0
	for i, s := range flows.senders {
		if s.learner.Steps > flows.senders[longest].learner.Steps {
			longest = i
		}
	}
	p, err := Incast(o.tuneSeed(), o.Scale)
	if err != nil {
		return nil, err
	}
	s := flows.senders[longest]
	return &Tuning{predictor, p.Flows[longest].Name, s.curve, gainsOf(s.learner)}, nil
}

func gainsOf(l *pidnn.Learner) Gains { return Gains{l.Steps, l.Kp, l.Ki, l.Kd} }

func (t *Tuning) table() *page.Table {
	w := page.New("steps", "Kp", "Ki", "Kd")
	for _, g := range append(slices.Clone(t.Curve), t.Final) {
		w.Add(g.Steps, decimals(g.Kp, 4), decimals(g.Ki, 4), decimals(g.Kd, 4))
	}
	w.LeftOut = fmt.Sprintf("gains of flow %s, which learnt longest, with predictor %s", t.Flow, t.Predictor)
	return w
}

// trainedAlgorithm is PIDNN with a network that is not in a file yet.
type trainedAlgorithm struct {
	pidnn.Algorithm
	network *lstm.Network
}

// New implements cc.Algorithm.
func (t trainedAlgorithm) New(p cc.Params) (cc.Controller, error) {
	return t.NewTraining(p, t.network, nil)
}

// learningAlgorithm is PIDNN whose flows tune their gains, and can be asked for them.
type learningAlgorithm struct {
	pidnn.Algorithm
	network *lstm.Network
	senders []*learningSender // by the number of their flow
}

// New implements cc.Algorithm.
func (c *learningAlgorithm) New(p cc.Params) (cc.Controller, error) {
	controller, err := c.NewTraining(p, c.network, nil)
	return learningController{controller, c, p}, err
}

type learningController struct {
	cc.Controller
	*learningAlgorithm
	params cc.Params
}

// NewSender implements cc.Controller.
func (l learningController) NewSender(f cc.Facts) cc.Sender {
	s := &learningSender{learner: &pidnn.Learner{Gains: pidnn.Gains{Kp: l.params.Number("kp"), Ki: l.params.Number("ki"),
		Kd: l.params.Number("kd")}}}
	own, err := l.NewTraining(l.params, l.network, s.learner)
	if err != nil {
		return nil // New took the same parameters
	}
	s.Sender, s.curve = own.NewSender(f), []Gains{gainsOf(s.learner)}
	for len(l.senders) <= int(f.Flow) {
		l.senders = append(l.senders, nil)
	}
	l.senders[f.Flow] = s
	return s
}

// learningSender is a flow that learns.
type learningSender struct {
	cc.Sender
	learner *pidnn.Learner
	curve   []Gains
}

// Handle implements cc.Sender.
func (s *learningSender) Handle(e *cc.Event, d *cc.Decision) {
	before := s.learner.Steps
	s.Sender.Handle(e, d)
	if n := s.learner.Steps; n != before && n&(n-1) == 0 { // 1, 2, 4, ...
		s.curve = append(s.curve, gainsOf(s.learner))
	}
}
