package sweep

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// Plan is the runs of a sweep in their order.
type Plan struct {
	// Keys are the paths that the sweep changes, in their written order.
	Keys []string
	Runs []Run
}

// Run is a run of a plan: a line of plan.jsonl.
type Run struct {
	// Index is the run's place in the plan, from 0.
	Index int         `json:"index"`
	ID    campaign.ID `json:"id"`
	// Keys are the values of the sweep's keys, by path.
	Keys map[string]string `json:"keys"`
	// Variant is "" in a scenario without variants.
	Variant string `json:"variant"`
	Seed    uint64 `json:"seed"`
}

// Name is the run in words: its variant, keys and seed.
func (r *Run) Name() string {
	seed := fmt.Sprintf("seed %d", r.Seed)
	if all := r.combination(); all != "" {
		return all + ", " + seed
	}
	return seed
}

// combination is the run's variant and keys.
func (r *Run) combination() string {
	var parts []string
	if r.Variant != "" {
		parts = append(parts, r.Variant)
	}
	for _, path := range slices.Sorted(maps.Keys(r.Keys)) {
		parts = append(parts, path+"="+r.Keys[path])
	}
	return strings.Join(parts, ", ")
}

// settings are the run's values in the order in which they apply: a part's setting after the whole's.
func (r *Run) settings() (list []scenario.Setting) {
	for path, text := range r.Keys {
		list = append(list, scenario.Setting{Path: path, Text: text})
	}
	return inOrder(list)
}

// inOrder sorts settings so that short paths come before long ones.
func inOrder(list []scenario.Setting) []scenario.Setting {
	slices.SortFunc(list, func(a, b scenario.Setting) int {
		if d := strings.Count(a.Path, ".") - strings.Count(b.Path, "."); d != 0 {
			return d
		}
		return strings.Compare(a.Path, b.Path)
	})
	return list
}

// Write writes a plan as plan.jsonl: a line a run.
func (p *Plan) Write(to io.Writer) error {
	buffered := bufio.NewWriter(to)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	for i := range p.Runs {
		if err := encoder.Encode(&p.Runs[i]); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// readPlan reads what Write has written. The plan's keys are in alphabetical order.
func readPlan(text []byte) (*Plan, error) {
	p := &Plan{}
	for len(text) > 0 {
		line, rest, ended := bytes.Cut(text, []byte("\n"))
		text = rest
		at := len(p.Runs)
		var run Run
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		err := decoder.Decode(&run)
		switch {
		case err == nil && !ended:
			err = errors.New("the line has no end")
		case err == nil && run.Index != at:
			err = fmt.Errorf("it has run %d in the place of run %d", run.Index, at)
		case err == nil:
			err = run.ID.Check()
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", at+1, err)
		}
		p.Runs = append(p.Runs, run)
	}
	if len(p.Runs) == 0 {
		return nil, errors.New("it has no runs")
	}
	p.Keys = slices.Sorted(maps.Keys(p.Runs[0].Keys))
	return p, nil
}
