//go:build unix

package textfile

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe is read, and waiting for one, or for its writer, ends with the context.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	go end()
	if _, err := Read(ended, path, 1000); !errors.Is(err, context.Canceled) {
		t.Errorf("without a writer: %v", err)
	}
	if _, err := Regular(path, 1000); err == nil || !strings.Contains(err.Error(), "is a pipe or a device") {
		t.Error(err)
	}
	writer, err := os.OpenFile(path, os.O_RDWR, 0) // it does not wait for a reader
	if err != nil {
		t.Fatal(err)
	}
	silent, end := context.WithCancel(t.Context())
	f, err := Open(silent, path, 1000)
	if err != nil {
		t.Fatal(err)
	}
	go end()
	if _, err := f.Read(make([]byte, 10)); !errors.Is(err, context.Canceled) {
		t.Errorf("a writer that says nothing: %v", err)
	}
	f.Close()
	if f, err = Open(t.Context(), path, 1000); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	writer.WriteString("text")
	writer.Close()
	if text, err := io.ReadAll(f); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
}
