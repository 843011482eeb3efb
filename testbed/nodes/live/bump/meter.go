package bump

import (
	"time"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
)

// Reading has the counts in a span of time, or since the beginning.
type Reading struct {
	// Span is the wall time.
	Span time.Duration
	// Ways are from the first interface to the second, and back.
	Ways [2]Way
	// Lateness covers the frames that left, at either interface, Lag the windows.
	Lateness, Lag record.Lateness
}

// Way has the counts of one direction.
type Way struct {
	// In and Out are frames and bytes, without FCS, that came in from outside and that left.
	In, Out volume
	// Marked counts frames that were set CE here.
	Marked uint64
	// Drops are by reason.
	Drops [fabric.NumDropReasons]uint64
	// Queued is the content of the switch before the long haul at the end of the span.
	Queued unit.Bytes
	// Outside counts frames that were lost outside the models: see result.OutsideReason.
	Outside uint64
	// Unfit counts frames that the host had left unfinished and that could not be finished: they crossed
	// as they were.
	Unfit uint64
}

// volume counts frames and their bytes.
type volume struct{ Frames, Bytes uint64 }

func (v volume) since(w volume) volume { return volume{v.Frames - w.Frames, v.Bytes - w.Bytes} }

// Dropped is the number of frames dropped for any reason.
func (w *Way) Dropped() (n uint64) {
	for _, d := range w.Drops {
		n += d
	}
	return n
}

// read returns the counts since the beginning. A port's drops are drops of frames that came in there.
func (l *loop) read(now int64) (r Reading) {
	at := max(l.done, 0)
	r.Span = time.Duration(now - l.began)
	r.Lag = l.drift.Lags
	haul := l.haul.Records(at)
	for i := range r.Ways {
		way := &r.Ways[i]
		came := l.edges[i].Counters(at)
		way.In = volume{came.Port.SourcedFrames, came.Port.SourcedBytes}
		way.add(&came.Port)
		left := l.edges[1-i].Counters(at)
		way.Out = volume{left.Port.SunkFrames, left.Port.SunkBytes}
		near, far := l.switches[i].Records(at), l.switches[1-i].Records(at)
		way.add(&near[inward])
		way.add(&far[outward])
		way.lose(&haul[i])
		for q := range profile.Classes {
			way.Marked += near[outward].Queues.At(q).Marked + far[inward].Queues.At(q).Marked
		}
		_, bytes := l.switches[i].Resident()
		way.Queued = unit.Bytes(bytes)
		in, out := l.devices[i].Counters(), l.devices[1-i].Counters()
		way.Outside, way.Unfit = lostOutside(&in, &out), in.Malformed
		r.Lateness.Merge(&l.ports[i].Counters().Lateness)
	}
	return r
}

// lostOutside counts the frames that were lost on the way in at one interface, and on the way out at the other.
func lostOutside(in, out *device.Counters) uint64 {
	return in.RingFull + in.Truncated + in.WrongLength + out.NoBuffer + out.TooLong + out.WhileDown + out.Refused
}

// Ports of both switches: towards the interface, and towards the long haul.
const inward, outward = 0, 1

// add counts drops of frames that came in at a port.
func (w *Way) add(p *record.Port) {
	for reason, n := range p.Drops {
		w.Drops[reason] += n
	}
}

// lose counts what the long haul lost of what came in at a port.
func (w *Way) lose(p *record.Port) {
	w.Drops[fabric.DropLinkLoss] += p.RxLostFrames
}

// since returns the counts after an earlier reading.
func (r Reading) since(before *Reading) Reading {
	r.Span -= before.Span
	for i := range r.Ways {
		way, was := &r.Ways[i], &before.Ways[i]
		way.In, way.Out = way.In.since(was.In), way.Out.since(was.Out)
		way.Marked -= was.Marked
		way.Outside -= was.Outside
		way.Unfit -= was.Unfit
		for reason := range way.Drops {
			way.Drops[reason] -= was.Drops[reason]
		}
	}
	subtract(&r.Lateness, &before.Lateness)
	subtract(&r.Lag, &before.Lag)
	return r
}

// subtract takes earlier samples out of a histogram. Its largest is that since the
// beginning.
func subtract(l, earlier *record.Lateness) {
	for i := range l.Bins {
		l.Bins[i] -= earlier.Bins[i]
	}
}
