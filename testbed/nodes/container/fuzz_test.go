package container

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
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

// A program's interpreter is a path, however much of its file it claims.
func TestInterpreterIsAPath(t *testing.T) {
	const head, segment = 64, 56
	for size, fits := range map[uint64]bool{20: true, maxInterpreter: true, maxInterpreter + 1: false} {
		program := make([]byte, head+segment+2*maxInterpreter)
		le := binary.LittleEndian
		copy(program, "\x7fELF\x02\x01\x01")
		le.PutUint16(program[16:], uint16(elf.ET_EXEC))
		le.PutUint16(program[18:], uint16(elf.EM_X86_64))
		le.PutUint32(program[20:], 1)
		le.PutUint64(program[32:], head) // where its segments are
		le.PutUint16(program[52:], head)
		le.PutUint16(program[54:], segment)
		le.PutUint16(program[56:], 1)
		le.PutUint16(program[58:], 64)
		le.PutUint32(program[head:], uint32(elf.PT_INTERP))
		le.PutUint64(program[head+8:], head+segment)
		le.PutUint64(program[head+32:], size)
		copy(program[head+segment:], "/lib64/ld-linux.so.2")
		file, err := elf.NewFile(bytes.NewReader(program))
		if err != nil {
			t.Fatal(err)
		}
		path, err := interpreterOf(file)
		if (err == nil) != fits || fits && path != "/lib64/ld-linux.so.2" {
			t.Errorf("of %d B: %q, %v", size, path, err)
		}
	}
}
