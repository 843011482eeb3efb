package result

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The whole fabric at each instant and at the end, once, then every node.
func TestTraceSheet(t *testing.T) {
	rows := func(o *Outcome) string {
		var text strings.Builder
		if _, err := traceSheet.write(&text, runLabel{"a", 1}, traceRows(o)); err != nil {
			t.Fatal(err)
		}
		return text.String()
	}
	o := star()
	o.Traces = []TraceAt{{At: unit.Time(unit.Microsecond), Trace: 0xa}, {At: unit.Time(2 * unit.Microsecond), Trace: 0xb}}
	for i := range 1 + len(o.Plan.NICs) {
		o.NodeTraces = append(o.NodeTraces, trace.Hash(0x10+i))
	}
	o.End, o.Trace = unit.Time(2500*unit.Nanosecond), 0xc
	want := `variant,seed,time_us,node,hash
a,1,1.000000,,000000000000000a
a,1,2.000000,,000000000000000b
a,1,2.500000,,000000000000000c
a,1,2.500000,s0,0000000000000010
a,1,2.500000,h0,0000000000000011
`
	if got := rows(o); !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 5+len(o.Plan.NICs) {
		t.Errorf("%s, want %s", got, want)
	}
	o.End, o.Trace = unit.Time(2*unit.Microsecond), 0xb
	if got := rows(o); strings.Count(got, ",,") != 2 {
		t.Errorf("the end is there twice: %s", got)
	}
}
