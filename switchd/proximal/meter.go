package proximal

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Meter measures the rate of a flow, as the device next to its sender sees it. The zero value has no result, and begins
// at time 0.
//
// It counts in windows, each of which begins with a packet and ends before the first one that comes 50 us later or
// more. So the window of a slow flow is as long as the gap between its packets, and the result is right at any rate.
type Meter struct {
	start unit.Time // of the open window
	bytes unit.Bytes
	// closed is the count of the window before it over a time of took, 0 if there is none; then the open one has a
	// result once it is as long as least.
	closed      unit.Bytes
	took, least unit.Duration
}

const (
	// meterWindow is the least time that a flow is metered for: 75 packets of 4 KiB at
	// 50 Gb/s, and as long as the usual interval between messages.
	meterWindow = 50 * unit.Microsecond
	// firstWindow is the least time as a burst begins, when nothing of before is in the
	// way: four senders at the rate of a port fill its queue to the usual threshold in
	// 25 us, and the first message is to be answered.
	firstWindow = 20 * unit.Microsecond
)

// Begin discards the counts: the flow begins to send again after a silence.
func (m *Meter) Begin(now unit.Time) { *m = Meter{start: now, least: firstWindow} }

// Restart discards the counts: the flow was asked for another rate, which shows from the given instant on. Earlier
// packets are not counted.
func (m *Meter) Restart(at unit.Time) { *m = Meter{start: at, least: meterWindow} }

// Count counts a packet, with the bytes for which it counts on a link: the sender's rate is in these.
func (m *Meter) Count(now unit.Time, length unit.Bytes) {
	switch took := now.Sub(m.start); {
	case took < 0:
		return
	case took >= meterWindow:
		m.closed, m.took = m.bytes, took
		m.start, m.bytes = now, 0
	}
	m.bytes += length
}

// Rate returns the flow's rate: in the last whole window, or in the open one if that
// is long enough by now, so that a flow that fell silent is slow. known is false
// until a window is long enough: 50 us, and 20 us as a burst begins.
func (m *Meter) Rate(now unit.Time) (rate unit.BitRate, known bool) {
	switch open := now.Sub(m.start); {
	case open >= meterWindow || m.took == 0 && open >= m.least:
		return unit.RateOf(m.bytes, open), true
	case m.took > 0:
		return unit.RateOf(m.closed, m.took), true
	}
	return 0, false
}
