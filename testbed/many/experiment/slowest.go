package experiment

import (
	"fmt"

	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// slowestFlows say of each variant which flow was the slowest of all seeds, and why; a variant
// without a slow flow has no line.
func slowestFlows(vs []variant) (lines []string) {
	for i := range vs {
		var slowest *campaign.Run
		for j := range vs[i].runs {
			run := &vs[i].runs[j]
			if run.Slowest != nil && (slowest == nil || run.Slowest.SlowerThan(slowest.Slowest)) {
				slowest = run
			}
		}
		if slowest == nil {
			continue
		}
		name := vs[i].name
		if len(vs[i].runs) > 1 {
			name += fmt.Sprintf(", seed %d", slowest.Summary.Seed)
		}
		lines = append(lines, terminal.Line(name+": slowest flow: "+slowest.Slowest.String()))
	}
	return lines
}
