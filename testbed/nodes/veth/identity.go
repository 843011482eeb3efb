package veth

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

// A kept testbed goes on with the binaries that it was deployed with, even if their files change. Their digests are
// kept, and compared before each run, so that a run of older code does not go unnoticed.

// binaries returns the binaries of a testbed with that program and these plugins, by their use.
func binaries(program string, plugins map[string]string) map[string]string {
	list := map[string]string{"the daemons": program}
	for name, path := range plugins {
		list["algorithm "+name] = path
	}
	return list
}

// noteDigests notes the digests of the binaries. It refuses plugins that
// containers cannot hold, before anything is made.
func (t *Testbed) noteDigests() error {
	for _, name := range slices.Sorted(maps.Keys(t.Plugins)) {
		if err := checkELF(t.Plugins[name]); err != nil {
			return err
		}
	}
	t.Digests = map[string]string{}
	for role, path := range binaries(t.program, t.Plugins) {
		sum, err := digest(path)
		if err != nil {
			return err
		}
		t.Digests[role] = sum
	}
	return nil
}

// checkELF refuses a file that is not an ELF executable: a container does not hold an interpreter that would run a
// script.
func checkELF(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var magic [4]byte
	if _, err := io.ReadFull(f, magic[:]); err != nil || !bytes.Equal(magic[:], []byte("\x7fELF")) {
		return &FitError{fmt.Sprintf("plugin %s is not an ELF executable: on containers a plugin must be one, "+
			"scripts only run with --on mem", path)}
	}
	return nil
}

// checkDigests refuses a run whose binaries differ from the testbed's.
func (t *Testbed) checkDigests(plugins map[string]string) error {
	program := t.program
	if program == "" {
		var err error
		if program, err = ownProgram(); err != nil {
			return err
		}
	}
	now := binaries(program, plugins)
	for _, role := range slices.Sorted(maps.Keys(now)) {
		sum, err := digest(now[role])
		if err != nil {
			return err
		}
		if sum != t.Digests[role] {
			return &FitError{fmt.Sprintf("testbed %s was deployed with another build of %s, the program of %s: "+
				"deploy it again",
				t.Name, now[role], role)}
		}
	}
	return nil
}

// digest is the SHA-256 of a file.
func digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
