package record

import (
	"math"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Values are the values that the algorithm of a sender reported over time.
type Values struct {
	// Width is the width of all bins.
	Width unit.Duration
	List  []Value
}

// Value is one of them: its name, its unit, "" for none, and the last of each bin.
type Value struct {
	Name, Unit string
	// Over is of kind Last. A bin has the bits of a float32.
	Over Series
}

// none is the bit pattern of a bin without a value.
var none = math.Float32bits(float32(math.NaN()))

// bitsOf returns the bit pattern of a value, to seven digits; none unless the value is finite.
func bitsOf(value float64) uint64 {
	short := float32(value)
	switch {
	case short != short || math.IsInf(float64(short), 0):
		return uint64(none)
	case short == 0:
		return 0 // not -0
	}
	return uint64(math.Float32bits(short))
}

// At returns the value of a bin; ok is false if there was none.
func (v *Value) At(bin int) (value float32, ok bool) { return ValueOf(&v.Over, bin) }

// ValueOf returns the value in a bin of a series of values; ok is false if there was none.
func ValueOf(over *Series, bin int) (value float32, ok bool) {
	value = math.Float32frombits(uint32(over.At(bin)))
	return value, value == value
}

// ValuesMeter asks a sender for its values when a bin is over: between two events none changes, so
// those before the first event of a bin are the last of the bin before it.
type ValuesMeter struct {
	Timeline
	list []Value
	// read asks for the values, and into takes them.
	read func(into []float64)
	into []float64
	// asked is up to when a batch of events under way has asked.
	asked unit.Time
	begun bool
}

// NewValuesMeter returns the meter of a sender that has not begun. The list has names and units.
func NewValuesMeter(grid Grid, list []Value, read func(into []float64)) *ValuesMeter {
	m := &ValuesMeter{Timeline: newTimeline(grid), list: list, read: read, into: make([]float64, len(list))}
	for i := range list {
		list[i].Over.Kind = Last
		m.Follow(&list[i].Over)
	}
	return m
}

// Begin turns to the bin of now, when the sender begins.
func (m *ValuesMeter) Begin(now unit.Time) {
	m.Turn(now)
	m.begun = true
}

// Close asks for the values and turns to the bin of now: call it before an event at or after End.
func (m *ValuesMeter) Close(now unit.Time) {
	m.read(m.into)
	m.Note(now, m.into)
}

// Room has room for the values that Note takes.
func (m *ValuesMeter) Room() []float64 { return m.into }

// Due reports whether the values are to be asked for before an event of a batch, whose events
// come in the order of time and are noted later.
func (m *ValuesMeter) Due(now unit.Time) bool {
	if now < max(m.End, m.asked) {
		return false
	}
	m.asked = (now/unit.Time(m.width) + 1) * unit.Time(m.width)
	return true
}

// Note takes the values that were there before an event of now, and turns to its bin.
func (m *ValuesMeter) Note(now unit.Time, values []float64) {
	for i := range m.list {
		m.list[i].Over.Put(m.Open, bitsOf(values[i]))
	}
	m.Turn(now)
}

// Until returns the values up to the end of the run, in the bins of a run that ends then; nil of a
// sender that did not begin.
func (m *ValuesMeter) Until(end unit.Time, grid Grid) *Values {
	if !m.begun {
		return nil
	}
	m.Close(end)
	m.Widen(grid.WidthAt(end))
	return &Values{Width: m.width, List: m.list}
}
