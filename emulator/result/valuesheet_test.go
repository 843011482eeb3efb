package result

import (
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// telling returns an outcome with two reported values for h0's flow, from 2 us to 10 us.
func telling() *Outcome {
	o := series(star())
	o.Flows[0].Sender.Started = 2 * us
	bits := func(list ...float32) record.Series {
		s := record.Series{Kind: record.Last}
		for _, v := range list {
			s.Bins = append(s.Bins, math.Float32bits(v))
		}
		return s
	}
	none := float32(math.NaN())
	o.Flows[0].Sender.Values = &record.Values{Width: unit.Microsecond, List: []record.Value{
		{Name: "alpha", Over: bits(0, 0, 0.5, 0.5, 0.25, none, none, 1e-9)},
		{Name: "target", Unit: "us", Over: bits(0, 0, 12.5)},
		{Name: "late", Over: bits(0, 0, none, none, 1)},
	}}
	return o
}

// series_values.csv has the bins with a changed value, up to the end of the flow.
func TestValueSheet(t *testing.T) {
	o := telling()
	var text strings.Builder
	if _, err := valueSeriesSheet.write(&text, runLabel{"a", 1}, valueBins(o, unit.Microsecond)); err != nil {
		t.Fatal(err)
	}
	want := `variant,seed,time_us,flow,name,unit,value
a,1,2,h0-h2,alpha,,0.5
a,1,4,h0-h2,alpha,,0.25
a,1,5,h0-h2,alpha,,
a,1,7,h0-h2,alpha,,1e-09
a,1,2,h0-h2,target,us,12.5
a,1,2,h0-h2,late,,
a,1,4,h0-h2,late,,1
`
	if text.String() != want {
		t.Errorf("%s\nwant\n%s", text.String(), want)
	}
	files := contents(t, write(t, o))
	if !strings.Contains(files["columns.md"], "## series_values.csv") || files["a/series_values.csv"] != want {
		t.Errorf("the folder has %q", files["a/series_values.csv"])
	}
	if _, has := contents(t, write(t, series(star())))["a/series_values.csv"]; has {
		t.Error("a run whose algorithms tell nothing has a file of values")
	}
	text.Reset()
	if _, err := valueSeriesSheet.write(&text, runLabel{"a", 1}, valueBins(o, 4*unit.Microsecond)); err != nil {
		t.Fatal(err)
	}
	want = `variant,seed,time_us,flow,name,unit,value
a,1,0,h0-h2,alpha,,0.5
a,1,4,h0-h2,alpha,,1e-09
a,1,0,h0-h2,target,us,12.5
a,1,0,h0-h2,late,,
a,1,4,h0-h2,late,,1
`
	if text.String() != want {
		t.Errorf("%s\nwant\n%s", text.String(), want)
	}
}

func write(t *testing.T, o *Outcome) string {
	t.Helper()
	dir := t.TempDir() + "/run"
	writeFolder(t, dir, o)
	return dir
}

// Omitted values are reported if a run might have had some.
func TestValuesLeftOut(t *testing.T) {
	said := func(o *Outcome, series, values int) string {
		return strings.Join(leftOutOf(o, &plan.Recording{
			Ports:  true,
			Flows:  true,
			Grid:   record.Grid{Width: 1, Most: series},
			Values: record.Grid{Width: unit.Duration(min(values, 1)), Most: values},
		}), "")
	}
	for _, c := range []struct {
		got, want string
	}{
		{said(telling(), 512, 512), ""},
		{said(star(), 512, 128), ""},
		{said(telling(), 512, 128), "bins of values"},
		{said(star(), 512, 0), "values that algorithms report"},
	} {
		if !strings.HasPrefix(c.got, c.want) || c.want == "" && c.got != "" {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
