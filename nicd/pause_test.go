package nicd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A NIC obeys PFC on every class, lossless or not, and without PFC on none; it
// counts what it hears in any case.
func TestPauseOfEveryClass(t *testing.T) {
	for class := range profile.Classes {
		for _, obeys := range []bool{true, false} {
			t.Run(fmt.Sprintf("obeys=%v", obeys), func(t *testing.T) {
				p := profile.DefaultNIC()
				p.PFC = obeys
				p.ClassOf[p.DataDSCP] = uint8(class)
				l := newLone(t, config("nic", 0, 1, p))
				l.send(100*unit.KB, 0, decide(cc.Decision{Rate: 100 * unit.Gbps}))
				l.pause(at(100*ns), class, 1000) // 5.12 us
				l.pause(at(3*us), (class+1)%profile.Classes, 0)
				sent, record := len(l.run(at(5*us))), l.n.PortRecord(at(5*us))
				if held := sent == 2; held != obeys {
					t.Errorf("class %d, PFC %t: %d packets in 5 us", class, obeys, sent)
				}
				want := unit.Duration(0)
				if obeys {
					want = 4900 * ns
				}
				c, next := record.Classes.At(class), record.Classes.At((class+1)%profile.Classes)
				if c.ReceivedXOFF != 1 || c.ReceivedXON != 0 || next.ReceivedXON != 1 || next.ReceivedXOFF != 0 ||
					c.Paused != want {
					t.Errorf("class %d, PFC %t: %+v, next class %+v", class, obeys, c, next)
				}
			})
		}
	}
}

// A PFC frame that the link loses is counted as lost, and not as received: what the
// peer sent is received, lost or in flight.
func TestLostPauseIsCounted(t *testing.T) {
	c := config("nic", 0, 1, profile.DefaultNIC())
	c.Attachment.Outages = append(c.Attachment.Outages, fabric.Outage{From: at(100 * ns), To: at(us)})
	l := newLone(t, c)
	l.pause(at(500*ns), 3, 1000)
	l.pause(at(600*ns), 3, 0)
	l.run(at(2 * us))
	record := l.n.PortRecord(at(2 * us))
	if lost := record.PausesLost; lost.Own().XOFF[3] != 1 || lost.Own().XON[3] != 1 {
		t.Errorf("lost %+v, want an XOFF and an XON of class 3", lost)
	}
	if c := record.Classes.At(3); c.ReceivedXOFF != 0 || c.ReceivedXON != 0 || record.RxLostFrames != 2 {
		t.Errorf("%+v, %d frames lost", c, record.RxLostFrames)
	}
}
