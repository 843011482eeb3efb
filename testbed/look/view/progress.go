package view

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/progressfile"
)

// progress is the progress of a folder's runs.
type progress struct {
	// Share is the part of all runs that is done. Range: 0 to 1.
	Share float64
	// Left is the remaining time at the pace so far, 0 if that is not known: a run that has not begun is taken to be as
	// long as the one in progress.
	Left time.Duration
	// Ended of Runs have ended; now is the last line of the run under way.
	Ended, Runs int
	// Variants are the variants that have begun, in their order.
	Variants []string
	now      progressfile.Line
}

// progressOf reads the progress of a folder's runs, nil if there is none. Unreadable files are left out: the page of
// the run reports the fault.
func progressOf(files inside) *progress {
	// What a link leads to is not read.
	info, err := files.root.Lstat(files.below + "/" + progressfile.File)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := fs.FS(files).Open(progressfile.File)
	if err != nil {
		return nil
	}
	defer file.Close()
	lines, _ := progressfile.ReadFrom(file)
	return progressIn(lines)
}

// progressIn returns the progress in a folder's lines, nil for none.
func progressIn(lines []progressfile.Line) *progress {
	if len(lines) == 0 {
		return nil
	}
	p := &progress{now: lines[len(lines)-1]}
	ended := map[string]bool{}
	for _, line := range lines {
		if line.Ended != "" {
			ended[line.Run] = true
		}
		if line.Variant != "" && !slices.Contains(p.Variants, line.Variant) {
			p.Variants = append(p.Variants, line.Variant)
		}
	}
	p.Ended, p.Runs = len(ended), max(p.now.Runs, len(ended), 1)
	of := p.now.Share
	if p.now.Ended != "" {
		of = 0 // it is among those that ended
	}
	p.Share = (float64(p.Ended) + of) / float64(p.Runs)
	if p.now.Ended == "" && p.now.Left > 0 {
		more := max(p.Runs-p.Ended-1, 0)
		p.Left = time.Duration(p.now.Left+int64(more)*(p.now.Wall+p.now.Left)) * time.Millisecond
	}
	return p
}

// String describes the run in progress, its model time, the flows that are complete and the time left.
func (p *progress) String() string {
	var parts []string
	if p.Runs > 1 {
		parts = append(parts, fmt.Sprintf("run %d of %d", min(p.Ended+1, p.Runs), p.Runs))
	}
	model := unit.Duration(p.now.Model).Figure()
	end := ""
	switch {
	case p.now.Until > 0:
		end = " of " + unit.Duration(p.now.Until).Figure()
	case p.now.Limit > 0:
		end = " of at most " + unit.Duration(p.now.Limit).Figure()
	}
	parts = append(parts, model+end, fmt.Sprintf("%d of %d flows", p.now.Completed, p.now.Flows))
	if p.Left > 0 {
		parts = append(parts, fmt.Sprintf("about %v left", p.Left.Round(time.Second)))
	}
	return strings.Join(parts, ", ")
}

// Percent is the share in percent.
func (p *progress) Percent() string { return fmt.Sprintf("%.0f %%", 100*p.Share) }
