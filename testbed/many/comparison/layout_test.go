package comparison

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// No line is wider than the page, with two algorithms to eight; on a narrow one
// the ranges have a table of their own.
func TestComparisonsFitThePage(t *testing.T) {
	tier.Everyday(t)
	for _, n := range []int{2, 4, 8} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			entries := []string{"pc4", "dcqcn", "swift", "timely", "dctcp", "hpcc", "none", "fixed"}[:n]
			r, err := comparing(t, incast, 1, entries...).Do(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for _, width := range []int{80, 120, 200} {
				colour := width == 120
				var b strings.Builder
				if err := r.Print(&b, page.FormatTable, page.Page{Width: width, Colour: colour}); err != nil {
					t.Fatal(err)
				}
				got := b.String()
				for line := range strings.Lines(got) {
					if w := text.StringWidthWithoutEscSequences(strings.TrimSuffix(line, "\n")); w > width {
						t.Errorf("%d algorithms: %d columns, want at most %d: %s", n, w, width, line)
					}
				}
				if apart := strings.Contains(got, "\n[least..largest]\n"); apart != (n > 2 && width == 80 || n == 8 ||
					n == 4 && width == 120) {
					t.Errorf("%d algorithms at %d: ranges in a table of their own: %v\n%s", n, width, apart, got)
				}
				if strings.Contains(got, "\x1b") != colour {
					t.Errorf("%d algorithms at %d: colours are %v", n, width, !colour)
				}
			}
		})
	}
}

// p is a word beside the ratio, if the number of seeds can give a meaningful one.
func TestCertainty(t *testing.T) {
	for _, c := range []struct {
		first, other []float64
		says         []string
	}{
		{[]float64{1, 2, 3, 4, 5}, []float64{11, 12, 13, 14, 15}, []string{"│ sure 4.333 [", "sure: p < 0.01; likely: p < "}},
		{[]float64{1, 2, 3, 4}, []float64{11, 12, 13, 14}, []string{"│ likely 5.000 ["}},
		{[]float64{1, 2, 3, 4, 5}, []float64{2, 1, 3, 5, 6}, []string{"│ unclear 1.000 ["}},
		{[]float64{1, 2}, []float64{11, 12}, []string{"│ 7.667 [", "Too few seeds to be sure"}},
		{[]float64{0, 0, 0, 0, 0}, []float64{1, 2, 3, 4, 5}, []string{"│ sure from 0 │"}},
		{[]float64{7, 7, 7, 7}, []float64{7, 7, 7, 7}, []string{"│ same │"}},
		{[]float64{7}, []float64{nan}, []string{"│ 7 us │ - │ └─────────────┴──────┴────┘ a1 / a0: ratio"}},
	} {
		r := &Report{Columns: make([]column, 2), All: true}
		var err error
		if r.Metrics, err = Metrics([]string{"duration_us"}, false); err != nil {
			t.Fatal(err)
		}
		for i, values := range [][]float64{c.first, c.other} {
			r.Columns[i].Entry.Text = fmt.Sprint("a", i)
			for seed, v := range values {
				r.Columns[i].Runs = append(r.Columns[i].Runs,
					campaign.Run{Summary: &result.Summary{Seed: uint64(seed), FlowFigures: result.FlowFigures{DurationUS: v}}})
			}
		}
		for range c.first {
			r.Seeds = append(r.Seeds, uint64(len(r.Seeds)))
		}
		got := strings.Join(strings.Fields(printed(t, r, page.FormatTable)), " ")
		for _, words := range c.says {
			if !strings.Contains(got, words) {
				t.Errorf("%v against %v: no %q in\n%s", c.other, c.first, words, printed(t, r, page.FormatTable))
			}
		}
	}
}
