package nicd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/unit"
)

// job says what a timer event is for; the event's argument is the job in its
// upper half and, in the lower, a QP's place, a class, a rank's or a storm's place.
type job uint8

const (
	jobStart    job = iota // a sending flow starts
	jobStop                // a sending flow stops
	jobDue                 // a sending QP's pacer lets the next packet go
	jobRTO                 // a sending QP's retransmission timer
	jobWake                // an algorithm's Decision.WakeAt
	jobDecide              // a delayed decision takes effect
	jobFlush               // a receiving QP's held-back ACK
	jobReorder             // a receiving QP's gap grew old
	jobIdle                // a receiving QP may have fallen idle
	jobAnnounce            // the controller announces a flow to its receiver
	jobWithdraw            // the controller's word of a flow's end arrives
	jobResume              // a pause of a class expires
	jobRank                // a rank begins
	jobPhase               // a rank's phase ends
	jobStorm               // a storm begins
	jobCalm                // a storm ends
	jobRefresh             // a storm's pause of a class is sent again
	jobWord                // the controller's next word comes to a sending flow
)

func arg(j job, of uint32) uint64 { return uint64(j)<<32 | uint64(of) }

// arm makes t fire at the given time or before. Whoever moves a deadline later
// leaves the event where it is and looks at the deadline when it fires; a deadline
// that moves earlier takes a second event, and the first comes to nothing.
func (n *NIC) arm(t *link.Timer, at unit.Time, j job, of uint32) {
	if t.Arm(at) {
		n.queue.Schedule(at, event.Timer, 0, arg(j, of))
	}
}
