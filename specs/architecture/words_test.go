package architecture

import (
	"cmp"
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

// finder finds wordings. Every find has one of words in it; without words each text is searched, which takes longer.
type finder struct {
	*regexp.Regexp
	words []string
}

// finding returns the finder of an expression; words are joined by bars.
func finding(words, expression string) finder {
	return finder{regexp.MustCompile(expression), strings.Split(words, "|")}
}

// mayBeIn reports whether it is worth searching a text.
func (f finder) mayBeIn(text string) bool {
	return slices.ContainsFunc(f.words, func(word string) bool { return strings.Contains(text, word) })
}

// habit is a wording of translated prose, with the wording of an English-speaking engineer.
type habit struct {
	name, instead string
	found         finder
}

// habits are the habits of pages and of texts of the programs; a ledger names the ones that it counts.
var habits = []habit{
	{"says", "reports, lists, names, shows, explains", finding("", `\b(says|tells|told) `)},
	{"where", "if, when",
		finding("", `\b[Ww]here (an?|it|they|there|no|nothing|none|that|all|some|one|neither|both|any) `)},
	{"which", "two sentences, or that ... on",
		finding("", `\b(of|than|in|on|by|from|to|with|at|for) (which|whom|whose)\b`)},
	{"nobody", "no one, the caller", finding("", `(?i)\b(nobody|whoever)\b`)},
	{"is no", "is not a", finding("", `\b(is|are) no [a-z]+`)},
	{"alone", "only", finding("", `\b(in|of|from|for|by|on|memory|these|names) alone\b`)},
	{"anew", "again", finding("", `\banew\b`)},
	{"apart from", "except", finding("", `[^d] apart from\b`)},
	{"became of", "the result of, what happened to", finding("", `\bwhat (became|becomes|came|comes) of\b`)},
	{"so many", "that many, n", finding("", `\bso (many|much) [a-z]+ (as|are)\b`)},
	{"all alone", "only", finding("", `\b(alone|besides)\b`)},
	{"what is", "a noun", finding("", `\b[Ww]hat (is|are|was|were|it|they|the|a|an|one|some|each|every|no)\b`)},
	{"those that", "the noun", finding("", `\b([Tt]hose|ones?) (that|which|whose)\b`)},
	{"somebody", "someone, any", finding("", `\b([Ss]omebody|[Aa]nybody|[Ee]verybody|[Ww]hatever)\b`)},
}

// exemption is cut out of a text before it is searched: a quote, or words in their usual meaning.
type exemption struct {
	why   string
	found finder
}

// exempt are the exemptions of pages and of texts of the programs.
var exempt = []exemption{
	{"output and code", finding("", "(?ms)^```.*?^```$")},
	{"code, names, and sentences of sources", finding("", "`(?:[^`\n]|\n[^`\n])+`")},
	{"names of specs", finding("", `\]\([^)]*\)\s"[^"]*"`)},
	{"messages of the program", finding("", `(?m)^ {4}\S+\.yaml:\d.*\n(?: {4}.*\n)*`)},
	{"plain English", finding("", `\b[Tt]here (?:is|are) no\b|\b(?:is|are) no longer\b|\b(?:for|in) which to\b|`+
		`\b[Ll]eaves? [a-z]+ alone\b|\bas long as alone\b|\bthe ones? that\b`)},
	{"a point in time or a bin, which have no shorter form",
		finding("", `(?i)\b(?:time|times|moment|instants?|bins?) (?:at|in|from) which\b`)},
	{"a part of a flow's time", finding("", `[-×] ?alone\b|\balone [0-9]|\b(?:is|are) alone\b`)},
	{"names of figures", finding("", `\b(?:victim|rate|column|abstract) alone\b`)},
	{"an address", finding("", `nobody@`)},
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
	ledger := readWords(t, wordLedger)
	counted := slices.DeleteFunc(slices.Clone(habits), func(h habit) bool {
		_, is := ledger[h.name]
		return !is
	})
	found := wordsIn(all, counted, exempt, func(_, habit string) string { return habit })
	for _, h := range counted {
		if _, is := found[h.name]; !is {
			found[h.name] = nil
		}
	}
	ratchetWords(t, wordLedger, ledger, found, counted)
}

// readWords reads a ledger: lines of a key, a colon and a number.
func readWords(t *testing.T, wordLedger string) map[string]int {
	ledger := map[string]int{}
	for line := range strings.Lines(string(read(t, "specs/architecture/"+wordLedger))) {
		var n int
		name, number, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if _, err := fmt.Sscan(number, &n); err != nil {
			t.Fatalf("%s: %q: %v", wordLedger, line, err)
		}
		ledger[name] = n
	}
	return ledger
}

// wordsIn returns the lines with each habit, once for each time that it is in a line, by the key of file and habit.
func wordsIn(all map[string][]passage, habits []habit, exempt []exemption, key func(file, habit string) string,
) map[string][]string {
	lines := map[string][]string{}
	for _, file := range slices.Sorted(maps.Keys(all)) {
		for _, p := range all[file] {
			for n, line := range strings.Split(withoutExempt(p.text, exempt), "\n") {
				for _, h := range habits {
					if !h.found.mayBeIn(line) {
						continue
					}
					for range h.found.FindAllStringIndex(line, -1) {
						name := key(file, h.name)
						lines[name] = append(lines[name], fmt.Sprintf("%s:%d: %s", file, p.line+n, line))
					}
				}
			}
		}
	}
	return lines
}

// ratchetWords compares the finds with a ledger, whose keys end with the name of a habit, and writes the ledger again
// if that is asked for and nothing rose.
func ratchetWords(t *testing.T, wordLedger string, ledger map[string]int, found map[string][]string, habits []habit) {
	instead := map[string]string{}
	for _, h := range habits {
		instead[h.name] = h.instead
	}
	keys := slices.Collect(maps.Keys(found))
	for key := range ledger {
		if _, is := found[key]; !is {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var text strings.Builder
	for _, key := range keys {
		switch now, allowed := len(found[key]), ledger[key]; {
		case now > allowed:
			_, habit, _ := strings.Cut(key, "\t")
			t.Errorf("%q: %d times, allowed are %d: write %s. It is in\n%s", key, now, allowed,
				cmp.Or(instead[habit], instead[key]), strings.Join(slices.Compact(found[key]), "\n"))
		case now < allowed && !*rewriteWords:
			t.Errorf("%q: %d times, which is fewer than the %d of %s: -rewrite-words notes it", key, now, allowed,
				wordLedger)
		}
		if _, is := found[key]; is {
			fmt.Fprintf(&text, "%s: %d\n", key, len(found[key]))
		}
	}
	if *rewriteWords && !t.Failed() {
		if err := os.WriteFile(wordLedger, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// withoutExempt returns a text without the exempt parts, in as many lines.
func withoutExempt(text string, exempt []exemption) string {
	for _, e := range exempt {
		if !e.found.mayBeIn(text) {
			continue
		}
		text = e.found.ReplaceAllStringFunc(text, func(cut string) string {
			return strings.Repeat("\n", strings.Count(cut, "\n"))
		})
	}
	return text
}
