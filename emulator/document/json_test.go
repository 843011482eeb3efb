package document

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// problems collects what is added.
func parsed(l *Language, text string) (root *Node, problems []string) {
	root = l.ParseJSON("x", []byte(text), func(at Position, format string, args ...any) {
		problems = append(problems, at.Error(fmt.Sprintf(format, args...)).Error())
	})
	return root, problems
}

var small = &Language{
	Name:      "thing",
	MaxBytes:  200,
	MaxDepth:  3,
	MaxValues: 6,
}

// A value at a bound is accepted; a value beyond it is refused with its position.
func TestEdgesOfJSON(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[[[1]]]`, ""},
		{`[[[[1]]]]`, "x:1:5: nested too deep: allowed are up to 3 levels"},
		{`{"a": {"b": {"c": 1}}}`, ""},
		{"{\"a\": {\"b\": {\"c\":\n  {\"d\": 1}}}}", "x:2:9: nested too deep: allowed are up to 3 levels"},
		{`[1, 2, 3, 4, 5]`, ""},
		{`[1, 2, 3, 4, 5, 6]`, "x:1:17: too many values: allowed are up to 6"},
		{`"` + strings.Repeat("a", 198) + `"`, ""},
		{`"` + strings.Repeat("a", 199) + `"`, "x:1:1: the file has 201 bytes: allowed are up to 200"},
		{"{\"ä\": 1,\n \"b\": 2, \"ä\": 3}", `x:2:10: key "ä" is written twice: line 1 has it already`},
		{`{} {}`, "x:1:4: something follows the thing: a file has one"},
		{`{}}`, "x:1:3: something follows the thing: a file has one"},
		{``, "x:1:1: not JSON: the file ends before its value does; is it cut off?"},
		{"[1,\n", "x:2:1: not JSON: the file ends before its value does; is it cut off?"},
		{`[1, NaN]`, "x:1:5: not JSON: invalid character 'N' looking for beginning of value"},
		{"\xff\xfe{\x00", "x:1:1: the file is UTF-16: save it as UTF-8"},
	} {
		t.Run(fmt.Sprintf("%.50q", c.text), func(t *testing.T) {
			root, problems := parsed(small, c.text)
			if got := strings.Join(problems, "; "); got != c.want || (root == nil) != (c.want != "") {
				t.Errorf("%q: %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// A tree of JSON has the kinds, texts and places of its values.
func TestTreeOfJSON(t *testing.T) {
	root, problems := parsed(small, "{\"a\": [1.50, \"ü\", true],\n  \"b\": null}")
	if problems != nil || root.Kind != Mapping || len(root.Entries) != 2 || root.Entries[1].At != (Position{"x", 2, 3}) {
		t.Fatalf("%v, %+v", problems, root)
	}
	for i, want := range []struct {
		column int
		text   string
		quoted bool
	}{
		{8, "1.50", false},
		{14, "ü", true},
		{19, "true", false},
	} {
		t.Run(want.text, func(t *testing.T) {
			if got := root.Child("a").Items[i]; got.Kind != Scalar || got.At != (Position{"x", 1, want.column}) ||
				got.Text != want.text || got.Quoted != want.quoted {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
	if b := root.Child("b"); b.Kind != Empty || b.At != (Position{"x", 2, 8}) {
		t.Errorf("%+v", b)
	}
}

// JSON is YAML: of a text that both read, the trees are the same, places of mappings and lists too.
func TestJSONIsYAML(t *testing.T) {
	l := &Language{
		Name:      "thing",
		MaxBytes:  1 << 16,
		MaxDepth:  20,
		MaxKeys:   100,
		MaxValues: 1000,
	}
	random := rand.New(rand.NewSource(1))
	var text func(depth int) string
	text = func(depth int) string {
		space := strings.Repeat(" ", random.Intn(3))
		if depth > 0 && random.Intn(4) == 0 {
			space = "\n" + strings.Repeat(" ", 1+random.Intn(4))
		}
		kind := random.Intn(6)
		if depth == 0 {
			kind = random.Intn(2)
		}
		var parts []string
		switch {
		case kind == 0 && depth < 4:
			for i := range 1 + random.Intn(3) {
				parts = append(parts, fmt.Sprintf("%s\"k%d\":%s ", space, i, text(depth+1)))
			}
			return space + "{" + strings.Join(parts, ",") + "}"
		case kind == 1 && depth < 4:
			for range 1 + random.Intn(3) {
				parts = append(parts, text(depth+1))
			}
			return space + "[" + strings.Join(parts, ",") + "]"
		}
		return space + " " + []string{"1", "2.5", "true", `"text"`, `"3"`, `""`}[random.Intn(6)]
	}
	for range 300 {
		source := strings.TrimLeft(text(0), " \n")
		json, problems := parsed(l, source)
		if problems != nil {
			t.Fatalf("%s: %v", source, problems)
		}
		yaml := l.ParseYAML("x", []byte(source), func(at Position, format string, args ...any) {
			t.Errorf("%s: %v", source, at.Error(fmt.Sprintf(format, args...)))
		})
		if a, b := dump(json), dump(yaml); a != b {
			t.Fatalf("%s\nis, as JSON and as YAML,\n%s\n%s", source, a, b)
		}
	}
}

// dump prints a tree with its positions, except for mappings: for YAML a reader looks at the first key of one.
func dump(n *Node) string {
	text := fmt.Sprintf("%d:%d %s %q %t", n.At.Line, n.At.Column, KindNames[n.Kind], n.Text, n.Quoted)
	if n.Kind == Mapping {
		text = KindNames[n.Kind]
	}
	for _, e := range n.Entries {
		text += fmt.Sprintf("(%d:%d %s: %s)", e.At.Line, e.At.Column, e.Key, dump(e.Value))
	}
	for _, item := range n.Items {
		text += "[" + dump(item) + "]"
	}
	return text
}

// Any text of JSON is read or refused with a position, and an accepted text is within the bounds.
func FuzzJSON(f *testing.F) {
	f.Add(`{"a": [1, "b", null, {}]}`)
	f.Add("{\"\xc3\xa4\":\n1}")
	f.Fuzz(func(t *testing.T, text string) {
		root, problems := parsed(small, text)
		if (root == nil) != (problems != nil) {
			t.Errorf("%q: %v, %v", text, root, problems)
		}
	})
}
