package exposition

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"

	"github.com/rocelab/rocelab/emulator/result"
)

// OfEnded reads the runs of a run folder that is whole. The error says why it is none.
func OfEnded(name string, folder fs.FS) ([]Run, error) {
	folder = guarded{folder}
	manifest, err := result.ReadManifest(folder)
	if err != nil {
		return nil, err
	}
	host, err := result.ReadHost(folder)
	if err != nil {
		return nil, err
	}
	var runs []Run
	for i, id := range manifest.Runs {
		run := Run{
			Folder:   name,
			Scenario: manifest.Scenario,
			Verdict:  id.Verdict,
			Readings: map[string]float64{ended: 1},
		}
		if i < len(host.Runs) && host.Runs[i].Folder == id.Folder {
			its := &host.Runs[i]
			run.Runner, run.Verdict = its.Runner, its.Verdict
			run.Readings[wall] = its.WallSeconds * 1000
		}
		if err := run.read(folder, id.Folder); err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// read adds what the files of a run say that has ended.
func (r *Run) read(folder fs.FS, sub string) error {
	name := path.Join(sub, "summary.json")
	text, err := fs.ReadFile(folder, name)
	if err != nil {
		return err
	}
	var summary struct {
		Variant   string              `json:"variant"`
		Algorithm string              `json:"algorithm"`
		Seed      uint64              `json:"seed"`
		Metrics   map[string]*float64 `json:"metrics"`
	}
	if err := json.Unmarshal(text, &summary); err != nil {
		return fmt.Errorf("%s is damaged: %w", name, err)
	}
	r.Variant, r.Algorithm, r.Seed = summary.Variant, summary.Algorithm, strconv.FormatUint(summary.Seed, 10)
	for _, metric := range result.MetricNames() {
		if value := summary.Metrics[metric]; value != nil {
			r.Readings[metric] = *value
		}
	}
	if err := r.readFlows(folder, path.Join(sub, "flows.csv")); err != nil {
		return err
	}
	return r.readEnd(folder, path.Join(sub, "trace.csv"))
}

// flowColumns are summed over the flows.
var flowColumns = []string{"acked_bytes", delivered, "rp_cnp_handled", "np_ecn_marked_roce_packets", outOfSequence,
	reordered, "duplicate_packets", "naks_received"}

// readFlows sums what flows.csv counts of each flow. Packets that an out-of-order receiver kept
// arrived out of sequence, as those did that another threw away.
func (r *Run) readFlows(folder fs.FS, name string) error {
	sums := map[string]float64{}
	err := rows(folder, name, flowColumns, func(cells []string) error {
		for i, column := range flowColumns {
			if cells[i] == "" {
				continue
			}
			value, err := strconv.ParseFloat(cells[i], 64)
			if err != nil {
				return err
			}
			sums[column] += value
		}
		return nil
	})
	if kept, is := sums[reordered]; is {
		sums[outOfSequence] += kept
		delete(sums, reordered)
	}
	for column, sum := range sums {
		r.Readings[column] = sum
	}
	return err
}

// readEnd reads when the run ended: the last instant of the whole fabric.
func (r *Run) readEnd(folder fs.FS, name string) error {
	return rows(folder, name, []string{"time_us", "node"}, func(cells []string) error {
		if cells[1] != "" {
			return nil
		}
		at, err := strconv.ParseFloat(cells[0], 64)
		r.Readings[modelTime] = at
		return err
	})
}

// rows calls each with the cells of columns of every row, "" where the file lacks one. A file
// that is not there has no rows.
func rows(folder fs.FS, name string, columns []string, each func(cells []string) error) error {
	file, err := folder.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	in := csv.NewReader(file)
	in.ReuseRecord = true
	header, err := in.Read()
	at := make([]int, len(columns))
	for i, column := range columns {
		at[i] = -1
		for j, name := range header {
			if name == column {
				at[i] = j
			}
		}
	}
	cells := make([]string, len(columns))
	for err == nil {
		var row []string
		if row, err = in.Read(); err != nil {
			break
		}
		for i, j := range at {
			if cells[i] = ""; j >= 0 {
				cells[i] = row[j]
			}
		}
		err = each(cells)
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("%s is damaged: %w", name, err)
}

// largest is the size of a file that is read: a folder may come from anywhere.
const largest = 256 << 20

// guarded has files open that are files, of a size to be read.
type guarded struct{ fs.FS }

func (g guarded) Open(name string) (fs.File, error) {
	info, err := fs.Stat(g.FS, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is a folder, a pipe or a device; expected a file", name)
	}
	if info.Size() > largest {
		return nil, fmt.Errorf("%s has %d B; read are up to %d", name, info.Size(), largest)
	}
	return g.FS.Open(name)
}
