package architecture

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// hot are methods that run for every frame, by the package whose compilation reports them, under the compiler's names:
// a call would cost as much as their work.
var hot = map[string][]string{
	"emulator/link": {
		"(*Serializer).Time", "(*Serializer).TimeOf", "(*Timer).Arm", "(*Timer).Fired", "(*Deadline).Set",
		"(*Deadline).Pending", "(*Deadline).Reached", "(*Pauses).Held", "(*Pauses).Until", "(*Pauses).Release",
	},
	"emulator/event": {
		"fifo.(*Queue[shape]).Empty", "fifo.(*Queue[shape]).Len", "fifo.(*Queue[shape]).First", "fifo.(*Queue[shape]).At",
		"fifo.(*Queue[shape]).Full", "fifo.(*Queue[shape]).Put", "fifo.(*Queue[shape]).Pop",
		"fifo.(*Queue[shape]).RemoveFirst",
	},
	"switchd": {
		"(*egress).ready", "(*egress).empty", "(*egress).charge", "(*egress).bypass", "(*stamper).stamps",
		"(*queue).drain", "(*mmu).threshold", "(*mmu).sharedOf", "(*mmu).mustPause", "(*mmu).othersMayResume", "has",
	},
}

// The compiler inlines what runs for every frame.
func TestHotMethodsInline(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages anew")
	}
	for path, methods := range hot {
		t.Run(path, func(t *testing.T) {
			out, err := exec.Command("go", "build", "-gcflags=-m", module+path).CombinedOutput()
			if err != nil {
				t.Fatalf("go build %s: %v\n%s", path, err, out)
			}
			inlined := inlinedIn(string(out))
			for _, method := range methods {
				if !inlined[method] {
					t.Errorf("%s: %s does not inline", path, method)
				}
			}
		})
	}
}

// shape is the compiler's name of the type of a generic function's body: one for all types of the same layout. A
// wrapper for each type calls it, and inlines even if the body may not.
var shape = regexp.MustCompile(`\[go\.shape\..*\]\)`)

// inlinedIn returns the functions that the compiler's notes say it can inline,
// without the path of the module.
func inlinedIn(notes string) map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(notes) {
		if _, name, ok := strings.Cut(strings.TrimSpace(line), ": can inline "); ok {
			name = shape.ReplaceAllString(name, "[shape])")
			names[strings.ReplaceAll(name, module+"emulator/", "")] = true
		}
	}
	return names
}

func TestInlinedIn(t *testing.T) {
	got := inlinedIn("x.go:1:6: can inline (*A).b\nx.go:2:6: cannot inline c: too complex\n" +
		"y.go:3:4: can inline fifo.(*Queue[" + module + "emulator/event.arrival]).Put\n" +
		"y.go:5:6: can inline fifo.(*Queue[go.shape.struct { a []int; b [2]int }]).Pop\n")
	if len(got) != 3 || !got["(*A).b"] || !got["fifo.(*Queue[event.arrival]).Put"] || !got["fifo.(*Queue[shape]).Pop"] {
		t.Errorf("%v", got)
	}
}
