package dctcp

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var rewrite = flag.Bool("rewrite", false, "store the transcripts in testdata anew")

// turn is a number of ACKs of 1000 B each, the marks among them at the end.
type turn struct{ acks, marked, inflight int }

// life is a flow alone, then two of an incast that fills the queue beyond K, a
// loss, a timeout, and its recovery.
var life = []turn{{8, 0, 52}, {60, 20, 52}, {40, 40, 30}, {30, 10, 20}, {30, 2, 20}, {40, 0, 20}, {-1, 0, 12},
	{20, 0, 12}, {0, 0, 0}, {40, 0, 10}}

// The decisions of a whole life, a line for each that differs from the one
// before.
func TestTranscripts(t *testing.T) {
	for _, form := range []string{"rdma", "window"} {
		t.Run(form, func(t *testing.T) {
			got := transcript(t, form)
			file := "testdata/" + form + ".txt"
			if *rewrite {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) || got != transcript(t, form) {
				t.Errorf("%s differs; got:\n%s", file, got)
			}
		})
	}
}

func transcript(t *testing.T, form string) string {
	var out strings.Builder
	f := start(t, "form="+form)
	fmt.Fprintf(&out, "start: rate=%dbps window=%dB\n", f.d.Rate, f.d.Window)
	n := 0
	for _, w := range life {
		switch {
		case w.acks < 0:
			f.note(&out, "nak", &cc.Event{Kind: cc.EventNak, Inflight: unit.Bytes(w.inflight) * 1000})
		case w.acks == 0:
			f.note(&out, "timeout", &cc.Event{Kind: cc.EventTimeout})
		}
		for i := range max(w.acks, 0) {
			n++
			ce := i >= w.acks-w.marked
			what := fmt.Sprintf("ack %d", n)
			if ce {
				what += " marked"
			}
			f.note(&out, what, &cc.Event{Kind: cc.EventAck, CE: ce, Acked: 1000, Inflight: unit.Bytes(w.inflight) * 1000})
		}
	}
	return out.String()
}

// note hands an event over and writes the decision down if it changed.
func (f *flow) note(out *strings.Builder, what string, e *cc.Event) {
	before := f.d
	f.Handle(e, &f.d)
	if f.d != before {
		fmt.Fprintf(out, "%s: rate=%dbps window=%dB\n", what, f.d.Rate, f.d.Window)
	}
}
