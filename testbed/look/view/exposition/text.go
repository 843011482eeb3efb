package exposition

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// contentType is that of what Write writes.
const contentType = "text/plain; version=0.0.4; charset=utf-8"

// Write writes the state of runs. A family without any run is left out.
func Write(w io.Writer, runs []Run) error {
	out := bufio.NewWriter(w)
	list := inOrder(runs)
	for i := range families {
		f := &families[i]
		begun := false
		for _, run := range list {
			f.samples(run.Run, func(value string, number float64) {
				if !begun {
					begun = true
					head(out, f.Name, f.Type, f.Help)
				}
				more := ""
				if f.Label != "" {
					more = "," + label(f.Label, value)
				}
				sample(out, f.Name, run.text+more, number)
			})
		}
	}
	return out.Flush()
}

var helpEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`)

// head begins a family.
func head(w io.Writer, name, kind, help string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, helpEscapes.Replace(help), name, kind)
}

// sample prints a line of a family.
func sample(w io.Writer, name, labels string, number float64) {
	fmt.Fprintf(w, "%s{%s} %s\n", name, labels, strconv.FormatFloat(number, 'g', -1, 64))
}
