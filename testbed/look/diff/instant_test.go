package diff

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// of is a run with these hashes at multiples of 1 us and an end.
func of(end unit.Time, width unit.Time, hash func(at unit.Time) uint64) *instants {
	in := &instants{End: end, Trace: map[unit.Time]uint64{}, Last: map[string]uint64{}}
	for at := width; at <= end; at += width {
		in.At, in.Trace[at] = append(in.At, at), hash(at)
	}
	if _, there := in.Trace[end]; !there {
		in.At, in.Trace[end] = append(in.At, end), hash(end)
	}
	return in
}

// Runs part between the last common instant that is equal and the first that is not, however far apart each has its
// instants.
func TestPart(t *testing.T) {
	const us = unit.Time(unit.Microsecond)
	same := func(at unit.Time) uint64 { return uint64(at) }
	from := func(from unit.Time) func(unit.Time) uint64 {
		return func(at unit.Time) uint64 {
			if at >= from {
				return 1
			}
			return uint64(at)
		}
	}
	for _, c := range []struct {
		name string
		a, b *instants
		want parting
	}{
		{"equal", of(9*us+1, us, same), of(9*us+1, us, same), parting{Common: 10, Equal: true, From: 9*us + 1}},
		{"early", of(9*us, us, same), of(9*us, us, from(1)), parting{Common: 1, To: us}},
		{"late", of(9*us, us, same), of(9*us, us, from(6*us)), parting{Common: 6, From: 5 * us, To: 6 * us}},
		{"the last", of(9*us+5, us, same), of(9*us+5, us, from(9*us+1)), parting{Common: 10, From: 9 * us, To: 9*us + 5}},
		{"wider", of(9*us, us, same), of(40*us, 4*us, from(5*us)), parting{Common: 2, From: 4 * us, To: 8 * us}},
		{"shorter", of(9*us, us, same), of(40*us, 4*us, same), parting{Common: 2, From: 8 * us, To: 9 * us, Shorter: true}},
		{"ended", of(8*us, us, same), of(40*us, 4*us, same), parting{Common: 2, From: 8 * us, To: 8 * us, Shorter: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := part(c.a, c.b); !reflect.DeepEqual(*got, c.want) {
				t.Errorf("%s: %+v, want %+v", c.name, *got, c.want)
			}
		})
	}
	a, b := of(us, us, same), of(us, us, from(1))
	a.Nodes, a.Last = []string{"s0", "h0", "h1"}, map[string]uint64{"s0": 1, "h0": 2, "h1": 3}
	b.Nodes, b.Last = []string{"s0", "h0", "h2"}, map[string]uint64{"s0": 1, "h0": 9, "h2": 3}
	if got := part(a, b).Nodes; fmt.Sprint(got) != "[h0 h1 h2]" {
		t.Error(got)
	}
}

const sheet = `variant,seed,time_us,node,hash
x,1,1.000000,,00000000000000ff
x,1,2.500001,,0000000000000010
x,1,2.500001,s0,0000000000000001
`

// readInstants reads the text of a trace.csv.
func readInstants(text string) (*instants, error) {
	in := newInstants()
	err := runfolder.ReadSheet(traceName, strings.NewReader(text), traceColumns, in.add)
	return in, errors.Join(err, in.check())
}

func TestReadInstants(t *testing.T) {
	in, err := readInstants(sheet)
	if err != nil || in.End != 2500001 || in.Trace[1e6] != 255 || in.Last["s0"] != 1 || len(in.At) != 2 {
		t.Errorf("%+v, %v", in, err)
	}
	for _, c := range []struct{ old, new, says string }{
		{"hash", "sum", "no column hash"},
		{"1.000000", "1.0000000", `trace.csv:2:3 is damaged: time_us: "1.0000000" is not a time`},
		{"1.000000", "-1", "is not a time"},
		{"1.000000", "99999999999999", "beyond the longest run"},
		{"00ff", "00fg", "is not a hash"},
		{"1.000000", "3", `trace.csv:3:3 is damaged: time_us: instant "2.500001" is not after`},
		{"x,1,2.500001,,", "x,1,2.500001,s0,", "node s0 is there twice"},
		{"x,1,1.000000", "x,1", "it has 4 cells, and the header 5"},
	} {
		t.Run(c.says, func(t *testing.T) {
			if _, err := readInstants(strings.Replace(sheet, c.old, c.new, 1)); err == nil ||
				!strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want %q", c.new, err, c.says)
			}
		})
	}
	if _, err := readInstants("time_us,node,hash\n"); err == nil {
		t.Error("no row is taken")
	}
}

// Any text is read, or refused in words; an accepted one has its instants in order.
func FuzzReadInstants(f *testing.F) {
	f.Add(sheet)
	f.Fuzz(func(t *testing.T, text string) {
		in, err := readInstants(text)
		if err != nil {
			return
		}
		for i, at := range in.At {
			if at < 0 || i > 0 && at <= in.At[i-1] {
				t.Fatalf("instants %v", in.At)
			}
		}
		part(in, in)
	})
}
