package reproduce

import (
	"fmt"
	"slices"
)

// Hardware is a record of what devices did, as a public source reports it, and of how rocelab is compared with it. A
// record is a file of YAML with a scenario; no Go is needed for one.
type Hardware struct {
	// ID identifies it, such as "R01", Title describes the measurement in a few words.
	ID, Title string
	// Thread and Date are the place and time of publication, Devices the measured devices, Unstated the gaps of the
	// source, Reading our reading of them.
	Thread, Date, Devices, Unstated, Reading string
	// Frozen is the day on which its tolerances were set.
	Frozen string
	// Owed is the reason why figures without a formula are not compared with a run, nil for a record in which all have
	// one.
	Owed *miss
	// Figures are its figures in their order, Fits the numbers that were fitted on some of them.
	Figures []*hardwareFigure
	Fits    []*Fit
	// Row carries the record out, nil for one without a scenario.
	Row *Row
}

// hardwareFigure is a number that was measured on hardware.
type hardwareFigure struct {
	// Name is unique in its record, Unit its unit, "" for a count or a ratio.
	Name, Unit string
	Hardware   float64
	Evidence   Evidence
	// Fitted is set if a number of the scenario was fitted on it: it is never scored.
	Fitted bool
	// Band is the allowed distance of ours from it.
	Band band
	// Ours is the expression that reads it from runs, "" if rocelab has no such figure.
	Ours string

	criterion *Criterion
	formula   *value
}

// Evidence is the quality of the public source of a hardware figure.
type Evidence string

// The classes, the best first.
const (
	Log        Evidence = "L"
	InTable    Evidence = "T"
	Prose      Evidence = "P"
	SecondHand Evidence = "2"
	Abstract   Evidence = "A"
)

// evidences are the classes with their meaning.
var evidences = []struct {
	class Evidence
	means string
}{
	{Log, "a log that is pasted in a thread, or a table of raw data in a repository"},
	{InTable, "a figure that is printed in the text or a table of a study"},
	{Prose, "a claim in prose"},
	{SecondHand, "a study quotes another"},
	{Abstract, "an abstract alone"},
}

func evidenceWords() (words []string) {
	for i := range evidences {
		words = append(words, string(evidences[i].class))
	}
	return words
}

// Fit is numbers of a record's scenario that were fitted together on some of its figures.
type Fit struct {
	// Name names them, such as "pool and alpha".
	Name string
	// Keys are paths of the scenario, Values the values to try for each.
	Keys   []string
	Values [][]string
	// On are the names of the figures that it is fitted on.
	On []string
}

// HardwareRecords are the records of a folder, in the order of their IDs.
type HardwareRecords struct {
	Records []*Hardware
	// Rows are the records' rows that can be carried out, with their criteria; Registry has an entry a figure.
	Rows     []*Row
	Registry *Registry
}

// hardwarePaper stands in the place of a paper.
var hardwarePaper = &Paper{Name: "hardware", Title: "Records of hardware", Citation: "public threads and data"}

// fittedKind is the kind of an entry whose figure was used for a fit.
const fittedKind kind = "fitted"

// Of is a record by its ID, nil for none.
func (h *HardwareRecords) Of(id string) *Hardware {
	if at := slices.IndexFunc(h.Records, func(one *Hardware) bool { return one.ID == id }); at >= 0 {
		return h.Records[at]
	}
	return nil
}

// figure is a figure by its name, nil for none.
func (h *Hardware) figure(name string) *hardwareFigure {
	for _, f := range h.Figures {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// fitted names the figures that the numbers of the scenario were fitted on.
func (h *Hardware) fitted() (names []string) {
	for _, f := range h.Figures {
		if f.Fitted {
			names = append(names, f.Name)
		}
	}
	return names
}

// entry is a figure in the registry. All but the reason of a miss is in it, so that its hash freezes the figure, its
// band and how ours is read.
func (f *hardwareFigure) entry(of *Hardware) *Entry {
	e := &Entry{
		ID:     of.ID + " " + f.Name,
		Source: hardwarePaper.Name,
		Place:  of.Thread,
		Number: fmt.Sprintf("%v %s", f.Hardware, f.Unit),
		Grade:  printedNumber,
		Date:   of.Frozen,
		Note:   fmt.Sprintf("evidence %s; %v; ours: %s", f.Evidence, f.Band, f.Ours),
	}
	if of.Row != nil {
		e.Row, e.Size, e.Seeds = of.Row.ID, of.Date, max(1, len(of.Row.Seeds))
	}
	switch {
	case f.Fitted:
		e.Kind = fittedKind
	case f.criterion != nil:
		e.Criteria = []Criterion{*f.criterion}
	default:
		e.Owed = of.Owed.Why
	}
	return e
}
