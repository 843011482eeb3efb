package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// whyFile is the file with the time of each flow by cause.
const whyFile = "why.csv"

// cause is a flow with the parts of its time.
type cause struct {
	run *run
	// flow is its name, group the traffic entry that it came from.
	flow, group, algorithm string
	size                   unit.Bytes
	attribution.Parts
	// bottleneck and root are ports, node:port, "" for none; takers are the names of flows, as the file has them.
	bottleneck, root, takers string
	// held is its rate, and the free rate, while it was held back.
	held result.HeldBack
	// where finds the flow's row on the page. For an iteration of a job file is the file of its row, and costliest the
	// flow that cost most of it.
	where, file, costliest string
	// slowness is the rank of the flow, larger for slower ones; goodput ranks flows without a size.
	slowness, goodput float64
	// completed is false for a flow with a size that did not; messages is true where slowness is that of a message.
	completed, messages bool
}

// partColumn is the column of a part.
func partColumn(part attribution.Part) string {
	return strings.ReplaceAll(part.String(), " ", "_") + "_us"
}

// causes reads the flows of a variant, the slowest first: incomplete ones, then by slowdown, as in the table of the
// slowest flows.
func (v *variant) causes() (list []*cause, err error) {
	for _, r := range v.runs {
		of, err := r.causes()
		if err != nil {
			return nil, err
		}
		list = append(list, of...)
	}
	slices.SortStableFunc(list, slowestFirst)
	return list, nil
}

// slowestFirst orders flows.
func slowestFirst(a, b *cause) int {
	return cmp.Or(cmp.Compare(b.slowness, a.slowness), cmp.Compare(a.goodput, b.goodput),
		cmp.Compare(b.Total(), a.Total()))
}

// causes reads the flows of a run that took any time.
func (r *run) causes() (list []*cause, err error) {
	byName := map[string]*cause{}
	err = r.rows(whyFile, func(row row) error {
		c := &cause{
			run:        r,
			flow:       strings.Clone(row.Text("flow")),
			bottleneck: strings.Clone(row.Text("bottleneck")),
			root:       strings.Clone(row.Text("pause_root")),
			takers:     strings.Clone(row.Text("takers")),
			where:      whereOf(row, "flow"),
			held: result.HeldBack{
				Rate:     row.OrZero("held_rate_gbps"),
				FreeLow:  row.OrZero("free_low_gbps"),
				FreeHigh: row.OrZero("free_high_gbps"),
				CNPs:     uint64(row.count("held_cnps")),
			},
		}
		for part := range attribution.NumParts {
			c.Parts[part] = unit.Duration(row.picoseconds(partColumn(part)))
		}
		if c.Total() > 0 {
			list = append(list, c)
			byName[c.flow] = c
		}
		return nil
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	err = r.rows("flows.csv", func(row row) error {
		if c := byName[row.Text("flow")]; c != nil {
			c.group, c.algorithm = strings.Clone(row.Text("group")), strings.Clone(row.Text("algorithm"))
			c.slowness, c.goodput = slowness(row), row.OrZero("goodput_gbps")
			c.messages = row.OrZero("message_max_us") > 0
			c.size = unit.Bytes(row.count("size_bytes"))
			c.completed = c.size == 0 || row.Text("completed_us") != ""
		}
		return nil
	})
	return list, err
}

// key is where a column of the flow is.
func (c *cause) key(column string) string {
	return c.run.key(cmp.Or(c.file, whyFile)) + "#" + c.where + "/" + column
}

// ranked is a flow with its place among the flows of its variant.
type ranked struct {
	place string
	*cause
}

// rankedOf are the slowest of flows that are sorted, and the median and the fastest of the traffic that it came from: a
// flow of other traffic has another size or waits for others. Of two there is no median.
func rankedOf(list []*cause) []ranked {
	if len(list) == 0 {
		return nil
	}
	alike := slices.DeleteFunc(slices.Clone(list), func(c *cause) bool { return c.group != list[0].group })
	last := len(alike) - 1
	switch last {
	case 0:
		return []ranked{{slowestFlow, alike[0]}}
	case 1:
		return []ranked{{slowestFlow, alike[0]}, {fastestFlow, alike[1]}}
	}
	middle := (last - last%2) / 2 // the slower of two, so that it is a flow
	return []ranked{{slowestFlow, alike[0]}, {medianFlow, alike[middle]}, {fastestFlow, alike[last]}}
}

// othersOf are the slowest flows of other traffic that lost a tenth of their time or more, of mostOthers entries.
func othersOf(list []*cause) (others []ranked) {
	const mostOthers, leastLoss = 2, 10
	seen := map[string]bool{list[0].group: true}
	for _, c := range list {
		if seen[c.group] || len(others) == mostOthers {
			continue
		}
		seen[c.group] = true
		if c.Total()-c.Parts[attribution.Alone] >= c.Total()/leastLoss {
			others = append(others, ranked{slowestFlow + " of " + c.group, c})
		}
	}
	return others
}

// The places of flows.
const (
	slowestFlow = "Slowest flow"
	medianFlow  = "Median flow"
	fastestFlow = "Fastest flow"
)

// durationText prints a duration for people.
func durationText(d unit.Duration) string { return unit.InMicroseconds.Text(float64(d) / 1e6) }

// allDigits is a duration in microseconds with all digits, as files have it.
func allDigits(d unit.Duration) string { return fmt.Sprintf("%d.%06d", d/1e6, d%1e6) }

// slowdown describes a flow's time relative to an empty way, "" if that is not known.
func (c *cause) slowdown() string {
	switch {
	case !c.completed:
		return "not complete"
	case !(c.slowness > 0):
		return ""
	case c.messages:
		return fmt.Sprintf("a message %.3g × alone", c.slowness)
	}
	return fmt.Sprintf("%.3g × alone", c.slowness)
}

// sentence names the causes of a flow's time.
func (c *cause) sentence(label string) string {
	text := fmt.Sprintf("%s: %s took %s", label, c.flow, durationText(c.Total()))
	if !c.completed {
		text = fmt.Sprintf("%s: %s was not complete after %s", label, c.flow, durationText(c.Total()))
	}
	if why := c.why().String(); why != "" {
		text += ": " + why
	}
	return text
}

// why is the flow's time by cause, as the terminal has it.
func (c *cause) why() *result.WhySlow {
	why := &result.WhySlow{
		Parts:      c.Parts,
		Algorithm:  c.algorithm,
		Bottleneck: c.bottleneck,
		Root:       c.root,
		Held:       c.held,
	}
	if c.takers != "" {
		why.Takers = strings.Split(c.takers, "; ")
	}
	return why
}
