package scenario

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/spelling"
)

var checkPattern = regexp.MustCompile(
	`^\s*([a-z][a-z0-9_]*)\s*(<=|>=|==|<|>)\s*(-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\s*$`)

func readChecks(r *reader, n *node, draft *expectDraft) {
	if n.kind != sequence {
		r.add(n.at, `checks is %s: it must be a list such as ["drops == 0"]`, kindNames[n.kind])
		return
	}
	for _, item := range n.items {
		text, ok := r.scalar(item, "check", `a comparison such as "drops == 0"`)
		if !ok {
			continue
		}
		list := checkPattern.FindStringSubmatch(text)
		if list == nil {
			r.add(item.at,
				"check %q is not a comparison: write a metric, one of < <= > >= ==, and a number, such as "+
					"\"jain >= 0.99\"", shorten(text))
			continue
		}
		value, err := strconv.ParseFloat(list[3], 64)
		if err != nil {
			r.add(item.at, "check %q: %s is out of the range of numbers", shorten(text), shorten(list[3]))
			continue
		}
		if r.metrics != nil && !slices.Contains(r.metrics, list[1]) {
			r.add(item.at, "check %q: there is no metric %q: %s", shorten(text), list[1],
				spelling.Hint(list[1], r.metrics, "`rocelab metrics` lists them"))
			continue
		}
		draft.checks = append(draft.checks, plan.Check{
			Metric: list[1],
			Op:     list[2],
			Value:  value,
			Text:   text,
			Line:   item.at.line,
		})
	}
}
