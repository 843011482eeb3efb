package sweep

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// Values are placed by their size, however they are written; others as they are; many that
// have a size in groups.
func TestPlaces(t *testing.T) {
	numbered := func(count int, form string) (list []string) {
		for i := range count {
			list = append(list, fmt.Sprintf(form, i*37%count+1))
		}
		return list
	}
	for _, c := range []struct{ values, want []string }{
		{[]string{"1MB", "200KB", "30000B"}, []string{"30000B", "200KB", "1MB"}},
		{[]string{"10", "9", "0.5"}, []string{"0.5", "9", "10"}},
		{[]string{"10us", "2ms", "900ns"}, []string{"900ns", "10us", "2ms"}},
		{[]string{"400Gbps", "100Gbps"}, []string{"100Gbps", "400Gbps"}},
		{[]string{"2km", "100m"}, []string{"100m", "2km"}},
		{[]string{"pc4", "dcqcn"}, []string{"pc4", "dcqcn"}},
		{[]string{"1MB", "1us"}, []string{"1MB", "1us"}},
		{numbered(40, "%d000B"), []string{"~3KB", "~8KB", "~13KB", "~18KB", "~23KB", "~28KB", "~33KB", "~38KB"}},
		{numbered(25, "word%d"), nil},
	} {
		places := placesOf(c.values)
		if got := labels(places); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %q, want %q", c.values, got, c.want)
		}
		placed := 0
		for _, p := range places {
			placed += len(p.values)
		}
		if c.want != nil && placed != len(c.values) {
			t.Errorf("%v: %d values are placed", c.values, placed)
		}
	}
}

// linesOf are the runs of a key with the given number of values, two seeds each; the metric is ten times the value, and
// one more for the second seed.
func linesOf(values int) (lines []Line) {
	for i := range values {
		for seed := range uint64(2) {
			value := json.Number(fmt.Sprint(10*(i*7%values+1) + int(seed)))
			lines = append(lines, Line{
				Keys:    map[string]string{"a.b": fmt.Sprintf("%d000B", i*7%values+1)},
				Variant: "one",
				Seed:    seed,
				Metrics: map[string]json.Number{"fct_p99_us": value, "queueing_p99_us": value},
			})
		}
	}
	return lines
}

// partsOf are the headings, the pictures and the table of a page.
func partsOf(d *page.Document) (sections, pictures []string, table *page.Table) {
	for _, block := range d.Blocks {
		switch b := block.(type) {
		case page.Section:
			sections = append(sections, b.Title)
		case page.Picture:
			pictures = append(pictures, string(b.Element))
		case *page.Table:
			table = b
		}
	}
	return sections, pictures, table
}

// A drawn key has a picture of its own, with its values in their order.
func TestDrawnKeysAreDrawn(t *testing.T) {
	metric := func(name string) result.Metric {
		m, ok := result.MetricOf(name)
		if !ok {
			t.Fatal(name)
		}
		return m
	}
	metrics := []result.Metric{metric("fct_p99_us"), metric("queueing_p99_us")}
	p := PageOf("s", []string{"a.b"}, linesOf(40), metrics)
	sections, pictures, table := partsOf(p)
	if !slices.Equal(sections, []string{"One key", "Two metrics", "Combinations"}) || len(pictures) != 3 {
		t.Fatalf("%q, %d pictures", sections, len(pictures))
	}
	svg := pictures[0]
	for _, want := range []string{"~3KB 30.5 (10 to 51)", "~38KB 380.5 (360 to 401)"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(svg, want) {
				t.Errorf("the picture does not say %q: %s", want, svg)
			}
		})
	}
	if got := table.Rows[0]; got[0].Text != "1000B" || got[1].Text != "one" || got[2].Text != "2" ||
		got[3].Text != "10.50 us" || got[3].Detail != "[10..11]" || got[4].Text != "\u2264 10.50 us" ||
		table.Signs != "\u2264 at most that: the edge of a histogram's bin" || table.Columns[3].Left {
		t.Errorf("the first row is %+v", got)
	}
	lines := linesOf(3)
	lines[1].Metrics = nil
	few := PageOf("s", []string{"a.b"}, lines, metrics)
	if !reflect.DeepEqual(few.Facts, []string{"6 runs, 3 combinations", "1 without a result, which are not drawn"}) {
		t.Errorf("%q", few.Facts)
	}
	_, pictures, _ = partsOf(few)
	svg = pictures[0]
	if !strings.Contains(svg, "1000B 10 (10 to 10); 2000B 20.5 (20 to 21)") {
		t.Errorf("%s", svg)
	}
}

// Two keys are a matrix, whose cells are medians over all else.
func TestTwoKeysAreAMatrix(t *testing.T) {
	lines := linesOf(3)
	for i := range lines {
		lines[i].Keys["c"] = []string{"x", "y"}[i%2]
	}
	m, _ := result.MetricOf("fct_p99_us")
	sections, pictures, _ := partsOf(PageOf("s", []string{"a.b", "c"}, lines, []result.Metric{m}))
	if !slices.Equal(sections, []string{"One key", "Two keys", "Combinations"}) || len(pictures) != 3 {
		t.Fatalf("%q, %d pictures", sections, len(pictures))
	}
	if svg := pictures[2]; !strings.Contains(svg, "1000B, x: 10; 1000B, y: 11; 2000B, x: 20;") {
		t.Errorf("%s", svg)
	}
}

// A table of runs has figures to the right, with the sign of the edge that they are.
func TestGrid(t *testing.T) {
	of := func(largest, wait, most, queue string) map[string]json.Number {
		return map[string]json.Number{"queueing_max_us": json.Number(largest), "queueing_p99_us": json.Number(wait),
			"queue_max_bytes": json.Number(most), "queue_p99_bytes": json.Number(queue)}
	}
	kmin := func(value string) map[string]string { return map[string]string{"kmin": value} }
	table := Table{Keys: []string{"kmin"}, Lines: []Line{
		{Keys: kmin("50KB"), Verdict: "pass", Metrics: of("9", "5", "9000", "8192")},
		{Run: 1, Keys: kmin("100KB"), Verdict: "pass", Metrics: of("5", "5", "84", "0")},
		{Run: 2, Keys: kmin("100KB"), Verdict: stateMissing},
	}}
	for _, name := range []string{"queueing_p99_us", "queue_p99_bytes"} {
		m, _ := result.MetricOf(name)
		table.Metrics = append(table.Metrics, m)
	}
	const want = `
┌─────┬───────┬──────┬─────────┬─────────────────┬─────────────────┐
│ run │  kmin │ seed │ verdict │ queueing_p99_us │ queue_p99_bytes │
├─────┼───────┼──────┼─────────┼─────────────────┼─────────────────┤
│   0 │  50KB │    0 │ pass    │          ≤ 5 us │      ≥ 8.192 KB │
│   1 │ 100KB │    0 │ pass    │            5 us │      < 8.192 KB │
│   2 │ 100KB │    0 │ missing │                 │                 │
└─────┴───────┴──────┴─────────┴─────────────────┴─────────────────┘`
	grid := table.Grid()
	if got := (page.Page{}).Render(grid); "\n"+got != want {
		t.Errorf("got\n%s\nwant%s", got, want)
	}
	if !strings.HasPrefix(grid.Signs, "\u2264 at most, \u2265 at least, < less than that") {
		t.Errorf("%q", grid.Signs)
	}
}
