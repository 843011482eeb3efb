package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// jobWhyFile is the file with the time of each iteration by cause.
const jobWhyFile = "jobwhy.csv"

// jobsShown is the maximum number of jobs with bars.
const jobsShown = 4

// job is the iterations of a collective of a variant, of all its runs.
type job struct {
	name       string
	iterations []*cause
}

// jobSection shows where the time of jobs went: for one job its longest, median and shortest iteration, for several the
// median iteration of each. It is empty for runs without the file. Others are the sections of the page, to which it
// leads.
func jobSection(variants []*variant, others []section) (section, error) {
	s := section{
		ID:    "jobs",
		Title: "Jobs by cause",
		Lead: "A bar is the critical path of an iteration by cause, from the first rank's computation until the " +
			"last rank was done: it leads from the message that was waited for last to the one before it, or to " +
			"the computation of a rank, on any flow and host.",
	}
	var shown []*variant
	var bars [][]ranked
	more := 0
	for _, v := range variants[:min(len(variants), variantsShown)] {
		list, err := v.jobs()
		if err != nil {
			return s, err
		}
		if len(list) == 0 {
			continue
		}
		more = max(more, len(list)-jobsShown)
		list = list[:min(len(list), jobsShown)]
		for i := range list {
			s.Sentences = append(s.Sentences, list[i].sentence(v))
		}
		shown, bars = append(shown, v), append(bars, rankedJobs(list))
	}
	if len(shown) == 0 {
		return section{}, nil
	}
	if more > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("Drawn are the %d jobs with the longest median iterations, of %d.", jobsShown,
			jobsShown+more))
	}
	if left := len(variants) - variantsShown; left > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("Drawn are the first %d variants of %d.", variantsShown, len(variants)))
	}
	s.Bars = barsOf(s.ID, shown, bars)
	found(others).link(s.Bars)
	return s, nil
}

// jobs reads the jobs of a variant, that with the longest median iteration first, and of each the longest first.
func (v *variant) jobs() (list []job, err error) {
	for _, r := range v.runs {
		err := r.rows(jobWhyFile, func(row row) error {
			name := strings.Clone(row.Text("collective"))
			c := &cause{
				run:        r,
				file:       jobWhyFile,
				flow:       name + ", iteration " + row.Text("iteration"),
				costliest:  strings.Clone(row.Text("flow")),
				bottleneck: strings.Clone(row.Text("bottleneck")),
				where:      whereOf(row, "collective", "iteration"),
				completed:  true,
			}
			for part := range attribution.NumParts {
				c.Parts[part] = unit.Duration(row.picoseconds(partColumn(part)))
			}
			at := slices.IndexFunc(list, func(j job) bool { return j.name == name })
			if at < 0 {
				at, list = len(list), append(list, job{name: name})
			}
			list[at].iterations = append(list[at].iterations, c)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for i := range list {
		slices.SortStableFunc(list[i].iterations, func(a, b *cause) int { return cmp.Compare(b.Total(), a.Total()) })
	}
	slices.SortStableFunc(list, func(a, b job) int { return cmp.Compare(b.typical().Total(), a.typical().Total()) })
	return list, nil
}

// typical is the median iteration, of an even number the longer of the two in the middle.
func (j *job) typical() *cause { return j.iterations[result.MiddlePlace(len(j.iterations))] }

// sentence returns the terminal's sentence on the job.
func (j *job) sentence(v *variant) string {
	c := j.typical()
	said := result.JobTime{Job: j.name, Parts: c.Parts, Flow: c.costliest, Bottleneck: c.bottleneck}
	return v.name(c.run) + ": " + said.String()
}

// rankedJobs are the iterations that have bars.
func rankedJobs(list []job) (bars []ranked) {
	if len(list) > 1 {
		for i := range list {
			bars = append(bars, ranked{"Median iteration of " + list[i].name, list[i].typical()})
		}
		return bars
	}
	all := list[0].iterations
	bars = []ranked{{"Longest iteration", all[0]}}
	if len(all) > 2 {
		bars = append(bars, ranked{"Median iteration", list[0].typical()})
	}
	if len(all) > 1 {
		bars = append(bars, ranked{"Shortest iteration", all[len(all)-1]})
	}
	return bars
}
