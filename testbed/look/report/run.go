package report

import (
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// run is one run of a folder.
type run struct {
	folder  *Folder
	id      result.RunID
	summary *runfolder.Summary
	// host is the run's part of host.json.
	host result.HostRun
	// series are the files of series that were read and are kept.
	series map[string]*seriesFile
}

// widthOf returns the width of the bins in a file of series in picoseconds, 0 if it is unknown.
func widthOf(r *runfolder.Recording, file string) int64 {
	if r == nil {
		return 0
	}
	width, ok := r.WidthsUS[file]
	if !ok {
		width = r.WidthUS
	}
	if !(width > 0 && width < widestBin) {
		return 0
	}
	return max(1, unit.Whole[int64](math.Round(width*1e6)))
}

// file is a file's name in the folder.
func (r *run) file(name string) string { return path.Join(r.id.Folder, name) }

// key is a file's name on the page.
func (r *run) key(name string) string { return path.Join(r.folder.prefix, r.file(name)) }

// metric returns a metric as in summary.json, "" if it was not measured.
func (r *run) metric(name string) string {
	return r.summary.Text(name)
}

// metricKey is where a metric is.
func (r *run) metricKey(name string) string { return r.key("summary.json") + "#metrics/" + name }

// edge is which edge of a bin a metric is.
func (r *run) edge(m result.Metric) result.Edge { return m.EdgeOf(r.value) }

// value is a metric as a number.
func (r *run) value(name string) (float64, bool) {
	value, _ := r.summary.Value(name)
	return value, !math.IsNaN(value)
}

// variant is a set of runs that differ only in their seeds. A variant has one colour on the whole page.
type variant struct {
	label string
	// hue is the number of its colour, from 0.
	hue  int
	runs []*run
}

// variantsOf sorts the runs of folders by variant, in their order.
func variantsOf(folders []*Folder) []*variant {
	var list []*variant
	owner := map[string]*Folder{}
	shared := false
	for _, f := range folders {
		for _, r := range f.runs {
			if first := owner[r.summary.Variant]; first != nil && first != f {
				shared = true
			}
			if owner[r.summary.Variant] == nil {
				owner[r.summary.Variant] = f
			}
		}
	}
	shared = shared || !sameScenario(folders)
	index := map[string]*variant{}
	for _, f := range folders {
		for _, r := range f.runs {
			label := r.summary.Variant
			if shared {
				label = f.Name + "/" + label
			}
			v := index[label]
			if v == nil {
				v = &variant{label: label, hue: len(list)}
				index[label] = v
				list = append(list, v)
			}
			v.runs = append(v.runs, r)
		}
	}
	return list
}

// countRuns counts the runs of all variants.
func countRuns(variants []*variant) (count int) {
	for _, v := range variants {
		count += len(v.runs)
	}
	return count
}

// sameScenario reports whether all folders are of one scenario, whose variants and
// overrides may differ.
func sameScenario(folders []*Folder) bool {
	for _, f := range folders[1:] {
		if f.manifest.Digest != folders[0].manifest.Digest {
			return false
		}
	}
	return true
}

// name is the variant's, and of several seeds the seed's.
func (v *variant) name(r *run) string {
	if len(v.runs) == 1 {
		return v.label
	}
	return v.label + " seed " + strconv.FormatUint(r.summary.Seed, 10)
}

// scenarios are the names of the folders' scenarios, each once.
func scenarios(folders []*Folder) string {
	var names []string
	seen := map[string]bool{}
	for _, f := range folders {
		if !seen[f.manifest.Scenario] {
			seen[f.manifest.Scenario] = true
			names = append(names, f.manifest.Scenario)
		}
	}
	return strings.Join(names, ", ")
}
