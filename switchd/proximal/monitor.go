package proximal

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Monitor watches one queue: how long it is, how fast it grows, and whether it
// is congested.
//
// A queue becomes congested when it is longer than its threshold, or when it is not empty and the buffer is above its
// own threshold; it ceases to be when it is shorter than half the threshold and the buffer is below the lower mark.
// While it is congested it is due for a message once an interval, at the arrival of a packet: a queue without arrivals
// does not need one.
type Monitor struct {
	Census
	congested       bool
	next            unit.Time
	earlier, latest sample
	notified        []int
}

// sample is a length at an instant.
type sample struct {
	depth unit.Bytes
	at    unit.Time
}

// Limits are the thresholds for a queue and its buffer.
type Limits struct {
	// Threshold is the queue's, High and Low the marks of the buffer.
	Threshold, High, Low unit.Bytes
	// Ceiling is the queue's length above which no flow is left out of messages.
	Ceiling unit.Bytes
	// Interval is the least time between two messages.
	Interval unit.Duration
}

// samplesPerInterval is the number of samples of the length per interval; the slope is over one or two of them.
const samplesPerInterval = 5

// Enqueued takes note of a queue that has just grown to depth, in a buffer
// that now holds used, and reports whether it is due for a message.
func (m *Monitor) Enqueued(depth, grown, used unit.Bytes, now unit.Time, limits *Limits) bool {
	switch {
	case depth == grown: // it was empty
		m.earlier, m.latest = sample{0, now}, sample{0, now}
	case now.Sub(m.latest.at) >= limits.Interval/samplesPerInterval:
		m.earlier, m.latest = m.latest, sample{depth, now}
	}
	if !m.congested {
		m.congested = depth > limits.Threshold || used > limits.High
	}
	if !m.congested || now < m.next {
		return false
	}
	m.next = now.Add(limits.Interval)
	return true
}

// Dequeued takes note of a queue that has shrunk to depth, and reports whether that
// ended its congestion.
func (m *Monitor) Dequeued(depth, used unit.Bytes, limits *Limits) (cleared bool) {
	if !m.congested || depth >= limits.Threshold/2 && depth > 0 || used >= limits.Low && depth > 0 {
		return false
	}
	m.congested = false
	return true
}

// Before returns the length at an earlier instant, and how long ago that was:
// one to two fifths of an interval, or since the queue was last empty.
func (m *Monitor) Before(now unit.Time) (depth unit.Bytes, ago unit.Duration) {
	return m.earlier.depth, now.Sub(m.earlier.at)
}

// MarkNotified notes that a device was sent a message about this congestion.
func (m *Monitor) MarkNotified(device int) {
	for _, d := range m.notified {
		if d == device {
			return
		}
	}
	m.notified = append(m.notified, device)
}

// TakeNotified returns the devices that were sent one since the congestion began, in
// the order of the first message, and forgets them.
func (m *Monitor) TakeNotified() []int {
	t := m.notified
	m.notified = nil
	return t
}
