package nicd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// job is the purpose of a timer event. The event's argument has the job in its upper
// half and, in the lower, an index: of a QP, a class, a rank or a change of a fault.
type job uint8

const (
	jobStart        job = iota // a sending flow starts
	jobStop                    // a sending flow stops
	jobPacer                   // a sending QP's pacer lets the next packet go
	jobRTO                     // a sending QP's retransmission timer
	jobWake                    // an algorithm's Decision.WakeAt
	jobApplyDelayed            // a delayed decision comes into force
	jobFlush                   // a receiving QP's delayed ACK
	jobReorder                 // a receiving QP's gap grew old
	jobIdle                    // a receiving QP may have fallen idle
	jobAnnounceFlow            // the controller announces a flow to its receiver
	jobWithdrawFlow            // the controller learns that a flow ended
	jobResume                  // a pause of a class expires
	jobRankStart               // a rank begins
	jobPhaseEnd                // a rank's phase ends
	jobFault                   // a fault of the NIC begins or ends
	jobRefresh                 // a storm's pause of a class is sent again
	jobRepair                  // a sending QP's scoreboard is to be looked at
	jobGroupUpdate             // the controller's next group update reaches a sending flow
	jobPeer                    // a connection to a real stack has something to do
)

func timerArg(job job, index uint32) uint64 { return uint64(job)<<32 | uint64(index) }

// arm makes the timer fire at the given time or before. Moving a deadline later keeps the pending event, which
// re-checks when it fires. Moving it earlier schedules a second event; the first is ignored.
func (n *NIC) arm(timer *link.Timer, at unit.Time, job job, index uint32) {
	if timer.Arm(at) {
		n.queue.Schedule(at, event.Timer, 0, timerArg(job, index))
	}
}
