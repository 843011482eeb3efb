package nicd

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// words are the controller's: two flows, which the sender knows at its start, three,
// three still, one, and five when it has stopped.
var words = []GroupUpdate{{at(5 * us), 2}, {at(10 * us), 3}, {at(15 * us), 3}, {at(20 * us), 1}, {at(40 * us), 5}}

// A sender that asks gets each update that is new to it, at its instant; the
// answer counts, and no other event has a number of flows. One that does not ask, or
// has stopped, gets nothing.
func TestControllersWord(t *testing.T) {
	for _, delay := range []unit.Duration{0, 3 * us} {
		t.Run(fmt.Sprintf("delay=%v", delay), func(t *testing.T) {
			for _, asks := range []bool{true, false} {
				p := newPair(t, profile.NIC{DecisionDelay: delay})
				var told []string
				s := &script{signals: cc.Signals{Group: asks, Acks: true}, handle: func(e *cc.Event, d *cc.Decision) {
					if e.Kind == cc.EventGroup {
						told = append(told, fmt.Sprintf("%v: %d", e.Now, e.Flows))
						d.Rate = 100 * unit.Gbps / unit.BitRate(e.Flows)
					} else if e.Flows != 0 {
						t.Errorf("%d flows in the %v event", e.Flows, e.Kind)
					}
				}}
				qp := addTold(t, p, s)
				p.run(at(18 * us))
				rate := sending(p.a, qp-FirstQP).pacer.rate
				p.run(at(60 * us))
				var want []string
				third := 100 * unit.Gbps
				if asks {
					want, third = []string{"10us: 3", "20us: 1"}, third/3
				}
				if !reflect.DeepEqual(told, want) || rate != third {
					t.Errorf("asks %v, delay %v: told %v, want %v; rate %v, want %v", asks, delay, told, want, rate, third)
				}
			}
		})
	}
}

// addTold adds a flow until 30 us that starts with the word of two flows.
func addTold(t *testing.T, p *pair, c cc.Controller) uint32 {
	t.Helper()
	qp := FirstQP + uint32(len(p.a.qps))
	path := fabric.PathOf(channel)
	must(t, p.a.AddSender(SenderConfig{
		Name:         "told",
		QP:           qp,
		Peer:         Peer{qp, 2, p.b.address.mac},
		MTU:          1000,
		Stop:         at(30 * us),
		DSCP:         -1,
		Controller:   c,
		Group:        cc.Group{Flows: 2},
		GroupUpdates: words,
		Chance:       chance.New(1, "told"),
		Path:         path,
		Back:         path,
	}))
	must(t, p.b.AddReceiver(ReceiverConfig{
		Name:       "told",
		QP:         qp,
		Peer:       Peer{qp, 1, p.a.address.mac},
		MTU:        1000,
		Stop:       at(30 * us),
		Controller: c,
		Chance:     chance.New(1, "told"),
		Path:       path,
		Back:       path,
	}))
	return qp
}

func TestWordsOutOfOrderAreRefused(t *testing.T) {
	path := fabric.PathOf(channel)
	for _, wrong := range [][]GroupUpdate{{{0, 1}}, {{at(2 * us), 1}, {at(us), 1}}, {{at(us), -1}}} {
		t.Run(fmt.Sprint(wrong), func(t *testing.T) {
			p := newPair(t, profile.NIC{})
			err := p.a.AddSender(SenderConfig{
				Name:         "told",
				QP:           FirstQP,
				MTU:          1000,
				DSCP:         -1,
				Controller:   &script{},
				GroupUpdates: wrong,
				Path:         path,
				Back:         path,
			})
			if err == nil || !strings.Contains(err.Error(), "the controller's update to") {
				t.Errorf("%v: %v", wrong, err)
			}
		})
	}
}
