package comparison

import (
	"fmt"
	"strings"
)

// Entry names an algorithm and parameters of it.
type Entry struct {
	// Text is the entry as it was written, and the name of its column.
	Text string
	// Name is an algorithm's, or the path of a plugin's program where IsPath.
	Name   string
	IsPath bool
	// Params are the given ones.
	Params map[string]string
}

// ParseEntries reads a list of algorithms: entries joined by commas, each the
// name of an algorithm or, with a slash in it, the path of a plugin's program;
// after a colon come its parameters, name=value, joined by commas too:
//
//	pc4,dcqcn:set=paper,g=0.01,./mine:gain=2
//
// A part without a colon and with an equals sign continues the entry before
// it. A colon in a path counts only after its last slash.
func ParseEntries(lists []string) (entries []Entry, err error) {
	for _, list := range lists {
		var written []string
		for _, part := range strings.Split(list, ",") {
			if n := len(written); n > 0 && isParameter(part) && strings.Contains(written[n-1], ":") {
				written[n-1] += "," + part
				continue
			}
			written = append(written, part)
		}
		for _, text := range written {
			e, err := parseEntry(text)
			if err != nil {
				return nil, err
			}
			for _, other := range entries {
				if other.Text == e.Text {
					return nil, fmt.Errorf("algorithm %s is given twice", e.Text)
				}
			}
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// isParameter reports whether a part is a further parameter.
func isParameter(part string) bool {
	equals := strings.Index(part, "=")
	colon := strings.Index(part, ":")
	return equals > 0 && (colon < 0 || colon > equals)
}

// parseEntry reads one entry.
func parseEntry(text string) (Entry, error) {
	e := Entry{Text: strings.TrimSpace(text), Params: map[string]string{}}
	name, params := e.Text, ""
	// The first equals sign ends what can be a path with a colon behind it.
	head, _, _ := strings.Cut(e.Text, "=")
	if i := strings.Index(head[strings.LastIndex(head, "/")+1:], ":"); i >= 0 {
		i += strings.LastIndex(head, "/") + 1
		name, params = e.Text[:i], e.Text[i+1:]
		if params == "" {
			return e, fmt.Errorf("algorithm %q: no parameters after the colon: write NAME:param=value", e.Text)
		}
	}
	e.Name, e.IsPath = name, strings.Contains(name, "/")
	if e.Name == "" || strings.ContainsAny(e.Name, "= ") && !e.IsPath {
		return e, fmt.Errorf("algorithm %q: write NAME, PATH (with a slash), or either with parameters, "+
			"NAME:param=value,param=value", e.Text)
	}
	if params == "" {
		return e, nil
	}
	for _, p := range strings.Split(params, ",") {
		key, value, ok := strings.Cut(p, "=")
		if !ok || key == "" || value == "" {
			return e, fmt.Errorf("algorithm %s: parameter %q: write param=value", e.Name, p)
		}
		if _, twice := e.Params[key]; twice {
			return e, fmt.Errorf("algorithm %s: parameter %s is given twice", e.Name, key)
		}
		e.Params[key] = value
	}
	return e, nil
}
