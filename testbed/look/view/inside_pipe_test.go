//go:build unix

package view

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe that takes the place of a file while it is being opened is not waited for: without that the test ends by its
// own time limit.
func TestAPipeInThePlaceOfAFile(t *testing.T) {
	dir := t.TempDir()
	file, pipe, name := filepath.Join(dir, "file"), filepath.Join(dir, "pipe"), filepath.Join(dir, "flows.csv")
	if err := os.WriteFile(file, []byte("flow\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-ended:
				return
			default:
			}
			part := filepath.Join(dir, "part")
			if os.Link([]string{file, pipe}[i%2], part) != nil || os.Rename(part, name) != nil {
				t.Error("the file is not replaced")
				return
			}
			os.Remove(part) // two names of one file, which a rename leaves both
		}
	}()
	for range 3000 {
		opened, err := inside{root, "."}.Open("flows.csv")
		if err != nil {
			continue
		}
		if info, err := opened.Stat(); err != nil || !info.Mode().IsRegular() {
			t.Errorf("opened is %v, %v", info.Mode(), err)
		}
		opened.Close()
	}
	close(ended)
	<-done
}
