package report

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// A collective's picture has each rank's times and each iteration's bandwidth, and its table the cells. A rank without
// a collective is damage.
func TestCollectives(t *testing.T) {
	r := plain("a")
	r.files["collectives.csv"] = "collective,operation,method,ranks,iteration,done_us,iteration_us," +
		"busbw_gigabytes_s,slowest\n" +
		"job,all-reduce,ring,2,0,120.000000,110.000,15.0000,h1\njob,all-reduce,ring,2,1,,,,\n"
	r.files["ranks.csv"] = "collective,iteration,rank,host,begun_us,ready_us,done_us\n" +
		"job,0,0,h0,10.000000,20.000000,100.000000\njob,0,1,h1,10.000000,40.000000,120.000000\n" +
		"job,1,0,h0,100.000000,110.000000,190.000000\njob,1,1,h1,120.000000,140.000000,\n"
	files := folderOf(t, "one", r)
	v := variantsOf([]*Folder{opened(t, "run", files)})[0]
	lines, err := v.runs[0].timelines(v)
	if err != nil || len(lines) != 1 || lines[0].Ranks[1].Spans[0] != (picture.Span{Begun: 10, Ready: 40, Done: 120}) {
		t.Errorf("%v: %+v", err, lines)
	}
	page := written(t, opened(t, "run", files))
	root := parsed(t, page)
	drawn := drawingsOf(t, root)
	text := descOf(t, drawn, "collective-picture-0-0")
	for _, want := range []string{
		"2 in all", "Iteration 0 was done at 120 us, h1 last, 15.0000 GB/s", "Iteration 1 was not done",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%q has no %q", text, want)
			}
		})
	}
	outlined := textOf(drawn["collective-picture-0-0"])
	if strings.Count(outlined, "h1 was the last of iteration 0") != 1 {
		t.Error(outlined)
	}
	if wrong, _ := wrongNumbers(t, page, files); len(wrong) > 0 {
		t.Error(wrong[0])
	}
	r.files["ranks.csv"] += "other,0,0,h0,0,0,0\n"
	err = Write(&strings.Builder{}, opened(t, "there", folderOf(t, "one", r)))
	if err == nil || !strings.Contains(err.Error(), "ranks.csv:6:3 is damaged: rank:") {
		t.Error(err)
	}
}
