package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

const sums = "SHA256SUMS"

// deliver moves the packages and their checksums to out, and removes the files of an earlier run there.
func deliver(made, out string) error {
	list, err := os.ReadDir(made)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(out, "rocelab*-*"))
	if err != nil {
		return err
	}
	for _, name := range []string{sums, installerName, notesName} {
		old = append(old, filepath.Join(out, name))
	}
	for _, file := range old {
		if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	var text bytes.Buffer
	for _, file := range list {
		data, err := os.ReadFile(filepath.Join(made, file.Name()))
		if err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if file.Name() == installerName {
			mode = 0o755
		}
		if err := os.WriteFile(filepath.Join(out, file.Name()), data, mode); err != nil {
			return err
		}
		fmt.Fprintf(&text, "%s  %s\n", digest(data), file.Name()) // as sha256sum --check reads it
		say("%6.1f MB  %s", float64(len(data))/1e6, filepath.Join(out, file.Name()))
	}
	return os.WriteFile(filepath.Join(out, sums), text.Bytes(), 0o644)
}
