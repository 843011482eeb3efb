package report

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
)

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
	why := &result.WhySlow{Parts: c.Parts, Algorithm: c.algorithm, Bottleneck: c.bottleneck, Root: c.root}
	if c.takers != "" {
		why.Takers = strings.Split(c.takers, "; ")
	}
	return why
}

// difference says which part differs most between two flows.
func difference(a, b *cause, nameA, nameB string) string {
	if a.Total() > b.Total() {
		a, b, nameA, nameB = b, a, nameB, nameA
	}
	var most attribution.Part
	least := unit.Duration(0)
	for part := range attribution.NumParts {
		if d := max(b.Parts[part]-a.Parts[part], a.Parts[part]-b.Parts[part]); d > least {
			most, least = part, d
		}
	}
	longer := b.Total() - a.Total()
	if least == 0 {
		return ""
	}
	text := fmt.Sprintf("The slowest flow of %s took %s longer than that of %s", nameB, durationText(longer), nameA)
	if 100*longer < b.Total() {
		text = fmt.Sprintf("The slowest flows of %s and %s took about as long as each other", nameA, nameB)
	}
	return fmt.Sprintf("%s; the part that differs most is %s: %s against %s.", text, most, durationText(b.Parts[most]),
		durationText(a.Parts[most]))
}
