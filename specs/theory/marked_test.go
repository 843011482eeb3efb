package theory

import (
	"fmt"

	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
)

// marked is one DCQCN sender and its notification point, without a network: each packet is marked with the same
// probability, whatever came before, as the fluid model has it.
type marked struct {
	sender   cc.Sender
	decision cc.Decision
	sent     unit.Bytes
	nextCNP  unit.Time
}

// handle is an event at an instant.
func (m *marked) handle(kind cc.EventKind, now unit.Time) {
	m.sender.Handle(&cc.Event{Kind: kind, Now: now, Sent: m.sent}, &m.decision)
}

// wake serves the timers up to an instant, and the byte counter.
func (m *marked) wake(now unit.Time) {
	for m.decision.WakeAt != 0 && m.decision.WakeAt <= now {
		at := m.decision.WakeAt
		m.decision.WakeAt = 0
		m.handle(cc.EventTimer, at)
	}
	for m.decision.WakeBytes != 0 && m.decision.WakeBytes <= m.sent {
		m.decision.WakeBytes = 0
		m.handle(cc.EventSent, now)
	}
}

// markedRate is the mean rate in Gb/s of a sender at a line of 40 Gb/s over the second half of a second.
func markedRate(p float64) float64 {
	algorithm, _ := shipped.Find("dcqcn")
	params, err := hosting.Parse(algorithm.Describe(), map[string]string{"set": "paper"})
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	controller, err := algorithm.New(params)
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	m := marked{sender: controller.NewSender(cc.Facts{
		LineRate:    40 * unit.Gbps,
		MTU:         payload,
		PacketBytes: onWire,
		BaseRTT:     5 * unit.Microsecond,
		Chance:      chance.New(1, "flow"),
	})}
	m.decision.Rate = 40 * unit.Gbps
	m.handle(cc.EventStart, 0)
	draw := chance.New(1, "theory/marked")
	const half = unit.Time(unit.Second / 2)
	counted := unit.Bytes(0)
	now := unit.Time(0)
	for now < 2*half {
		m.sent += onWire
		if now >= half {
			counted += onWire
		}
		if m.wake(now); draw.Float64() < p && now >= m.nextCNP {
			m.nextCNP = now.Add(50 * unit.Microsecond)
			m.handle(cc.EventCNP, now)
		}
		now = now.Add(m.decision.Rate.SerialTime(onWire))
	}
	return float64(counted) * 8 / half.Seconds() / 1e9
}

// markedRows are the rates at which a flow settles in the fluid model if it is marked with p* of 2, 8 and 16 flows.
// With them, a row of DCQCN's queue that does not fit is about queue and marks, not about the sender.
func markedRows(flows int) []*row {
	return []*row{{
		name:      fmt.Sprintf("of one DCQCN sender under the constant marks of %d is the fluid model's rate", flows),
		of:        "mean rate, Gb/s",
		source:    fluidSource,
		tolerance: 0.15,
		why:       "see misses",
		predicted: func() float64 { return 40 / float64(flows) },
		measured:  func() float64 { return markedRate(paperDCQCN(40).marking(float64(flows))) },
	}}
}
