//go:build linux && !mem

package process_test

import (
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/dcqcn"
	"github.com/rocelab/rocelab/plugins/process"
)

// asking is a sender in a process that is asked without a wait.
type asking interface {
	Ask(event *cc.Event, decision *cc.Decision, values []float64)
	Exchange()
}

// Senders that are asked together, more than the ring has room for, decide as if each were asked by itself. Red where
// the answers of a full ring are lost.
func TestSendersAreAskedTogether(t *testing.T) {
	const senders = 300
	here := must(t)(dcqcn.Algorithm{}.New(hosting.Params{}))
	there := must(t)(start(t, "../../plugins/shipped/cc-dcqcn", process.Options{}).Algorithm().New(hosting.Params{}))
	var near, far [senders]cc.Sender
	var want, got [senders]cc.Decision
	for i := range senders {
		near[i], far[i] = here.NewSender(cctest.Facts()), there.NewSender(cctest.Facts())
		want[i].Rate, got[i].Rate = 100*unit.Gbps, 100*unit.Gbps
	}
	for round := range 5 {
		for i := range senders {
			event := cc.Event{Kind: cc.EventCNP, Now: unit.Time((100*round + i) * int(unit.Microsecond))}
			near[i].Handle(&event, &want[i])
			far[i].(asking).Ask(&event, &got[i], nil)
		}
		far[0].(asking).Exchange()
	}
	if got != want {
		t.Error("senders that are asked together decide otherwise")
	}
	if want[0] == want[1] || want[0].Rate == 100*unit.Gbps {
		t.Errorf("they decide nothing that could go wrong: %+v", want[0])
	}
}
