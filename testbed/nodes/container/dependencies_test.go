package container

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNeededIsWhatTheLoaderTakes compares with the loader's own list, ldd(1).
func TestNeededIsWhatTheLoaderTakes(t *testing.T) {
	if _, err := exec.LookPath("ldd"); err != nil {
		t.Skip("no ldd here to compare with")
	}
	for _, program := range []string{"sh", "bash", "tar", "git", "ssh", "python3", "gdb"} {
		path, err := exec.LookPath(program)
		if err != nil {
			continue
		}
		out, err := exec.Command("ldd", path).CombinedOutput()
		if err != nil {
			continue // a script, or linked statically
		}
		var want []string
		for line := range strings.Lines(string(out)) {
			if _, after, found := strings.Cut(line, "=> "); found {
				line = after
			}
			if f := strings.Fields(line); len(f) > 0 && filepath.IsAbs(f[0]) {
				want = append(want, f[0])
			}
		}
		needs, err := dependencies(path, path)
		if err != nil {
			t.Errorf("%s: %v", program, err)
			continue
		}
		var got []string
		for _, n := range needs {
			if n.source != loaderCache {
				got = append(got, n.destination)
			}
		}
		if !slices.Equal(resolved(got), resolved(want)) {
			t.Errorf("%s needs %v, the loader takes %v", program, resolved(got), resolved(want))
		}
	}
}

// resolved follows the links of paths, and sorts them.
func resolved(paths []string) []string {
	var files []string
	for _, p := range paths {
		if file, err := filepath.EvalSymlinks(p); err == nil {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// TestOwnFolder builds a program that finds a library beside itself.
func TestOwnFolder(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc here")
	}
	dir := t.TempDir()
	in := func(name, text string) string {
		path := filepath.Join(dir, name)
		if text != "" {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	run("-shared", "-fPIC", "-o", in("libown.so", ""), in("own.c", "int own(void) { return 5; }\n"))
	run("-o", in("main", ""), in("main.c", "int own(void); int main(void) { return own(); }\n"), "-L"+dir, "-lown",
		"-Wl,-rpath,$ORIGIN/../lib:$ORIGIN")
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "own")
		s.Program = in("main", "")
		c := start(t, r, s)
		if status, err := c.Wait(); err != nil || status.Code != 5 {
			t.Errorf("ended with %v, %v; log: %s", status, err, logOf(t, s))
		}
	})
	if err := os.Remove(in("libown.so", "")); err != nil {
		t.Fatal(err)
	}
	if _, err := dependencies(in("main", ""), "/bin/main"); err == nil || !strings.Contains(err.Error(), "libown.so") {
		t.Errorf("without the library: %v", err)
	}
}

func TestTornLoaderCache(t *testing.T) {
	cache, err := os.ReadFile(loaderCache)
	if err != nil {
		t.Skip("no loader cache here")
	}
	if len(cachedPaths(cache, "libc.so.6")) == 0 {
		t.Error("libc.so.6 is not in the loader's cache")
	}
	for end := 0; end < len(cache); end += 97 {
		cachedPaths(cache[:end], "libc.so.6") // answers something, whatever it reads
	}
	binary.NativeEndian.PutUint32(cache[20:], 1<<31)
	cachedPaths(cache, "none")
}
