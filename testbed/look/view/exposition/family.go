package exposition

import (
	"math"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
)

// The types of families.
const (
	Counter = "counter"
	Gauge   = "gauge"
	Untyped = "untyped"
)

// Family is a name under which readings of runs are exposed.
type Family struct {
	Name, Type, Help string
	// Label is a label beyond the run's own, "" for none.
	Label string
	// While reports whether unfinished runs have it, When whether ended ones do.
	While, When bool

	parts []part
	// each yields values other than readings.
	each func(*Run, func(value string, number float64))
}

// part is a reading of a family, with the value of its label.
type part struct {
	value, reading string
	in             measure
}

// measure is the unit of a reading.
type measure uint8

const (
	plain measure = iota
	milliseconds
	microseconds
	gigabits  // a second
	gigabytes // a second
)

// base is a reading in base units. Tens are shifted in its digits, so that 1415.081 us are
// 0.001415081 s and no neighbour of it.
func (m measure) base(value float64) float64 {
	switch m {
	case milliseconds:
		return shifted(value, -3)
	case microseconds:
		return shifted(value, -6)
	case gigabits:
		return shifted(value, 9) / 8
	case gigabytes:
		return shifted(value, 9)
	}
	return value
}

// shifted is value times ten to the power.
func shifted(value float64, power int) float64 {
	text := strconv.FormatFloat(value, 'e', -1, 64)
	digits, exponent, found := strings.Cut(text, "e")
	its, err := strconv.Atoi(exponent)
	if !found || err != nil {
		return value // infinite, or not measured
	}
	value, _ = strconv.ParseFloat(digits+"e"+strconv.Itoa(its+power), 64)
	return value
}

// Families are all that Write may print of a run, in its order.
func Families() []Family { return families }

// Families that do not belong to a single run.
const (
	// programFamily has the program's version as a label.
	programFamily = "rocelab_build_info"
	// foldersFamily counts folders by their state.
	foldersFamily = "rocelab_folders"
)

// families is made of three tables: what runs are while they go on, what they come to, and the
// names of the field.
var families = func() []Family {
	list := append(append(going(), totals()...), append(figures(), aliases()...)...)
	for i := range list {
		f := &list[i]
		for _, p := range f.parts {
			f.While = f.While || whileReadings[p.reading]
			f.When = f.When || !nowReadings[p.reading]
		}
	}
	return list
}()

// samples yields the samples of a run: the value of the family's label and the number.
func (f *Family) samples(run *Run, yield func(value string, number float64)) {
	if f.each != nil {
		f.each(run, yield)
		return
	}
	for _, p := range f.parts {
		reading, measured := run.Readings[p.reading]
		if number := p.in.base(reading); measured && !math.IsNaN(number) && !math.IsInf(number, 0) {
			yield(p.value, number)
		}
	}
}

// single is a family of one reading.
func single(name, kind, help, reading string, in measure) Family {
	return Family{
		Name:  name,
		Type:  kind,
		Help:  help,
		parts: []part{{reading: reading, in: in}},
	}
}

// documented is a family of one metric of summaries, with its words.
func documented(name, kind, metric string, in measure) Family {
	known, ok := result.MetricOf(metric)
	if !ok {
		panic("exposition: no metric " + metric)
	}
	return single(name, kind, known.Doc, metric, in)
}
