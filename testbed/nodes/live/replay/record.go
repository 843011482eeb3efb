package replay

import (
	"errors"
	"fmt"
	"os"

	"github.com/rocelab/rocelab/edge/journal"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Recording is the journals of a run that is to be recorded.
type Recording struct {
	// Journals are in the order of the plan's edges.
	Journals []Journal
}

// Journal is a file that the runner of an edge writes with journal.NewWriter.
type Journal struct {
	File   *os.File
	Header journal.Header
	// Limit is its longest length in bytes, 0 for none.
	Limit int64
}

// path is the place of an edge's journal in the folder of a run.
func path(edge string) string { return result.EdgesFolder + "/" + edge + ".journal" }

// Record begins the journals of the edges of p, run with a dilation, in a run's folder, in which handOver begins files:
// see experiment.Task. Limit is the maximum size of each. Without edges or a folder there are none. Close them.
func Record(p *plan.Plan, handOver func(name string) (*os.File, error), dilation int64,
	limit unit.Bytes) (*Recording, error) {
	r := &Recording{}
	if handOver == nil {
		return r, nil
	}
	digest := ""
	for _, i := range p.Edges() {
		if digest == "" {
			digest = p.Digest()
		}
		name := p.Devices[i].Name
		file, err := handOver(path(name))
		if err != nil {
			return nil, errors.Join(err, r.discard())
		}
		r.Journals = append(r.Journals, Journal{
			File:   file,
			Header: journal.Header{Edge: name, Dilation: dilation, Digest: digest, Seed: p.Seed},
			Limit:  int64(limit),
		})
	}
	return r, nil
}

// Close closes the files when all is written. The remarks say which of them cannot be
// replayed, and why.
func (r *Recording) Close() (remarks []string, err error) {
	for i := range r.Journals {
		j := &r.Journals[i]
		err = errors.Join(err, j.File.Sync(), j.File.Close())
		if remark := j.remark(); remark != "" {
			remarks = append(remarks, remark)
		}
	}
	return remarks, err
}

// remark returns the reason why a written journal cannot be replayed, "" if it can: it reads all of it, as a replay
// would.
func (j *Journal) remark() string {
	file, err := os.Open(j.File.Name())
	if err != nil {
		return fmt.Sprintf("the journal of edge %s cannot be read: %v", j.Header.Edge, err)
	}
	defer file.Close()
	r, err := journal.Open(file.Name(), file)
	switch {
	case err != nil:
		return fmt.Sprintf("the journal of edge %s is not whole, and the run cannot be replayed: %v", j.Header.Edge, err)
	case r.Header() != j.Header:
		return fmt.Sprintf("the journal of edge %s belongs to another run, which cannot be replayed: %+v",
			j.Header.Edge, r.Header())
	case r.Footer().Full:
		return fmt.Sprintf("the journal of edge %s is full at %v, and the run cannot be replayed: --journal gives it more",
			j.Header.Edge, unit.Bytes(j.Limit))
	}
	return ""
}

func (r *Recording) discard() (err error) {
	for i := range r.Journals {
		err = errors.Join(err, r.Journals[i].File.Close())
	}
	return err
}
