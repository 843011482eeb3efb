package result

import (
	"iter"
	"strconv"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// valueBin is one bin of a value that an algorithm reports about itself.
type valueBin struct {
	flow  string
	named *record.Value
	at    unit.Time
	value float32
	ok    bool
}

var valueSeriesSheet = sheet[valueBin]{"series_values.csv", "Time series of values that algorithms report, such " +
	"as the alpha of DCQCN, from the start of the flow to its end, without the bins whose value is that of the " +
	"bin before. It does not affect the run. Recording below gives the width of its bins.",
	[]column[valueBin]{
		shortTimeColumn("time_us", "Start of the bin.", func(r *valueBin) unit.Time { return r.at }),
		textColumn("flow", "Name of the flow.", func(r *valueBin) string { return r.flow }),
		textColumn("name", "Name of the value in the algorithm.", func(r *valueBin) string { return r.named.Name }),
		textColumn("unit", "Its unit; empty for a number without one.", func(r *valueBin) string { return r.named.Unit }),
		{
			name: "value",
			doc:  "The value at the end of the bin, to seven digits; empty for none.",
			kind: NumberColumn,
			cell: func(b []byte, r *valueBin) []byte { return r.appendValue(b) },
		},
	}}

// appendValue writes the value, nothing for none.
func (r *valueBin) appendValue(b []byte) []byte {
	if !r.ok {
		return b
	}
	return strconv.AppendFloat(b, float64(r.value), 'g', -1, 32)
}

func (r *valueBin) size() int {
	var text [24]byte // a number of seven digits has at most 14 characters
	return len(",,,,") + timeDigits(int64(r.at)) + textSize(r.flow) + textSize(r.named.Name) + textSize(r.named.Unit) +
		len(r.appendValue(text[:0]))
}

// hasValues reports whether an algorithm of the run reported values.
func hasValues(flows []Flow) bool {
	for i := range flows {
		if flows[i].Sender.Values != nil {
			return true
		}
	}
	return false
}

// valueWidth is the width of the bins of values as they were recorded.
func valueWidth(flows []Flow) unit.Duration {
	for i := range flows {
		if values := flows[i].Sender.Values; values != nil {
			return values.Width
		}
	}
	return 0
}

// valueBins yields the rows of valueSeriesSheet with bins of a width.
func valueBins(o *Outcome, width unit.Duration) iter.Seq[*valueBin] {
	return func(yield func(*valueBin) bool) {
		var room record.Series
		for flow := range o.eachFlow {
			sender, end := flow.Sender, flow.end()
			if sender.Values == nil || sender.Started >= end {
				continue
			}
			times := doublings(sender.Values.Width, width)
			for v := range sender.Values.List {
				named := &sender.Values.List[v]
				row := valueBin{flow: flow.planned.Name, named: named}
				over := named.Over.Folded(times, &room)
				first := int(sender.Started / unit.Time(width))
				for bin := first; bin <= int((end-1)/unit.Time(width)); bin++ {
					value, ok := record.ValueOf(over, bin)
					if bin > first && ok == row.ok && (value == row.value || !ok) {
						continue
					}
					row.at, row.value, row.ok = unit.Time(bin)*unit.Time(width), value, ok
					if !yield(&row) {
						return
					}
				}
			}
		}
	}
}
