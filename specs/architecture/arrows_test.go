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

// leaves are the common packages of an algorithm's author and every model: units, chance, and the layout of in-band
// telemetry. They import one another and nothing else of the project.
var leaves = []string{"plugins/cc/unit", "plugins/cc/chance", "plugins/cc/inband"}

// with is a room's own list of what it may import, beside the leaves.
func with(own ...string) []string { return slices.Concat(own, leaves) }

// rooms are the folders of the house, and what each may import of the project: the first that
// matches holds. Imports point one way: cmd and specs to testbed, to the models, to the emulator;
// algorithms to their contract, and that to the leaves. The testbed's floors lie on one another:
// many, look, nodes, and below them model and mem.
var rooms = []struct {
	path    string
	allowed []string
}{
	{"docs/findings/two-dc", []string{"testbed/look/report/picture"}}, // draws a sweep as a report does
	{"docs/", nil},
	{"internal/", []string{"internal/"}},
	{"plugins/cc/unit", nil},
	{"plugins/cc/chance", nil},
	{"plugins/cc/inband", []string{"plugins/cc/unit"}},
	{"emulator/notification", leaves},
	{"emulator/", with("emulator/", "internal/")},
	{"plugins/cc", with("plugins/cc")},
	{"plugins/eventlog", with("plugins/cc")},
	{"plugins/pidnn", with("plugins/pidnn", "plugins/cc")},
	{"plugins/process", with("plugins/process", "plugins/cc", "internal/")},
	{"plugins/registry", with("plugins/process", "plugins/cc", "internal/")},
	{"plugins/shipped", []string{"plugins/"}},
	{"plugins/", with("plugins/cc")},
	{"switchd", with("emulator/", "switchd")},
	{"nicd", with("emulator/", "nicd", "plugins/cc")},
	{"wan", with("emulator/")},
	{"edge", with("emulator/")},
	{"testbed/model", with("emulator/", "internal/", "switchd", "nicd", "wan", "edge", "plugins/cc",
		"plugins/eventlog", "plugins/process", "plugins/registry", "testbed/model")},
	{"testbed/mem", with("emulator/", "internal/", "switchd", "edge", "plugins/cc", "testbed/model", "testbed/mem")},
	{"testbed/nodes", with("emulator/", "internal/", "switchd", "wan", "edge", "plugins/cc", "plugins/eventlog",
		"plugins/process", "plugins/registry", "testbed/model", "testbed/mem", "testbed/nodes")},
	{"testbed/look/diff", with("emulator/", "internal/", "plugins/cc", "plugins/eventlog", "testbed/look",
		"testbed/model", "testbed/mem")}, // makes two runs again, up to where they part
	{"testbed/look", with("emulator/", "internal/", "testbed/look",
		"plugins/cc", "plugins/eventlog")}, // shows runs, and carries out none
	{"testbed/many/training", with("emulator/", "plugins/cc", "plugins/pidnn",
		"testbed/")}, // it trains what they run
	{"testbed/many/reproduce/measure", with("emulator/", "testbed/many/reproduce", "testbed/many/training",
		"plugins/cc", "plugins/shipped")}, // three rows train with the shipped algorithms
	{"testbed/many/reproduce/published", with("emulator/", "experiments",
		"testbed/many/reproduce")}, // reads the data that ship
	{"testbed/", with("emulator/", "internal/", "plugins/cc", "plugins/eventlog", "plugins/process",
		"plugins/registry", "testbed/")},
	{"cmd/", with("emulator/", "internal/", "edge/journal", "plugins/", "testbed/", "cmd/",
		"experiments")}, // what is recorded of published experiments
	{"experiments", nil}, // data
	{"specs/", with("experiments", "emulator/", "internal/", "plugins/", "switchd", "nicd", "wan", "edge", "testbed/",
		"specs/")},
}

// impure are packages that a model or an algorithm may not import, directly or indirectly: they would give it a clock,
// a goroutine's tools, a socket, a file or chance of its own.
var impure = []string{"net", "os", "sync", "time", "math/rand", "syscall", "io/fs", "crypto/rand",
	"github.com/hashicorp/go-plugin", "golang.org/x/sys"}

// models are the packages that must stay pure: what nodes are made of, and every
// shipped algorithm.
var models = slices.Concat(leaves, []string{"emulator/trace", "emulator/event",
	"emulator/fabric", "emulator/fifo", "emulator/link", "emulator/profile", "emulator/record", "emulator/notification",
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
// tests, what makes a program of an algorithm, what reads a file before a run, and
// what writes one beside it.
var around = []string{"plugins/cc/cctest", "plugins/cc/control", "plugins/cc/control/generate", "plugins/cc/ring",
	"plugins/cc/serve", "plugins/pidnn/weights", "edge/journal"}

// forTests are packages that no product links, and who may import them nevertheless:
// enginetest changes how an engine runs its windows, as the specs and the checks of an algorithm ask it to;
// modeltest has a kind of node; scenariotest makes plans; ifacetest compares what a host's network was with what it is.
var forTests = map[string][]string{
	"emulator/engine/enginetest":         {"emulator/engine", "testbed/mem", "testbed/many/judge", "specs/"},
	"emulator/scenario/scenariotest":     nil,
	"testbed/nodes/live/iface/ifacetest": {"specs/"},
	"testbed/internal/modeltest":         nil,
}

// apart: packages of the testbed that do not carry out experiments: a door through which other programs use a part of
// it, and tools that run it. Nothing else of the testbed imports them.
var apart = []string{"testbed/nodes/cni", "testbed/nodes/live/bump", "testbed/nodes/live/rehearsal",
	"testbed/many/bench", "testbed/many/training", "testbed/many/judge",
	"testbed/many/reproduce/measure", "testbed/many/reproduce/published"}

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

// violation returns the fault of one import, "" if there is none.
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
		inApart := slices.ContainsFunc(apart, func(p string) bool { return matches(from, p) })
		if matches(to, folder) && matches(from, "testbed") && !inApart {
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

// No program links what is for tests and readers: a release has neither acceptance tests nor pages in it. Red: with an
// import of specs/internal/lab anywhere below cmd/rocelab.
func TestProgramsLinkNoSpecs(t *testing.T) {
	program.DependOnTree(t)
	all := imports(t)
	from := map[string]string{}
	var reach func(string)
	reach = func(path string) {
		for _, to := range all[path] {
			name, ours := strings.CutPrefix(to, module)
			if _, known := from[name]; !ours || known {
				continue
			}
			from[name] = path
			if matches(name, "specs") || matches(name, "docs") {
				t.Errorf("a program links %s, by way of %s", name, path)
			}
			reach(name)
		}
	}
	for path := range all {
		if matches(path, "cmd") {
			reach(path)
		}
	}
	if len(from) < 50 {
		t.Errorf("programs link %d packages of ours", len(from))
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
		{"cmd/rocelab", module + "specs/internal/lab"},
		{"cmd/rocelab", module + "emulator/engine/enginetest"},
		{"testbed/many/experiment", module + "emulator/engine/enginetest"},
		{"testbed/nodes/daemon", module + "testbed/internal/modeltest"},
		{"testbed/nodes/veth", module + "testbed/many/bench"},
		{"testbed/many/experiment", module + "testbed/nodes/cni"},
		{"testbed/look/report", module + "testbed/nodes/veth"},
		{"testbed/look/page", module + "testbed/many/experiment"},
		{"testbed/look/diff", module + "testbed/nodes/veth"},
		{"testbed/nodes/veth", module + "testbed/look/page"},
		{"testbed/nodes/veth", module + "testbed/many/sweep"},
		{"testbed/model", module + "testbed/nodes/packet"},
		{"testbed/mem", module + "testbed/nodes/lockstep"},
		{"emulator/engine", module + "plugins/cc"},
		{"internal/crash", module + "emulator/wire"},
		{"testbed/many/judge", module + "plugins/pc4"},
		{"attic/junk", module + "plugins/cc/unit"},
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
