package divergence

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
)

// traceName is the file of a run's hashes.
const traceName = "trace.csv"

// Instants are the hashes of a run, as its trace.csv has them.
type Instants struct {
	// At are the instants in their order, End the last of them, at which the run ended.
	At  []unit.Time
	End unit.Time
	// Trace is the hash of the whole fabric at each instant.
	Trace map[unit.Time]uint64
	// Nodes are those of the fabric, in the order of the plan, and Last their hashes at the end.
	Nodes []string
	Last  map[string]uint64
}

// InstantsOf reads those of a run.
func InstantsOf(s *Side, run result.RunID) (*Instants, error) {
	name := filepath.Join(s.Path(run), traceName)
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has no %s: an older rocelab made it, which kept no hash but the last. Run its "+
			"resolved.yaml again", s.Title(run), traceName)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in, err := ReadInstants(file)
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", name, err)
	}
	return in, nil
}

// ReadInstants reads a trace.csv. The error names the line.
func ReadInstants(from io.Reader) (*Instants, error) {
	r := csv.NewReader(from)
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("its first line: %w", err)
	}
	place := map[string]int{}
	for i, name := range head {
		place[name] = i
	}
	for _, name := range []string{"time_us", "node", "hash"} {
		if _, ok := place[name]; !ok {
			return nil, fmt.Errorf("it has no column %s", name)
		}
	}
	in := &Instants{End: -1, Trace: map[unit.Time]uint64{}, Last: map[string]uint64{}}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err // it has the line
		}
		if err := in.add(row[place["time_us"]], row[place["node"]], row[place["hash"]]); err != nil {
			line, _ := r.FieldPos(0)
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	if len(in.At) == 0 {
		return nil, errors.New("it has no row of the whole fabric")
	}
	return in, nil
}

// add adds a row.
func (in *Instants) add(time, node, hash string) error {
	at, err := parseMicroseconds(time)
	if err != nil {
		return err
	}
	sum, err := strconv.ParseUint(hash, 16, 64)
	if err != nil {
		return fmt.Errorf("%q is no hash", hash)
	}
	if node != "" {
		if _, twice := in.Last[node]; twice {
			return fmt.Errorf("node %s is there twice", node)
		}
		in.Nodes, in.Last[node] = append(in.Nodes, node), sum
		return nil
	}
	if at <= in.End {
		return fmt.Errorf("instant %s is not after the one before", time)
	}
	in.At, in.End, in.Trace[at] = append(in.At, at), at, sum
	return nil
}

// parseMicroseconds reads what a column of times has: microseconds with up to six decimals.
func parseMicroseconds(text string) (unit.Time, error) {
	whole, decimals, _ := strings.Cut(text, ".")
	const digits, most = 6, 13
	isNumber := func(s string) bool { return strings.Trim(s, "0123456789") == "" }
	if whole == "" || len(whole) > most-1 || len(decimals) > digits || !isNumber(whole) || !isNumber(decimals) {
		return 0, fmt.Errorf("%q is no time in microseconds", text)
	}
	ps, err := strconv.ParseInt(whole+decimals+strings.Repeat("0", digits-len(decimals)), 10, 64)
	return unit.Time(ps), err
}

// Parting says where two runs part, as far as their hashes at instants tell.
type Parting struct {
	// Common is how many instants both have.
	Common int
	// Equal says that the runs are equal to their end. If not, they were equal in all that was before From, and
	// differ in what was before To: in the span [From, To).
	Equal    bool
	From, To unit.Time
	// Shorter says that no common instant differs, but one run ended at To and the other went on. If From is To
	// it did nothing else.
	Shorter bool
	// Nodes are those that differ at the end, where both ended at one instant.
	Nodes []string
}

// Part compares the instants that two runs have in common: a long run has them farther apart than a short one.
func Part(a, b *Instants) *Parting {
	p := &Parting{}
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
