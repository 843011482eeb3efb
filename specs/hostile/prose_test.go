package hostile

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// A plugin's description is printed and never obeyed by a terminal.
func TestProseIsShownNotObeyed(t *testing.T) {
	tier.Everyday(t)
	build(t)
	place := newPlace(t)
	place.install("description-prose", "go")
	for _, verb := range [][]string{{"list", "--plugin-dir", place.plugins},
		{"show", place.plugins + "/cc-description-prose"},
		{"show", place.plugins + "/cc-description-prose", "--format", "json"}} {
		c := exec.Command(built+"/rocelab", append([]string{"algorithm"}, verb...)...)
		c.Env = place.environ()
		out, err := c.CombinedOutput()
		if text := string(out); err != nil || strings.ContainsAny(text, "\x1b\u009b") || !strings.Contains(text, "PASS") {
			t.Errorf("%s: %v\n%q", verb, err, text)
		}
	}
	place.checkLeft()
}
