package training

import (
	"fmt"
	"maps"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/pidnn"
)

// source is an algorithm that makes RTTs to learn from, and its parameters.
type source struct {
	label, name string
	algorithm   cc.Algorithm
	params      map[string]string
}

// timelyParams are the TIMELY of the thesis: flows start at 10 Gb/s and keep to rates between 1 and 100 Gb/s (section
// 4.1.2), the constants are from TIMELY's paper, and hyperactive increase is the simulator's. With them, samples have
// the mean, the 99th percentile and the maximum of Table 6; with the 100 Gb/s at the start in section 4.4.1, the
// maximum would be ten times that.
var timelyParams = map[string]string{"set": "paper", "hai_stage": "increases", "initial_rate": "10Gbps",
	"min_rate": "1Gbps"}

// initial are the gains before they are tuned (thesis, section 3.5.3).
var initial = map[string]string{"kp": "-0.2", "ki": "-0.05", "kd": "0.1"}

// source returns what --data calls by a name: an algorithm, or PIDNN untrained
// or while its gains are tuned, both without a predictor.
func (o *Options) source(label string) (source, error) {
	switch label {
	case "pidnn-tuning":
		return source{label, "pidnn", pidnn.Algorithm{}, with(initial, "predictor", "off", "learn", "true")}, nil
	case "pidnn-untrained":
		return source{label, "pidnn", pidnn.Algorithm{}, with(initial, "predictor", "off")}, nil
	}
	s := source{label: label, name: label}
	if label == "timely" {
		s.params = timelyParams
	}
	var ok bool
	if s.algorithm, ok = o.Algorithms(label); !ok {
		return s, fmt.Errorf("--data %s: there is no such algorithm: allowed are pidnn-tuning, pidnn-untrained "+
			"and the names of `rocelab algorithm list`", label)
	}
	return s, nil
}

// with returns a copy of params with further ones.
func with(params map[string]string, more ...string) map[string]string {
	all := maps.Clone(params)
	for i := 0; i < len(more); i += 2 {
		all[more[i]] = more[i+1]
	}
	return all
}
