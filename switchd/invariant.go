package switchd

import (
	"fmt"
	"math/bits"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// CheckInvariants counts all frames in the switch and compares with the counters: the content by ingress (port, class)
// is its account and headroom, their sum is the sum of the egress queues and the resident frames, the shared memory in
// use is the sum of the accounts beyond their reserve, and no limit is exceeded; likewise for the memory of each DCI
// port. It returns the first difference. It is for tests: it costs a pass over all queues.
func (s *Switch) CheckInvariants() error {
	ingress := make([][profile.Classes]unit.Bytes, len(s.ports))
	egress := make([][profile.Classes]unit.Bytes, len(s.ports))
	control := unit.Bytes(0)
	pools := make([][profile.Classes]unit.Bytes, len(s.ports))
	count := func(stored *entry, pi int, qi uint8) {
		egress[pi][qi] += unit.Bytes(stored.len)
		switch stored.place {
		case inIngressPool:
			pools[stored.ingress][stored.class] += unit.Bytes(stored.len)
		case inEgressPool:
			pools[pi][stored.class] += unit.Bytes(stored.len)
		case inNone:
			control += unit.Bytes(stored.len)
		default:
			ingress[stored.ingress][stored.class] += unit.Bytes(stored.len)
		}
	}
	for pi := range s.ports {
		for qi, q := range s.ports[pi].queues {
			for i := range q.held() {
				count(q.At(i), pi, uint8(qi))
			}
		}
	}
	for i := range s.pipeline.Len() {
		d := s.pipeline.At(i)
		count(&d.entry, int(d.port), d.queue)
	}
	for i := range s.incoming {
		for k := range s.incoming[i].stored.Len() {
			d := s.incoming[i].stored.At(k)
			count(&d.entry, int(d.port), d.queue)
		}
	}

	var queued, accounted, shared, pooled unit.Bytes
	paused := 0
	for pi := range s.ports {
		port := &s.ports[pi]
		paused += bits.OnesCount8(port.xoff)
		if port.pool != nil {
			if err := port.pool.check(&pools[pi]); err != nil {
				return fmt.Errorf("port %d: %w", pi, err)
			}
			pooled += port.pool.used
		}
		for i := range profile.Classes {
			a, q := port.accounts[i], port.queues[i]
			if a == nil {
				a = new(account)
			}
			if q == nil {
				q = new(queue)
			}
			queued += q.bytes
			accounted += a.bytes + a.headroom
			shared += s.mmu.sharedOf(a, uint8(i))
			if got := a.bytes + a.headroom; got != ingress[pi][i] || a.bytes < 0 {
				return fmt.Errorf("port %d class %d: ingress %v + headroom %v, but frames of %v",
					pi, i, a.bytes, a.headroom, ingress[pi][i])
			}
			limit := port.headroom
			if !has(port.lossless, uint8(i)) {
				limit = 0
			}
			if a.headroom < 0 || a.headroom > limit {
				return fmt.Errorf("port %d class %d: headroom %v of %v", pi, i, a.headroom, limit)
			}
			if got := q.bytes; got != egress[pi][i] {
				return fmt.Errorf("port %d queue %d: %v counted, but frames of %v", pi, i, got, egress[pi][i])
			}
			if busy := port.busy&(1<<i) != 0; busy == q.Empty() {
				return fmt.Errorf("port %d queue %d: busy %t, empty %t", pi, i, busy, q.Empty())
			}
		}
	}
	switch {
	case accounted != s.mmu.resident || queued != accounted+pooled+control:
		return fmt.Errorf("accounts %v, buffer %v, DCI ports %v, control %v, queues %v",
			accounted, s.mmu.resident, pooled, control, queued)
	case shared != s.mmu.used || shared > s.mmu.shared:
		return fmt.Errorf("shared memory %v in use, accounts have %v, of %v", s.mmu.used, shared, s.mmu.shared)
	case paused != s.mmu.paused:
		return fmt.Errorf("%d accounts paused, counted %d", s.mmu.paused, paused)
	}
	return nil
}
