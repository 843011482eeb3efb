package verdicts

import (
	"go/ast"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// test is a test of another package: its file below the root of the module, its name, which is that of a function or
// the text of a spec, and words in it, if it has several cases.
type test struct{ file, name, words string }

// find fails if there is no such test any more.
func (w test) find(t *testing.T) {
	t.Helper()
	if complaint := w.missing(t); complaint != "" {
		t.Error(complaint)
	}
}

// missing names the part of the test that does not exist, "" if all of it does.
func (w test) missing(t *testing.T) string {
	t.Helper()
	parsed, _ := sourceOf(t, filepath.Join("..", "..", filepath.FromSlash(w.file)))
	var body ast.Node
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Name.Name == w.name && strings.HasPrefix(w.name, "Test") {
				body = n
			}
		case *ast.CallExpr:
			by, is := n.Fun.(*ast.Ident)
			if is && slices.Contains([]string{"It", "Entry", "DescribeTable"}, by.Name) && len(n.Args) > 0 &&
				literals(n.Args[0]) == w.name {
				body = n
			}
		}
		return true
	})
	if body == nil {
		return w.file + " has no test or spec " + strconv.Quote(w.name)
	}
	found := w.words == ""
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			found = found || strings.Contains(literals(n), w.words)
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == w.words
		}
		return !found
	})
	if !found {
		return w.name + " of " + w.file + " has no " + strconv.Quote(w.words)
	}
	return ""
}

// Words in a comment, or in another test, do not count as a test.
func TestATestElsewhereExists(t *testing.T) {
	const file = "specs/verdicts/elsewhere_test.go"
	for _, c := range []struct {
		test
		there bool
	}{
		{test{file, "TestATestElsewhereExists", "in a " + "comment"}, false}, // not: in a comment
		{test{file, "TestATestElsewhereExists", "what is not there " + "of"}, false},
		{test{file, "TestATestElsewhereExists", "elsewhere_test"}, true},
		{test{file, "TestATestElsewhereExists", "Errorf"}, true},
		{test{file, "TestNobody", ""}, false},
		{test{file, "sourceOf", ""}, false},
		{test{"specs/live/carrier_test.go", "is back after Ctrl-C in an outage", ""}, true},
		{test{"specs/live/carrier_test.go", "is back", ""}, false},
	} {
		if got := c.missing(t); (got == "") != c.there {
			t.Errorf("%v: %q, there: %v", c.test, got, c.there)
		}
	}
}

// by are the findings of one kind that a test has, with the case of each by its words.
func by(status, subject, file, name string, cases map[string]string) (list []finding) {
	for words, in := range cases {
		list = append(list, finding{status: status, subject: subject, words: words, elsewhere: test{file, name, in}})
	}
	return list
}

const verdictTest = "emulator/result/verdict_test.go"

// elsewhereFindings are those that no run in memory has. No input breaks conservation, and none should make a headroom
// too small that the link's length gives: an outcome made by hand does.
var elsewhereFindings = slices.Concat(
	by("Red", "Conservation", verdictTest, "TestVerdict", map[string]string{
		"link %s to %s: sent %d frames":          "frame vanishes on a link",
		"%s: received %d frames (%d B), but":     "switch forgets a frame",
		"NIC %s: received %d frames":             "NIC forgets a data packet",
		"NIC %s: sent %d frames":                 "NIC sends a packet too few",
		"%d B acknowledged, but %d B delivered":  "acknowledged but not delivered",
		"%d B delivered of a size of":            "delivered beyond its size",
		"%d packets arrived, but":                "packets from nowhere",
		"%d CNPs arrived, but %d were sent":      "CNPs from nowhere",
		"%d ACKs arrived, but":                   "ACKs from nowhere",
		"%d NAKs arrived, but":                   "NAKs from nowhere",
		"completed with %d B acknowledged and":   "completed but not complete",
		"%d CNPs arrived, but receivers sent %d": "CNPs from nowhere, of all flows",
	}),
	by("Red", "Conservation", "emulator/result/pause_test.go", "TestPausesAreAccountedFor", map[string]string{
		"link %s, class %d: sent %d %s": "class 3: sent 1 XOFF, but 0 received",
	}),
	by("Red", "Conservation", "emulator/result/pause_test.go", "TestPausesOfALongHaul", map[string]string{
		"long-haul path %s: PFC frames received at port": "forgotten in it",
	}),
	by("Red", "Conservation", "emulator/result/wan_test.go", "TestLongHaulIsAccountedFor", map[string]string{
		"long-haul path %s: received %d frames":            "a frame forgotten",
		"were inside from port %d at once, but rate times": "more than rate times delay",
	}),
	by("status", "Timeliness", "emulator/result/timeliness_test.go", "TestVerdictOnTimeOfLossAndStandstill",
		map[string]string{"the run stood still for": "a standstill of %v"}),
	by("first.cause.status()", "Losslessness", verdictTest, "TestVerdict", map[string]string{
		"although it has the headroom that the link needs": "headroom exhausted though pauses were obeyed",
		"because the link was down at times":               "headroom exhausted for a pause that was lost in an outage",
		"although every flow's class is lossless":          "no buffer for lossless flows",
	}),
	by("Void", "Effect", verdictTest, "TestNothingCameIn", map[string]string{
		"no flow sent a packet, and no frame came in at an edge": "",
	}),
	by("Void", "Effect", "cmd/rocelab/plugins_test.go", "TestSwitchedOff", map[string]string{
		"got %d signals of congestion": "",
	}),
	by("Failed", "Replay", "cmd/rocelab/edges_test.go", "TestReplayOfARunFolder", map[string]string{
		"though the models are the same": "replay",
	}),
	by("Interrupted", "Completion", "specs/live/command/kill_test.go",
		"ends by Ctrl-C: what there is is kept, and the devices are as before", map[string]string{
			"stopped from outside at": "interrupted: completion: stopped from outside at",
		}),
	by("Failed", "Commands", "specs/live/command/refusal_test.go",
		"that fails makes the run fail, with its exit status", map[string]string{"host %s: ": ""}),
	by("Amber", "Timeliness", "emulator/result/timeliness_test.go", "TestVerdictOnTimeOfLossAndStandstill",
		map[string]string{"lost outside the models": "frames were lost outside the models: 3 "}),
	by("Void", "Timeliness", "specs/live/carrier_test.go", "that goes by itself ends the run, which is void",
		map[string]string{"and no fault of the scenario takes it down then": "takes it down then: the run ended by that"}),
	by("status", "Timeliness", "specs/live/command/run_test.go",
		"ends with the code of its verdict, which follows from the lateness in its folder", map[string]string{
			"%s: %s is %s, above %s": "",
		}),
)
