package reproduce

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// Place is the place of our figure relative to its band.
type Place string

const (
	// outUnknown: ours is out of the band, and no cause is documented.
	outUnknown Place = "OUT"
	// outForReason: ours is out of the band, or rocelab has no such figure, for a reason that the record documents.
	outForReason Place = "out"
	// inBand: ours is in the band.
	inBand Place = "in"
	// inAgain: it is in the band, although the record documents why it would not be.
	inAgain Place = "no longer out"
	// used: it was used for a fit, and is not scored.
	used Place = "fitted"
	// notRun: it is not recorded.
	notRun Place = "not run"
)

// order is that of a table: misses first.
var order = []Place{outUnknown, inAgain, notRun, outForReason, inBand, used}

// HardwareLine is a figure of hardware beside ours.
type HardwareLine struct {
	Record   string   `json:"record"`
	Figure   string   `json:"figure"`
	Unit     string   `json:"unit,omitempty"`
	Hardware float64  `json:"hardware"`
	Evidence Evidence `json:"evidence"`
	// Ours is the median of the seeds, nil if there is none; Error is its distance from the hardware's.
	Ours  *float64 `json:"rocelab"`
	Error string   `json:"error,omitempty"`
	Band  string   `json:"band"`
	Place Place    `json:"outcome"`
	// Cause and Command are the reason why it is out, and the command that shows it. Form is the form of ours.
	Cause   string `json:"cause,omitempty"`
	Command string `json:"command,omitempty"`
	Form    string `json:"form,omitempty"`

	figure *hardwareFigure
}

// lines are those of a record as it was carried out, judged.
func (h *HardwareRecords) lines(of *Hardware, judged *Judged) (list []HardwareLine) {
	for _, f := range of.Figures {
		line := HardwareLine{
			Record:   of.ID,
			Figure:   f.Name,
			Unit:     f.Unit,
			Hardware: f.Hardware,
			Evidence: f.Evidence,
			Band:     f.Band.Text,
			Place:    notRun,
			figure:   f,
		}
		if f.formula == nil {
			line.Place, line.Cause, line.Command = outForReason, of.Owed.Why, of.Owed.Command
		} else if judged != nil && judged.Err == nil {
			line.take(judged)
		}
		list = append(list, line)
	}
	return list
}

// take fills a line with the measurement.
func (l *HardwareLine) take(judged *Judged) {
	measured := judged.figure("", l.Figure)
	if measured == nil {
		return
	}
	ours := measured.Median()
	l.Ours, l.Form, l.Error = &ours, formName(judged.Full), l.figure.off(ours)
	if l.figure.Fitted {
		l.Place = used
		return
	}
	for i := range judged.Verdicts {
		verdict := &judged.Verdicts[i]
		if verdict.Criterion.Name != l.Figure {
			continue
		}
		switch verdict.Outcome {
		case Met:
			l.Place = inBand
		case Mended:
			l.Place = inAgain
		case Missed:
			l.Place = outUnknown
		case Known:
			l.Place = outForReason
			l.Cause, l.Command = verdict.Criterion.Miss.Why, verdict.Criterion.Miss.Command
		}
	}
}

// Recorded are the lines of all records by recorded figures, of each in the largest form, misses first.
func (h *HardwareRecords) Recorded(recorded *Recorded) (list []HardwareLine) {
	for _, one := range h.Records {
		list = append(list, h.lines(one, h.recordedOf(one, recorded))...)
	}
	return inOrder(list)
}

// recordedOf is a record in the largest form that is recorded, nil for none.
func (h *HardwareRecords) recordedOf(one *Hardware, recorded *Recorded) *Judged {
	for _, full := range []bool{true, false} {
		if one.Row == nil {
			continue
		}
		if form := recorded.Of(one.ID, full); form != nil {
			return newJudged(one.Row, full, form.Figures)
		}
	}
	return nil
}

// Lines returns the lines of records that were carried out, misses first.
func (h *HardwareRecords) Lines(judged []*Judged) (list []HardwareLine) {
	for _, one := range judged {
		list = append(list, h.lines(h.Of(one.Row.ID), one)...)
	}
	return inOrder(list)
}

func inOrder(list []HardwareLine) []HardwareLine {
	slices.SortStableFunc(list, func(a, b HardwareLine) int {
		return cmp.Compare(slices.Index(order, a.Place), slices.Index(order, b.Place))
	})
	return list
}

// HardwareScore counts the figures of records.
type HardwareScore struct {
	Records int `json:"records"`
	// Predicted are the figures that count: In, Out, among which Absent have no counterpart here, Unexplained, and
	// notRun.
	Predicted   int `json:"predicted"`
	In          int `json:"in"`
	Out         int `json:"out"`
	Absent      int `json:"without_a_figure_of_ours"`
	Unexplained int `json:"out_without_reason"`
	NotRun      int `json:"not_run"`
	// Fitted counts the figures that were used for a fit.
	Fitted int `json:"fitted"`
}

// ScoreOfHardware counts lines.
func ScoreOfHardware(lines []HardwareLine) (n HardwareScore) {
	seen := map[string]bool{}
	for i := range lines {
		line := &lines[i]
		if !seen[line.Record] {
			seen[line.Record] = true
			n.Records++
		}
		switch line.Place {
		case used:
			n.Fitted++
			continue
		case inBand, inAgain:
			n.In++
		case notRun:
			n.NotRun++
		case outUnknown:
			n.Unexplained++
			n.Out++
		case outForReason:
			n.Out++
			if line.Ours == nil {
				n.Absent++
			}
		}
		n.Predicted++
	}
	return n
}

// String is the score in a line.
func (n HardwareScore) String() string {
	text := fmt.Sprintf("records: %d; figures predicted: %d, %d in and %d out", n.Records, n.Predicted, n.In, n.Out)
	if n.Absent > 0 {
		text += fmt.Sprintf(" (%d have no counterpart here)", n.Absent)
	}
	if n.NotRun > 0 {
		text += fmt.Sprintf(", %d not run", n.NotRun)
	}
	if n.Unexplained > 0 {
		text += fmt.Sprintf("; %d OUT without a reason", n.Unexplained)
	}
	return fmt.Sprintf("%s; fitted, not scored: %d", text, n.Fitted)
}

// inUnit is a value with a unit.
func inUnit(value float64, of string) string { return strings.TrimSpace(number(value) + " " + of) }

// cells are the cells of a line in a table: record, figure, hardware, ours, error, band, outcome.
func (l *HardwareLine) cells() []string {
	ours := "-"
	if l.Ours != nil {
		ours = inUnit(*l.Ours, l.Unit)
	}
	hardware := strings.TrimSpace(strconv.FormatFloat(l.Hardware, 'f', -1, 64) + " " + l.Unit) // as it was typed
	return []string{l.Record, l.Figure, hardware, ours, cmp.Or(l.Error, "-"), l.Band, string(l.Place)}
}

// HardwareDocument is lines for a person: the table, then the causes of figures outside their bands, each once.
func HardwareDocument(lines []HardwareLine) *page.Document {
	table := page.New("figure", "hardware", "rocelab", "error", "band", "outcome")
	for i := range lines {
		cells := lines[i].cells()
		table.Add(cells[0]+" "+cells[1], cells[2], cells[3], cells[4], cells[5], cells[6])
	}
	d := &page.Document{Title: "Records of hardware", Kind: "reproduce", Blocks: []page.Block{table}, Record: lines}
	for _, one := range causesOf(lines) {
		d.Say("%s", one)
	}
	d.Say("%v", ScoreOfHardware(lines))
	return d
}

// causesOf are the causes of lines, each once, with the figures that it is of.
func causesOf(lines []HardwareLine) (list []string) {
	said := map[string]bool{}
	for i := range lines {
		line := &lines[i]
		key := line.Record + line.Cause
		if line.Cause == "" || said[key] {
			continue
		}
		said[key] = true
		var names []string
		for k := range lines {
			if other := &lines[k]; other.Record+other.Cause == key {
				names = append(names, other.Figure)
			}
		}
		text := fmt.Sprintf("%s, %s: %s", line.Record, strings.Join(names, ", "), line.Cause)
		if line.Command != "" {
			text += ": see " + line.Command
		}
		list = append(list, text)
	}
	return list
}

// bands draws the figures of a record beside its hardware's.
func bands(title string, lines []HardwareLine) *picture.Picture {
	d := picture.Bands{Title: title, Of: "hardware"}
	for i := range lines {
		line := &lines[i]
		if line.Ours == nil || line.Hardware == 0 {
			continue
		}
		scale := 1 / line.Hardware
		row := picture.Band{
			Name:  line.Figure,
			Ratio: float64(*line.Ours * scale),
			Low:   float64(line.figure.Band.Low * scale),
			High:  math.Inf(1),
			Key:   picture.Key{Name: string(line.Place), Hue: hueOf(line.Place)},
		}
		if !math.IsInf(line.figure.Band.High, 1) {
			row.High = float64(line.figure.Band.High * scale)
		}
		d.Rows = append(d.Rows, row)
	}
	return d.Draw()
}

// hueOf is the colour of an outcome: blue is in, red out, green was fitted.
func hueOf(place Place) int {
	switch place {
	case inBand, inAgain:
		return 0
	case used:
		return 2
	}
	return 1
}
