package nicd

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// span returns how long b bytes, counted by accounting a, occupy a wire of
// rate r: wire.Accounting.SerialTime for a number of bytes in place of a
// frame.
func span(a wire.Accounting, r unit.BitRate, b unit.Bytes) unit.Duration {
	d := r.SerialTime(b)
	if a == wire.Bare48 {
		d -= d % unit.Nanosecond
	}
	return d
}

// meter is span for one rate, without a division where a byte takes a whole
// number of picoseconds.
type meter struct {
	accounting wire.Accounting
	rate       unit.BitRate
	perByte    unit.Duration // 0 where it is not whole
}

func newMeter(a wire.Accounting, r unit.BitRate) meter {
	m := meter{accounting: a, rate: r}
	if one := r.SerialTime(1); a == wire.Full && r.SerialTime(1000) == 1000*one {
		m.perByte = one
	}
	return m
}

func (m *meter) span(b unit.Bytes) unit.Duration {
	if m.perByte != 0 {
		return unit.Duration(b) * m.perByte
	}
	return span(m.accounting, m.rate, b)
}
