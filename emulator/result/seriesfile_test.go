package result

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The upper bound of a series file is close to its size. Tier: -short. Red if a row's size lacks a column.
func TestSizesOfSeries(t *testing.T) {
	o := telling()
	run := runLabel{VariantOf(o.Plan), o.Plan.Seed}
	files := seriesFiles(o)
	if len(files) != 4 {
		t.Fatalf("%d files", len(files))
	}
	for _, file := range files {
		for _, width := range []unit.Duration{file.recorded, 2 * file.recorded} {
			t.Run(fmt.Sprintf("width=%v", width), func(t *testing.T) {
				var text strings.Builder
				if _, err := file.write(&text, run, width); err != nil {
					t.Fatal(err)
				}
				_, rows, _ := strings.Cut(text.String(), "\n")
				label := len(run.variant) + len(",1,") + len("\n")
				size, lines := file.size(width, label), strings.Count(rows, "\n")
				if size < len(rows) || size > len(rows)+8*lines {
					t.Errorf("%s at %v: at most %d bytes are said of %d in %d rows", file.name, width, size, len(rows), lines)
				}
			})
		}
	}
}

// Files get the least width that all can have, and the small ones half of it as often as there is
// room. Tier: -short. Red where only the common width is chosen, and where the budget is passed.
func TestWidthsOfFiles(t *testing.T) {
	const us = unit.Microsecond
	file := func(name string, recorded unit.Duration, bytes int) seriesFile {
		return seriesFile{
			name:     name,
			recorded: recorded,
			size: func(width unit.Duration, _ int) int {
				if width < recorded {
					t.Errorf("%s is asked for bins of %v, recorded are %v", name, width, recorded)
				}
				return bytes / int(width/us)
			},
			write: func(io.Writer, runLabel, unit.Duration) ([]string, error) { return nil, nil },
		}
	}
	for _, c := range []struct {
		name                 string
		flows, ports, queues int
		want                 [3]unit.Duration
	}{
		{"all fit", 1_000_000, 600_000, 400_000, [3]unit.Duration{us, us, us}},
		{"one is large", 8_000_000, 600_000, 100_000, [3]unit.Duration{8 * us, us, us}},
		{"two are", 4_000_000, 4_000_000, 10_000, [3]unit.Duration{4 * us, 8 * us, us}},
		{"all are", 16_000_000, 16_000_000, 16_000_000, [3]unit.Duration{16 * us, 32 * us, 32 * us}},
		{"the smallest first", 1_900_000, 160_000, 80_000, [3]unit.Duration{2 * us, us, us}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := telling()
			o.Recorded.Width, o.End, o.Plan.Record.Interval = us, unit.Time(unit.Second), 0
			fitSeries(o, []seriesFile{file("flows", us, c.flows), file("ports", us, c.ports), file("queues", us, c.queues)},
				runLabel{"a", 1})
			for i, f := range o.Recorded.Files {
				if f.Width != c.want[i] {
					t.Errorf("%s: %+v, want %v", c.name, o.Recorded.Files, c.want)
					break
				}
			}
		})
	}
	o := telling()
	o.Recorded.Width, o.End, o.Plan.Record.Interval = us, unit.Time(unit.Second), 0
	fitSeries(o, []seriesFile{file("flows", us, 1_900_000), file("values", 4*us, 4_000_000)}, runLabel{"a", 1})
	if f := o.Recorded.Files; f[0].Width != 2*us || f[1].Width != 4*us || len(o.Recorded.leftOut()) != 1 {
		t.Errorf("of values with wider bins: %+v, %q", f, o.Recorded.leftOut())
	}
}
