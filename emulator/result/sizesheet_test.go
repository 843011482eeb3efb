package result

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// sized makes an outcome of n flows in a group of their own, flow i of (n - i)
// kB and with a slowdown of n - i, beside the two equal flows of star.
func sized(n int) *Outcome {
	o := star()
	for i := range n {
		p := o.Plan.Flows[0]
		p.Group, p.Size = "random", unit.Bytes(n-i)*unit.KB
		f := Flow{Sender: record.NewSender(), Receiver: record.NewReceiver(), Ideal: unit.Microsecond}
		f.Sender.Completed = us * unit.Time(n-i)
		o.Plan.Flows = append(o.Plan.Flows, p)
		o.Flows = append(o.Flows, f)
	}
	return o
}

func TestSizeBins(t *testing.T) {
	o := sized(1000)
	o.Flows[2].Sender.Completed = unit.Never // the largest
	bins := o.SizeBins()
	if len(bins) != 20 {
		t.Fatalf("%d bins, want those of one group", len(bins))
	}
	// Bin 3 has the flows of 151 to 200 kB: 95 % of 50 are 47.5, so the 48th.
	want := SizeBin{
		Group:     "random",
		Least:     151 * unit.KB,
		Most:      200 * unit.KB,
		Flows:     50,
		Completed: 50,
		Mean:      175.5,
		P50:       175,
		P95:       198,
		P99:       200,
		Max:       200,
	}
	if bins[3] != want {
		t.Errorf("bin 3 is %+v, want %+v", bins[3], want)
	}
	if last := bins[19]; last.Flows != 50 || last.Completed != 49 || last.Max != 999 || last.Most != 1000*unit.KB {
		t.Errorf("the last bin is %+v", last)
	}
	if got := sized(19).SizeBins(); len(got) != 0 {
		t.Errorf("19 sizes make %d bins", len(got))
	}
	if got := sized(20).SizeBins(); len(got) != 20 || got[7].Flows != 1 || got[7].P95 != 8 {
		t.Errorf("20 sizes make %+v", got)
	}
}

// A bin without completed flows has empty cells.
func TestSizeSheet(t *testing.T) {
	o := sized(20)
	o.Flows[len(o.Flows)-1].Sender.Completed = unit.Never
	var out strings.Builder
	if _, err := sizeSheet.write(&out, runLabel{"a", 1}, rowsOf(o.SizeBins())); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
	if err != nil || len(rows) != 21 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, want := range []string{"a,1,random,1000,1000,1,0,,,,,",
		"a,1,random,2000,2000,1,1,2.0000,2.0000,2.0000,2.0000,2.0000"} {
		t.Run(want, func(t *testing.T) {
			if got := strings.Join(rows[i+1], ","); got != want {
				t.Errorf("row %d is %s, want %s", i, got, want)
			}
		})
	}
}
