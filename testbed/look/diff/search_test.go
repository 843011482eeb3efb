package diff

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// scripted is a half that answers from a script, and the questions that it was asked.
func scripted(t *testing.T, answers ...answer) (*Half, *bytes.Buffer) {
	t.Helper()
	var script, asked bytes.Buffer
	e := json.NewEncoder(&script)
	for _, a := range append([]answer{{Models: 7}}, answers...) {
		if err := e.Encode(a); err != nil {
			t.Fatal(err)
		}
	}
	h, err := Ask(&asked, &script)
	if err != nil {
		t.Fatal(err)
	}
	return h, &asked
}

// chunk is an answer about a chunk with nodes that have these hashes.
func chunk(to unit.Time, sums map[string]trace.Hash) answer { return answer{To: to, Sums: sums} }

// at is a frame of s0:1.
func at(when unit.Time, text string) Frame {
	return Frame{At: when, Node: "s0", Port: 1, Bytes: []byte(text)}
}

// Two halves are queried chunk by chunk until a node's hashes differ; then the result is the first of its frames that
// differ, with the frames of its port before and after. The node with the lower number comes first if two part at one
// time. Tier: -short. Red if the order of nodes is reversed.
func TestSearch(t *testing.T) {
	span := Span{From: 0, To: 30, Width: 10}
	common := []answer{
		chunk(10, map[string]trace.Hash{"s0": 1}),
		chunk(20, map[string]trace.Hash{"s0": 1, "h0": 1, "h1": 5}),
	}
	frames := func(list ...Frame) answer { return answer{Frames: list} }
	a, asked := scripted(t, append(common,
		frames(Frame{At: 14, Node: "h0", Bytes: []byte("x")}),
		frames(at(11, "same"), at(14, "mine"), at(17, "later")),
		frames(at(4, "long ago")),
		frames(at(11, "same"), at(14, "mine"), at(17, "later")),
		chunk(30, map[string]trace.Hash{"h1": 3}), answer{})...)
	common[1].Sums = map[string]trace.Hash{"s0": 2, "h0": 2, "h1": 5}
	b, _ := scripted(t, append(common,
		frames(Frame{At: 14, Node: "h0", Bytes: []byte("y")}),
		frames(at(11, "same"), at(14, "other")),
		frames(at(11, "same"), at(14, "other")),
		chunk(30, map[string]trace.Hash{"s0": 9}),
		frames(at(25, "after")), answer{})...)
	first, err := Search(a, b, span, map[string]int{"s0": 0, "h0": 1, "h1": 2})
	if err != nil {
		t.Fatal(err)
	}
	texts := func(list []Frame) (text string) {
		for _, f := range list {
			text += string(f.Bytes) + ";"
		}
		return text
	}
	if first.At != 14 || first.Node != "s0" || string(first.A.Bytes) != "mine" || string(first.B.Bytes) != "other" ||
		texts(first.Before) != "long ago;same;" || texts(first.AfterA) != "later;" || texts(first.AfterB) != "after;" {
		t.Errorf("%+v", first)
	}
	if want := `{"want":"next"}
{"want":"next"}
{"want":"tell","node":"h0"}
{"want":"tell","node":"s0"}
{"want":"before","node":"s0","port":1}
{"want":"tell","node":"s0"}
{"want":"next"}
{"want":"end"}
`; asked.String() != want {
		t.Errorf("asked:\n%swant:\n%s", asked, want)
	}
}

// A frame that only one side has is the first that differs, for either side.
func TestFirstOf(t *testing.T) {
	one, two := []Frame{at(1, "a"), at(2, "b")}, []Frame{at(1, "a")}
	if f := firstOfNode(one, two); f == nil || f.At != 2 || f.A == nil || f.B != nil {
		t.Errorf("%+v", f)
	}
	if f := firstOfNode(two, one); f == nil || f.At != 2 || f.A != nil || f.B == nil {
		t.Errorf("%+v", f)
	}
	if f := firstOfNode(one, []Frame{at(1, "a"), at(3, "b")}); f == nil || f.At != 2 || f.B != nil {
		t.Errorf("%+v", f)
	}
	if f := firstOfNode(one, one); f != nil {
		t.Errorf("%+v", f)
	}
}

// Any answers of two halves end the search, with a frame or an error.
func FuzzSearch(f *testing.F) {
	f.Add(`{"models":1}{"to":10,"sums":{"s0":1}}{"frames":[{"at_ps":3,"node":"s0","bytes":"AAAA"}]}`,
		`{"models":1}{"to":10,"sums":{"s0":2}}{"frames":[]}{"over":true}`)
	f.Add(`{}{"over":true}{}{}`, `{}{"to":5}{"to":6}{"over":true,"sums":{"a":1}}{}{}{}{}`)
	f.Fuzz(func(_ *testing.T, one, two string) {
		a, err := Ask(io.Discard, strings.NewReader(one))
		if err != nil {
			return
		}
		b, err := Ask(io.Discard, strings.NewReader(two))
		if err != nil {
			return
		}
		first, err := Search(a, b, Span{To: 100, Width: 10}, nil)
		if err == nil && first != nil {
			o := Outcome{First: first}
			o.write(&writer{})
		}
	})
}
