//go:build !linux

package sudo

import (
	"fmt"
	"os"
)

// Open opens a file that everybody may read: what the user himself may is known on
// Linux alone.
func (*User) Open(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || info.Mode().Perm()&0o004 == 0 {
		f.Close()
		return nil, fmt.Errorf("open %s: %w", path, os.ErrPermission)
	}
	return f, nil
}
