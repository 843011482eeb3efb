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

// meter tells how long a frame occupies a wire of one rate, without a division
// where a byte takes a whole number of picoseconds.
type meter struct {
	accounting wire.Accounting
	rate       unit.BitRate
	// perByte is a byte's time, 0 where it is not whole; perFrame is that of
	// what a frame counts for beyond its length.
	perByte, perFrame unit.Duration
}

func newMeter(a wire.Accounting, r unit.BitRate) meter {
	m := meter{accounting: a, rate: r}
	if one := r.SerialTime(1); a == wire.Full && r.SerialTime(1000) == 1000*one {
		m.perByte, m.perFrame = one, span(a, r, a.BytesOf(0, nil)) // Full looks at no frame
	}
	return m
}

// span returns the time of a frame of the given length.
func (m *meter) span(length unit.Bytes, f *wire.Frame) unit.Duration {
	if m.perByte != 0 {
		return unit.Duration(length)*m.perByte + m.perFrame
	}
	return m.divide(length, f)
}

func (m *meter) divide(length unit.Bytes, f *wire.Frame) unit.Duration {
	return span(m.accounting, m.rate, m.accounting.BytesOf(length, f))
}
