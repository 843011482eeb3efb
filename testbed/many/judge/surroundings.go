package judge

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/many/judge/surroundings"
)

// surroundings replays the records to a program in other surroundings, and, to one that notices, with each of them
// separately, to name its dependencies.
func (t *trial) surroundings() Row {
	program, why := t.program()
	if program.Path == "" {
		return Row{Result: Skipped, Remark: "built in, not a program: " + why}
	}
	if err := surroundings.All.Try(t.ctx); err != nil {
		return Row{Result: Skipped, Remark: "this host gives no other surroundings: " + err.Error()}
	}
	var missed criteria
	calls, what := t.replayIn(program, surroundings.All)
	if what != "" {
		missed = append(missed, t.depends(program, what))
	}
	return missed.row(noDifference, "%d calls in other surroundings", calls)
}

// depends names the surroundings on which the decisions of a program depend; what is their difference with all of them
// together.
func (t *trial) depends(program process.Program, what string) string {
	if _, again := t.replayIn(program, 0); again != "" {
		return "its decisions differ at each start, in any surroundings: " + again
	}
	var guilty []string
	for _, factor := range surroundings.All.Each() {
		if _, alone := t.replayIn(program, factor); alone != "" {
			guilty, what = append(guilty, factor.String()), alone
		}
	}
	if guilty == nil {
		guilty = []string{surroundings.All.String() + ", only together"}
	}
	return fmt.Sprintf("its decisions depend on %s: %s", strings.Join(guilty, " and on "), what)
}
