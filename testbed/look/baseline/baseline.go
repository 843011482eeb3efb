// Package baseline compares the metrics of runs with those of a kept run folder, so that a change for the worse is
// seen.
package baseline

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// Baseline is a run folder that runs are held to.
type Baseline struct {
	folder   string
	manifest *result.Manifest
	// runs are its summaries, by variant and seed.
	runs map[runOf]*runfolder.Summary
}

// runOf identifies a run in the folder.
type runOf struct {
	variant string
	seed    uint64
}

// Open reads a run folder whole. The error names the files that are missing or were changed since its run.
func Open(folder string) (*Baseline, error) {
	opened, err := runfolder.Open(folder)
	if err == nil {
		err = opened.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	b := &Baseline{folder: folder, manifest: opened.Manifest, runs: map[runOf]*runfolder.Summary{}}
	for _, run := range opened.Runs() {
		summary, err := run.Summary()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		if !run.WasInterrupted() {
			b.runs[runOf{run.Variant, run.Seed}] = summary
		}
	}
	return b, nil
}

// Folder is where the baseline is.
func (b *Baseline) Folder() string { return b.folder }

// mayDiffer reports whether an override of the baseline may have another value now: the algorithms and their parameters
// are the subject of a baseline's judgement.
func mayDiffer(path string) bool {
	return path == "variants" || path == "seed" || slices.Contains(strings.Split(path, "."), "algorithm")
}

// Fits reports whether a scenario, with the values that flags change, is the baseline's. The error names the
// difference.
func (b *Baseline) Fits(name, digest string, overrides map[string]string) error {
	if digest != b.manifest.Digest {
		return fmt.Errorf("%s belongs to another scenario: its scenario.yaml, of %s, is not the text of %s. Only "+
			"algorithms and their parameters may differ, by --set and --algorithm", b.folder, b.manifest.Scenario, name)
	}
	both := maps.Clone(b.manifest.Overrides)
	if both == nil {
		both = map[string]string{}
	}
	maps.Copy(both, overrides)
	for _, key := range slices.Sorted(maps.Keys(both)) {
		was, had := b.manifest.Overrides[key]
		is, has := overrides[key]
		if (had != has || was != is) && !mayDiffer(key) {
			return fmt.Errorf("%s belongs to another scenario: %s is %s there and %s "+
				"here", b.folder, key, orUnchanged(was, had),
				orUnchanged(is, has))
		}
	}
	return nil
}

func orUnchanged(value string, changed bool) string {
	if !changed {
		return "as the file has it"
	}
	return value
}

// Judgement is the result of comparing runs with a baseline.
type Judgement struct {
	// Folder is the baseline's.
	Folder string
	// Metrics counts the comparisons: of each metric for each variant.
	Metrics int
	// Worse are the metrics that are worse than allowed.
	Worse []difference
	// Better counts the metrics that are better than before.
	Better int
	// Unknown are variants that the baseline has no run of with the same seeds.
	Unknown []string
}

// difference is a metric that is not what it was.
type difference struct {
	Variant string
	Metric  string
	// Was and Is are medians over the seeds that both have, NaN if nothing was measured.
	Was, Is float64
	// WasEdge and IsEdge say which edges of bins they are.
	WasEdge, IsEdge result.Edge
	// Allowed is the tolerance, a share of Was.
	Allowed float64
}

// Judge holds runs to the baseline.
func (b *Baseline) Judge(runs []*result.Summary, tolerances Tolerances) *Judgement {
	j := &Judgement{Folder: b.folder}
	var variants []string
	for _, run := range runs {
		if !slices.Contains(variants, run.Variant) {
			variants = append(variants, run.Variant)
		}
	}
	for _, variant := range variants {
		old := variant
		if len(variants) == 1 {
			old = b.only(variant)
		}
		pairs := b.pairs(variant, old, runs)
		if len(pairs) == 0 {
			j.Unknown = append(j.Unknown, variant)
			continue
		}
		for _, metric := range result.Metrics() {
			if allowed, held, named := tolerances.of(metric); held {
				j.judge(variant, pairs, metric, allowed, named)
			}
		}
	}
	return j
}

// only returns the baseline's variant if it has just one: --algorithm names variants by the algorithm, and a single one
// is compared with a single one. Else it is the variant of the same name.
func (b *Baseline) only(variant string) string {
	first := b.manifest.Runs[0].Variant
	for _, run := range b.manifest.Runs {
		if run.Variant != first {
			return variant
		}
	}
	return first
}

// pair is a run and the summary of the baseline's with the same seed.
type pair struct {
	run *result.Summary
	was *runfolder.Summary
}

// pairs are the runs of a variant that the baseline has runs for, of its variant old.
func (b *Baseline) pairs(variant, old string, runs []*result.Summary) (list []pair) {
	for _, run := range runs {
		if was := b.runs[runOf{old, run.Seed}]; run.Variant == variant && was != nil {
			list = append(list, pair{run, was})
		}
	}
	return list
}

// judge compares a metric of a variant. A metric that is no longer measured is worse if it was asked for by name:
// another algorithm may well have no feedback to measure.
func (j *Judgement) judge(variant string, pairs []pair, metric result.Metric, allowed float64, named bool) {
	var was, is []float64
	var wasEdge, isEdge result.Edge
	for _, pair := range pairs {
		wasEdge = max(wasEdge, metric.EdgeOf(pair.was.Value))
		isEdge = max(isEdge, metric.EdgeOf(pair.run.Value))
		value, known := pair.was.Value(metric.Name)
		if !known {
			return // of a program that did not know it yet
		}
		was, is = append(was, value), append(is, metric.Rounded(metric.Of(pair.run)))
	}
	d := difference{
		Variant: variant,
		Metric:  metric.Name,
		Was:     compare.Median(compare.Measured(was)),
		Is:      compare.Median(compare.Measured(is)),
		WasEdge: wasEdge,
		IsEdge:  isEdge,
		Allowed: allowed,
	}
	if math.IsNaN(d.Was) || math.IsNaN(d.Is) && !named {
		return
	}
	j.Metrics++
	switch gain := d.gain(metric.Better); {
	case math.IsNaN(gain):
		j.Worse = append(j.Worse, d)
	case gain < -allowed:
		j.Worse = append(j.Worse, d)
	case gain > 0:
		j.Better++
	}
}

// gain is by what share of before a metric is better than before, below 0 for worse.
func (d *difference) gain(better result.Direction) float64 {
	change := d.Is - d.Was
	if better == result.Lower {
		change = -change
	}
	if change == 0 {
		return 0
	}
	return change / math.Abs(d.Was)
}
