package scenario

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/internal/spelling"
)

// The parts of a check.
const (
	checkMetric = `((?:[A-Za-z0-9][A-Za-z0-9_.+-]*\.)?[a-z][a-z0-9_]*)`
	checkNumber = `(-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)`
)

// checkPattern finds the metric, the comparison, and the number, or the factor and the metric that
// it is of.
var checkPattern = regexp.MustCompile(`^\s*` + checkMetric + `\s*(<=|>=|==|<|>)\s*(?:` + checkNumber + `|(?:` +
	checkNumber + `\s*\*\s*)?` + checkMetric + `)\s*$`)

func readChecks(r *reader, n *node, draft *expectDraft) {
	if n.Kind != document.Sequence {
		r.add(n.At, `checks is %s: it must be a list such as ["drops == 0"]`, document.KindNames[n.Kind])
		return
	}
	for _, item := range n.Items {
		text, ok := r.scalar(item, "check", `a comparison such as "drops == 0"`)
		if !ok {
			continue
		}
		list := checkPattern.FindStringSubmatch(text)
		if list == nil {
			r.add(item.At,
				"check %q is not a comparison: write a metric, one of < <= > >= ==, and a number, such as "+
					"\"jain >= 0.99\", or a metric, such as \"iteration_mean_us <= 1.02 * bound_us\"", shorten(text))
			continue
		}
		of := list[5]
		written := cmp.Or(list[3], list[4], "1")
		value, err := strconv.ParseFloat(written, 64)
		if err != nil {
			r.add(item.At, "check %q: %s is out of the range of numbers", shorten(text), shorten(written))
			continue
		}
		if !r.knowsMetric(item, text, list[1]) || of != "" && !r.knowsMetric(item, text, of) {
			continue
		}
		draft.at = append(draft.at, item.At)
		draft.checks = append(draft.checks, plan.Check{
			Metric: list[1],
			Op:     list[2],
			Value:  value,
			Of:     of,
			Text:   text,
			Line:   item.At.Line,
		})
	}
}

// knowsMetric refuses a check of a metric that there is not; checkJobs looks whether there is the job.
func (r *reader) knowsMetric(item *node, text, metric string) bool {
	known, name := r.metrics, metric
	if i := strings.LastIndexByte(metric, '.'); i > 0 {
		known, name = r.jobMetrics, metric[i+1:]
	}
	if r.metrics == nil || slices.Contains(known, name) {
		return true
	}
	r.add(item.At, "check %q: there is no metric %q: %s", shorten(text), metric,
		spelling.Hint(name, known, "`rocelab metrics` lists them"))
	return false
}

var jobCheck = pass{
	name:  "jobs of expectations",
	after: []*pass{&flowPass},
	run:   checkJobs,
}

// checkJobs refuses checks of jobs that there are not.
func checkJobs(b *builder) {
	var jobs []string
	for i := range b.plan.Collectives {
		jobs = append(jobs, b.plan.Collectives[i].Name)
	}
	for k, check := range b.expect.checks {
		for _, metric := range []string{check.Metric, check.Of} {
			i := strings.LastIndexByte(metric, '.')
			switch {
			case i < 0:
			case len(jobs) < 2:
				b.add(b.expect.at[k], "check %q: only jobs of a scenario with several have metrics by their names: write %s",
					shorten(check.Text), metric[i+1:])
			case !slices.Contains(jobs, metric[:i]):
				b.add(b.expect.at[k], "check %q: there is no job %q: %s", shorten(check.Text), metric[:i],
					spelling.Hint(metric[:i], jobs, "jobs are the collectives of traffic, "+strings.Join(jobs, ", ")))
			}
		}
	}
}
