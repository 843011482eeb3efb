package mem_test

import (
	"context"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// looked runs a plan, with reports as often as can be, and returns them.
func looked(t *testing.T, p *plan.Plan, workers int) (out *result.Outcome, reports []model.Progress) {
	t.Helper()
	o := mem.Often(mem.Options{
		Workers:    workers,
		Algorithms: shipped.Find,
		Progress:   func(p model.Progress) { reports = append(reports, p) },
	})
	out, err := mem.Run(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return out, reports
}

// An observer changes nothing: trace and windows are the same as without one. Reported counts never go back, and the
// last report is made at the end and equals the summary.
func TestReportsAreWhatTheSummaryHas(t *testing.T) {
	lossy := func() *plan.Plan {
		p := star(4, 4*unit.MB, "dcqcn")
		p.Links[0].Loss = 0.001
		return p
	}
	seen := result.Summary{}
	for name, make := range map[string]func() *plan.Plan{
		"marks":  func() *plan.Plan { return star(16, 2*unit.MB, "dcqcn") },
		"pauses": func() *plan.Plan { return star(16, 2*unit.MB, "fixed") },
		"losses": lossy,
	} {
		t.Run(name, func(t *testing.T) {
			want := run(t, make(), mem.Options{Workers: 1})
			out, reports := looked(t, make(), 2)
			if out.Trace != want.Trace || out.Windows != want.Windows || out.End != want.End {
				t.Errorf("%s: trace %016x in %d windows, want %016x in %d", name, out.Trace, out.Windows, want.Trace,
					want.Windows)
			}
			if len(reports) < 2 {
				t.Fatalf("%s: %d reports", name, len(reports))
			}
			sorted := slices.IsSortedFunc(reports, func(a, b model.Progress) int { return int(a.Now - b.Now) }) &&
				slices.IsSortedFunc(reports, func(a, b model.Progress) int { return int(a.Tally.Delivered - b.Tally.Delivered) })
			if !sorted {
				t.Errorf("%s: a report goes back", name)
			}
			last, s := &reports[len(reports)-1], result.Summarise(out)
			tally := &last.Tally
			if !last.Final || last.Now != out.End || last.Done != last.Total || reports[0].Final {
				t.Errorf("%s: the last report is at %v of %v, %v of %v done", name, last.Now, out.End, last.Done, last.Total)
			}
			if tally.Marks != s.Marks || tally.CNPs != s.CNPs || tally.XOFFs != s.Pauses || tally.Drops != s.Drops ||
				tally.Completed != s.Completed || tally.Lossless != 0 {
				t.Errorf("%s: %+v, want %d marks, %d CNPs, %d XOFFs, %d drops, %d completed", name, tally, s.Marks, s.CNPs,
					s.Pauses, s.Drops, s.Completed)
			}
			if tally.Delivered != last.Total || (tally.Sent > tally.Delivered) != (s.Retransmits > 0) {
				t.Errorf("%s: %v sent, %v delivered of %v, %d sent again", name, tally.Sent, tally.Delivered, last.Total,
					s.Retransmits)
			}
			seen.Marks, seen.CNPs = seen.Marks+s.Marks, seen.CNPs+s.CNPs
			seen.Pauses, seen.Drops = seen.Pauses+s.Pauses, seen.Drops+s.Drops
		})
	}
	if seen.Marks == 0 || seen.CNPs == 0 || seen.Pauses == 0 || seen.Drops == 0 {
		t.Errorf("%d marks, %d CNPs, %d pauses, %d drops prove nothing", seen.Marks, seen.CNPs, seen.Pauses, seen.Drops)
	}
}

// A report names the port at which an incast waits, while it waits there.
func TestReportNamesTheLongestQueue(t *testing.T) {
	_, reports := looked(t, star(16, 4*unit.MB, "fixed"), 1)
	named := false
	for _, r := range reports {
		for i, q := range r.Tally.Queues {
			named = true
			if i == 0 && (q.Node != 0 || q.Port != 0 || q.Bytes != r.Tally.Longest) {
				t.Errorf("the longest queue is %+v of %v", q, r.Tally.Longest)
			}
		}
	}
	if !named {
		t.Error("no report has a queue")
	}
}
