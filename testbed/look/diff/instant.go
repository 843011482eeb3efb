package diff

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// traceName is the file of a run's hashes.
const traceName = "trace.csv"

// instants are the hashes of a run, as its trace.csv has them.
type instants struct {
	// At are the instants in their order, End the last of them, the end of the run.
	At  []unit.Time
	End unit.Time
	// Trace is the hash of the whole fabric at each instant.
	Trace map[unit.Time]uint64
	// Nodes are the nodes of the fabric, in the order of the plan, and Last their hashes at the end.
	Nodes []string
	Last  map[string]uint64
}

// instantsOf reads the instants of a run.
func instantsOf(s *Side, run result.RunID) (*instants, error) {
	in := newInstants()
	err := s.run(run).Each(traceName, traceColumns, in.add)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has no %s: an older rocelab made it, which kept no hash but the last. Run its "+
			"resolved.yaml again", s.Title(run), traceName)
	}
	if err = errors.Join(err, in.check()); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Title(run), err)
	}
	return in, nil
}

// traceColumns are the columns of trace.csv.
var traceColumns = []string{"time_us", "node", "hash"}

func newInstants() *instants {
	return &instants{End: -1, Trace: map[unit.Time]uint64{}, Last: map[string]uint64{}}
}

// check reports whether there is an instant.
func (in *instants) check() error {
	if len(in.At) == 0 {
		return &runfolder.Damaged{File: traceName, Err: errors.New("it has no row of the whole fabric")}
	}
	return nil
}

// run returns a run with its files.
func (s *Side) run(run result.RunID) *runfolder.Run {
	return runfolder.RunIn(runfolder.Dir(s.Path(run)), ".")
}

// summary reads a run's summary. The error names the run.
func (s *Side) summary(run result.RunID) (*runfolder.Summary, error) {
	summary, err := s.run(run).Summary()
	if err != nil {
		err = fmt.Errorf("%s: %w", s.Title(run), err)
	}
	return summary, err
}

// add adds a row.
func (in *instants) add(row runfolder.Row) error {
	at := row.Time("time_us")
	hash, err := strconv.ParseUint(row.Text("hash"), 16, 64)
	if err != nil {
		return row.Damage("hash", fmt.Errorf("%q is not a hash", row.Text("hash")))
	}
	if node := strings.Clone(row.Text("node")); node != "" {
		if _, twice := in.Last[node]; twice {
			return row.Damage("node", fmt.Errorf("node %s is there twice", node))
		}
		in.Nodes, in.Last[node] = append(in.Nodes, node), hash
		return nil
	}
	if at <= in.End || at == unit.Never {
		return row.Damage("time_us", fmt.Errorf("instant %q is not after the one before", row.Text("time_us")))
	}
	in.At, in.End, in.Trace[at] = append(in.At, at), at, hash
	return nil
}

// parting is the place where two runs part, as far as their hashes at instants show it.
type parting struct {
	// Common is the number of instants that both have.
	Common int
	// Equal is set if the runs are equal to their end. If not, they were equal before From, and differ before To: in
	// the span [From, To).
	Equal    bool
	From, To unit.Time
	// Shorter is set if no common instant differs, but one run ended at To and the other went on. If From is To it did
	// nothing else.
	Shorter bool
	// Nodes are the nodes that differ at the end, if both ended at one instant.
	Nodes []string
}

// part compares the instants that two runs have in common: a long run has them at larger intervals than a short one.
func part(a, b *instants) *parting {
	p := &parting{}
	found := false
	for _, at := range a.At {
		hash, both := b.Trace[at]
		if !both {
			continue
		}
		p.Common++
		if hash != a.Trace[at] {
			p.To, found = at, true
			break
		}
		p.From = at
	}
	switch end := min(a.End, b.End); {
	case found:
	case a.End == b.End:
		p.Equal = true
		return p
	default:
		p.Shorter, p.To = true, end
	}
	if a.End == b.End {
		for _, node := range a.Nodes {
			if hash, both := b.Last[node]; !both || hash != a.Last[node] {
				p.Nodes = append(p.Nodes, node)
			}
		}
		for _, node := range b.Nodes {
			if _, both := a.Last[node]; !both {
				p.Nodes = append(p.Nodes, node)
			}
		}
	}
	return p
}
