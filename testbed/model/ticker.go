package model

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Ticker is a node without ports that does nothing but wake at a period. What a
// window costs by itself is measured with it.
type Ticker struct {
	// Every is the period; 0 for a node that never wakes.
	Every unit.Duration
}

// ticker is a Ticker that runs.
type ticker struct {
	Ticker
	next unit.Time
}

// Deliver is never called: a ticker has no port.
func (t *ticker) Deliver(int, unit.Time, unit.Bytes, *wire.Frame) unit.Time { return unit.Never }

// Advance wakes as often as is due.
func (t *ticker) Advance(horizon unit.Time, _ *fabric.Outbox) unit.Time {
	if t.Every == 0 {
		return unit.Never
	}
	for t.next < horizon {
		t.next = t.next.Add(t.Every)
	}
	return t.next
}
