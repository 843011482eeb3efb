package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/authoring"
)

// The folder is there, whole, and nothing beside it.
func TestAlgorithmNew(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	s := newShell(t)
	s.run(0, "algorithm", "new", "mine")
	s.says(s.stdout, "mine/\n    README.md\n")
	s.says(s.stdout, "\nNext: cd mine, and do what README.md says.\n")
	for _, name := range []string{"mine/go.mod", "mine/go.sum", "mine/cc-mine/main.go", "mine/testdata/life.txt"} {
		t.Run(name, func(t *testing.T) {
			if !exists(name) {
				t.Errorf("no %s", name)
			}
		})
	}
	module, _ := os.ReadFile("mine/go.mod")
	s.says(string(module), "replace github.com/rocelab/rocelab/plugins/cc => "+root+"/plugins/cc\n")
	if n := strings.Count(string(module), "// indirect"); n >= 20 {
		t.Errorf("%d requirements", n)
	}

	s.run(0, "algorithm", "new", "yours", "--template", "receiver", "--rocelab", root)
	if !exists("yours/receiver.go") {
		t.Error("no receiver")
	}
	if err := os.Mkdir("snake", 0o755); err != nil { // an empty folder may be there
		t.Fatal(err)
	}
	s.run(0, "algorithm", "new", "snake", "--lang", "python")
	if info, err := os.Stat("snake/cc-snake"); err != nil || info.Mode().Perm() != 0o755 ||
		!exists("snake/rocelab/__init__.py") || exists("snake/go.mod") {
		t.Errorf("%v, %v", info, err)
	}
	if list, _ := filepath.Glob("[a-z.]*"); len(list) != 4 { // incast.yaml is the shell's
		t.Errorf("left behind: %v", list)
	}
}

func TestAlgorithmNewRefuses(t *testing.T) {
	s := newShell(t)
	s.write("full", "a file")
	if err := os.Mkdir("mine", 0o755); err != nil {
		t.Fatal(err)
	}
	s.write("mine/work", "of a year")
	for _, c := range []struct{ words, want string }{
		{"", "rocelab: algorithm new needs NAME and got nothing"},
		{"Mine", `"Mine" cannot be the name of an algorithm: allowed are`},
		{"../mine", "cannot be the name"},
		{"dcqcn", "dcqcn is an algorithm that comes with rocelab"},
		{"mine", "mine exists already and is not empty"},
		{"full", "full exists already and is not a folder"},
		{"new --lang rust", `"rust" is not a language for algorithms: allowed are go, python`},
		{"new --template best", `there is no template "best": there are sender, receiver`},
		{"new --lang python --template receiver", "template receiver is there in Go only"},
		{"new --rocelab mine", "--rocelab mine: there is no go.mod of github.com/rocelab/rocelab"},
	} {
		s.run(2, append([]string{"algorithm", "new"}, strings.Fields(c.words)...)...)
		s.says(s.stderr, c.want)
	}
	if list, _ := filepath.Glob("[a-z.]*"); len(list) != 3 || !exists("mine/work") {
		t.Errorf("left behind: %v", list)
	}
}

// If the folder cannot be written, the error is the host's, and no file is written.
func TestAlgorithmNewWithoutRoom(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	s := newShell(t)
	if err := os.Chmod(".", 0o555); err != nil {
		t.Fatal(err)
	}
	s.run(4, "algorithm", "new", "mine")
}

// An installed program that knows no source takes the checkout around the working folder, or its own release, or names
// what it needs.
func TestAlgorithmNewWithoutItsSource(t *testing.T) {
	newShell(t)
	var r authoring.Request
	err := findSource(&r, "", "/nowhere", "")
	if err == nil || !strings.Contains(err.Error(), "--rocelab DIR") || !strings.Contains(err.Error(), "--lang python") {
		t.Error(err)
	}
	if err := findSource(&r, "", "/nowhere", "v1.2.3"); err != nil || r.Version != "v1.2.3" || r.Contract != "" {
		t.Errorf("of a release: %+v, %v", r, err)
	}
	var out strings.Builder
	fetched := "rocelab v1.2.3, which go mod tidy fetches"
	if err := printNew(&out, r, nil); err != nil || !strings.Contains(out.String(), fetched) {
		t.Errorf("of a release it says %s, %v", out.String(), err)
	}
	err = errors.Join(os.MkdirAll("clone/specs/scenarios", 0o755), os.MkdirAll("clone/plugins/cc", 0o755))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod":            "module github.com/rocelab/rocelab\n",
		"plugins/cc/go.mod": "module github.com/rocelab/rocelab/plugins/cc\n",
		"plugins/cc/go.sum": "sums",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join("clone", name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	t.Chdir("clone/specs/scenarios")
	r = authoring.Request{}
	if err := findSource(&r, "", "/nowhere", "v1.2.3"); err != nil || !strings.HasSuffix(r.Contract, "clone/plugins/cc") ||
		string(r.Sums) != "sums" || r.Version != "" {
		t.Errorf("within a checkout: %+v, %v", r, err)
	}
}
