package container

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"testing"
)

// FuzzLoaderCache takes any bytes for the loader's cache.
func FuzzLoaderCache(f *testing.F) {
	whole, _ := os.ReadFile(loaderCache)
	f.Add(whole[:min(len(whole), 400)], "libc.so.6")
	f.Add(append([]byte("glibc-ld.so.cache1.1\x01\x00\x00\x00"), make([]byte, 48)...), "")
	f.Fuzz(func(t *testing.T, cache []byte, name string) {
		for _, path := range cachedPaths(cache, name) {
			if !filepath.IsAbs(path) {
				t.Errorf("%q is not absolute", path)
			}
		}
	})
}

// FuzzInterpreter takes any bytes for a program, and reads what it needs to run.
func FuzzInterpreter(f *testing.F) {
	program, err := os.Open("/proc/self/exe")
	if err != nil {
		f.Skip(err)
	}
	defer program.Close()
	head := make([]byte, 1024) // where its segments are, not what is in most
	if _, err := program.Read(head); err != nil {
		f.Fatal(err)
	}
	f.Add(head)
	f.Fuzz(func(t *testing.T, text []byte) {
		program, err := elf.NewFile(bytes.NewReader(text))
		if err != nil {
			return
		}
		if path, err := interpreterOf(program); err == nil && len(path) > maxInterpreter {
			t.Errorf("an interpreter of %d B", len(path))
		}
		_, _ = program.ImportedLibraries()
		_, _ = program.DynString(elf.DT_RUNPATH)
	})
}
