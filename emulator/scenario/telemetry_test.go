package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
)

const telling = `topology: {kind: star, hosts: 2}
traffic:
- {kind: flow, from: h0, to: h1, size: 1MB, algorithm: plain}
- name: asking
  kind: flow
  from: h0
  to: h1
  size: 1MB
  algorithm: int
`

// Traffic that asks for telemetry is refused, at its algorithm, if a switch cannot stamp or a path is too long; other
// traffic is not.
func TestTelemetryThatNoSwitchCanStamp(t *testing.T) {
	asks := WithSignals(func(a *plan.Algorithm) Signals { return Signals{Telemetry: a.Name == "int"} })
	for _, c := range []struct{ edit, with, want string }{
		{"", "", ""},
		{"hosts: 2}", "hosts: 2}\nswitch: {int: false}",
			"10:14: int asks for in-band telemetry, which every switch must stamp: s0 does not, its key int is " +
				"false"},
		{"hosts: 2}", "hosts: 2, rate: 40Gbps}",
			"9:14: int asks for in-band telemetry, which every switch must stamp: s0 has a port of 40Gbps, and " +
				"a record can tell 25, 50, 100, 200, 400 and 800 Gb/s"},
	} {
		t.Run(fmt.Sprintf("%.50q", c.with), func(t *testing.T) {
			_, err := Parse("s.yaml", []byte(strings.Replace(telling, c.edit, c.with, 1)), nil, asks)
			if got := strings.TrimPrefix(text(err), "s.yaml:"); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.with, got, c.want)
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
