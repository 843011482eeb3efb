//go:build linux && !mem

package process

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/hosting"
)

// A program's report of its runtime and its files can be kept, or the program is not accepted as a plugin. Tier:
// -short.
func TestWhatAProgramConsistsOf(t *testing.T) {
	sum := strings.Repeat("0123abcd", 8)
	for _, c := range []struct {
		files   []hosting.SourceFile
		runtime string
		want    string
	}{
		{nil, "", ""},
		{[]hosting.SourceFile{{Name: "algorithm.py", SHA256: sum}, {Name: "a/b.py", SHA256: sum}}, "CPython 3.13.5", ""},
		{nil, strings.Repeat("x", 65), "has a runtime of 65 B, allowed are 64"},
		{[]hosting.SourceFile{{Name: "/etc/passwd", SHA256: sum}}, "", `names a file "/etc/passwd"`},
		{[]hosting.SourceFile{{Name: "../up.py", SHA256: sum}}, "", `names a file "../up.py"`},
		{[]hosting.SourceFile{{Name: "a\x1b[31m.py", SHA256: sum}}, "", "names a file "},
		{[]hosting.SourceFile{{Name: strings.Repeat("x", 257), SHA256: sum}}, "", "names a file "},
		{[]hosting.SourceFile{{Name: "a.py", SHA256: sum[1:]}}, "", `names a file "a.py"`},
		{[]hosting.SourceFile{{Name: "a.py", SHA256: strings.ToUpper(sum)}}, "", `names a file "a.py"`},
		{make([]hosting.SourceFile, 1001), "", "consists of 1001 files, allowed are 1000"},
	} {
		got := checkInterpreter(&hosting.Interpreter{Files: c.files, Runtime: c.runtime})
		if (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%.60v, %s: %q, want %q", c.files, c.runtime, got, c.want)
		}
	}
}
