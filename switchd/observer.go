package switchd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// observer sees the frames of a switch, and may make frames itself. A switch without observers has none.
type observer interface {
	// inspect sees a frame of length bytes that came in at port in, before it is
	// forwarded. It reports whether the frame ends there: then the observer has
	// dropped or freed it.
	inspect(in *port, frame *wire.Frame, length unit.Bytes) (ends bool)
	// enqueued sees a frame that was taken into a queue, whose length includes it by then, and returns the entry's
	// flow. dequeued sees one that left its queue, sent or not. Entries are values: a pointer that goes into an
	// interface would put every entry on the heap.
	enqueued(port *port, queue *queue, entry entry) (flow uint16)
	dequeued(port *port, queue *queue, entry entry)
	// timer takes an event that the observer scheduled.
	timer(ev event.Event)
	// counters returns what the observer did.
	counters() *record.Proximal
}
