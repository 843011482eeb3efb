package asset

import (
	"regexp"
	"testing"
)

var partColours = regexp.MustCompile(`\.part-([\w-]+) \{ --part: (#[0-9a-f]+); --on: (#[0-9a-f]+); \}`)

// The labels on the parts of a time are read in all schemes, and each of the ten parts has a colour of its own.
func TestContrastOnParts(t *testing.T) {
	owner := map[string]string{}
	for _, rule := range partColours.FindAllStringSubmatch(whyStyle, -1) {
		name, part, on := rule[1], rule[2], rule[3]
		if got := contrast(t, part, on); got < 4.5 {
			t.Errorf("%s: %s on %s has %.2f, below 4.5", name, on, part, got)
		}
		if other := owner[part]; other != "" {
			t.Errorf("%s and %s are both %s", name, other, part)
		}
		owner[part] = name
	}
	if len(owner) != 15 {
		t.Errorf("%d colours, want eleven and four of the dark scheme", len(owner))
	}
}
