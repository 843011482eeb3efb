package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
)

// A timeout that is not above the round trip causes a warning with both numbers, for any reason of a long round trip;
// the defaults are enough for 1000 km.
func TestTimeoutsBelowTheRoundTrip(t *testing.T) {
	for _, x := range []struct{ length, rto, warning string }{
		{"1000km", "{}", ""},
		{"1000km", "{floor: 1ms, initial: 11ms}", ""},
		{"1000km", "{initial: 10ms}", "nic.rto.initial is 10ms, not above the base RTT of 10.009ms of collective/a-h0-b-h0"},
		{"1000km", "{initial: 10ms}", "and 15 other flows: everything is sent again before the first ACK can come"},
		{"2000km", "{}", "nic.rto.initial is 16ms, not above the base RTT of 20.009ms of collective/a-h0-b-h0"},
		{"1000km", "{factor: 1}",
			"nic.rto.floor is 4ms and factor is 1, not above the base RTT of 10.009ms of collective/a-h0-b-h0"},
		{"1000km", "{factor: 1, floor: 11ms}", ""},
		{"10km", "{factor: 1}", ""},
	} {
		planned := plansOf(t, `
algorithm: none
topology: {kind: two-dc, scale: 1/64, dci_wan: {length: `+x.length+`}}
nic: {rto: `+x.rto+`}
traffic: [{operation: all-reduce, method: hierarchical, groups: 2, size: 64kB}]
`)[0]
		warnings := strings.Join(Analyse(planned, nil).Warnings, "\n")
		if !strings.Contains(warnings, x.warning) || x.warning == "" && warnings != "" {
			t.Errorf("%s, rto %s: warns %q, want %q", x.length, x.rto, warnings, x.warning)
		}
	}
}

// A timeout without a measurement is compared with the round trip behind a full queue: 20 MB at 100 Gb/s are 1.6 ms,
// and alpha 64 leaves 64/65 of that. A measured one grows with the queue.
func TestTimeoutsBelowAFullQueue(t *testing.T) {
	for _, x := range []struct{ buffer, rto, warning string }{
		{"20MB", "{mode: fixed, ack_timeout: 7}", "nic.rto.ack_timeout makes a timeout of 524.288us, not above the 1.58ms"},
		{"5MB", "{mode: fixed, ack_timeout: 7}", ""},
		{"20MB", "{mode: fixed, ack_timeout: 9}", ""},
		{"20MB", "{mode: irn}", "nic.rto.high makes a timeout of 320us"},
		{"3MB", "{mode: irn}", ""},
		{"20MB", "{mode: adaptive}", ""},
		{"20MB", "{mode: adaptive, init_low: 6, ranges: [{low: 6}]}", "nic.rto.ranges makes a timeout of 256us"},
		{"20MB", "{floor: 500us}", ""},
		{"20MB", "{mode: irn, high: 2us, low: 1us}", "nic.rto.high is 2us, not above the base RTT"},
	} {
		t.Run(fmt.Sprintf("buffer=%s,rto=%s", x.buffer, x.rto), func(t *testing.T) {
			planned := plansOf(t, `
algorithm: none
topology: {kind: star, hosts: 5}
switch: {buffer: `+x.buffer+`, alpha: 64, alpha_rate: 0bps, pfc: {enabled: false}}
nic: {rto: `+x.rto+`}
traffic: [{kind: incast, size: 1MB}]
`)[0]
			warnings := strings.Join(Analyse(planned, nil).Warnings, "\n")
			if !strings.Contains(warnings, x.warning) || x.warning == "" && strings.Contains(warnings, "nic.rto") {
				t.Errorf("%s, rto %s: warns %q, want %q", x.buffer, x.rto, warnings, x.warning)
			}
		})
	}
}

// Keys of a timeout that the mode does not use are refused, and so are ranges that make none.
func TestTimeoutKeysOfOtherModes(t *testing.T) {
	for rto, want := range map[string]string{
		"{mode: fixed, floor: 1ms}": "floor has no meaning with mode fixed: it belongs to " +
			"mode measured",
		"{ack_timeout: 3}":                               "ack_timeout has no meaning with mode measured",
		"{mode: fixed, ack_timeout: 0}":                  "with mode fixed allowed is 1 to 31",
		"{mode: irn, low: 2ms}":                          "low is 2ms, above high, 320us",
		"{mode: adaptive, base: 6us}":                    "base is 6us: allowed are powers of 2 in us from 4us on",
		"{mode: adaptive, init_size: 17}":                "a timeout is base x 2^25",
		"{mode: adaptive, init_low: 99}":                 "init_low is 99: allowed is 0 to 24",
		"{mode: adaptive, ranges: [{}]}":                 "low",
		"{mode: adaptive, ack_timeout: 0, retries: 3}":   "retries bounds the time by ack_timeout",
		"{mode: adaptive, ranges: [{low: 4}, {low: 3}]}": "range 2 begins at exponent 3: allowed is above 4",
		"{mode: adaptive, ranges: [{low: 1}, {low: 2}, {low: 3}, {low: 4}, {low: 5}]}": "there are 5 ranges",
	} {
		t.Run(rto, func(t *testing.T) {
			_, err := Parse("t.yaml", []byte("algorithm: none\ntopology: {kind: star, hosts: 2}\n"+
				"traffic: [{from: h0, to: h1, size: 1MB}]\nnic: {rto: "+rto+"}\n"), nil)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("rto %s: %v, want %q", rto, err, want)
			}
		})
	}
}

// A plan asks for the extensions of an algorithm once, however many pairs of hosts use it.
func TestAlgorithmsAreConfiguredOnce(t *testing.T) {
	planned := plansOf(t, `
algorithm: none
topology: {kind: star, hosts: 8}
traffic: [{operation: all-to-all, size: 64kB}]
`)[0]
	asked := 0
	Analyse(planned, func(*plan.Algorithm, *wire.Frame, *wire.Frame) { asked++ })
	if asked != 1 || len(planned.Flows) < 8 {
		t.Errorf("%d flows ask %d times, want 1", len(planned.Flows), asked)
	}
}
