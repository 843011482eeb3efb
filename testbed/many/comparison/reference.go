package comparison

import (
	"context"
	"fmt"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/textfile"
)

// Reference holds printed values of a publication. Its file is YAML:
//
//	source: thesis, Table 6            # where the values are printed
//	note: target RTT 5 us              # what else a reader must know; optional
//	values:
//	  hpcc:                            # an algorithm's name, or an entry as it is written
//	    rtt_mean_us: 4.3223            # metrics as `rocelab metrics` names them
//	    rtt_max_us: 90.48
//
// An entry that is written as a key is has the values under that key, any other
// those under its algorithm's name.
type Reference scenario.Reference

// LoadReference reads a file of printed values, until ctx is done at most.
func LoadReference(ctx context.Context, path string) (*Reference, error) {
	text, err := textfile.Read(ctx, path, scenario.MaxSource)
	if err != nil {
		return nil, fmt.Errorf("read reference: %w", err)
	}
	r, err := scenario.ParseReference(path, text, result.MetricNames())
	return (*Reference)(r), err
}

// of returns the printed values of an algorithm, nil if there are none.
func (r *Reference) of(text, name string) map[string]float64 {
	if r == nil {
		return nil
	}
	if v, ok := r.Values[text]; ok {
		return v
	}
	return r.Values[name]
}
