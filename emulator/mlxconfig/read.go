package mlxconfig

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/internal/textfile"
)

// MaxSource bounds a file in bytes: mlxconfig prints some 20 kB for a device.
const MaxSource = 4 << 20

const (
	// maxLines bounds the lines of the report on a file.
	maxLines = 20_000
)

// pair is a name and its value, and where they are.
type pair struct {
	name, value string
	// port is the one that the name ends in, 0 for a name without one.
	port         int
	line, column int
}

// file is the content of a file.
type file struct {
	name  string
	pairs []pair
	// qos is the output of mlnx_qos, nil for none.
	qos *qos
	// others are lines that say nothing that is read.
	others   []string
	problems document.Problems
}

func (f *file) add(line, column int, format string, args ...any) {
	f.problems.Add(document.Position{File: f.name, Line: line, Column: column}, format, args...)
}

var (
	// queried is a line of a query: a name, and one value or three, with a star if they differ.
	queried = regexp.MustCompile(`^\*?\s*([A-Z][A-Z0-9_]*)\s+(.+)$`)
	// assigned is NAME=value, also where several are on a line, after a command.
	assigned = regexp.MustCompile(`([A-Za-z][A-Za-z0-9_]*)\s?=\s?([^\s=]+)`)
	// printed is a file of the driver before its value.
	printed = regexp.MustCompile(`^(?:/?\S*/)?([a-z][a-z0-9_]*):\s*(\S+)$`)
	// heading matches the lines that mlxconfig prints before the settings.
	heading = regexp.MustCompile(`^(-+|(Device|Name|Description|Configurations|Device type|Device #[0-9]+)\s*:.*)$`)
	// columns are the values of a query with defaults.
	columns = regexp.MustCompile(`Default\s+Current\s+Next`)
	named   = regexp.MustCompile(`^[A-Za-z_]+\(([0-9]+)\)$`)
)

// read reads a file.
func read(name string, text []byte) *file {
	f := &file{name: name}
	text, err := textfile.UTF8(text)
	if err != nil {
		f.add(1, 1, "%v", err)
		return f
	}
	if lines := bytes.Count(text, []byte{'\n'}); lines > maxLines {
		f.add(1, 1, "%d lines: allowed are up to %d", lines, maxLines)
		return f
	}
	number, three := 0, false
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimRight(line, "\r\n\t ")
		trimmed := strings.TrimLeft(line, "\t ")
		at := utf8.RuneCountInString(line[:len(line)-len(trimmed)]) + 1
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case heading.MatchString(trimmed):
			three = three || columns.MatchString(trimmed)
		default:
			if ofQoS := f.qosLine(trimmed, number, at); !ofQoS {
				f.setting(trimmed, number, at, three)
			}
		}
	}
	return f
}

// setting reads a line of pairs KEY=VALUE, or another one.
func (f *file) setting(line string, number, at int, three bool) {
	if !strings.Contains(line, "=") {
		f.other(line, number, at, three)
		return
	}
	for _, m := range assigned.FindAllStringSubmatchIndex(line, -1) {
		f.pair(line[m[2]:m[3]], line[m[4]:m[5]], number, at+utf8.RuneCountInString(line[:m[2]]))
	}
}

// other reads a line of a query, or a file of the driver.
func (f *file) other(line string, number, at int, three bool) {
	if m := printed.FindStringSubmatch(line); m != nil {
		f.pair(m[1], m[2], number, at)
		return
	}
	var values []string
	m := queried.FindStringSubmatch(line)
	if m != nil {
		values = strings.Fields(m[2])
	}
	if len(values) == 0 { // there are spaces that a regular expression takes for characters
		f.others = append(f.others, line)
		return
	}
	value := values[0]
	if three && len(values) == 3 {
		value = values[1] // what the device runs with now
	}
	f.pair(m[1], value, number, at)
}

var portSuffix = regexp.MustCompile(`^(.*)_P([12])$`)

func (f *file) pair(name, value string, line, column int) {
	p := pair{name: name, value: value, line: line, column: column}
	if m := portSuffix.FindStringSubmatch(name); m != nil {
		p.name, p.port = m[1], int(m[2][0]-'0')
	}
	f.pairs = append(f.pairs, p)
}

// whole reads a whole number: 300, 0xff, True(1).
func (f *file) whole(p pair, lo, hi int64, unit string) (int64, bool) {
	text := p.value
	if m := named.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	v, err := strconv.ParseInt(strings.ToLower(text), 0, 64)
	if err != nil || v < lo || v > hi || strings.ContainsAny(text, "+_") {
		if unit != "" {
			unit = " " + unit
		}
		f.add(p.line, p.column, "%s: %q is not allowed: it must be a whole number from %d to %d%s", p.written(),
			document.Shorten(p.value), lo, hi, unit)
		return 0, false
	}
	return v, true
}

// written is the name as the file has it.
func (p *pair) written() string {
	if p.port > 0 {
		return fmt.Sprintf("%s_P%d", p.name, p.port)
	}
	return p.name
}

// find returns the setting of a name: mlxconfig's, or the driver's.
func find(name string) *setting {
	for i := range settings {
		s := &settings[i]
		if name == s.name {
			return s
		}
		for _, file := range s.files {
			if name == file {
				return s
			}
		}
	}
	return nil
}

// meant asks whether the name of a setting was meant.
func meant(name string) string {
	names := []string{dscpName, priorityName, maskName, algorithmName, maxRateName}
	for _, s := range settings {
		names = append(names, s.name)
	}
	if near := spelling.Nearest(name, names); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}
