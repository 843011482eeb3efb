package nicd

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// dictator answers every event with one decision.
type dictator struct {
	decision cc.Decision
	events   *int
}

func (d dictator) Signals() cc.Signals              { return cc.Signals{Acks: true} }
func (d dictator) NewSender(cc.Facts) cc.Sender     { return d }
func (d dictator) NewReceiver(cc.Facts) cc.Receiver { return d }
func (d dictator) Data(*cc.Arrival, *cc.Feedback)   {}
func (d dictator) Group(cc.Group)                   {}
func (d dictator) Handle(e *cc.Event, answer *cc.Decision) {
	*d.events++
	*answer = d.decision
	if answer.WakeAt > 0 && answer.WakeAt <= e.Now { // a period
		answer.WakeAt = e.Now.Add(unit.Duration(answer.WakeAt))
	}
}

// FuzzDecision takes any decision: one that means nothing is a fault of the flow,
// with any other a run of 100 us ends.
func FuzzDecision(f *testing.F) {
	f.Add(int64(25*unit.Gbps), int64(0), int64(0), int64(0), int64(0), false)
	f.Add(int64(1), int64(1), int64(1), int64(us), int64(1), true)
	f.Add(int64(0), int64(-1), int64(-1), int64(-1), int64(-1), false)
	f.Add(int64(1)<<62, int64(1)<<62, int64(1)<<62, int64(1)<<62, int64(1)<<62, true)
	f.Fuzz(func(t *testing.T, rate, window, gap, wake, bytes int64, late bool) {
		prof := profile.DefaultNIC()
		if late {
			prof.DecisionDelay = us
		}
		d := cc.Decision{
			Rate:      unit.BitRate(rate),
			Window:    unit.Bytes(window),
			Gap:       unit.Duration(gap),
			WakeAt:    unit.Time(wake),
			WakeBytes: unit.Bytes(bytes),
		}
		if wake > 0 {
			d.WakeAt = max(d.WakeAt, at(10*ns)) // a timer each picosecond is allowed, and takes long
		}
		events := 0
		l := newLone(t, config("nic", 0, 1, prof))
		qp := l.send(100_000, 0, dictator{d, &events})
		for i := range uint32(10) {
			l.ack(at(unit.Duration(i)*10*us), qp, i)
		}
		l.run(at(100 * us))
		nonsense := hosting.CheckDecision(&d, &cc.Decision{}, cc.EventStart, 0) != nil
		if fault := l.n.Fault(); (fault != nil) != nonsense {
			t.Errorf("%+v after %d events: %v", d, events, fault)
		}
	})
}
