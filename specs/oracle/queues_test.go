package oracle

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// queueAt is an egress queue.
type queueAt struct {
	place, port, queue int
}

// step is a queue's length from an instant on.
type step struct {
	at    unit.Time
	bytes int64
}

// queues has the waiting frames in all switches.
type queues struct {
	// waits are the waits of frames that left through a data queue, by the port's destination.
	waits map[plan.Tier][]unit.Duration
	// lengths are the lengths of the data queues that held frames, step by step.
	lengths map[queueAt][]step
	// longest is the longest of them, fullest the most in a switch's shared buffer, fullestDCI in a DCI port's memory.
	longest, fullest, fullestDCI int64
	marks                        uint64
	// maybeMarked are the frames inside at the end that may have been marked as they came.
	maybeMarked uint64
	// congested is the time at which a markable frame first found or left a queue longer than Kmin, or one came into a
	// queue beyond the scenario's threshold for proximal CNP.
	congested unit.Time
	// messages and cnps are the congestion messages and CNPs that switches made.
	messages, cnps uint64
	// refused, by reason, are the frames that came to a switch or NIC and were discarded, linkLost the frames that
	// never came.
	refused  [fabric.NumDropReasons]uint64
	linkLost uint64
}

// rebuildQueues works out what waited where, from when frames came to switches and left them.
func (s *seen) rebuildQueues() *queues {
	q := &queues{waits: map[plan.Tier][]unit.Duration{}, lengths: map[queueAt][]step{}, congested: unit.Never}
	for place := range s.plan.Switches {
		st := s.stayAt(place)
		s.finishVisits(st)
		q.maybeMarked += s.maybeMarked(st)
		r := replay{
			seen:     s,
			queues:   q,
			stay:     st,
			settings: &s.plan.Switches[place].Profile,
			links:    s.attachments(place),
			lengths:  map[queueAt]int64{},
		}
		for port := range r.links {
			r.tiers = append(r.tiers, s.tierOf(place, port))
		}
		r.held = make([]int64, len(r.links))
		r.run()
		for _, f := range st.made {
			switch {
			case isCNP(f):
				q.cnps++
			case f.IsDatagram():
				var m notification.Message
				if err := notification.Decode(f.Rare.Payload, &m); err == nil && m.Type == notification.Congestion {
					q.messages++
				}
			}
		}
	}
	for i := range s.drops {
		if d := &s.drops[i]; d.reason.IsLinkLoss() {
			q.linkLost++
		} else {
			q.refused[d.reason]++
		}
	}
	return q
}

// replay is one switch over again.
type replay struct {
	*seen
	*stay
	queues   *queues
	settings *profile.Switch
	links    []fabric.Attachment
	tiers    []plan.Tier
	// shared is in the shared buffer, held in the memory of each DCI port.
	shared  int64
	held    []int64
	lengths map[queueAt]int64
}

// run lets frames come and go in the order of time. In one instant they come by the number of the port, and each leaves
// at once if its port is free; waiting ones leave after all that come, except if a pause ends with a frame of that
// instant.
func (r *replay) run() {
	coming, going := r.visits, r.leavings
	for len(coming) > 0 || len(going) > 0 {
		now := unit.Never
		if len(coming) > 0 {
			now = coming[0].at
		}
		if len(going) > 0 {
			now = min(now, going[0].when)
		}
		for len(going) > 0 && going[0].when == now {
			l := going[0]
			going = going[1:]
			if l.visit == nil {
				continue
			}
			out := plan.End{Node: r.plan.SwitchNode(r.place), Port: l.visit.out}
			resumed := l.visit.at < now && r.paused[arrivalAt{out, now}]
			for !resumed && len(coming) > 0 && coming[0].at == now {
				v := coming[0]
				coming = coming[1:]
				r.come(v)
				if v == l.visit {
					break
				}
			}
			r.leave(l.visit)
		}
		for len(coming) > 0 && coming[0].at == now {
			r.come(coming[0])
			coming = coming[1:]
		}
	}
}

// come takes a frame in, unless it was refused.
func (r *replay) come(v *visit) {
	at := queueAt{r.place, v.out, v.queue}
	if v.out >= 0 && r.settings.ECN[v.class].AtEnqueue {
		r.markable(v, r.lengths[at])
	}
	if v.refused() {
		r.mark(v)
		return
	}
	r.change(at, v.length, v.at)
	if memory := r.memoryOf(v); memory != nil {
		*memory += v.length
	}
	if own := &r.settings.Proximal; own.Enabled && isData(r.settings, v.queue) && r.lengths[at] > int64(own.Threshold) {
		r.queues.congested = min(r.queues.congested, v.at)
	}
	r.queues.fullest = max(r.queues.fullest, r.shared)
	r.queues.fullestDCI = max(r.queues.fullestDCI, slices.Max(r.held))
}

// leave lets a frame out that was taken in.
func (r *replay) leave(v *visit) {
	if v.refused() {
		return
	}
	at := queueAt{r.place, v.out, v.queue}
	r.change(at, -v.length, v.until)
	if memory := r.memoryOf(v); memory != nil {
		*memory -= v.length
	}
	r.mark(v)
	if !r.settings.ECN[v.class].AtEnqueue {
		r.markable(v, r.lengths[at])
	}
	if !v.dropped && isData(r.settings, v.queue) {
		tier := r.tiers[v.out]
		r.queues.waits[tier] = append(r.queues.waits[tier], v.until.Sub(v.at))
	}
}

// change makes a queue longer or shorter.
func (r *replay) change(at queueAt, by int64, now unit.Time) {
	r.lengths[at] += by
	if !isData(r.settings, at.queue) {
		return
	}
	r.queues.longest = max(r.queues.longest, r.lengths[at])
	r.queues.lengths[at] = append(r.queues.lengths[at], step{now, r.lengths[at]})
}

// memoryOf returns the place at which a frame's bytes count: in the memory of the DCI port through which it goes, in
// that of the DCI port through which it came, in the shared buffer, or nowhere if its class is a control class. With
// PFC across the fibre frames that leave through a DCI port are in the shared buffer.
func (r *replay) memoryOf(v *visit) *int64 {
	pfc := r.settings.DCI.PFC.Enabled && r.settings.PFC.Enabled
	switch {
	case r.settings.Control[v.class]:
		return nil
	case r.links[v.out].DCI && !pfc:
		return &r.held[v.out]
	case r.links[v.in].DCI:
		return &r.held[v.in]
	}
	return &r.shared
}

// mark counts a frame that came without CE and has it now.
func (r *replay) mark(v *visit) {
	if v.came.TOS&3 != 3 && v.left.TOS&3 == 3 {
		r.queues.marks++
	}
}

// maybeMarked counts the frames that are inside at the end of a run, and may have been marked as they came: they were
// not seen since.
func (s *seen) maybeMarked(st *stay) (n uint64) {
	for _, v := range st.visits {
		if v.left == nil && s.plan.Switches[st.place].Profile.ECN[v.class].AtEnqueue && v.came.TOS&3 != wire.CE {
			n++
		}
	}
	return n
}

// markable notes when a frame met a queue beyond Kmin that could have marked it, or dropped it in its place.
func (r *replay) markable(v *visit, length int64) {
	wred := r.settings.ECN[v.class]
	spared := r.settings.Control[v.class] || isLossless(r.settings, v.class) || !r.settings.DropNotECT
	ecn := v.came.TOS & 3
	if !wred.Enabled || ecn == wire.CE || ecn == wire.NotECT && spared {
		return
	}
	kmin, _ := wred.At(r.links[v.out].Tx.Rate)
	if r.links[v.out].DCI {
		if !r.settings.DCI.ECN.Enabled {
			return
		}
		kmin = r.settings.DCIFor(&r.links[v.out], r.plan.MaxFrame()).Kmin
	}
	if length > int64(kmin) {
		r.queues.congested = min(r.queues.congested, max(v.at, v.instantOf(&wred)))
	}
}

// instantOf returns the time at which WRED judges a frame.
func (v *visit) instantOf(wred *profile.WRED) unit.Time {
	if wred.AtEnqueue {
		return v.at
	}
	return v.until
}
