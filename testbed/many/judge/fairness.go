package judge

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// equalFlows has four equal flows share a port for 20 ms; they start together or,
// with a spacing, one after the other.
func equalFlows(spacing unit.Duration) string {
	return fmt.Sprintf(`
name: equals
topology: {kind: star, hosts: 5}
traffic: [{kind: incast, senders: 4, receiver: h4, spacing: %dps}]
run: {until: 20ms}
record: {interval: 1ms}
`, int64(spacing))
}

// mixed has two flows of the algorithm share a port with two of DCQCN.
const mixed = `
name: mixed
topology: {kind: star, hosts: 5}
traffic:
  - {name: subject, kind: incast, senders: [h0, h1], receiver: h4}
  - {name: dcqcn, kind: incast, senders: [h2, h3], receiver: h4, algorithm: dcqcn}
run: {until: 20ms}
record: {interval: 1ms}
`

// quarter is one of 20 ms. Flows that start together have the first to find their
// shares, flows that join one after the other the first two.
const quarter = unit.Time(5 * unit.Millisecond)

func (t *trial) fairness() Row { return t.share(0, quarter, 2*quarter, 4*quarter) }

// latecomers looks for shares that are equal purely by symmetry.
func (t *trial) latecomers() Row { return t.share(unit.Millisecond, 2*quarter, 4*quarter) }

// share has four equal flows share a port, and looks at their shares between
// each instant and the next.
func (t *trial) share(spacing unit.Duration, instants ...unit.Time) Row {
	var missed criteria
	least, used := 1.0, 1.0
	for _, seed := range t.Seeds {
		r := t.run(equalFlows(spacing), seed)
		missed.complete(r)
		for i, from := range instants[:len(instants)-1] {
			var parts []float64
			sum := 0.0
			for f := range r.Flows {
				part := r.part(f, from, instants[i+1])
				parts, sum = append(parts, part), sum+part
			}
			least, used = min(least, result.Jain(parts)), min(used, sum)
		}
	}
	missed.want(least >= leastJain, "Jain's index %.4f, required is %v", least, leastJain)
	missed.want(used >= leastUsed, "%s of the port used, required is %s", percent(used), percent(leastUsed))
	return missed.row(fmt.Sprintf("Jain >= %v, %s used", leastJain, percent(leastUsed)),
		"Jain %.4f, %s used", least, percent(used))
}

// beside has two flows share a port with two of DCQCN.
func (t *trial) beside() Row {
	r := t.run(mixed, 1)
	both := func(flow int) string {
		return percent(r.part(flow, 2*quarter, 4*quarter) + r.part(flow+1, 2*quarter, 4*quarter))
	}
	figure := both(0) + " beside " + both(2)
	return Row{Result: Reported, Figure: figure, Remark: "of the port, two flows beside two of DCQCN"}
}
