package architecture

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// wordLedger has how often each habit is in the pages. A number may only become smaller.
const wordLedger = "testdata/words.txt"

var rewriteWords = flag.Bool("rewrite-words", false, "write the ledger of words anew; no number may grow")

// habits are wordings of translated prose, each with what an English-speaking engineer writes.
var habits = []struct {
	name, instead string
	found         *regexp.Regexp
}{
	{"says", "reports, lists, names, shows, explains", regexp.MustCompile(`\b(says|tells|told) `)},
	{"where", "if, when",
		regexp.MustCompile(`\b[Ww]here (an?|it|they|there|no|nothing|none|that|all|some|one|neither|both|any) `)},
	{"which", "two sentences, or that ... on",
		regexp.MustCompile(`\b(of|than|in|on|by|from|to|with|at|for) (which|whom|whose)\b`)},
	{"nobody", "no one, the caller", regexp.MustCompile(`(?i)\b(nobody|whoever)\b`)},
	{"is no", "is not a", regexp.MustCompile(`\b(is|are) no [a-z]+`)},
	{"alone", "only", regexp.MustCompile(`\b(in|of|from|for|by|on|memory|these|names) alone\b`)},
	{"anew", "again", regexp.MustCompile(`\banew\b`)},
	{"apart from", "except", regexp.MustCompile(`[^d] apart from\b`)},
	{"became of", "the result of, what happened to", regexp.MustCompile(`\bwhat (became|becomes|came|comes) of\b`)},
	{"so many", "that many, n", regexp.MustCompile(`\bso (many|much) [a-z]+ (as|are)\b`)},
}

// exempt is cut out of a page before it is searched: what is quoted, and words in their usual meaning.
var exempt = []struct {
	why   string
	found *regexp.Regexp
}{
	{"output and code", regexp.MustCompile("(?ms)^```.*?^```$")},
	{"code, names, and sentences of sources", regexp.MustCompile("`(?:[^`\n]|\n[^`\n])+`")},
	{"names of specs", regexp.MustCompile(`\]\([^)]*\)\s"[^"]*"`)},
	{"messages of the program", regexp.MustCompile(`(?m)^ {4}\S+\.yaml:\d.*\n(?: {4}.*\n)*`)},
	{"plain English", regexp.MustCompile(`\b[Tt]here (?:is|are) no\b|\b(?:is|are) no longer\b|\b(?:for|in) which to\b|` +
		`\bleaves? (?:it|all) alone\b`)},
}

// No page gains a wording that reads as translated. Tier: -short.
func TestWordsOfPages(t *testing.T) {
	counts, lines := map[string]int{}, map[string][]string{}
	all := pages(t)
	for _, page := range slices.Sorted(maps.Keys(all)) {
		text := all[page]
		for _, e := range exempt {
			text = e.found.ReplaceAllStringFunc(text, func(cut string) string {
				return strings.Repeat("\n", strings.Count(cut, "\n"))
			})
		}
		for n, line := range strings.Split(text, "\n") {
			for _, h := range habits {
				if found := len(h.found.FindAllString(line, -1)); found > 0 {
					counts[h.name] += found
					lines[h.name] = append(lines[h.name], fmt.Sprintf("%s:%d: %s", page, n+1, line))
				}
			}
		}
	}
	ledger := map[string]int{}
	for line := range strings.Lines(string(read(t, "specs/architecture/"+wordLedger))) {
		var n int
		name, number, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if _, err := fmt.Sscan(number, &n); err != nil {
			t.Fatalf("%s: %q: %v", wordLedger, line, err)
		}
		ledger[name] = n
	}
	var text strings.Builder
	for _, h := range habits {
		switch now := counts[h.name]; {
		case now > ledger[h.name]:
			t.Errorf("%q: %d times, allowed are %d: write %s. It is in\n%s", h.name, now, ledger[h.name], h.instead,
				strings.Join(lines[h.name], "\n"))
		case now < ledger[h.name] && !*rewriteWords:
			t.Errorf("%q: %d times, which is fewer than the %d of %s: -rewrite-words notes it", h.name, now, ledger[h.name],
				wordLedger)
		}
		fmt.Fprintf(&text, "%s: %d\n", h.name, counts[h.name])
	}
	if *rewriteWords && !t.Failed() {
		if err := os.WriteFile(wordLedger, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
