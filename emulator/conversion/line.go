package conversion

import (
	"regexp"
	"strings"
)

// Verdict is the outcome of a key's conversion.
type Verdict uint8

// The verdicts.
const (
	// Taken is a key that means the same on both sides; the way back gives it again.
	Taken Verdict = iota
	// Approximated is a key that means nearly the same: Was and Is are its two values.
	Approximated
	// Absent is a key that has no counterpart.
	Absent
	// Changed marks a rewritten key of a file: Was and Is are its values there.
	Changed
)

// String returns the verdict in words.
func (v Verdict) String() string {
	return [...]string{"taken", "approximated", "no counterpart", "changed"}[v]
}

// MarshalText implements encoding.TextMarshaler: the word.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Line is the report of one key.
type Line struct {
	// Path is where the key is in its file. In JSON it is a pointer (RFC 6901), as "config apply-patch" of
	// SONiC writes it: /QUEUE/Ethernet0|3-4/scheduler.
	Path    string  `json:"path"`
	Verdict Verdict `json:"verdict"`
	// Was is the value that was read, Is the one that was made of it; "" for none.
	Was string `json:"was"`
	Is  string `json:"is"`
	// Note explains the verdict if it is not obvious.
	Note string `json:"note"`
}

// Group is a group of lines that report the same about keys that differ only in port names and numbers.
type Group struct {
	// Path has a star where the keys of several lines differ.
	Path    string
	Verdict Verdict
	Note    string
	Lines   []Line
}

// Groups joins lines, in the order of the first of each group.
func Groups(lines []Line) (list []*Group) {
	type alike struct {
		path    string
		verdict Verdict
		note    string
	}
	groups := map[alike]*Group{}
	for _, line := range lines {
		key := alike{varying.ReplaceAllString(line.Path, "$1$2*"), line.Verdict, line.Note}
		g := groups[key]
		if g == nil {
			g = &Group{Path: line.Path, Verdict: line.Verdict, Note: line.Note}
			groups[key] = g
			list = append(list, g)
		}
		if g.Lines = append(g.Lines, line); len(g.Lines) > 1 {
			g.Path = key.path
		}
	}
	return list
}

// varying matches the parts of a path that may differ between the lines of a group: port names, and numbers that are a
// whole step or the last part of one.
var varying = regexp.MustCompile(`([/,|])(?:Ethernet|Eth)[0-9]+(?:~1[0-9]+)*|([/|])[0-9]+(?:-[0-9]+)?`)

// Values returns the distinct values of the lines of a group, such as "100000: 100Gbps", up to a largest number of
// them; left is the number of further values.
func (g *Group) Values(most int) (values []string, left int) {
	said := map[string]bool{}
	for _, line := range g.Lines {
		value := line.Was
		switch {
		case line.Verdict == Taken && line.Is != "":
			value += " = " + line.Is
		case line.Is == "":
		case value == "":
			value = line.Is
		default:
			value += " -> " + line.Is
		}
		if value == "" || said[value] {
			continue
		}
		if said[value] = true; len(values) < most {
			values = append(values, value)
		} else {
			left++
		}
	}
	return values, left
}

// portName is the name of a port in a path.
var portName = regexp.MustCompile(`[/,](?:Ethernet|Eth)[0-9]+(?:~1[0-9]+)*`)

// Ports returns the distinct ports that the paths of a group name, in their order, up to a largest number of them; more
// is the number of further ports.
func (g *Group) Ports(most int) (ports []string, more int) {
	said := map[string]bool{}
	for _, line := range g.Lines {
		for _, found := range portName.FindAllString(line.Path, -1) {
			name := strings.ReplaceAll(found[1:], "~1", "/")
			if said[name] {
				continue
			}
			if said[name] = true; len(ports) < most {
				ports = append(ports, name)
			} else {
				more++
			}
		}
	}
	return ports, more
}
