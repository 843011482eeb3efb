package report

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
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
