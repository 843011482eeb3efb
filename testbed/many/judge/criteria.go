package judge

import (
	"fmt"
	"strings"
)

// criteria are the demands of a check that were missed; a check with one fails.
type criteria []string

// want notes a criterion as missed unless it holds.
func (c *criteria) want(holds bool, format string, args ...any) {
	if !holds {
		*c = append(*c, fmt.Sprintf(format, args...))
	}
}

// complete are the criteria that no frame was lost and every flow completed.
func (c *criteria) complete(run *run) {
	c.arrived(run)
	c.want(run.Summary.Drops == 0, "%d frames were lost", run.Summary.Drops)
}

// arrived is the criterion that every flow completed.
func (c *criteria) arrived(run *run) {
	s := run.Summary
	c.want(s.Incomplete == 0, "%d of %d flows did not complete within %v", s.Incomplete, s.Flows, run.Plan.Limit)
}

// row is a check's result by its criteria.
func (c *criteria) row(allowed, format string, args ...any) Row {
	row := Row{Result: Pass, Figure: fmt.Sprintf(format, args...), Allowed: allowed, Remark: strings.Join(*c, "; ")}
	if len(*c) > 0 {
		row.Result = Failed
	}
	return row
}
