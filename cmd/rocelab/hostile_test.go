package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rocelab/rocelab/testbed/look/page"
)

// hostile is a text that is made to do harm, and what must come of it.
type hostile struct {
	name, text string
	code       int
	words      string
}

const fits = "topology: {kind: star, hosts: 4}\nalgorithm: pc4\ntraffic: [{kind: incast, size: 1KB}]\n"

// merges are mappings each of which has the one before nine times: nine to the power of twelve keys for a reader that
// follows them.
func merges() string {
	text := "a0: &a0 {x: 1}\n"
	for i := 1; i <= 12; i++ {
		text += fmt.Sprintf("a%d: &a%d {%s}\n", i, i, strings.Repeat(fmt.Sprintf("<<: *a%d, ", i-1), 9))
	}
	return text
}

func many(n int, line string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line, i)
	}
	return b.String()
}

// hostileTexts are the same for scenarios and references, which are read alike.
func hostileTexts() []hostile {
	return []hostile{
		{"brackets", strings.Repeat("[", 100_000), 2, "nested too deep: allowed are up to 40 levels"},
		{"braces", strings.Repeat("{a: ", 100_000), 2, "nested too deep"},
		{"dashes", strings.Repeat("- ", 100_000), 2, "nested too deep"},
		{"questions", strings.Repeat("? ", 100_000), 2, "nested too deep"},
		{"staircase", func() (s string) {
			for i := range 400 {
				s += strings.Repeat(" ", i) + "a:\n"
			}
			return s
		}(), 2, "nested too deep"},
		{"merge keys", merges(), 2, "anchors, aliases, merge keys and tags are not part"},
		{"a cycle", "a: &a [*a]\n", 2, "anchors, aliases, merge keys and tags are not part"},
		{"tags", "a: !!binary xx\n", 2, "anchors, aliases, merge keys and tags are not part"},
		{"5 MB", strings.Repeat("# nothing\n", 500_000), 2, "has more than 4194304 bytes"},
		{"nothing", "", 2, "the file is empty"},
		{"comments", "# nothing\n", 2, "the file is empty"},
		{"UTF-16", "\xff\xfen\x00a\x00", 2, "the file is UTF-16: save it as UTF-8"},
		{"a zero byte", "name: a\x00b", 2, "line 1 has a zero byte"},
		{"Latin-1", "name: Z\xfcrich", 2, "line 1 is not UTF-8"},
		{"tabs", "a:\n\tb: 1\n", 2, "a tab, where only spaces may indent"},
		{"keys", many(30_000, "k%d: 1\n"), 2, "a mapping of more than 4096 keys: allowed are up to that many"},
		{"wrong keys", many(4000, "k%d: 1\n"), 2, "there may be more problems: these are the first 100"},
		{"keys twice", "a: 1\n" + strings.Repeat("a: 1\n", 4000), 2, `key "a" is written twice`},
		{"escapes", "\x22\\x1b[2J\\u202e\x22: 1\n", 2, `unknown key of`},
		{"raw escapes", "\x1b[2J\x1b]0;x\x07: 1\n", 2, ""},
		{"two documents", "a: 1\n---\nb: 2\n", 2, "a second document"},
	}
}

// hostileScenarios are wrong in what a scenario means.
func hostileScenarios() []hostile {
	list := []hostile{
		{"a byte order mark", "\ufeff" + fits, 0, ""},
		{"variants", fits + "variants:\n" + many(100_000, "  - {name: v%d, algorithm: pc4}\n"), 2,
			"x.yaml:4:1: variants must be a list of 1 to 64 mappings"},
		{"variants in brackets", fits + "variants: [" + many(100_000, "{name: v%d}, ") + "]\n", 2,
			"x.yaml:4:1: variants must be a list of 1 to 64 mappings"},
		{"wrong entries", fits + "faults:\n" + many(20_000, "  - {lnk: %d}\n"), 2, "there may be more problems"},
	}
	for is, becomes := range map[string][]string{
		"hosts: 4":    {"hosts: 1e9", "hosts: 1000000000", "hosts: -1", "hosts: .nan", "hosts: 9223372036854775808"},
		"size: 1KB":   {"size: 1e308B", "size: 9223372036854775808B", "size: .nan", "size: -1B", "size: 1e-300B"},
		"kind: incas": {"events: 1000000000, period: 1ns, kind: incas"},
		"kind: incast, size: 1KB}]": {
			"kind: poisson, load: 1e-300, distribution: web-search}]\nrun: {until: 1ms}",
			"kind: poisson, load: .nan, distribution: web-search}]\nrun: {until: 1ms}",
			"kind: poisson, load: 5e-324, distribution: [[1B, 100]]}]\nrun: {until: 10s}",
			"kind: poisson, load: 1, distribution: [[1B, 100]]}]\nrun: {until: 10s}",
			"kind: poisson, load: 0.5, distribution: [[1B, .nan]]}]\nrun: {until: 1ms}",
			"kind: poisson, load: 0.5, distribution: [[1B, 1e308]]}]\nrun: {until: 1ms}",
			"kind: incast, size: 1KB, load: 1e-300}]\nrun: {until: 1ms}",
		},
	} {
		for _, change := range becomes {
			list = append(list, hostile{change, strings.Replace(fits, is, change, 1), 2, "x.yaml:"})
		}
	}
	return list
}

// Whatever a file holds, the answer has the documented code and words, on a screenful, without a character that a
// terminal obeys.
func TestHostileFiles(t *testing.T) {
	s := newShell(t)
	answer := func(name string, code int, words string, args ...string) {
		t.Helper()
		s.run(code, args...)
		s.says(s.stderr, words)
		if len(s.stderr) > 60_000 {
			t.Errorf("%s: %d bytes of errors", name, len(s.stderr))
		}
		if strings.ContainsFunc(s.stderr, obeyed) || !utf8.ValidString(s.stderr) {
			t.Errorf("%s: a terminal would obey %q", name, s.stderr)
		}
	}
	for _, h := range append(hostileTexts(), hostileScenarios()...) {
		s.write("x.yaml", h.text)
		answer("scenario of "+h.name, h.code, h.words, "validate", "x.yaml")
	}
	s.write("fits.yaml", fits)
	for _, h := range hostileTexts() {
		s.write("r.yaml", h.text)
		answer("reference of "+h.name, h.code, h.words, "compare", "fits.yaml", "--algorithm", "pc4", "--reference", "r.yaml")
	}
	for _, name := range []string{"\x1b[2Jx.yaml", "x\u202elmay.yaml", "x\ny.yaml"} {
		s.write(name, "topologie: 3\n")
		answer("file name", 2, "unknown key of scenario", "validate", name)
		answer("missing file", 2, "no such file", "run", name+"x")
		answer("plugin", 5, "is not an executable program", "compare", "fits.yaml", "--algorithm", "./"+name)
		answer("key", 2, "--set", "run", "fits.yaml", "--set", name+"=1")
		answer("variant", 2, "variant", "run", "fits.yaml", "--variant", name)
		answer("command", 2, "there is no command", name)
	}
}

// A terminal obeys nothing in the output for people, whatever files and folders are called and hold. JSON and CSV are
// for machines and have names as they are, which JSON escapes.
func TestReportsAreNotObeyed(t *testing.T) {
	const bad, shown = "a\x1b[2Jb\u202ec", `a\x1b[2Jb\u202ec`
	s := newShell(t)
	s.write("fits.yaml", fits)
	s.write("r.yaml", `source: "`+shown+`"`+"\nvalues: {pc4: {fct_max_us: 1}}\n")
	for _, line := range [][]string{
		{"run", "fits.yaml", "--out", "to-" + bad},
		{"compare", "fits.yaml", "--algorithm", "pc4", "--seeds", "1", "--reference", "r.yaml"},
		{"compare", "fits.yaml", "--algorithm", "pc4", "--seeds", "1", "--reference", "r.yaml", "--format", "markdown"},
	} {
		s.run(0, line...)
		s.says(s.stdout, shown)
		for _, text := range []string{s.stdout, s.stderr} {
			t.Run(fmt.Sprintf("%.50q", text), func(t *testing.T) {
				if strings.ContainsFunc(text, obeyed) {
					t.Errorf("%q: a terminal would obey %q", line, text)
				}
			})
		}
	}
	table := page.New("a")
	table.Add(bad)
	if said := (page.Page{}).Render(table); !strings.Contains(said, shown) || strings.ContainsFunc(said, obeyed) {
		t.Errorf("a terminal would obey %q", said)
	}
	s.run(0, "run", "fits.yaml", "--out", "two-"+bad, "--format", "json")
	s.says(s.stdout, `"folder": "two-a\u001b[2Jb`+"\u202ec")
}

// obeyed reports whether a terminal obeys a character, which a newline is not.
func obeyed(c rune) bool { return c != '\n' && unicode.IsControl(c) || unicode.Is(unicode.Cf, c) }

// A file that exceeds its bound is not read further, whatever its source.
func TestDevicesAreNoEndlessFiles(t *testing.T) {
	const zeros = "/dev/zero"
	if _, err := os.Stat(zeros); err != nil {
		t.Skip("no " + zeros)
	}
	s := newShell(t)
	s.write("fits.yaml", fits)
	for _, c := range []struct{ args, words string }{
		{"validate /dev/zero", "/dev/zero has more than 4194304 bytes"},
		{"compare fits.yaml --algorithm pc4 --reference /dev/zero", "/dev/zero has more than 4194304 bytes"},
		{"validate fits.yaml --algorithm pidnn:weights=/dev/zero", "/dev/zero is a pipe or a device; expected a file"},
		{"algorithm replay /dev/zero", "event log /dev/zero: line 1: is longer than"},
		{"validate /dev/null", "the file is empty"},
	} {
		s.run(2, strings.Fields(c.args)...)
		s.says(s.stderr, c.words)
	}
	s.write("secret", "root:$6$salt$hash:1:2:3\n")
	s.run(2, "validate", "fits.yaml", "--algorithm", "pidnn:weights=secret")
	s.says(s.stderr, "secret is not a file of weights")
	if strings.Contains(s.stderr, "root") || strings.Contains(s.stderr, "hash") {
		t.Errorf("it quotes the file: %s", s.stderr)
	}
}
