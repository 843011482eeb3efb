package experiment

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/terminal"
)

// jobsNamed is the number of jobs of a variant with a line: the ones whose median iterations took longest.
const jobsNamed = 4

// jobTimes describe for each variant the parts of its jobs' time: for several seeds the seed with the median of the
// median iterations.
func jobTimes(vs []variant) (lines []string) {
	for i := range vs {
		list := vs[i].jobTimes()
		for _, job := range list[:min(len(list), jobsNamed)] {
			lines = append(lines, terminal.Line(vs[i].name+": "+job.String()))
		}
		if more := len(list) - jobsNamed; more > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d jobs more, jobwhy.csv has them all", vs[i].name, more))
		}
	}
	return lines
}

// jobTimes are the jobs of a variant, the one with the longest median iteration first.
func (v *variant) jobTimes() (list []result.JobTime) {
	var names []string
	of := map[string][]result.JobTime{}
	for i := range v.runs {
		for _, job := range v.runs[i].Jobs {
			if of[job.Job] == nil {
				names = append(names, job.Job)
			}
			of[job.Job] = append(of[job.Job], job)
		}
	}
	for _, name := range names {
		list = append(list, result.TypicalJob(of[name]))
	}
	slices.SortStableFunc(list, func(a, b result.JobTime) int { return cmp.Compare(b.Total(), a.Total()) })
	return list
}
