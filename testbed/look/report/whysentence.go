package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/unit"
)

const (
	// toldPercent is the least share of a flow's time that a sentence has of a part, leadPercent the share from which
	// on a part comes before those that no sender avoids. Unit: percent.
	toldPercent = 1
	leadPercent = 10
	// partsTold and takersTold are how many parts and names of flows a sentence has at most.
	partsTold  = 4
	takersTold = 1
)

// phrases say how long a flow was in a part: %s is a duration.
var phrases = [attribution.NumParts]string{
	attribution.Alone:      "alone %s",
	attribution.Shared:     "shared %s",
	attribution.Unfair:     "unfair %s",
	attribution.HeldBack:   "held back for %s",
	attribution.Collision:  "collision for %s",
	attribution.Queued:     "queued for %s",
	attribution.Paused:     "paused for %s",
	attribution.Repair:     "repair for %s",
	attribution.Host:       "host %s",
	attribution.Unresolved: "unresolved %s",
}

// sentence names the largest parts of a flow's time.
func (c *cause) sentence(label string) string {
	text := fmt.Sprintf("%s: %s took %s: ", label, c.flow, durationText(c.Total()))
	if !c.completed {
		text = fmt.Sprintf("%s: %s was not complete after %s: ", label, c.flow, durationText(c.Total()))
	}
	var told []string
	placed := false
	for _, part := range c.told() {
		phrase := fmt.Sprintf(phrases[part], durationText(c.Parts[part]))
		if c.bottleneck != "" && !placed && atBottleneck(part) {
			phrase += " at " + c.bottleneck
			placed = true
		}
		if part == attribution.Unfair && c.takers != "" {
			names := strings.Split(c.takers, "; ")
			phrase += " (" + strings.Join(names[:min(takersTold, len(names))], ", ")
			if len(names) > takersTold {
				phrase += ", ..."
			}
			phrase += ")"
		}
		told = append(told, phrase)
	}
	return text + strings.Join(told, ", ")
}

// atBottleneck reports whether a part is of the state of the bottleneck.
func atBottleneck(part attribution.Part) bool {
	switch part {
	case attribution.Shared, attribution.Unfair, attribution.HeldBack, attribution.Collision:
		return true
	}
	return false
}

// told are the parts of a sentence: those that could have been avoided, if they are large, then the others by their
// size.
func (c *cause) told() (list []attribution.Part) {
	for part := range attribution.NumParts {
		if c.percent(part) >= toldPercent {
			list = append(list, part)
		}
	}
	leads := func(part attribution.Part) int {
		if part == attribution.Alone || part == attribution.Shared || c.percent(part) < leadPercent {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b attribution.Part) int {
		return cmp.Or(cmp.Compare(leads(b), leads(a)), cmp.Compare(c.Parts[b], c.Parts[a]))
	})
	return list[:min(len(list), partsTold)]
}

// percent is a part's share of the flow's time. Range: 0 to 100.
func (c *cause) percent(part attribution.Part) float64 {
	return 100 * float64(c.Parts[part]) / float64(c.Total())
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
