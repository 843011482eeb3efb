package nicd

import (
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// decisions are the decisions of a flow's algorithm: its latest decision, the part of it that is in force, and the
// decisions between, which a NIC with a decision delay puts into force later. Rate and gap in force are the pacer's.
//
// For each event, hand latest to the algorithm, then settle with what it was
// before. What settle returns is put into force by apply, at once or after a wait
// in delayed. A wake-up in force is answered once: by timerFired or bytesFired.
type decisions struct {
	// latest is the algorithm's last decision, which each event gives it to change.
	latest cc.Decision
	// window, wakeAt, wakeBytes and own are in force; see cc.Decision.
	window    unit.Bytes
	wakeAt    unit.Time
	wakeBytes unit.Bytes
	own       [cc.OwnBytes]byte
	// delayed wait to come into force, the oldest first.
	delayed fifo.Queue[change]
	// posted counts the events whose decisions are not in force yet.
	posted int

	lineRate unit.BitRate
	// most bounds the window in force, 0 for no bound.
	most unit.Bytes
	// restart is nil if a QP goes on unchanged after an idle time.
	restart *restart
	// carriesOwn is set if data packets carry the algorithm's Own.
	carriesOwn bool
}

// newDecisions returns the decisions of a new flow: line rate and no window but most, the NIC's own.
func newDecisions(lineRate unit.BitRate, most unit.Bytes, carriesOwn bool) decisions {
	return decisions{
		latest:     cc.Decision{Rate: lineRate},
		window:     most,
		lineRate:   lineRate,
		most:       most,
		carriesOwn: carriesOwn,
	}
}

// change is a decision on its way into force. The wake-ups count only where
// this decision set them: one that fired meanwhile must not come back.
type change struct {
	cc.Decision
	wakeAt, wakeBytes bool
	// none is set if the event changed nothing.
	none bool
}

// unchanged reports whether the latest decision equals the one before. It compares field by field: == would be a call.
func (d *decisions) unchanged(before *cc.Decision) bool {
	latest := &d.latest
	return latest.Rate == before.Rate && latest.Window == before.Window && latest.Gap == before.Gap &&
		latest.WakeAt == before.WakeAt && latest.WakeBytes == before.WakeBytes && (!d.carriesOwn || latest.Own == before.Own)
}

// settle checks the latest decision, which answers an event of that kind and
// time and differs from the one before; it bounds the rate by the line, counts
// what changed and returns it. The error names the wrong value and the allowed ones.
func (d *decisions) settle(before *cc.Decision, kind cc.EventKind, now unit.Time, rec *record.Sender) (change, error) {
	latest := &d.latest
	if err := hosting.CheckDecision(latest, before, kind, now); err != nil {
		return change{}, err
	}
	latest.Rate = min(latest.Rate, d.lineRate)
	if latest.Rate != before.Rate || latest.Window != before.Window || latest.Gap != before.Gap {
		if rec.Decisions == 0 {
			rec.RateMin, rec.RateMax = latest.Rate, latest.Rate
		}
		rec.Decisions++
		if rec.Told != 0 {
			rec.Answers++
		}
		rec.RateMin, rec.RateMax = min(rec.RateMin, latest.Rate), max(rec.RateMax, latest.Rate)
	}
	return change{
		Decision:  *latest,
		wakeAt:    latest.WakeAt != before.WakeAt,
		wakeBytes: latest.WakeBytes != before.WakeBytes,
	}, nil
}

// apply puts a change into force, except rate and gap. It reports whether a wake-up at wakeAt has to be scheduled.
func (d *decisions) apply(change *change) (wake bool) {
	d.window, d.own = change.Window, change.Own
	if d.most > 0 && (d.window == 0 || d.window > d.most) {
		d.window = d.most
	}
	if change.wakeAt {
		d.wakeAt = change.WakeAt
	}
	if change.wakeBytes {
		d.wakeBytes = change.WakeBytes
	}
	return change.wakeAt && d.wakeAt != 0
}

// timerFired takes the wake-up at wakeAt, which has come.
func (d *decisions) timerFired() (fired unit.Time) {
	fired, d.wakeAt = d.wakeAt, 0
	return fired
}

// bytesFired reports whether the flow, having sent the given bytes, reached the wake-up at wakeBytes, and takes it.
func (d *decisions) bytesFired(sent unit.Bytes) (fired unit.Bytes, ok bool) {
	if d.wakeBytes == 0 || sent < d.wakeBytes {
		return 0, false
	}
	fired, d.wakeBytes = d.wakeBytes, 0
	return fired, true
}
