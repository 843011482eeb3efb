package architecture

import (
	"maps"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/program"
)

const module = "github.com/rocelab/rocelab/"

// rooms are the top-level folders, and what each may import of the project.
// Imports point one way: cmd and specs to testbed, to the models, to the
// emulator; algorithms to their contract, and that to units, chance and telemetry
// alone.
var rooms = []struct {
	path    string
	allowed []string
}{
	{"docs/findings/two-dc", []string{"testbed/look/report/picture"}}, // draws a sweep as a report does
	{"docs/", nil},
	{"emulator/unit", nil},
	{"emulator/chance", nil},
	{"emulator/spelling", nil},
	{"emulator/crash", nil},
	{"emulator/terminal", nil},
	{"emulator/telemetry", []string{"emulator/unit"}},
	{"emulator/notification", []string{"emulator/unit"}},
	{"emulator/", []string{"emulator/"}},
	{"plugins/cc/cctest", []string{"plugins/cc", "emulator/unit", "emulator/chance", "emulator/telemetry"}}, // for tests
	{"plugins/cc", []string{"plugins/cc", "emulator/unit", "emulator/chance", "emulator/telemetry"}},
	{"plugins/eventlog", []string{"plugins/cc", "emulator/unit", "emulator/chance", "emulator/telemetry"}},
	{"plugins/pidnn", []string{"plugins/pidnn", "plugins/cc", "emulator/unit"}},
	{"plugins/process", []string{"plugins/process", "plugins/cc", "emulator/unit", "emulator/chance",
		"emulator/telemetry", "emulator/terminal"}},
	{"plugins/registry", []string{"plugins/process", "plugins/cc", "emulator/spelling", "emulator/terminal",
		"emulator/crash"}},
	{"plugins/shipped", []string{"plugins/"}},
	{"plugins/", []string{"plugins/cc", "emulator/unit", "emulator/chance", "emulator/telemetry"}},
	{"switchd", []string{"emulator/", "switchd"}},
	{"nicd", []string{"emulator/", "nicd", "plugins/cc"}},
	{"wan", []string{"emulator/"}},
	{"edge/journal", []string{"emulator/"}},
	{"edge", []string{"emulator/"}},
	{"testbed/tools/training", []string{"emulator/", "plugins/cc", "plugins/pidnn",
		"testbed/"}}, // it trains what they run
	{"testbed/look", []string{"emulator/", "testbed/look", "testbed/telemetry", // it shows runs, and carries out none
		"plugins/cc", "plugins/eventlog"}},
	{"testbed/", []string{"emulator/", "switchd", "nicd", "wan", "edge", "plugins/cc", "plugins/eventlog",
		"plugins/process", "plugins/registry", "testbed/"}},
	{"cmd/", []string{"emulator/", "edge/journal", "plugins/", "testbed/", "cmd/",
		"specs/judge",                                                     // what judges an algorithm: specs/adr/0010
		"docs/findings", "specs/papers", "specs/hardware", "specs/mutant", // what rocelab reproduce carries out
		"specs/scenarios"}}, // what rocelab demo runs
	{"specs/judge", []string{"emulator/", "plugins/cc", "plugins/eventlog", "plugins/process", "testbed/",
		"specs/judge"}}, // knows no algorithm
	{"specs/", []string{"emulator/", "plugins/", "switchd", "nicd", "wan", "edge", "testbed/", "specs/"}},
}

// impure is what a model or an algorithm may not import, nor what lies below it: it
// would give it a clock, a goroutine's tools, a socket, a file or chance of its own.
var impure = []string{"net", "os", "sync", "time", "math/rand", "syscall", "io/fs", "crypto/rand",
	"github.com/hashicorp/go-plugin", "golang.org/x/sys"}

// models are the packages that must stay pure: what nodes are made of, and every
// shipped algorithm.
var models = slices.Concat([]string{"emulator/unit", "emulator/chance", "emulator/trace", "emulator/event",
	"emulator/fabric", "emulator/fifo", "emulator/link", "emulator/profile", "emulator/record", "emulator/notification",
	"emulator/telemetry",
	"plugins/cc", "switchd", "nicd", "wan", "edge"}, slices.Collect(maps.Values(algorithms())))

// algorithms are the packages of the shipped algorithms, by their names.
func algorithms() map[string]string {
	packages := map[string]string{}
	for _, a := range shipped.All() {
		packages[a.Describe().Name] = strings.TrimPrefix(reflect.TypeOf(a).PkgPath(), module)
	}
	return packages
}

// around are packages inside a model's folder that no model runs: a fixture of
// tests, what reads a file before a run, and what writes one beside it.
var around = []string{"plugins/cc/cctest", "plugins/pidnn/weights", "edge/journal"}

// forTests are packages that no product links, and who may import them nevertheless:
// enginetest changes how an engine runs its windows, which two heed and the specs ask for;
// modeltest has a kind of node; scenariotest makes plans; ifacetest compares what a host's network was with what it is.
var forTests = map[string][]string{
	"emulator/engine/enginetest":     {"emulator/engine", "testbed/mem", "specs/"},
	"emulator/scenario/scenariotest": nil,
	"testbed/iface/ifacetest":        {"specs/"},
	"testbed/model/modeltest":        nil,
}

// apart are folders of the testbed that carry out no experiment: doors through which
// other programs use a part of it, and tools that run it. Nothing else of the testbed
// imports them.
var apart = []string{"testbed/doors", "testbed/tools"}

func imports(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		all[strings.TrimPrefix(words[0], module)] = words[1:]
	}
	return all
}

func matches(path, pattern string) bool {
	return path == pattern || strings.HasPrefix(path, strings.TrimSuffix(pattern, "/")+"/")
}

// violation returns what is wrong with one import, "" if nothing is.
func violation(from, to string) string {
	inside := strings.HasPrefix(to, module)
	to = strings.TrimPrefix(to, module)
	for _, m := range models {
		if !inside && matches(from, m) && !slices.Contains(around, from) {
			for _, bad := range impure {
				if matches(to, bad) {
					return "a model must not import " + to
				}
			}
		}
	}
	if !inside {
		return ""
	}
	readers, closed := forTests[to]
	if closed && !slices.ContainsFunc(readers, func(ok string) bool { return matches(from, ok) }) {
		return "must leave " + to + " to tests"
	}
	for _, folder := range apart {
		if matches(to, folder) && matches(from, "testbed") && !matches(from, folder) {
			return "must not import " + to + ": " + folder + " is apart from what carries out an experiment"
		}
	}
	for _, room := range rooms {
		if !matches(from, room.path) {
			continue
		}
		for _, ok := range room.allowed {
			if matches(to, ok) {
				return ""
			}
		}
		return "may import " + strings.Join(room.allowed, ", ") + " only, not " + to
	}
	return "stands in no room of the house"
}

func TestImportsPointOneWay(t *testing.T) {
	program.DependOnTree(t)
	for from, list := range imports(t) {
		if from == "github.com/rocelab/rocelab" {
			continue
		}
		for _, to := range list {
			if v := violation(from, to); v != "" {
				t.Errorf("%s: %s", from, v)
			}
		}
	}
}

func TestForbiddenArrowsAreSeen(t *testing.T) {
	forbidden := [][2]string{
		{"switchd", module + "testbed/mem"},
		{"emulator/engine", module + "nicd"},
		{"emulator/notification", module + "emulator/wire"},
		{"emulator/notification", "time"},
		{"plugins/pc4", module + "emulator/wire"},
		{"nicd", module + "plugins/pc4"},
		{"nicd", "time"},
		{"switchd", "math/rand"},
		{"switchd", "os/exec"},
		{"nicd", "sync/atomic"},
		{"wan", "math/rand/v2"},
		{"plugins/dcqcn", "os"},
		{"plugins/dcqcn", module + "plugins/process"},
		{"plugins/process", module + "plugins/pc4"},
		{"cmd/rocelab", module + "specs/lab"},
		{"cmd/rocelab", module + "emulator/engine/enginetest"},
		{"testbed/experiment", module + "emulator/engine/enginetest"},
		{"testbed/daemon", module + "testbed/model/modeltest"},
		{"testbed/veth", module + "testbed/tools/bench"},
		{"testbed/experiment", module + "testbed/doors/cni"},
		{"testbed/doors/cni", module + "testbed/tools/bench"},
		{"testbed/look/report", module + "testbed/veth"},
		{"testbed/look/page", module + "testbed/experiment"},
		{"specs/judge", module + "plugins/pc4"},
		{"attic/junk", module + "emulator/unit"},
	}
	for _, algorithm := range algorithms() {
		forbidden = append(forbidden, [2]string{algorithm, "time"})
	}
	for _, arrow := range forbidden {
		if violation(arrow[0], arrow[1]) == "" {
			t.Errorf("%s -> %s passes, and must not", arrow[0], arrow[1])
		}
	}
}
