package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/report"
	"github.com/rocelab/rocelab/testbed/look/report/paper"
)

// Every picture of a run is drawn as SVG and PDF, one as PNG, with the same bytes a second time; a wrong argument is
// named with the allowed ones, and writes nothing.
func TestPlot(t *testing.T) {
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--algorithm", "pc4,dcqcn", "--seeds", "2", "--out", "x", "--no-report")
	for _, p := range report.Plots {
		for _, ending := range paper.Endings {
			if ending == ".png" && p.Name != "fct" {
				continue // a second of processor time each
			}
			var files [][]byte
			for _, name := range []string{"one" + ending, "two" + ending} {
				s.run(0, "plot", p.Name, "x", "-o", name)
				file, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, file)
			}
			if !bytes.Equal(files[0], files[1]) || len(files[0]) < 1000 {
				t.Errorf("%s%s: %d and %d bytes", p.Name, ending, len(files[0]), len(files[1]))
			}
		}
	}
	s.run(0, "plot", "fct", "x", "-o", "fct.svg")
	s.says(s.stdout, "fct.svg: Share of flows by completion time, us\n")
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"plot", "fct", "x"}, "-o: give the name of the file to write, ending in .svg, .png, .pdf"},
		{[]string{"plot", "fct", "x", "-o", "x.gif"}, "-o: x.gif: no picture ends in .gif: allowed are .svg, .png, .pdf"},
		{[]string{"plot", "fcd", "x", "-o", "y.svg"}, `there is no picture "fcd": did you mean fct?`},
		{[]string{"plot", "fct", "none", "-o", "y.svg"}, "there is no run folder none"},
		{[]string{"plot", "fct", "x", "-o", "x/y.svg"}, "would be in a run folder"},
		{[]string{"plot", "fct", "x", "--port", "s0:1", "-o", "y.svg"}, "--port is only for the picture queue, " +
			"and this is fct"},
		{[]string{"plot", "queue", "x", "--port", "s9:9", "-o", "y.svg"}, `no queue of port "s9:9" is drawn: `},
		{[]string{"plot", "fct"}, "plot needs PICTURE RUN... and got fct"},
	} {
		s.run(2, c.args...)
		s.says(s.stderr, c.says)
	}
	if exists("y.svg") {
		t.Error("a picture was written all the same")
	}
}
