package diff

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
)

// First returns the first pair of runs whose point of parting is known, nil if there is none.
func (r *Report) First() *PairReport {
	for i := range r.Variants {
		for j := range r.Variants[i].Pairs {
			if p := &r.Variants[i].Pairs[j]; p.Parting != nil && !p.Parting.Equal {
				return p
			}
		}
	}
	return nil
}

// AtOnce returns the reason why a search for the first frame of two runs is pointless, "" if it is not.
func AtOnce(p *PairReport) string {
	if p.A.Seed != p.B.Seed {
		return fmt.Sprintf("A has seed %d and B seed %d, so they differ from the first frames on: nothing is searched",
			p.A.Seed, p.B.Seed)
	}
	return ""
}

// otherWork returns the reason why the frames of two plans cannot be compared, another fabric or other traffic; "" if
// they can.
func otherWork(a, b *plan.Plan) string {
	switch {
	case !slices.Equal(nodesOf(a), nodesOf(b)) || len(a.Links) != len(b.Links):
		return "the two have different fabrics, so they differ from the first frames on: nothing is searched"
	case trafficOf(a) != trafficOf(b):
		return "the two have different traffic, so they differ from the first frames on: nothing is searched"
	}
	return ""
}

// nodesOf are the names of a plan's nodes.
func nodesOf(p *plan.Plan) (names []string) {
	for n := range p.EachNode {
		names = append(names, n.Name)
	}
	return names
}

// trafficOf returns the traffic of a plan's flows, as a text: not their control or their paths.
func trafficOf(p *plan.Plan) string {
	flows := slices.Clone(p.Flows)
	for i := range flows {
		flows[i].Algorithm, flows[i].Path, flows[i].Back = nil, nil, nil
	}
	text, err := json.Marshal(flows)
	if err != nil { // plans are plain data
		panic(fmt.Sprintf("divergence: flows of a plan: %v", err))
	}
	return string(text)
}

// Order ranks the nodes of a plan by their numbers, by name.
func Order(p *plan.Plan) map[string]int {
	order := map[string]int{}
	for n := range p.EachNode {
		order[n.Name] = int(n.ID)
	}
	return order
}

// Found reports the result of a search for a pair: the first frame, if both repeated runs equal their folders.
func (r *Report) Found(p *PairReport, first *First, halves [2]*Half) (*Outcome, error) {
	o := &Outcome{}
	for i, side := range []*Side{r.A, r.B} {
		run := p.A
		if i == 1 {
			run = p.B
		}
		was, err := instantsOf(side, run)
		if err != nil {
			return nil, err
		}
		at, unlike := was.unlike(halves[i].Instants, p.Parting.To)
		if !unlike {
			continue
		}
		text := fmt.Sprintf("%s: made again here it has another trace than was recorded, at %v for the first time",
			side.Title(run), at)
		switch {
		case halves[i].Models != side.Manifest.Models:
			text += fmt.Sprintf(": it was made by models of version %d, and these are of version %d%s. --with takes the "+
				"program that made it, %s", side.Manifest.Models, halves[i].Models, since(side.Manifest.Models), buildOf(side))
		case halves[i].Build.ID != side.Manifest.Build.ID:
			text += ": another build made it. --with takes that program, " + buildOf(side)
		case side.Runner(run) != "" && side.Runner(run) != "mem":
			text += fmt.Sprintf(", though scenario, seed and build are the same: it ran on %s, and the events "+
				"there differ from the models", side.Runner(run))
		default:
			text += ", though scenario, seed and build are the same"
		}
		o.Unlike = append(o.Unlike, Unlike{Side: side, Run: run, Text: text})
	}
	switch {
	case len(o.Unlike) > 0:
		o.Reason = "so the first frame cannot be found by making the runs again"
	case first == nil:
		o.Reason = fmt.Sprintf("no frame differs before %v: the difference is not in frames, but for example in "+
			"input at an edge",
			p.Parting.To)
		if p.Parting.Shorter {
			o.Reason = fmt.Sprintf("no frame differs before %v, when one of them ended", p.Parting.To)
		}
	default:
		o.First = first
	}
	return o, nil
}

// since has the rules of models that changed after a version, as far as they are known here.
func since(version int) (text string) {
	for next := version + 1; model.Rule(next) != ""; next++ {
		text += fmt.Sprintf("; version %d: %s", next, strings.TrimSuffix(model.Rule(next), "."))
	}
	return text
}

// buildOf names the build of a side's program.
func buildOf(s *Side) string {
	return fmt.Sprintf("%s, build %s", s.Manifest.Build.Version, s.Manifest.Build.ID)
}

// unlike returns the first instant up to a time at which a repeated run has another hash. Instants without a hash are
// not compared, nor are times after its end.
func (in *instants) unlike(again map[unit.Time]uint64, upTo unit.Time) (at unit.Time, unlike bool) {
	for _, at := range in.At {
		if at > upTo {
			break
		}
		if hash, known := again[at]; known && hash != in.Trace[at] {
			return at, true
		}
	}
	return 0, false
}
