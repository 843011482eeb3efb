package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// Pictures and tables equal the ones made from the recorded runs.
func TestRecordIsWhatIsDrawn(t *testing.T) {
	page, err := os.ReadFile("../two-dc-lengths.md")
	if err != nil {
		t.Fatal(err)
	}
	for memory := range memories {
		t.Run(memory, func(t *testing.T) {
			var picture, table bytes.Buffer
			if err := command(&picture, []string{"draw", memory, "lengths.csv"}); err != nil {
				t.Fatal(err)
			}
			if file, err := os.ReadFile(memory + ".svg"); err != nil || picture.String() != string(file) {
				t.Errorf("%s.svg is not what is drawn (%v): go run ./docs/findings/two-dc draw %s "+
					"docs/findings/two-dc/lengths.csv > docs/findings/two-dc/%[1]s.svg", memory, err, memory)
			}
			for elements := xml.NewDecoder(&picture); ; {
				if _, err := elements.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
			if err := command(&table, []string{"table", memory, "lengths.csv"}); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(page), "\n"+table.String()) {
				t.Errorf("two-dc-lengths.md has not the table of %s memory:\n%s", memory, table.String())
			}
		})
	}
}

const few = `run,topology.dci_wan.length,switch.dci.buffer,variant,seed,iteration_mean_us,bound_us,drops
0,10km,0B,ecn,1,50000,40000,7
1,10km,0B,ecn,2,80000,40000,9
2,10km,0B,ecn,3,40000,40000,0
3,10km,0B,pauses,1,40000,40000,0
4,10km,18750KB,ecn,1,90000,40000,0
5,20km,0B,ecn,1,100000,50000,0
`

// A cell is the median over seeds, and a scheme that a length lacks has none.
func TestTable(t *testing.T) {
	l, err := read(strings.NewReader(few), "0B")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if err := l.write(&table); err != nil {
		t.Fatal(err)
	}
	const want = `| length | bound, ms | ECN end to end | proximal pauses |
|---|---|---|---|
| 10km | 40.0 | 50.0, 7 lost | 40.0 |
| 20km | 50.0 | 100.0 | - |
`
	if table.String() != want {
		t.Errorf("the table is\n%swant\n%s", table.String(), want)
	}
	if text := l.draw("computed").Description; !strings.Contains(text, "10km 0.8 (0.5 to 1)") {
		t.Errorf("the picture says %q", text)
	}
	for broken, wrong := range map[string]string{
		"50000,40000,7": "x,40000,7",
		"0B":            "1KB",
		"10km,0B,ecn,1": "10km,0B",
		"bound_us":      "bound",
	} {
		t.Run(broken, func(t *testing.T) {
			if _, err := read(strings.NewReader(strings.ReplaceAll(few, broken, wrong)), "0B"); err == nil {
				t.Errorf("a table with %q in place of %q is read", wrong, broken)
			}
		})
	}
}
