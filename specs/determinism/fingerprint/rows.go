package fingerprint

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// scenarios is where they are, from here.
const scenarios = "../../scenarios"

// seeds are the seeds of each line, in this order.
var seeds = []string{"1", "2", "3"}

// reductions bring scenarios to a size that is quick, by what --set takes. The
// others are quick as they are.
var reductions = map[string][]string{
	"allreduce.yaml":        {"traffic.size=2MB", "traffic.iterations=2"},
	"burst-64.yaml":         {"traffic.size=200KB"},
	"clock-noise.yaml":      {"traffic.size=1MB"},
	"fairness.yaml":         {"traffic.spacing=1ms", "traffic.duration=5ms", "run.until=9100us"},
	"incast.yaml":           {"traffic.size=1MB"},
	"loss.yaml":             {"traffic.size=20MB"},
	"pc4-testbed.yaml":      {"traffic.permutation.size=50KB", "traffic.hot.events=2"},
	"permutation-1024.yaml": {"topology.hosts=128", "traffic.size=200KB"},
	"pfc-storm.yaml":        {"traffic.size=2MB"},
	"rail.yaml":             {"traffic.size=500KB"},
	"rtt-fairness.yaml":     {"run.until=5ms"},
	"thesis-320.yaml":       {"traffic.until=400us"},
	"thesis-incast.yaml":    {"traffic.large.size=10MB", "traffic.middle.size=8MB", "traffic.small.size=1MB"},
	"two-dc.yaml":           {"traffic.size=8MB", "traffic.iterations=2", "traffic.compute=1ms"},
	"two-dc-balanced.yaml":  {"traffic.size=8MB", "traffic.iterations=2", "traffic.compute=1ms"},
	"wan-120km.yaml":        {"traffic.size=20MB"},
}

// row is a line: a scenario as it is written, by the names of its variants, or
// with one algorithm for all traffic in place of its variants.
type row struct {
	file, variant, algorithm string
	sets                     []string
	// reduced reports whether it is quick, by its sets or as it is.
	reduced bool
}

// rows are all lines.
func rows() (all []row, err error) {
	paths, err := filepath.Glob(scenarios + "/*.yaml")
	for _, path := range paths {
		if strings.HasSuffix(path, ".reference.yaml") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		r := row{file: filepath.Base(path)}
		sets := reductions[r.file]
		if r.reduced = len(sets) == 0; !r.reduced {
			all = append(all, r.each(text)...)
		}
		r.sets, r.reduced = sets, true
		all = append(all, r.each(text)...)
	}
	return all, err
}

// each is a row for each variant of the scenario and for each shipped algorithm.
func (r row) each(text []byte) (all []row) {
	variants := scenario.VariantNames(text)
	if len(variants) == 0 {
		variants = []string{""}
	}
	for _, r.variant = range variants {
		all = append(all, r)
	}
	r.variant = ""
	for _, a := range shipped.All() {
		r.algorithm = a.Describe().Name
		all = append(all, r)
	}
	return all
}

// String returns the arguments of `rocelab run specs/scenarios/`.
func (r row) String() string {
	words := []string{r.file}
	for _, set := range r.sets {
		words = append(words, "--set "+set)
	}
	if r.variant != "" {
		words = append(words, "--variant "+r.variant)
	}
	if r.algorithm != "" {
		words = append(words, "--algorithm "+r.algorithm)
	}
	return strings.Join(words, " ")
}

// run is the row's run with the seed of that place; stored are its traces.
func (r row) run(place int, stored []string) Run {
	flags := []string{"--seed", seeds[place]}
	for _, set := range r.sets {
		flags = append(flags, "--set", set)
	}
	if r.variant != "" {
		flags = append(flags, "--variant", r.variant)
	}
	if r.algorithm != "" {
		flags = append(flags, "--algorithm", r.algorithm)
	}
	return Run{Scenario: "specs/scenarios/" + r.file, Flags: flags, Stored: stored[place]}
}

// trace runs a row with a seed.
func (r row) trace(ctx context.Context, seed string) (string, error) {
	pairs := map[string]string{"seed": seed}
	for _, set := range r.sets {
		key, value, _ := strings.Cut(set, "=")
		pairs[key] = value
	}
	if r.algorithm != "" {
		pairs["variants"] = fmt.Sprintf("[{name: %s, algorithm: %[1]s}]", r.algorithm)
	}
	s, err := scenario.Load(filepath.Join(scenarios, r.file), model.Checker(shipped.Find), scenario.WithOverrides(pairs),
		scenario.WithSignals(model.SignalsOf(shipped.Find)))
	if err != nil {
		return "", err
	}
	plans, err := s.Plans()
	if err != nil {
		return "", err
	}
	for _, p := range plans {
		if r.variant != "" && p.Name != r.variant {
			continue
		}
		out, err := mem.Run(ctx, p, mem.Options{Workers: 1, Algorithms: shipped.Find})
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%016x", out.Trace), nil
	}
	return "", fmt.Errorf("%s has no variant %s", r.file, r.variant)
}
