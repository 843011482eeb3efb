package build

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
)

// build builds a program from a folder.
func build(t *testing.T, folder, out string, flags ...string) string {
	t.Helper()
	c := exec.Command("go", append(append([]string{"build", "-o", out}, flags...), ".")...)
	c.Dir = folder
	c.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go build in %s: %v\n%s", folder, err, text)
	}
	return out
}

// source writes a small module into a new folder.
func source(t *testing.T, text string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module small\n\ngo 1.24\n",
		"main.go": "package main\n\nfunc main() { println(" + text + ") }\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// A build has one ID in any folder, stripped or not the one that Go's own tool prints;
// an edit gives another.
func TestBuildsAreToldApart(t *testing.T) {
	tier.Everyday(t)
	program.DependOnTree(t)
	if runtime.GOOS != "linux" {
		t.Skip("programs here are not ELF")
	}
	out := t.TempDir()
	one := build(t, source(t, `"one"`), filepath.Join(out, "one"), "-trimpath", "-ldflags=-s -w")
	same := build(t, source(t, `"one"`), filepath.Join(out, "same"), "-trimpath", "-ldflags=-s -w")
	edited := build(t, source(t, `"two"`), filepath.Join(out, "edited"), "-trimpath", "-ldflags=-s -w")
	id := idOf(one)
	tool, err := exec.Command("go", "tool", "buildid", one).Output()
	if err != nil || strings.TrimSpace(string(tool)) != id || len(id) < 40 {
		t.Errorf("the ID is %q, go tool buildid says %q, %v", id, tool, err)
	}
	if other := idOf(same); other != id {
		t.Errorf("from another folder %q, want %q", other, id)
	}
	if other := idOf(edited); other == id {
		t.Errorf("another program has the ID %q, too", other)
	}
	bare := idOf(build(t, source(t, `"one"`), filepath.Join(out, "bare"), "-trimpath", "-ldflags=-buildid="))
	if !strings.HasPrefix(bare, "sha256:") || len(bare) != len("sha256:")+64 {
		t.Errorf("without a build ID it is %q", bare)
	}
}

// rocelab itself has one ID from any folder. Two are built, and one that was edited.
func TestRocelabIsTheSameFromAnyFolder(t *testing.T) {
	tier.Slow(t)
	if runtime.GOOS != "linux" {
		t.Skip("programs here are not ELF")
	}
	out := t.TempDir()
	id := func(name string, edit func(folder string) error) string {
		folder := filepath.Join(t.TempDir(), name)
		err := os.CopyFS(folder, os.DirFS("../.."))
		if err == nil {
			err = os.RemoveAll(filepath.Join(folder, ".git"))
		}
		if err == nil {
			err = edit(folder)
		}
		if err != nil {
			t.Fatal(err)
		}
		return idOf(build(t, filepath.Join(folder, "cmd", "rocelab"), filepath.Join(out, name), "-trimpath", "-pgo=off",
			"-ldflags=-s -w"))
	}
	same := func(string) error { return nil }
	one := id("one", same)
	if other := id("other", same); len(one) < 40 || other != one {
		t.Errorf("%q and from another folder %q", one, other)
	}
	edited := id("edited", func(folder string) error {
		edit := []byte("package wan\n\nfunc init() { println() }\n")
		return os.WriteFile(filepath.Join(folder, "wan", "edit.go"), edit, 0o600)
	})
	if edited == one {
		t.Errorf("an edit changes nothing: %q", edited)
	}
}

// A file in any other format is known by its sum, and the first that can be read counts.
func TestProgramsInOtherFormats(t *testing.T) {
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	const sum = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got := idOf(file+"-missing", file); got != sum {
		t.Errorf("%q, want %q", got, sum)
	}
	if got := idOf(file + "-missing"); got != "unknown" {
		t.Errorf("%q without a file", got)
	}
}

func TestNotes(t *testing.T) {
	order := binary.LittleEndian
	note := func(owner, text string, kind uint32) []byte {
		var b []byte
		b = order.AppendUint32(b, uint32(len(owner)))
		b = order.AppendUint32(b, uint32(len(text)))
		b = order.AppendUint32(b, kind)
		for _, part := range []string{owner, text} {
			b = append(b, part...)
			for len(b)%4 != 0 {
				b = append(b, 0)
			}
		}
		return b
	}
	other, own := note("GNU\x00", "xyz", 3), note(noteOwner, "a/b/c", noteKind)
	for _, c := range []struct {
		notes []byte
		want  string
	}{
		{own, "a/b/c"},
		{append(append([]byte{}, other...), own...), "a/b/c"},
		{other, ""},
		{note(noteOwner, "a/b/c", 1), ""},
		{note("GNU\x00", "a/b/c", noteKind), ""},
		{own[:len(own)-4], ""},
		{own[:7], ""},
		{nil, ""},
	} {
		if got := goNote(c.notes, order); got != c.want {
			t.Errorf("%q: %q, want %q", c.notes, got, c.want)
		}
	}
}

func TestThisProgramHasAnID(t *testing.T) {
	info := Read()
	if info.ID == "" || info.ID == "unknown" || info.Version == "" || info.Go != runtime.Version() {
		t.Errorf("%+v", info)
	}
}
