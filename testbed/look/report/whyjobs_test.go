package report

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// jobHead and jobRow are a file of iterations.
const jobHead = "collective,iteration,time_us,alone_us,shared_us,unfair_us,held_back_us,collision_us,queued_us," +
	"paused_us,repair_us,host_us,unresolved_us,flow,bottleneck\n"

func jobRow(job string, iteration, alone, collision int) string {
	return fmt.Sprintf("%s,%d,%d.000000,%d.000000,0,0,0,%d.000000,0,0,0,0,0,g,s0:1\n", job, iteration, alone+collision,
		alone, collision)
}

// Of one job the page has the longest, the median and the shortest iteration, behind the flows, and leads to the flow
// that cost most; of several it has the median iteration of each, that of the longest first.
func TestBarsOfJobs(t *testing.T) {
	r := explained("a")
	r.files["jobwhy.csv"] = jobHead + jobRow("job", 0, 10, 10) + jobRow("job", 1, 10, 30) + jobRow("job", 2, 10, 0)
	files := folderOf(t, "one", r)
	page := written(t, opened(t, "run", files))
	root := parsed(t, page)
	for id, want := range map[string]map[string]float64{
		"jobs-0-0": {"alone": 25, "collision": 75},
		"jobs-1-0": {"alone": 25, "collision": 25},
		"jobs-2-0": {"alone": 25},
	} {
		t.Run(id, func(t *testing.T) {
			if got := lengthsOf(t, byID(t, root, id)); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %v, want %v", id, got, want)
			}
		})
	}
	said := textOf(byID(t, root, "jobs"))
	want := "a: job: a median iteration took 20 us: 10 us alone, 10 us collision; g lost most, at s0:1"
	if !strings.Contains(said, want) {
		t.Errorf("%q is not in %q", want, said)
	}
	var links []string
	each(byID(t, root, "jobs-0-0"), func(n *html.Node) {
		if to, found := strings.CutPrefix(attribute(n, "href"), "#"); found {
			links = append(links, to+" "+attribute(n, "data-flow"))
		}
	})
	if got := fmt.Sprint(links); got != "[rate-plot-0 g rate-plot-0 g queue-plot ]" {
		t.Error(got)
	}
	if strings.Index(page, `id="jobs"`) < strings.Index(page, `id="why"`) ||
		strings.Index(page, `id="jobs"`) > strings.Index(page, `id="rate"`) {
		t.Error("jobs are not behind the flows")
	}
	if wrong, _ := wrongNumbers(t, page, files); len(wrong) > 0 {
		t.Error(wrong[0])
	}
	r.files["jobwhy.csv"] += jobRow("other", 0, 50, 0)
	root = parsed(t, written(t, opened(t, "run", folderOf(t, "one", r))))
	said = textOf(byID(t, root, "jobs"))
	other, first := strings.Index(said, "Median iteration of other"), strings.Index(said, "Median iteration of job")
	if other < 0 || first < other || strings.Contains(said, "Longest") {
		t.Error(said)
	}
}
