package plugins_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/rocelab/rocelab/testbed/many/judge/source"
)

// hosts are packages that are not algorithms: a fixture for tests that reads files, units, which round figures for
// people, and all packages for processes, folders and files of weights.
var hosts = []string{"plugins/cc/cctest", "plugins/cc/unit", "plugins/cc/control", "plugins/cc/ring",
	"plugins/cc/serve", "plugins/cc/contract", "plugins/pidnn/weights", "plugins/eventlog", "plugins/process",
	"plugins/registry"}

// Algorithms compute the same bits on every processor and in every process.
func TestAlgorithmsAreDeterministic(t *testing.T) {
	pkgs, err := packages.Load(&packages.Config{Mode: source.Needed}, "./...", "github.com/rocelab/rocelab/plugins/cc/...")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, p := range pkgs {
		if len(p.Syntax) == 0 || slices.ContainsFunc(hosts, func(h string) bool { return strings.Contains(p.PkgPath, h) }) {
			continue
		}
		for _, e := range p.Errors {
			t.Error(e)
		}
		checked++
		for _, finding := range source.Check(p) {
			t.Error(finding)
		}
	}
	if checked < 5 {
		t.Errorf("only %d packages were checked", checked)
	}
}

var want = regexp.MustCompile(`// want "([^"]*)"`)

// Each mutant in testdata is caught in the line that it marks, and in no other.
func TestMutantsAreCaught(t *testing.T) {
	files, _ := filepath.Glob("testdata/mutants/*.go")
	if len(files) == 0 {
		t.Fatal("no mutants")
	}
	for _, file := range files {
		pkgs, err := packages.Load(&packages.Config{Mode: source.Needed}, file)
		if err != nil || len(pkgs) != 1 || len(pkgs[0].Errors) > 0 {
			t.Fatalf("%s: %v %v", file, err, pkgs)
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		findings := source.Check(pkgs[0])
		for i, line := range strings.Split(string(src), "\n") {
			at := fmt.Sprintf("%s:%d:", filepath.Base(file), i+1)
			found := slices.IndexFunc(findings, func(f string) bool { return strings.Contains(f, at) })
			m := want.FindStringSubmatch(line)
			switch {
			case m == nil && found >= 0:
				t.Errorf("unwanted: %s", findings[found])
			case m != nil && (found < 0 || !strings.Contains(findings[found], m[1])):
				t.Errorf("%s no finding of %q: %s", at, m[1], strings.TrimSpace(line))
			}
		}
	}
}
