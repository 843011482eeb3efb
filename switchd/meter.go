package switchd

import (
	"math"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Recording selects the records that a switch keeps over time.
type Recording struct {
	// Grid is zero if nothing is kept.
	Grid record.Grid
	// Tiers gives, for each port, the number of the tier with which it is counted; nil if each is counted by itself.
	Tiers []uint8
	// Queues is the number of queues with a series of their length: for a port that is counted by itself the first to
	// receive frames, otherwise the first queues of the switch that a frame left longer than Kmin.
	Queues int
}

// meter counts what a port, or the ports of a tier together, do over time.
type meter struct {
	record.ActivityMeter
	grid record.Grid
	// queues are the queues with a series of their length.
	queues []*queue
	// room is the number of further queues that may have one; the meters of a switch's tiers share it.
	room *int
	// ofTier is set if the meter belongs to a tier, whose number is tier.
	ofTier bool
	tier   uint8
}

// newMeters returns the meter of each port.
func newMeters(r *Recording, ports int) []*meter {
	meters := make([]*meter, ports)
	shared := map[uint8]*meter{}
	room := r.Queues
	for i := range meters {
		if r.Grid.On() && r.Tiers == nil {
			room := r.Queues
			meters[i] = newMeter(r.Grid, &room)
			continue
		}
		tier := uint8(0)
		if r.Grid.On() {
			tier = r.Tiers[i]
		}
		if shared[tier] == nil {
			shared[tier] = newMeter(r.Grid, &room)
			shared[tier].ofTier, shared[tier].tier = true, tier
		}
		meters[i] = shared[tier]
	}
	return meters
}

func newMeter(grid record.Grid, room *int) *meter {
	return &meter{ActivityMeter: *record.NewActivityMeter(grid), grid: grid, room: room}
}

// adopt makes the meter count a queue; data is set unless the queue has control classes only, whose length has no
// meaning. Until its first frame comes, any length is too high for it.
func (m *meter) adopt(q *queue, data bool) {
	if q.meter, q.data = m, data; !m.grid.On() {
		q.known, q.high = true, math.MaxInt64
	}
}

// begin gives a queue its series at its first frame.
func (m *meter) begin(q *queue) {
	q.known = true
	if q.high = math.MaxInt64; q.data {
		_, q.low, q.high = record.DepthRange(0)
	}
	if !m.ofTier && (q.data || m.grid.Most == 0) {
		m.follow(q)
	}
}

// passedKmin gives a queue that a frame left longer than Kmin for the first time its series.
func (m *meter) passedKmin(q *queue, now unit.Time) {
	if m.ofTier && m.grid.On() {
		if now >= m.End {
			m.close(now)
		}
		m.follow(q)
	}
}

// mark counts a frame that was marked.
func (m *meter) mark(now unit.Time) {
	if now >= m.End {
		m.close(now)
	}
	m.Marked++
}

// hold counts by how many classes more of a port are held from now on; a negative number means fewer.
func (m *meter) hold(more int, now unit.Time) {
	if now >= m.End {
		m.close(now)
	}
	m.Hold(more, now)
}

// follow gives a queue a series from the open bin on, if there is room.
func (m *meter) follow(q *queue) {
	if *m.room == 0 {
		return
	}
	*m.room--
	q.rec.Depth = &record.Series{Kind: record.Max}
	m.queues = append(m.queues, q)
	m.Follow(q.rec.Depth)
	q.before, q.max = q.max, q.bytes
}

// close writes the open bin and turns to the bin of now. A bin without a change has the length that a queue had.
func (m *meter) close(now unit.Time) {
	for _, q := range m.queues {
		if q.max > 0 {
			q.rec.Depth.Put(m.Open, uint64(q.max))
		}
		q.before, q.max = max(q.before, q.max), 0
	}
	was := m.Close(now)
	for _, q := range m.queues {
		if q.bytes > 0 {
			for bin := was + 1; bin <= m.Open; bin++ {
				q.rec.Depth.Put(bin, uint64(q.bytes))
			}
		}
	}
}

// finish closes the series at the end of the run.
func (m *meter) finish(end unit.Time) *record.Activity {
	if !m.grid.On() {
		return nil
	}
	m.close(end)
	return m.Until(end, m.grid)
}
