package comparison

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestParseEntries(t *testing.T) {
	for _, c := range []struct {
		lists []string
		want  string
	}{
		{[]string{"pc4"}, "pc4 false map[]"},
		{[]string{"pc4,dcqcn"}, "pc4 false map[]; dcqcn false map[]"},
		{[]string{"pc4", "dcqcn"}, "pc4 false map[]; dcqcn false map[]"},
		{[]string{"pc4,dcqcn:set=paper,g=0.01,./mine"},
			"pc4 false map[]; dcqcn false map[g:0.01 set:paper]; ./mine true map[]"},
		{[]string{"dcqcn:set=paper,dcqcn:set=nvidia"}, "dcqcn false map[set:paper]; dcqcn false map[set:nvidia]"},
		{[]string{"/a:b/mine:gain=2"}, "/a:b/mine true map[gain:2]"},
		{[]string{"pidnn:weights=/w/x.txt,target=6us"}, "pidnn false map[target:6us weights:/w/x.txt]"},
		{[]string{"pidnn:weights=/w:1/x.txt"}, "pidnn false map[weights:/w:1/x.txt]"},
		{[]string{"../bin/cc-x"}, "../bin/cc-x true map[]"},
	} {
		entries, err := ParseEntries(c.lists)
		var got []string
		for _, e := range entries {
			got = append(got, fmt.Sprintf("%s %v %v", e.Name, e.IsPath, e.Params))
		}
		if text := strings.Join(got, "; "); err != nil || text != c.want {
			t.Errorf("%q: %s, %v, want %s", c.lists, text, err, c.want)
		}
	}
}

func TestParseEntriesErrors(t *testing.T) {
	for _, c := range []struct{ list, says string }{
		{"", `algorithm "": write NAME`},
		{"pc4,,dcqcn", `algorithm "": write NAME`},
		{"g=0.01", `algorithm "g=0.01": write NAME`},
		{"pc4,g=0.01", `algorithm "g=0.01": write NAME`},
		{"pc4:", `algorithm "pc4:": no parameters after the colon`},
		{"pc4:beta", `algorithm pc4: parameter "beta": write param=value`},
		{"pc4:beta=", `algorithm pc4: parameter "beta=": write param=value`},
		{"pc4:beta=1,beta=2", "algorithm pc4: parameter beta is given twice"},
		{"pc4,dcqcn,pc4", "algorithm pc4 is given twice"},
	} {
		t.Run(fmt.Sprintf("list=%q", c.list), func(t *testing.T) {
			if _, err := ParseEntries([]string{c.list}); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q: %v, want %q", c.list, err, c.says)
			}
		})
	}
}

// A name of a variant is one that a scenario takes, and none comes twice.
func TestVariantNames(t *testing.T) {
	taken := map[string]bool{}
	var got []string
	for _, text := range []string{"pc4", "dcqcn:set=paper,g=0.01", "./build/cc-mine:gain=2", "../old/cc-mine:gain=2",
		"./.hidden", "dcqcn:" + strings.Repeat("x", 80) + "=1", "./=="} {
		t.Run(text, func(t *testing.T) {
			e, err := parseEntry(text)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e.VariantName(taken))
		})
	}
	want := []string{"pc4", "dcqcn-set-paper-g-0.01", "cc-mine-gain-2", "cc-mine-gain-2-2", "hidden",
		"dcqcn-" + strings.Repeat("x", 54), "algorithm"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
