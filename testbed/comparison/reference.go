package comparison

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/experiment"
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
type Reference struct {
	Source string                        `yaml:"source"`
	Note   string                        `yaml:"note"`
	Values map[string]map[string]float64 `yaml:"values"`
}

// LoadReference reads a file of printed values.
func LoadReference(path string) (*Reference, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read reference: %w", err)
	}
	r, err := ParseReference(text)
	if err != nil {
		return nil, fmt.Errorf("reference %s: %w", path, err)
	}
	return r, nil
}

// ParseReference reads printed values and refuses what it does not know.
func ParseReference(text []byte) (*Reference, error) {
	r := &Reference{}
	if err := yaml.UnmarshalWithOptions(text, r, yaml.DisallowUnknownField()); err != nil {
		return nil, fmt.Errorf("%s", strings.TrimSpace(yaml.FormatError(err, false, false)))
	}
	if strings.TrimSpace(r.Source) == "" {
		return nil, fmt.Errorf("no source: say where the values are printed")
	}
	if len(r.Values) == 0 {
		return nil, fmt.Errorf("no values: write algorithms, and under each its metrics")
	}
	for _, name := range slices.Sorted(maps.Keys(r.Values)) {
		for _, m := range slices.Sorted(maps.Keys(r.Values[name])) {
			if _, ok := result.MetricOf(m); !ok {
				return nil, fmt.Errorf("values: %s: %w", name, experiment.NoMetric(m))
			}
		}
	}
	return r, nil
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
