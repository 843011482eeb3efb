package container

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// The ID of the container of a Probe begins with probeID, its folder, in the folder for
// temporary files, with probeFolder; the prober's process ID follows, and a number.
const (
	probeID     = "probe-"
	probeFolder = "rocelab-probe-"
)

var ofProbe = regexp.MustCompile(`^([0-9]+)-[0-9]+$`)

// ClearProbes removes what a Probe left whose process was killed.
func ClearProbes(ctx context.Context) error {
	_, err := RemoveAll(ctx, Remains{IDs: func(id string) bool { return left(strings.CutPrefix(id, probeID)) }})
	if err != nil {
		return err
	}
	folders, _ := filepath.Glob(filepath.Join(os.TempDir(), probeFolder+"*"))
	for _, folder := range folders {
		if !left(strings.CutPrefix(filepath.Base(folder), probeFolder)) {
			continue
		}
		// Any user can make such a name there: a folder of another user is not a probe's.
		info, failed := os.Lstat(folder)
		if failed != nil || !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			continue
		}
		if failed = os.RemoveAll(folder); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// left reports whether a name without its beginning is of a process that is no more.
func left(rest string, probe bool) bool {
	parts := ofProbe.FindStringSubmatch(rest)
	if !probe || parts == nil {
		return false
	}
	pid, err := strconv.Atoi(parts[1])
	return err == nil && pid > 0 && errors.Is(unix.Kill(pid, 0), unix.ESRCH)
}
