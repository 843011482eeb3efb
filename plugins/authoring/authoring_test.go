package authoring_test

import (
	"fmt"
	"go/format"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rocelab/rocelab/plugins/authoring"
)

func request() authoring.Request {
	return authoring.Request{
		Name:     "slow-go",
		Language: authoring.Go,
		Template: authoring.Sender,
		Contract: "/src/rocelab",
		Sums:     []byte("sums"),
	}
}

func files(t *testing.T, r authoring.Request) map[string]string {
	t.Helper()
	list, err := authoring.Make(r)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(list, func(a, b authoring.File) int { return strings.Compare(a.Path, b.Path) }) {
		t.Error("not in the order of their paths")
	}
	byPath := map[string]string{}
	for _, f := range list {
		byPath[f.Path] = string(f.Text)
		if strings.Contains(f.Path, "NAME") || strings.Contains(string(f.Text), "{{") {
			t.Errorf("%s is not filled in:\n%s", f.Path, f.Text)
		}
		if program := strings.HasPrefix(f.Path, "cc-") && r.Language == authoring.Python; f.Executable != program {
			t.Errorf("%s: executable %v", f.Path, f.Executable)
		}
	}
	return byPath
}

// For any name, Go files are formatted and carry it.
func TestGoFilesAreFormatted(t *testing.T) {
	for _, name := range []string{"mine", "slow-go", "func", "a", "cc", "main"} {
		t.Run(name, func(t *testing.T) {
			for _, template := range authoring.Templates {
				r := request()
				r.Name, r.Template = name, template
				got := files(t, r)
				for at, text := range got {
					if path.Ext(at) != ".go" {
						continue
					}
					if out, err := format.Source([]byte(text)); err != nil || string(out) != text {
						t.Errorf("%s %s %s: %v, formatted it is\n%s", name, template, at, err, out)
					}
				}
				if !strings.Contains(got["algorithm.go"], `Name: "`+name+`"`) || got["cc-"+name+"/main.go"] == "" ||
					got["go.sum"] != "sums" {
					t.Errorf("%s %s: %v", name, template, got)
				}
			}
		})
	}
}

func TestModule(t *testing.T) {
	r := request()
	r.Module = []byte("module github.com/rocelab/rocelab\n\ngo 1.26.0\n\nrequire (\n\ta.org/x v1.0.0\n\tb.io/y/v2 " +
		"v2.3.4 // indirect\n)\n\nrequire c.net/z v0.1.0\n\ntool a.org/x/cmd\n")
	want := "module example.org/slow-go\n\ngo 1.26.0\n\nrequire github.com/rocelab/rocelab/plugins/cc v0.0.0\n\n" +
		"// The source of rocelab's contract for algorithms, and what it needs; go mod tidy\n// drops what you do not.\n" +
		"replace github.com/rocelab/rocelab/plugins/cc => /src/rocelab\n\n" +
		"require (\n\ta.org/x v1.0.0 // indirect\n\tb.io/y/v2 v2.3.4 // indirect\n\tc.net/z v0.1.0 // indirect\n)\n"
	got := files(t, r)
	if got["go.mod"] != want || strings.Contains(got["README.md"], "go mod") {
		t.Errorf("with a checkout:\n%s\n%s", got["go.mod"], got["README.md"])
	}
	r.Contract = "/my src/rocelab"
	if got := files(t, r)["go.mod"]; !strings.Contains(got, "=> \"/my src/rocelab\"\n") {
		t.Errorf("with a space:\n%s", got)
	}
	r.Contract, r.Module, r.Sums, r.Version = "", nil, nil, "v1.2.3"
	got = files(t, r)
	if _, has := got["go.sum"]; has || got["go.mod"] != "module example.org/slow-go\n\ngo 1.26.0\n\nrequire "+
		"github.com/rocelab/rocelab/plugins/cc v1.2.3\n" {
		t.Errorf("with a version:\n%s", got["go.mod"])
	}
	if !strings.Contains(got["README.md"], "\n    go mod tidy                                  # fetches rocelab v1.2.3\n"+
		"    go test") || !strings.Contains(got["README.md"], "-replace github.com/rocelab/rocelab/plugins/cc=DIR") {
		t.Errorf("the page without a checkout:\n%s", got["README.md"])
	}
}

func TestPythonHasItsLibrary(t *testing.T) {
	r := request()
	r.Language, r.Library = authoring.Python, fstest.MapFS{"rocelab/x.py": {Data: []byte("x")}}
	got := files(t, r)
	if got["rocelab/x.py"] != "x" || !strings.HasPrefix(got["cc-slow-go"], "#!") || !strings.Contains(got["algorithm.py"],
		`name = "slow-go"`) {
		t.Error(got)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		change func(*authoring.Request)
		want   string
	}{
		{func(r *authoring.Request) {
			r.Language = "rust"
		}, `"rust" is not a language for algorithms: allowed are go, python`},
		{func(r *authoring.Request) { r.Template = "best" }, `there is no template "best": there are sender, receiver`},
		{func(r *authoring.Request) { r.Language, r.Template = authoring.Python, authoring.Receiver },
			"in Python there is sender"},
		{func(r *authoring.Request) { r.Name = "Mine" }, `"Mine" cannot be the name`},
	} {
		t.Run(fmt.Sprintf("want=%s", c.want), func(t *testing.T) {
			r := request()
			c.change(&r)
			if _, err := authoring.Make(r); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	taken := []string{"dcqcn"}
	for _, name := range []string{"a", "mine", "slow-start", "x2", strings.Repeat("a", 40)} {
		t.Run(fmt.Sprintf("%.50q", name), func(t *testing.T) {
			if err := authoring.CheckName(name, taken); err != nil {
				t.Error(err)
			}
		})
	}
	for _, name := range []string{"", "2x", "-a", "a-", "a b", "a/b", "../a", "Ä", "a.b", "a\n",
		strings.Repeat("a", 41), "dcqcn"} {
		t.Run(fmt.Sprintf("%.50q", name), func(t *testing.T) {
			if authoring.CheckName(name, taken) == nil {
				t.Errorf("%q passes", name)
			}
		})
	}
}
