package hpcc

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var rewrite = flag.Bool("rewrite", false, "store the transcripts in testdata anew")

// phase is a number of ACKs, 400 ns apart, from a link that carries load of its rate and holds a queue that grows by a
// number of bytes from ACK to ACK.
type phase struct {
	acks   int
	load   float64
	growth unit.Bytes
}

// life is an incast that builds a queue, drains it, and leaves the link to the
// flow.
var life = []phase{{30, 1, 2000}, {30, 1, -2000}, {40, 0.93, 0}, {40, 0.4, 0}, {20, 0.6, 0}}

// The decisions of a whole life, a line for each ACK.
func TestTranscripts(t *testing.T) {
	for name, params := range map[string]string{"window": "", "rate": "form=rate max_stage=0 ai_rate=50Mbps"} {
		t.Run(name, func(t *testing.T) {
			got := transcript(t, params)
			file := "testdata/" + name + ".txt"
			if *rewrite {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) || got != transcript(t, params) {
				t.Errorf("%s differs; got:\n%s", file, got)
			}
		})
	}
}

func transcript(t *testing.T, params string) string {
	var out strings.Builder
	f := start(t, params)
	fmt.Fprintf(&out, "start: rate=%dbps window=%dB\n", f.d.Rate, f.d.Window)
	now, sent, queue := 4*us, unit.Bytes(0), unit.Bytes(0)
	for _, p := range life {
		for range p.acks {
			now = now.Add(400 * unit.Nanosecond)
			sent += unit.Bytes(5000 * p.load)
			queue += p.growth
			f.ack(now, f.d.Window, link100(now-2*us, sent/512, queue/320))
			fmt.Fprintf(&out, "%v ack load=%v queue=%v: rate=%dbps window=%dB\n", now, p.load, queue, f.d.Rate, f.d.Window)
		}
	}
	return out.String()
}
