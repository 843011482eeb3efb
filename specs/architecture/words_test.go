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

var rewriteWords = flag.Bool("rewrite-words", false, "write the ledgers of words again; no number may grow")

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
	{"all alone", "only", regexp.MustCompile(`\b(alone|besides)\b`)},
	{"what is", "a noun", regexp.MustCompile(`\b[Ww]hat (is|are|was|were|it|they|the|a|an|one|some|each|every|no)\b`)},
	{"those that", "the noun", regexp.MustCompile(`\b([Tt]hose|ones?) (that|which|whose)\b`)},
	{"somebody", "someone, any", regexp.MustCompile(`\b([Ss]omebody|[Aa]nybody|[Ee]verybody|[Ww]hatever)\b`)},
}

// exempt is cut out of a text before it is searched: quotes, and words in their usual meaning.
var exempt = []struct {
	why   string
	found *regexp.Regexp
}{
	{"output and code", regexp.MustCompile("(?ms)^```.*?^```$")},
	{"code, names, and sentences of sources", regexp.MustCompile("`(?:[^`\n]|\n[^`\n])+`")},
	{"names of specs", regexp.MustCompile(`\]\([^)]*\)\s"[^"]*"`)},
	{"messages of the program", regexp.MustCompile(`(?m)^ {4}\S+\.yaml:\d.*\n(?: {4}.*\n)*`)},
	{"plain English", regexp.MustCompile(`\b[Tt]here (?:is|are) no\b|\b(?:is|are) no longer\b|\b(?:for|in) which to\b|` +
		`\b[Ll]eaves? [a-z]+ alone\b|\bas long as alone\b|\bthe ones? that\b`)},
	{"a point in time or a bin, which have no shorter form",
		regexp.MustCompile(`(?i)\b(?:time|times|moment|instants?|bins?) (?:at|in|from) which\b`)},
	{"a part of a flow's time", regexp.MustCompile(`[-×] ?alone\b|\balone [0-9]|\b(?:is|are) alone\b`)},
	{"names of figures", regexp.MustCompile(`\b(?:victim|rate|column|abstract) alone\b`)},
	{"an address", regexp.MustCompile(`nobody@`)},
}

// No page, and no text of the programs, gains a wording that reads as translated.
func TestWords(t *testing.T) {
	t.Run("pages", func(t *testing.T) {
		all := map[string][]passage{}
		for page, text := range pages(t) {
			all[page] = []passage{{line: 1, text: text}}
		}
		holdWords(t, "testdata/words.txt", all)
	})
	t.Run("texts", func(t *testing.T) { holdWords(t, "testdata/texts.txt", texts(t)) })
}

// passage is a text that begins at a line of its file.
type passage struct {
	line int
	text string
}

// holdWords holds passages, by the file that they are in, to a ledger of how often each habit is in them. A ledger
// names the habits that it counts, and a number may only become smaller.
func holdWords(t *testing.T, wordLedger string, all map[string][]passage) {
	ledger := map[string]int{}
	for line := range strings.Lines(string(read(t, "specs/architecture/"+wordLedger))) {
		var n int
		name, number, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if _, err := fmt.Sscan(number, &n); err != nil {
			t.Fatalf("%s: %q: %v", wordLedger, line, err)
		}
		ledger[name] = n
	}
	counts, lines := map[string]int{}, map[string][]string{}
	for _, file := range slices.Sorted(maps.Keys(all)) {
		for _, p := range all[file] {
			for n, line := range strings.Split(withoutExempt(p.text), "\n") {
				for _, h := range habits {
					if _, counted := ledger[h.name]; !counted {
						continue
					}
					if found := len(h.found.FindAllString(line, -1)); found > 0 {
						counts[h.name] += found
						lines[h.name] = append(lines[h.name], fmt.Sprintf("%s:%d: %s", file, p.line+n, line))
					}
				}
			}
		}
	}
	var text strings.Builder
	for _, h := range habits {
		allowed, counted := ledger[h.name]
		if !counted {
			continue
		}
		switch now := counts[h.name]; {
		case now > allowed:
			t.Errorf("%q: %d times, allowed are %d: write %s. It is in\n%s", h.name, now, allowed, h.instead,
				strings.Join(lines[h.name], "\n"))
		case now < allowed && !*rewriteWords:
			t.Errorf("%q: %d times, which is fewer than the %d of %s: -rewrite-words notes it", h.name, now, allowed,
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

// withoutExempt is a text without what is exempt, in as many lines.
func withoutExempt(text string) string {
	for _, e := range exempt {
		text = e.found.ReplaceAllStringFunc(text, func(cut string) string {
			return strings.Repeat("\n", strings.Count(cut, "\n"))
		})
	}
	return text
}
