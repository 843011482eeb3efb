package scenario

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/internal/textfile"
)

// Scenario is a file that was read and found right.
type Scenario struct {
	// Name is the file's name key, or its file name without extension.
	Name string
	// File is the path given to Load, or the name given to Parse.
	File string
	// Source is the text, without a byte order mark before it, Digest the SHA-256 of it
	// in hex.
	Source []byte
	Digest string
	// Seed is that of the first plan.
	Seed uint64

	check CheckAlgorithm
	opts  options
	// first are the plans that Parse made to check the file, until Plans returns them.
	first atomic.Pointer[[]*plan.Plan]
}

// CheckAlgorithm checks an algorithm's name and the parameters given to it. An
// error that is, or wraps, a *ParamProblem is placed at that parameter, any other
// at the name. Where it is nil, every algorithm is accepted.
type CheckAlgorithm func(name string, params map[string]string) error

// Option changes how a scenario is read.
type Option func(*options)

type options struct {
	overrides map[string]string
	// metrics are those that checks may name, nil for all; jobMetrics those that a job has, too.
	metrics, jobMetrics []string
	check               CheckAlgorithm
	signals             func(*plan.Algorithm) Signals
	// variants are those to read, all if empty.
	variants []string
	// maxFlows and maxHosts bound a plan.
	maxFlows int64
	maxHosts int
}

// Limits of a plan: what one machine holds in memory.
const (
	maxFlows    = 1 << 20
	maxHosts    = 64 << 10
	maxLinks    = 256 << 10
	maxRoutes   = 512 << 20
	maxVariants = 64
	// messagesPerFlow is how many messages that wait for others a plan may have
	// for each flow that it may have: a ring of 1024 ranks needs two.
	messagesPerFlow = 4
)

// WithOverrides lays values over the file before it is read: "seed" to "3",
// "switch.ecn.kmin" to "100KB". A path is keys joined by dots; in a list, a
// step that is an item's name or its number from 0 means that item, any other
// step all items, so that "traffic.size" changes every entry's. They hold for
// every variant, over what it says. "algorithm" holds for all traffic.
func WithOverrides(pairs map[string]string) Option {
	return func(o *options) { o.overrides = pairs }
}

// WithVariants reads only the variants of these names, so that a problem of another one, beyond its name
// and its keys, is not found. All are read if there are no names, or if the scenario lacks one of them.
func WithVariants(names []string) Option {
	return func(o *options) { o.variants = names }
}

// WithMetrics refuses checks of metrics that are not among names; of several jobs each has ofJobs, too, as JOB.NAME.
func WithMetrics(names []string, ofJobs ...string) Option {
	return func(o *options) { o.metrics, o.jobMetrics = names, ofJobs }
}

// Load reads and checks the scenario in the file at path. An error is an
// Errors with all problems found, or the error of reading the file.
func Load(path string, check CheckAlgorithm, opts ...Option) (*Scenario, error) {
	src, err := textfile.Read(context.Background(), path, MaxSource)
	if err != nil {
		return nil, fmt.Errorf("read scenario: %w", err)
	}
	return Parse(path, src, check, opts...)
}

// Parse reads and checks the scenario in src; name is the file's for messages.
// An error is an Errors with all problems found.
func Parse(name string, src []byte, check CheckAlgorithm, opts ...Option) (*Scenario, error) {
	if text, err := textfile.UTF8(src); err == nil {
		src = text // and if not, parseTree says so
	}
	sum := sha256.Sum256(src)
	scenario := &Scenario{
		File:   name,
		Source: src,
		Digest: hex.EncodeToString(sum[:]),
		check:  check,
		opts:   options{maxFlows: maxFlows, maxHosts: maxHosts},
	}
	for _, o := range opts {
		o(&scenario.opts)
	}
	scenario.opts.check = check
	plans, err := scenario.Plans()
	if err != nil {
		return nil, err
	}
	scenario.Seed = plans[0].Seed
	scenario.first.Store(&plans)
	return scenario, nil
}

// Plans returns a plan for each variant that is read (see WithVariants), named after it, in the order of the
// file; one, named after the scenario, if it has no variants. The plans are
// made anew at each call and belong to the caller.
func (s *Scenario) Plans() ([]*plan.Plan, error) {
	if plans := s.first.Swap(nil); plans != nil {
		return *plans, nil
	}
	r := &reader{problems: newProblems(), options: s.opts}
	var plans []*plan.Plan
	if root := parseTree(s.File, s.Source, r.problems); root != nil {
		plans = s.plans(r, root)
	}
	if err := r.err(s.File); err != nil {
		return nil, err
	}
	return plans, nil
}

func (s *Scenario) plans(r *reader, root *node) []*plan.Plan {
	if root.Kind != document.Mapping {
		r.add(root.At, "a scenario is a mapping with keys such as topology and traffic, not %s",
			document.KindNames[root.Kind])
		return nil
	}
	base := applyVariant(root, &node{Kind: document.Mapping})
	applyOverrides(root, r.overrides, r.problems)
	s.Name = fileName(s.File)
	if n := root.Child("name"); n != nil && n.Kind == document.Scalar {
		s.Name = n.Text
	}
	list := root.Child("variants")
	if list == nil {
		return []*plan.Plan{build(r, root, s.Name)}
	}
	if list.Kind != document.Sequence || len(list.Items) == 0 || len(list.Items) > maxVariants {
		r.add(list.At, "variants must be a list of 1 to %d mappings, each with a name", maxVariants)
		return nil
	}
	// A key that all variants replace is read nowhere else.
	rootKeys.read(&reader{problems: r.problems, options: r.options, base: true}, base, newDraft(base))
	var plans []*plan.Plan
	seen, wanted := map[string]int{}, chosen(r.variants, namesIn(list))
	r.among = len(list.Items)
	if len(r.variants) > 0 {
		r.among = min(r.among, len(r.variants))
	}
	for _, v := range list.Items {
		name, ok := variantName(r, v, list, seen)
		if ok && wanted(name) {
			tree := applyVariant(root, v)
			applyOverrides(tree, r.overrides, r.problems)
			plans = append(plans, build(r, tree, name))
		}
		r.variant = ""
	}
	return plans
}

// chosen returns whether a variant is to be read, of those that a scenario has.
func chosen(names, has []string) func(name string) bool {
	lacking := func(name string) bool { return !slices.Contains(has, name) }
	if len(names) == 0 || slices.ContainsFunc(names, lacking) {
		return func(string) bool { return true }
	}
	return func(name string) bool { return slices.Contains(names, name) }
}

func variantName(r *reader, variant, list *node, seen map[string]int) (string, bool) {
	if variant.Kind != document.Mapping || variant.Child("name") == nil {
		r.add(variant.At, "a variant is a mapping with a name and keys of the scenario")
		return "", false
	}
	name, ok := r.name(variant.Child("name"), "name")
	if line, twice := seen[name]; ok && twice {
		r.add(variant.Where("name"), "variant %q is written twice: line %d has it already", name, line)
		return "", false
	}
	seen[name] = variant.Where("name").Line
	r.variant = name
	for _, e := range variant.Entries {
		if e.Key == "variants" {
			r.add(e.At, "a variant has no variants of its own")
			ok = false
		} else if rootKeys.field(e.Key) == nil {
			if strings.HasPrefix(e.At.File, "--set variants.") {
				r.add(e.At, "%s", unknown("variant", e.Key, namesIn(list)))
			} else {
				r.add(e.At, "%s", unknown("key of variant", e.Key, rootKeys.keys("")))
			}
			ok = false
		}
	}
	return name, ok
}

// namesIn are the names of a list's items.
func namesIn(list *node) (names []string) {
	for _, item := range list.Items {
		if name := itemName(item); name != nil {
			names = append(names, name.Text)
		}
	}
	return names
}

func fileName(path string) string {
	base := strings.Trim(filepath.Base(path), "<>") // stdin is no file, and called <stdin>
	return terminal.Line(strings.TrimSuffix(base, filepath.Ext(base)))
}
