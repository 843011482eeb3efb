package baseline

import (
	"fmt"
	"math"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
)

// Failed reports whether something is worse than allowed, or nothing could be compared.
func (j *Judgement) Failed() bool { return len(j.Worse) > 0 || j.Metrics == 0 }

// Lines returns the result: a sentence, and a line for each metric that is worse than allowed.
func (j *Judgement) Lines() []string {
	head := fmt.Sprintf("%s: %d of %d metrics worse than allowed, %d better", j.Folder, len(j.Worse), j.Metrics, j.Better)
	if j.Metrics == 0 {
		head = j.Folder + ": has no run with a variant and a seed of these, so nothing was compared"
	} else if len(j.Unknown) > 0 {
		head += "; it has no run of " + strings.Join(j.Unknown, ", ") + " with these seeds"
	}
	lines := []string{head}
	for i := range j.Worse {
		lines = append(lines, j.Worse[i].String())
	}
	return lines
}

// String returns the metric's present and earlier value, and the allowed one.
func (d *difference) String() string {
	metric, _ := result.MetricOf(d.Metric)
	rounded := metric.Figure(d.Is) != metric.Figure(d.Was)
	print := func(edge result.Edge, value float64) string {
		switch {
		case math.IsNaN(value):
			return "not measured"
		case !rounded: // the difference is in later digits
			return metric.Scale(0).Text(metric.Format(value))
		}
		return edge.Text(metric, value)
	}
	text := fmt.Sprintf("%s: %s is %s, and was %s", d.Variant, d.Metric, print(d.IsEdge, d.Is), print(d.WasEdge, d.Was))
	if d.Was != 0 && !math.IsNaN(d.Is) {
		text += fmt.Sprintf(" (%+.1f %%", 100*(d.Is-d.Was)/math.Abs(d.Was))
	} else {
		text += " ("
	}
	sign := "+"
	if metric.Better == result.Higher {
		sign = "-"
	}
	if d.Allowed == 0 {
		return strings.Replace(text+", allowed is nothing worse)", "(, ", "(", 1)
	}
	return strings.Replace(fmt.Sprintf("%s, allowed is %s%g %%)", text, sign, 100*d.Allowed), "(, ", "(", 1)
}

// Document is a judgement in the layout for machines.
type Document struct {
	Folder  string          `json:"folder"`
	Failed  bool            `json:"failed"`
	Metrics int             `json:"metrics"`
	Better  int             `json:"better"`
	Worse   []worseDocument `json:"worse"`
	Unknown []string        `json:"not_in_baseline,omitempty"`
}

// worseDocument is a metric that is worse than allowed; null is not measured.
type worseDocument struct {
	Variant string   `json:"variant"`
	Metric  string   `json:"metric"`
	Was     *float64 `json:"was"`
	Is      *float64 `json:"is"`
	Allowed float64  `json:"allowed"`
}

// Document returns the judgement for machines.
func (j *Judgement) Document() *Document {
	if j == nil {
		return nil
	}
	d := &Document{
		Folder:  j.Folder,
		Failed:  j.Failed(),
		Metrics: j.Metrics,
		Better:  j.Better,
		Worse:   []worseDocument{},
		Unknown: j.Unknown,
	}
	measured := func(value float64) *float64 {
		if math.IsNaN(value) {
			return nil
		}
		return &value
	}
	for _, worse := range j.Worse {
		d.Worse = append(d.Worse, worseDocument{
			Variant: worse.Variant,
			Metric:  worse.Metric,
			Was:     measured(worse.Was),
			Is:      measured(worse.Is),
			Allowed: worse.Allowed,
		})
	}
	return d
}
