package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	errDenied = unix.EPERM
	errAccess = unix.EACCES
)

// host is the machine as its files show it, below root; tests give it files
// of their own.
type host struct{ root string }

func (h host) path(name string) string { return filepath.Join(h.root, name) }

// text returns a file without the white space around it.
func (h host) text(name string) (string, error) {
	b, err := os.ReadFile(h.path(name))
	return strings.TrimSpace(string(b)), err
}

// number returns a file that holds one number; "max" is the largest.
func (h host) number(name string) (int64, error) {
	s, err := h.text(name)
	if err != nil {
		return 0, err
	}
	if s == "max" {
		return unlimited, nil
	}
	return strconv.ParseInt(s, 10, 64)
}

// unlimited stands for a limit that there is not.
const unlimited = 1<<63 - 1

// field returns the number after "key" or "key:" in a file of such lines, such
// as /proc/meminfo.
func (h host) field(name, key string, base int) (uint64, error) {
	s, err := h.text(name)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(s) {
		words := strings.Fields(line)
		if len(words) >= 2 && strings.TrimSuffix(words[0], ":") == key {
			return strconv.ParseUint(words[1], base, 64)
		}
	}
	return 0, fmt.Errorf("%s has no line %q", name, key)
}
