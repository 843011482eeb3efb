package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"testing"
)

// commentHabits are the habits of comments. A comment is searched as one line.
var commentHabits = []habit{
	{"where", "if, when", finding("here", `(?:^|[.,;:(] )[Ww]here\b|`+
		`\bwhere (?:an?|it|they|there|no|nothing|none|that|all|some|one|neither|both|any|he|each|every|not)\b`)},
	{"says", "reports, lists, names, returns",
		finding("says|ell|told|said", `\b(?:[Ss]ays|[Tt]ells?|told|(?:is|are|was) said)\b`)},
	{"is what", "a noun with its unit", finding("is |are ",
		`\b(?:is|are) (?:what|how|when|who|whether|why)\b|^\S+ (?:is|are) (?:of|in how|by how) `)},
	{"which", "two sentences, or that ... on", finding("which|whom|whose",
		`\b(?:of|than|in|on|by|from|to|with|at|for|after|before|behind|over|under|between|through|`+
			`against|into|without|during) (?:which|whom|whose)\b`)},
	{"nobody", "no one, the caller, any", finding("body|hoever|hatever",
		`\b(?:[Nn]obody|[Ww]hoever|[Ss]omebody|[Aa]nybody|[Ee]verybody|[Ww]hatever)\b`)},
	{"no", "is not a, does not", finding(" no ",
		`\b(?:is|are|was|were|be|in|by|of|to|from|at|on|changes?|knows?|takes?|costs?|makes?|needs?|`+
			`gets?|sees?|reads?|sends?|starts?) no [a-z]+|\bthat no [a-z]+ (?:has|have|can|is|are|does)\b`)},
	{"alone", "only", finding("alone", `\balone\b`)},
	{"anew", "again", finding("anew", `\banew\b`)},
	{"apart", "except, separately", finding("apart", `\bapart\b`)},
	{"became of", "the result of", finding("what ", `\bwhat (?:became|becomes|came|comes|is|was|are) of\b`)},
	{"so many", "n, that many", finding("so ", `\bso (?:many|much|few|long|often)\b`)},
	{"what is", "a noun", finding("hat ", `\b[Ww]hat (?:is|are|was|were)\b`)},
	{"those that", "the noun", finding("hose|ones |one w",
		`\b(?:[Tt]hose (?:that|which|whose|of)|[Oo]nes? (?:which|whose))\b`)},
	{"causative", "makes, lets, a plain verb", finding(" has ",
		`^\S+ has (?:\S+ ){1,4}?(?:be|do|go|run|send|read|take|wait|stop|begin|start|end|come|write|fail|know|keep|`+
			`look|leave|pass|see|find|use|make|give|follow|return|reach|show|say|tell|count|work|print|close|open|`+
			`serve|stand|lose|move|have)\b`)},
}

// commentExempt are the honest uses in comments.
var commentExempt = []exemption{
	{"formulas, examples and directives", finding("\t|\n |:", `(?m)^(?:[ \t].*|\w+:\S.*)$`)},
	{"sentences of sources, names and code", finding("\"|`|“", "\"[^\"]*\"|`[^`]*`|“[^”]*”")},
	{"a place", finding("where", `\b(?:is|are|was|from|to|of|and|or|not|knows?|shows?|finds?|names?|records?|decides?|`+
		`reports?|prints?|places?|points?|positions?|lines?|offsets?|bytes?|bits?|files?|folders?|ends?|begins?|`+
		`exactly|just|even if|everywhere|else|only|tables?|pages?|rows?|columns?|queues?|ports?|hosts?|machines?)`+
		`\swhere\b`)},
	{"a source", finding("says", `\b(?:paper|standard|RFC \d+|authors?|specification|documentation|`+
		`[Ss]ection [\d.]+|appendix|Table \w+|Figure \w+|manual|man page|IBTA|issue)\s(?:itself\s)?says\b`)},
	{"to distinguish", finding("apart", `\b(?:tells?|told|telling|drift|far)\b(?:\s[^\s.;:]+){0,8}\sapart\b`)},
	{"a distance", finding("apart",
		`(?:\d|[\d.]+\s?(?:[munp]?s|bytes|ranks|hops|places))\sapart\b|\bapart from each other\b`)},
	{"plain English", finding(" no|no\n|alone|which|so|hat ", `\b[Tt]here\s(?:is|are|was|were)\sno\b|`+
		`\bno\s(?:longer|more|less|fewer|later|earlier|sooner|larger|longer|higher|lower|faster|slower|better|worse|`+
		`matter|one)\b|\bof no use\b|\bin no (?:particular )?order\b|\bat no (?:cost|point)\b|\bby no means\b|`+
		`\b(?:for|in)\swhich\sto\b|\b[Ll]eaves?\s[a-z]+\salone\b|\bso\smuch\sthat\b|\bso\soften\sthat\b|`+
		`\bso\slong\sas\b|\b(?:is|are)\salone\b|\b[Ww]hat\s(?:is|was)\s(?:more|left)\b`)},
	{"the part of a flow's time without others", finding("lone", `\balone\s(?:or|and)\s\w+\b|\b[Aa]lone[,:]|\balone\s\d`)},
}

// No package's comments gain a wording that reads as translated.
func TestWordsOfComments(t *testing.T) {
	all := map[string][]passage{}
	for _, file := range sources(t) {
		list, err := comments(file)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimPrefix(file, "../../")] = list
	}
	const ledger = "testdata/comments.txt"
	found := wordsIn(all, commentHabits, nil, func(file, habit string) string { return path.Dir(file) + "\t" + habit })
	ratchetWords(t, ledger, readWords(t, ledger), found, commentHabits)
}

// comments returns the comments of a Go file unless it is generated, each as one line, without the exempt parts.
func comments(file string) (list []passage, err error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(f) {
		return nil, err
	}
	for _, group := range f.Comments {
		text := group.Text()
		text = withoutExempt(text, commentExempt)
		list = append(list, passage{line: set.Position(group.Pos()).Line, text: strings.Join(strings.Fields(text), " ")})
	}
	return list, nil
}

func TestHabitsOfCommentsAreFound(t *testing.T) {
	for text, want := range map[string]string{
		"Where none is set, 1.":                              "where",
		"reach is nil where it is not known.":                "where",
		"Error reports the line where a value begins.":       "",
		"Kmin says above what it marks.":                     "says",
		"The paper says nothing of it.":                      "",
		"last is when it was sent.":                          "is what",
		"rest is of a bin.":                                  "is what",
		"a hop of which the port is down":                    "which",
		"Nobody reads it.":                                   "nobody",
		"A name that no host has is no name.":                "no",
		"It waits no longer, and there is no timer.":         "",
		"PFC alone holds it.":                                "alone",
		"It starts anew.":                                    "anew",
		"all, the last apart":                                "apart",
		"Names tell them apart; they are 3 us apart.":        "",
		"what became of a frame":                             "became of",
		"of so many bytes":                                   "so many",
		"It returns what is on the disk.":                    "what is",
		"those of a host":                                    "those that",
		"dump has a signal print stacks.":                    "causative",
		"Source: section 3: \"where no such rate is left\".": "",
		"E is the sum:\n\n\twhere it is 0\n":                 "",
	} {
		found := map[string]bool{}
		line := strings.Join(strings.Fields(withoutExempt(text, commentExempt)), " ")
		for _, h := range commentHabits {
			if h.found.MatchString(line) {
				found[h.name] = true
			}
		}
		if len(found) > 1 || want == "" && len(found) > 0 || want != "" && !found[want] {
			t.Errorf("%q: found %v, want %q", text, found, want)
		}
	}
}
