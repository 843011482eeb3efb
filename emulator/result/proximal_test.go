package result

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The note names what happened, and leaves out what did not.
func TestProximalNote(t *testing.T) {
	for want, p := range map[string]record.Proximal{
		"proximal CNP at 1 switch: 3 notifications, 0 CNPs that switches sent, 2 pauses in their place": {Pauses: 2},
		"proximal CNP at 1 switch: 3 notifications, 5 CNPs that switches sent, 1 of them pre-emptive; ignored: 4 " +
			"unknown qp": {CNPs: 5, Preemptive: 1, Ignored: [record.NumProximalIgnored]uint64{record.IgnoredUnknownQP: 4}},
		"proximal CNP at 1 switch: 3 notifications, 5 CNPs that switches sent, 6 notifications ignored because " +
			"the switch had slowed the flow down less than a feedback loop ago": {
			CNPs: 5, Ignored: [record.NumProximalIgnored]uint64{record.IgnoredHeld: 6}},
	} {
		o := star()
		p.Sent[1] = 3
		o.Switches[0].Proximal = &p
		if got := proximalNote(o); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Feedback counts from the first congestion: of Kmin, or of proximal CNP, which may come before it
// or without it. Tier: -short. Red: without the loop over ProximalCongested.
func TestFeedbackOfProximalCNP(t *testing.T) {
	o := star()
	o.Switches[0].Proximal = &record.Proximal{Actions: []record.ProximalAction{
		{At: unit.Time(10 * unit.Microsecond), Kind: record.ProximalCongested},
		{At: unit.Time(11 * unit.Microsecond), Kind: record.ProximalPause},
	}}
	if got := feedback(o); got != 1 {
		t.Errorf("a pause came after %v us, want 1", got)
	}
	o.Flows[0].Sender.FirstCNP = unit.Time(10500 * unit.Nanosecond)
	if got := feedback(o); got != 0.5 {
		t.Errorf("a CNP came after %v us, want 0.5", got)
	}
}
