package verdicts

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/specs/tier"
)

// tenths finds what a time has beyond tenths of a microsecond, which depends on when packets start.
var tenths = regexp.MustCompile(`(\.\d)\d*`)

// The note of an outage divides the recovery of the flow that went on last, and each part follows the setting that it
// is about, and nothing else does. Tier: every day, some 2 s.
func TestRecoveryHasItsParts(t *testing.T) {
	tier.Everyday(t)
	for _, x := range []struct {
		name, variant string
		set           []string
		want          string
	}{
		{"the known case", "nak", nil, "100us the switch, 200us its neighbours, 303.2us the NAK timer"},
		{"detect", "nak", []string{"failover.detect=150us"},
			"150us the switch, 200us its neighbours, 303.2us the NAK timer"},
		{"propagate", "nak", []string{"failover.propagate=250us"},
			"100us the switch, 250us its neighbours, 253.2us the NAK timer"},
		{"nak_interval", "nak", []string{"nic.nak_interval=400us"},
			"100us the switch, 200us its neighbours, 203.2us the NAK timer"},
		{"a timeout", "rto", nil, "100us the switch, 200us its neighbours, 3.7ms the retransmission timer"},
		{"a shorter timeout", "rto", []string{"nic.rto.floor=2ms", "nic.rto.initial=2ms"},
			"100us the switch, 200us its neighbours, 1.7ms the retransmission timer"},
		{"routes as they are", "none", nil, "2.5ms the link"},
		{"a link that is up sooner", "none", []string{"faults.0.up=2ms"}, "1.5ms the link"},
	} {
		t.Run(x.name, func(t *testing.T) {
			args := []string{"--format", "json"}
			for _, s := range x.set {
				args = append(args, "--set", s)
			}
			_, out := run(t, "recovery", x.variant, args...)
			text := ""
			for _, f := range documentOf(t, out).Runs[0].Findings {
				if f.About == "outage" {
					text += f.Text
				}
			}
			_, parts, _ := strings.Cut(text, " from the outage on: ")
			parts, rest, _ := strings.Cut(parts, ";")
			if timers := tenths.ReplaceAllString(parts, "$1"); !strings.HasPrefix(timers, x.want+", ") ||
				!strings.HasSuffix(timers, "us the rest") {
				t.Errorf("%s\nwant %s", text, x.want)
			}
			if avoids := rest == ""; avoids == (x.variant == "none") {
				t.Errorf("%s, though variant %s has a failover: %v", rest, x.variant, x.variant != "none")
			}
		})
	}
}

// An expectation of recovered is met by a shorter recovery and fails a run with a longer one, with a flow that never
// went on, and one without a link that went down; the finding names the reason. Tier: every day, some 2 s.
func TestRecoveredIsExpected(t *testing.T) {
	tier.Everyday(t)
	for _, x := range []struct {
		scenario, variant, recovered string
		code                         int
		want                         string
	}{
		{"recovery", "nak", "620us", exit.CodePass, ""},
		{"recovery", "nak", "600us", exit.CodeFailed, "recovered: 600us: it is 611.599"},
		{"cut", "ill", "10s", exit.CodeFailed, "recovered: 10s: 1 flow had not gone on when the run ended"},
		{"broken", "calm", "1ms", exit.CodeFailed, "recovered: 1ms: no link went down"},
	} {
		t.Run(fmt.Sprintf("scenario=%v,variant=%v,recovered=%v", x.scenario, x.variant, x.recovered), func(t *testing.T) {
			code, out := run(t, x.scenario, x.variant, "--set", "expect.recovered="+x.recovered, "--format", "json")
			text := ""
			for _, f := range documentOf(t, out).Runs[0].Findings {
				if f.About == "expectation" {
					text += lineNumber.ReplaceAllString(f.Text, "")
				}
			}
			if code != x.code || !strings.HasPrefix(text, x.want) || (x.want == "") != (text == "") {
				t.Errorf("%s %s, recovered: %s: code %d, %q; want %d, %q", x.scenario, x.variant, x.recovered, code, text, x.code,
					x.want)
			}
		})
	}
}

// lineNumber finds the line of an expectation in a scenario.
var lineNumber = regexp.MustCompile(` \(line \d+\)`)
