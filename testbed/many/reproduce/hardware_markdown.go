package reproduce

import (
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes a page of the record: an introduction, the table of all figures with misses first, and for each
// record a section with its source, its picture in a file of the folder pictures, its table and its fits.
func (h *HardwareRecords) WriteMarkdown(to io.Writer, introduction string, recorded *Recorded, pictures string) error {
	m := &markdown{}
	m.text.WriteString(introduction)
	lines := h.Recorded(recorded)
	m.line("\n## Hardware and rocelab, misses first\n")
	m.fold("%v.", ScoreOfHardware(lines))
	m.line("")
	m.hardwareTable(lines, true)
	for _, one := range h.Records {
		m.record(h, one, recorded, pictures)
	}
	_, err := io.WriteString(to, m.text.String())
	return err
}

// hardwareTable is a table of lines; named is set if its first column is the record.
func (m *markdown) hardwareTable(lines []HardwareLine, named bool) {
	head := []string{"record", "figure", "hardware", "rocelab", "error", "band", "outcome", "evidence", "cause"}
	from := 1
	if named {
		from = 0
	}
	m.head(head[from:]...)
	for i := range lines {
		line := &lines[i]
		cause := line.Cause
		if line.Command != "" {
			cause += ": `" + line.Command + "`"
		} else if cause != "" {
			cause += unknownCause
		}
		m.cells(append(line.cells(), string(line.Evidence), cause)[from:]...)
	}
}

func (m *markdown) record(h *HardwareRecords, one *Hardware, recorded *Recorded, pictures string) {
	m.line("\n## %s %s\n", one.ID, one.Title)
	m.item("source: %s, %s", one.Thread, one.Date)
	m.item("measured: %s", one.Devices)
	if one.Unstated != "" {
		m.item("not stated: %s", one.Unstated)
	}
	if one.Reading != "" {
		m.item("read here: %s", one.Reading)
	}
	m.item("bands frozen: %s", one.Frozen)
	judged := h.recordedOf(one, recorded)
	if judged != nil {
		form := recorded.Of(one.ID, judged.Full)
		m.item("`rocelab reproduce --hardware %s --%s`, %s: %v seconds of one processor, version %d of the models", one.ID,
			formName(judged.Full), judged.Row.formOf(judged.Full).About, form.Seconds, form.Models)
	}
	for _, fit := range one.Fits {
		m.item("fitted: %v (`rocelab reproduce --hardware %s --fit`)", fit, one.ID)
	}
	m.line("")
	lines := inOrder(h.lines(one, judged))
	if judged != nil {
		m.line("![%s: each figure's ratio to hardware, and its band](%s/%s.svg)\n", one.ID, pictures,
			strings.ToLower(one.ID))
	}
	m.hardwareTable(lines, false)
}

// Pictures are the files of the records' pictures, by their names.
func (h *HardwareRecords) Pictures(recorded *Recorded) map[string]string {
	files := map[string]string{}
	for _, one := range h.Records {
		if judged := h.recordedOf(one, recorded); judged != nil {
			files[strings.ToLower(one.ID)+".svg"] = bands(one.ID+" "+one.Title, inOrder(h.lines(one, judged))).File()
		}
	}
	return files
}

// String describes the fitted keys, their values and the figures.
func (f *Fit) String() string {
	var parts []string
	for i, key := range f.Keys {
		parts = append(parts, fmt.Sprintf("%s of %s", key, strings.Join(f.Values[i], ", ")))
	}
	return fmt.Sprintf("%s, %s, on %s", f.Name, strings.Join(parts, " and "), strings.Join(f.On, ", "))
}
