package diff

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/testbed/look/rerun"
)

// setting is a key with different values on the two sides, "" for a side without it.
type setting struct {
	Key string `json:"key"`
	A   string `json:"a"`
	B   string `json:"b"`
}

// inputs are the differences of what decides two runs.
type inputs struct {
	// Settings are the keys of the scenarios, with flags and variants, and Flags what flags changed of the
	// scenario's file.
	Settings []setting `json:"settings"`
	Flags    []setting `json:"flags"`
	// Causes are differences of builds, models, seeds, algorithms and their parameters, in words: the state of B, and
	// the state of A.
	Causes []string `json:"causes"`
}

// inputsOf compares what decided the runs of pairs of one variant. The error is that of a scenario that cannot be read.
func inputsOf(a, b *Side, pairs []Pair) (*inputs, error) {
	in := &inputs{Flags: differ(a.Manifest.Overrides, b.Manifest.Overrides)}
	for _, cause := range rerun.Causes(a.Manifest, b.Manifest) {
		if !strings.HasPrefix(cause, "scenario: ") || len(pairs) == 0 { // its keys say more than its digest
			in.Causes = append(in.Causes, cause)
		}
	}
	for _, pair := range pairs {
		for _, cause := range rerun.CausesOfRun(pair.A, pair.B) {
			if !slices.Contains(in.Causes, cause) {
				in.Causes = append(in.Causes, cause)
			}
		}
	}
	if len(pairs) == 0 {
		return in, nil
	}
	was, err := valuesOf(a, pairs[0].A.Variant)
	if err != nil {
		return nil, err
	}
	is, err := valuesOf(b, pairs[0].B.Variant)
	if err != nil {
		return nil, err
	}
	in.Settings = differ(was, is)
	return in, nil
}

// valuesOf returns the keys of a side's scenario for a variant. The seed is reported for each run.
func valuesOf(s *Side, variant string) (map[string]string, error) {
	list, err := scenario.Values("resolved.yaml", s.Resolved, variant)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Origin, err)
	}
	values := map[string]string{}
	for _, v := range list {
		if v.Path != "seed" {
			values[v.Path] = v.Text
		}
	}
	return values, nil
}

// differ lists the keys whose values differ.
func differ(a, b map[string]string) (list []setting) {
	both := maps.Clone(a)
	if both == nil {
		both = map[string]string{}
	}
	maps.Copy(both, b)
	for _, key := range slices.Sorted(maps.Keys(both)) {
		was, had := a[key]
		is, has := b[key]
		if had != has || was != is {
			list = append(list, setting{key, was, is})
		}
	}
	return list
}
