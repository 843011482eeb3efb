package view

import (
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/progressfile"
)

// The progress of a folder is that of all its runs: what has ended, the share of the one under way, and those to come,
// each as long as that.
func TestProgressIsOfAllRuns(t *testing.T) {
	ms := int64(unit.Millisecond)
	first := progressfile.Line{
		Run:       "a",
		Ended:     "PASS",
		Runs:      4,
		Share:     1,
		Model:     9 * ms,
		Flows:     16,
		Completed: 16,
	}
	second := progressfile.Line{
		Run:       "b",
		Runs:      4,
		Share:     0.5,
		Wall:      3000,
		Left:      3000,
		Model:     2 * ms,
		Flows:     16,
		Completed: 3,
	}
	limited, ending := second, second
	limited.Limit, ending.Until = 1000*ms, 4*ms
	for _, c := range []struct {
		name  string
		lines []progressfile.Line
		share float64
		left  time.Duration
		text  string
	}{
		{"between two runs", []progressfile.Line{first}, 0.25, 0, "run 2 of 4, 9 ms, 16 of 16 flows"},
		{"in the second", []progressfile.Line{first, second}, 0.375, 15 * time.Second,
			"run 2 of 4, 2 ms, 3 of 16 flows, about 15s left"},
		{"with a limit", []progressfile.Line{first, limited}, 0.375, 15 * time.Second,
			"run 2 of 4, 2 ms of at most 1 s, 3 of 16 flows, about 15s left"},
		{"with an end", []progressfile.Line{first, ending}, 0.375, 15 * time.Second,
			"run 2 of 4, 2 ms of 4 ms, 3 of 16 flows, about 15s left"},
		{"of an older program", []progressfile.Line{{Run: "a", Flows: 2}}, 0, 0, "0 us, 0 of 2 flows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := progressIn(c.lines)
			if p.Share != c.share || p.Left != c.left || p.String() != c.text {
				t.Errorf("%s: %v, %v, %q; want %v, %v, %q", c.name, p.Share, p.Left, p, c.share, c.left, c.text)
			}
		})
	}
	if progressIn(nil) != nil {
		t.Error("no line has a progress")
	}
}

// The list has the progress of a run that goes on, and none of one that has closed.
func TestListHasProgress(t *testing.T) {
	dir := runs(t)
	folder, err := result.Create(dir + "/now-1")
	if err != nil {
		t.Fatal(err)
	}
	const line = `{"run":"a","variant":"x7","verdict":"PASS","runs":2,"share":0.5,"wall_ms":2000,"left_ms":2000,` +
		`"flows":4,"completed":1}` + "\n"
	put(t, line, folder.Part(), progressfile.File)
	putRun(t, dir+"/done-1", "incast", "pass")
	s := shown(t, dir)
	wants(t, get(t, s, ""), 200, `data-going><td>`, `<progress max="1" value="0.25"`, "25 %", `>x7<`,
		"run 1 of 2, 0 us, 1 of 4 flows, about 6s left")
	if r := runOf(t, s, "done-1"); r.Progress != nil || r.Going() {
		t.Errorf("%+v", r)
	}
}
