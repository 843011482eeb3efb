package reproduce

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// RecordedFormat is the version of the file that Recorded is.
const RecordedFormat = 1

// Recorded are figures that were measured before, by row.
type Recorded struct {
	Format int                     `json:"format"`
	Rows   map[string]*RecordedRow `json:"rows"`
}

// RecordedRow are the figures of a row in its two forms, nil for one that was not carried out.
type RecordedRow struct {
	Quick *RecordedForm `json:"quick,omitempty"`
	Full  *RecordedForm `json:"full,omitempty"`
}

// RecordedForm are the figures of one form.
type RecordedForm struct {
	// Models is the version of the models that gave them.
	Models int `json:"models"`
	// Seconds is the time of the runs one after the other, on the machine that recorded them.
	Seconds float64 `json:"seconds"`
	// Judged has the criteria of the judgement: the hash of each entry of the registry by its ID.
	Judged  map[string]string `json:"judged,omitempty"`
	Figures []Figure          `json:"figures"`
}

// ReadRecorded reads a file of recorded figures.
func ReadRecorded(text []byte) (*Recorded, error) {
	r := &Recorded{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(r); err != nil {
		return nil, err
	}
	if r.Format != RecordedFormat {
		return nil, fmt.Errorf("its format is %d, and this is %d", r.Format, RecordedFormat)
	}
	if r.Rows == nil {
		r.Rows = map[string]*RecordedRow{}
	}
	return r, nil
}

// Write writes the file, a line for each figure.
func (r *Recorded) Write(to io.Writer) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, "{\n \"format\": %d,\n \"rows\": {", r.Format)
	for i, id := range slices.Sorted(maps.Keys(r.Rows)) {
		fmt.Fprintf(&text, "%s\n  %q: {", comma(i), id)
		count := 0
		for _, full := range []bool{false, true} {
			form := r.Of(id, full)
			if form == nil {
				continue
			}
			fmt.Fprintf(&text, "%s\n   %q: {\"models\": %d, \"seconds\": %v,\n    \"judged\": {", comma(count),
				formName(full), form.Models, form.Seconds)
			count++
			for k, entry := range slices.Sorted(maps.Keys(form.Judged)) {
				fmt.Fprintf(&text, "%s\n     %q: %q", comma(k), entry, form.Judged[entry])
			}
			text.WriteString("},\n    \"figures\": [")
			for k := range form.Figures {
				line, err := json.Marshal(&form.Figures[k])
				if err != nil {
					return err
				}
				fmt.Fprintf(&text, "%s\n    %s", comma(k), line)
			}
			text.WriteString("\n   ]}")
		}
		text.WriteString("\n  }")
	}
	text.WriteString("\n }\n}\n")
	_, err := to.Write(text.Bytes())
	return err
}

// comma returns the separator before an entry of a list.
func comma(at int) string {
	if at == 0 {
		return ""
	}
	return ","
}

// Of are the figures of a row in a form, nil for none.
func (r *Recorded) Of(id string, full bool) *RecordedForm {
	row := r.Rows[id]
	switch {
	case row == nil:
		return nil
	case full:
		return row.Full
	}
	return row.Quick
}

// Add records a row that was carried out, in place of its earlier record. A row without figures is refused.
func (r *Recorded) Add(j *Judged, models int) error {
	if j.Err != nil {
		return fmt.Errorf("row %s: %w", j.Row.ID, j.Err)
	}
	form := &RecordedForm{Models: models, Figures: j.Figures, Seconds: rough(j.Seconds)}
	if before := r.Of(j.Row.ID, j.Full); before != nil {
		form.Judged = before.Judged
		if before.Differs(j) == nil && near(before.Seconds, j.Seconds) {
			form.Seconds = before.Seconds // so that a record made again changes nothing
		}
	}
	row := r.Rows[j.Row.ID]
	if row == nil {
		row = &RecordedRow{}
		r.Rows[j.Row.ID] = row
	}
	if j.Full {
		row.Full = form
	} else {
		row.Quick = form
	}
	return nil
}

// rough keeps two digits of a time.
func rough(seconds float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(seconds, 'g', 2, 64), 64)
	return rounded
}

// near reports whether two times are within a factor of two, as for one run.
func near(a, b float64) bool { return a < 2*b && b < 2*a }

// Differs returns the difference of a row that was carried out from the record, nil if there is none.
func (f *RecordedForm) Differs(j *Judged) error {
	var wrong []error
	seen := map[[2]string]bool{}
	for _, was := range f.Figures {
		seen[[2]string{was.Column, was.Name}] = true
		now := j.figure(was.Column, was.Name)
		if now == nil {
			wrong = append(wrong, fmt.Errorf("%s is not measured any more", was.title()))
		} else if was.Refused != now.Refused {
			wrong = append(wrong, fmt.Errorf("%s is %v and was %v", was.title(), *now, was))
		} else if !same(j.shared(was.Values, now.Values)) {
			wrong = append(wrong, fmt.Errorf("%s is %v and was %v", was.title(), now.Values, was.Values))
		}
	}
	for _, now := range j.Figures {
		if !seen[[2]string{now.Column, now.Name}] {
			wrong = append(wrong, fmt.Errorf("%s was not recorded", now.title()))
		}
	}
	return errors.Join(wrong...)
}

// shared are the values of two figures for the seeds that both have: a full form may be recorded with fewer than are
// run at night, or with more than its row has.
func (j *Judged) shared(was, now []float64) (a, b []float64) {
	if j.Full {
		seeds := min(len(was), len(now))
		return was[:seeds], now[:seeds]
	}
	return was, now
}

// Differences returns a line for each difference of rows that were carried out from the record: one that is not
// recorded, a figure that differs, a criterion that is met although a miss is documented. Rows with an error are left
// out.
func (r *Recorded) Differences(judged []*Judged) (lines []string) {
	for _, one := range judged {
		if one.Err != nil {
			continue
		}
		id := one.Row.ID
		form := r.Of(id, one.Full)
		if form == nil {
			lines = append(lines,
				fmt.Sprintf("row %s is not recorded: rocelab reproduce %[1]s --record experiments/recorded does so", id))
			continue
		}
		if err := form.Differs(one); err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				lines = append(lines, fmt.Sprintf("row %s differs from the recorded one: %s", id, line))
			}
		}
		for _, verdict := range one.Verdicts {
			if verdict.Outcome == Mended {
				lines = append(lines, fmt.Sprintf("row %s documents a miss of %s that is none", id, verdict.Criterion.Name))
			}
		}
	}
	return lines
}

// title names a figure in a message.
func (f Figure) title() string {
	if f.Column == "" {
		return f.Name
	}
	return f.Name + " (" + f.Column + ")"
}

// same reports whether values are equal up to their last digit but one: the last may differ,
// since a value halfway between two is rounded up or down.
func same(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Abs(a[i]-b[i]) > 2e-5*math.Max(math.Abs(a[i]), math.Abs(b[i])) {
			return false
		}
	}
	return true
}
