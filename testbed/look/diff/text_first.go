package diff

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
)

func (o *Outcome) write(w *writer) {
	for i := range o.Unlike {
		u := &o.Unlike[i]
		w.line(2, "%s", u.Text)
		if u.Hint != "" {
			w.line(2, "%s", u.Hint)
		}
	}
	if o.Reason != "" {
		w.line(2, "%s", o.Reason)
	}
	for i := range o.Unlike {
		if u := &o.Unlike[i]; u.Captured != nil {
			u.Captured.write(w, fmt.Sprintf("%s: the first frame captured that is not as made again",
				u.Side.Title(u.Run)), "made again", "captured", [3]string{"both    ", "again   ", "captured"})
		}
	}
	if o.First != nil {
		o.First.write(w, "the first frame that differs", "A", "B", [3]string{"A B", "A  ", "  B"})
	}
}

// write writes a frame that differs, with the names of the sides and what lines begin with that are of both, of the
// first and of the second.
func (f *First) write(w *writer, title, a, b string, marks [3]string) {
	w.Add(page.Gap{})
	w.line(0, "%s: at %s, %s:%d", title, microseconds(f.At), f.Node, f.Port)
	for _, c := range f.Changes {
		w.line(2, "%s: %s %s, %s %s", c.Field, c.A, in(a), c.B, in(b))
	}
	switch {
	case f.B == nil:
		w.line(2, "only %s: there is no such frame %s at that time", in(a), in(b))
	case f.A == nil:
		w.line(2, "only %s: there is no such frame %s at that time", in(b), in(a))
	}
	var frames strings.Builder
	line := func(sides, mark string, f *Frame) {
		fmt.Fprintf(&frames, "%s %s %s  %s\n", mark, sides, microseconds(f.At), page.Page{}.Fold(f.String(), 0))
	}
	for i := range f.Before {
		line(marks[0], " ", &f.Before[i])
	}
	if len(f.Before) == 0 {
		frames.WriteString("  (nothing at that port before it in the span)\n")
	}
	for _, side := range []struct {
		name  string
		frame *Frame
		after []Frame
	}{{marks[1], f.A, f.AfterA}, {marks[2], f.B, f.AfterB}} {
		if side.frame != nil {
			line(side.name, ">", side.frame)
		}
		for i := range side.after {
			line(side.name, " ", &side.after[i])
		}
	}
	w.Add(page.Listing(frames.String()))
}

// in is a side as a sentence has it.
func in(side string) string {
	if len(side) == 1 {
		return "in " + side
	}
	return side
}

// microseconds is an instant to the picosecond.
func microseconds(t unit.Time) string { return fmt.Sprintf("%d.%06dus", t/1e6, t%1e6) }
