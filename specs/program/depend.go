package program

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// variables are the variables that go build heeds and that do not trigger a rebuild of a test program. Go test itself
// looks at the others, such as GOFLAGS, when it builds the tests; at GOFLAGS it may look for flags that do not change
// them.
var variables = []string{"CGO_ENABLED", "GOAMD64", "GOARCH", "GOARM64", "GOENV", "GOEXPERIMENT", "GOFIPS140", "GOFLAGS",
	"GOOS", "GOTOOLCHAIN", "GOWORK"}

// depend has the result of the tests that run depend on what packages are built from, and
// returns the module's folder. A folder counts with name, size and time of each of its files; what
// comes from outside of the module, with go.mod and go.sum.
func depend(packages, flags []string) (root string, err error) {
	for _, v := range variables {
		os.Getenv(v)
	}
	root, folders, err := sources(packages, flags)
	if err != nil {
		return "", err
	}
	for _, name := range append(folders, filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum")) {
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		f.Close()
	}
	return root, nil
}

// sources are the module's folder and all folders in it that packages are built from.
func sources(packages, flags []string) (root string, folders []string, err error) {
	const format = `{{with .Module}}{{if .Main}}{{.Dir}}{{"\t"}}{{$.Dir}}` +
		`{{range $.EmbedFiles}}{{"\t"}}{{.}}{{end}}{{"\n"}}{{end}}{{end}}`
	text, err := goTool(slices.Concat([]string{"list", "-deps", "-f", format}, flags, []string{"--"}, packages)...)
	if err != nil {
		return "", nil, err
	}
	for line := range strings.Lines(text) {
		words := strings.Split(strings.TrimSpace(line), "\t")
		if len(words) < 2 {
			continue
		}
		root = words[0]
		folders = append(folders, words[1])
		for _, embedded := range words[2:] {
			folders = append(folders, filepath.Dir(filepath.Join(words[1], embedded)))
		}
	}
	slices.Sort(folders)
	return root, slices.Compact(folders), nil
}

// DependOnTree has the results of the tests that run depend on every file of the module: for tests that have programs
// such as git or go look at the tree, which go test does not see.
func DependOnTree(t testing.TB) {
	t.Helper()
	out, err := goTool("list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(strings.TrimSpace(out), func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.Name() == ".git" {
			return filepath.SkipDir
		}
		return err // of a folder, whose entries it has read
	})
	if err != nil {
		t.Fatal(err)
	}
}
