package experiment

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// queue is a run whose longest queue has these depths, a millisecond each.
func queue(place string, depths ...int64) campaign.Run {
	q := &result.WorstQueue{Place: place, End: unit.Time(len(depths)) * unit.Time(unit.Millisecond)}
	for i, depth := range depths {
		from := unit.Time(i) * unit.Time(unit.Millisecond)
		if depth > 0 {
			q.Bins = append(q.Bins, result.DepthBin{From: from, Until: from.Add(unit.Millisecond), Depth: depth})
		}
		q.Max = max(q.Max, depth)
	}
	figures := result.PortFigures{QueueMaxBytes: uint64(q.Max)}
	return campaign.Run{Summary: &result.Summary{Seed: 7, PortFigures: figures}, Worst: q}
}

// All queues have one scale in time and in depth; any nonzero value is visible. On a narrow page they are narrower, and
// in ASCII if the page has only that.
func TestSparklines(t *testing.T) {
	vs := []variant{
		{"a", []campaign.Run{queue("s0:8", 1, 0, 4000, 8000)}},
		{"long", []campaign.Run{queue("s1:2", 500, 0)}},
		{"none", []campaign.Run{{Summary: &result.Summary{}}}},
	}
	empty := vs[2:]
	vs = vs[:2]
	rep := strings.Repeat
	for _, c := range []struct {
		page page.Page
		want []string
	}{
		{page.Page{Width: 120}, []string{
			"longest queue, from 0 to 4 ms, full height 8 KB:",
			"a    |" + rep("▁", 15) + rep(" ", 15) + rep("▄", 15) + rep("█", 15) + "| s0:8, 8 KB",
			"long |" + rep("▁", 15) + rep(" ", 45) + "| s1:2, 500 B",
		}},
		{page.Page{Width: 59, Plain: true}, []string{
			"longest queue, from 0 to 4 ms, full height 8 KB:",
			"a    |" + rep(".", 10) + rep(" ", 10) + rep("=", 10) + rep("@", 10) + "| s0:8, 8 KB",
			"long |" + rep(".", 10) + rep(" ", 30) + "| s1:2, 500 B",
		}},
	} {
		if got := sparklines(vs, c.page); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%+v:\n%s\nwant\n%s", c.page, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
	longest := result.PortFigures{QueueMaxBytes: 5}
	unrecorded := variant{"gone", []campaign.Run{{Summary: &result.Summary{PortFigures: longest}}}}
	lines := sparklines([]variant{vs[0], empty[0], unrecorded}, page.Page{Width: 60})
	want := []string{"none  all queues were empty", "gone  no queue was recorded"}
	if len(lines) != 4 || strings.Join(lines[2:], "\n") != strings.Join(want, "\n") {
		t.Errorf("of variants without a queue: %q", lines)
	}
	if got := sparklines(empty, page.Page{}); got != nil {
		t.Errorf("without a series: %q", got)
	}
	vs[1].runs[0].Summary.QueueMaxBytes = 501 // of a queue without a series
	if got := sparklines(vs, page.Page{})[0]; !strings.HasPrefix(got, "longest queue of those recorded, from 0 ") {
		t.Errorf("where the longest of all was not recorded: %q", got)
	}
	vs[1].runs[0].Summary.QueueMaxBytes = 500
	vs[0].runs = append(vs[0].runs, queue("s0:1", 1))
	if got := sparklines(vs, page.Page{})[0]; got != "longest queue, from 0 to 4 ms, full height 8 KB, seed 7:" {
		t.Errorf("of several seeds: %q", got)
	}
}
