package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// field is a key of a JSON object and its value: text, a list []any, or an object.
type field struct {
	key   string
	value any
}

// object is a JSON object in the order of its keys.
type object []field

// WriteJSON writes a value as --format json has it.
func WriteJSON(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(value)
}

// record returns the value printed as JSON.
func (d *Document) record() any {
	if d.Record != nil {
		return d.Record
	}
	type verdict struct {
		Word string `json:"word"`
		Text string `json:"text"`
	}
	r := struct {
		Title     string    `json:"title"`
		Verdicts  []verdict `json:"verdicts,omitempty"`
		Sentences []string  `json:"sentences,omitempty"`
		Tables    []any     `json:"tables,omitempty"`
	}{Title: d.Title}
	for _, block := range d.Blocks {
		switch b := block.(type) {
		case Line:
			r.Verdicts = append(r.Verdicts, verdict{b.Word, b.Text})
		case Paragraph:
			r.Sentences = append(r.Sentences, string(b))
		case *Table:
			r.Tables = append(r.Tables, b.records())
		}
	}
	return r
}

// records are a table's rows as JSON has them: objects with the columns' keys.
func (t *Table) records() (list []any) {
	for _, row := range t.Rows {
		of := object{}
		for i, c := range row {
			var value any = c.Text
			if c.Value != nil {
				value = c.Value
			}
			of = append(of, field{t.Columns[i].key(), value})
		}
		list = append(list, of)
	}
	return list
}

func (c Column) key() string { return cmp.Or(c.Key, c.Title) }

// MarshalJSON writes the keys in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, f := range o {
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		key, _ := json.Marshal(f.key)
		fmt.Fprintf(&b, "%c%s:%s", "{,"[min(i, 1)], key, value)
	}
	if len(o) == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// writeCSV writes the document's rows, or else the rows of its record: an object is a row, its keys are columns, and
// lists of words are joined by "; ". The rows of a list of objects within an object follow it, with the object's first
// value in column "of" and the list's key in column "part", which then come first. Without a record it writes the rows
// of the first table.
func (d *Document) writeCSV(w io.Writer) error {
	if d.Rows != nil {
		return WriteCSV(w, d.Rows)
	}
	value := d.Record
	if value == nil {
		for _, block := range d.Blocks {
			if t, isTable := block.(*Table); isTable {
				value = t.records()
				break
			}
		}
	}
	return WriteRows(w, value)
}

// WriteRows writes the rows of a value, and WriteHead the columns that it has without rows.
func WriteRows(w io.Writer, value any) error {
	s, err := sheetOf(value)
	if err != nil {
		return err
	}
	return s.write(w)
}

// WriteHead writes the columns that a value has, and no rows.
func WriteHead(w io.Writer, value any) error {
	s, err := sheetOf(value)
	if err != nil {
		return err
	}
	s.rows = nil
	return s.write(w)
}

func sheetOf(value any) (*sheet, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	read, err := readJSON(d)
	if err != nil {
		return nil, err
	}
	s := &sheet{}
	s.add("", "", read)
	return s, nil
}

// readJSON reads a value.
func readJSON(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		read := object{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			value, err := readJSON(d)
			if err != nil {
				return nil, err
			}
			read = append(read, field{key.(string), value})
		}
		_, err = d.Token()
		return read, err
	case json.Delim('['):
		read := []any{}
		for d.More() {
			value, err := readJSON(d)
			if err != nil {
				return nil, err
			}
			read = append(read, value)
		}
		_, err = d.Token()
		return read, err
	case nil:
		return "", nil
	}
	return fmt.Sprint(token), nil
}

// sheet is rows whose columns are named.
type sheet struct {
	columns []string
	rows    []map[string]string
}

// add adds the rows of a value that is a part of another, which is called of.
func (s *sheet) add(of, part string, value any) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			s.add(of, part, item)
		}
	case object:
		row := map[string]string{}
		if part != "" {
			s.set(row, "of", of)
			s.set(row, "part", part)
		}
		name := of
		if len(value) > 0 {
			if first, ok := value[0].value.(string); ok {
				name = first
			}
		}
		parts := s.fill(row, "", value)
		if len(row) > 0 && len(parts) < len(value) {
			s.rows = append(s.rows, row)
		}
		for _, p := range parts {
			s.add(name, p.key, p.value)
		}
	default:
		row := map[string]string{}
		s.set(row, "value", fmt.Sprint(value))
		s.rows = append(s.rows, row)
	}
}

// fill puts an object's values into a row, and returns its lists of objects.
func (s *sheet) fill(row map[string]string, prefix string, from object) (parts []field) {
	for _, f := range from {
		switch value := f.value.(type) {
		case object:
			parts = append(parts, s.fill(row, prefix+f.key+".", value)...)
		case []any:
			if slices.ContainsFunc(value, func(item any) bool { _, nested := item.(object); return nested }) {
				parts = append(parts, field{prefix + f.key, value})
				continue
			}
			var words []string
			for _, item := range value {
				words = append(words, fmt.Sprint(item))
			}
			if len(words) > 0 {
				s.set(row, prefix+f.key, strings.Join(words, "; "))
			}
		default:
			s.set(row, prefix+f.key, fmt.Sprint(value))
		}
	}
	return parts
}

// set sets a cell, of a new column if there is none of that name.
func (s *sheet) set(row map[string]string, column, value string) {
	if !slices.Contains(s.columns, column) {
		s.columns = append(s.columns, column)
	}
	row[column] = value
}

func (s *sheet) write(w io.Writer) error {
	if slices.Contains(s.columns, "part") {
		first := []string{"of", "part"}
		rest := slices.DeleteFunc(s.columns, func(column string) bool { return slices.Contains(first, column) })
		s.columns = slices.Concat(first, rest)
	}
	if len(s.columns) == 0 {
		return nil
	}
	rows := [][]string{s.columns}
	for _, row := range s.rows {
		var cells []string
		for _, column := range s.columns {
			cells = append(cells, row[column])
		}
		rows = append(rows, cells)
	}
	return WriteCSV(w, rows)
}
