package recovery

import "fmt"

// stretch is 40 MB over one link of 100 Gb/s that loses frames, with a window
// of one BDP and without congestion control.
func stretch(loss float64, nic string) string {
	return fmt.Sprintf(`
name: stretch
algorithm: {name: fixed, params: {window: 52375B}}
topology: {kind: star, hosts: 2}
traffic: [{name: write, from: h0, to: h1, size: 40MB, message: 1MB}]
faults: [{link: h1-s0, loss: %g}]
nic: %s
`, loss, nic)
}
