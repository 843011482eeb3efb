// Package program builds programs of this module for the tests that run them, each once:
// suites that build the same one with the same flags share it.
//
// Built programs are in a folder of the user's cache, one for each checkout and set of flags, under a lock. There go
// build decides whether they are up to date, by the build ID, which has all sources, flags and Go's version in it; it
// links again only if one is not. A test gets a copy of its own.
//
// Go test keeps results of tests that pass, and does not see what a test runs. So Build
// opens the folders that the sources are in, and reads the variables that go build heeds:
// these go test remembers, and runs the tests again once one has changed (go help test).
package program

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// module is the path of this module.
const module = "github.com/rocelab/rocelab/"

// home is the folder that this process was started in, which is in the module.
var home, _ = os.Getwd()

// Build builds programs into a folder, which it makes if it is not there, each under the name of its package's folder.
// Packages are folders of the module, such as cmd/rocelab; flags are go build's.
func Build(folder string, packages []string, flags ...string) error {
	paths := make([]string, len(packages))
	for i, p := range packages {
		paths[i] = module + p
	}
	root, err := depend(paths, flags)
	if err != nil {
		return err
	}
	store, err := storeOf(root, flags)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return locked(store, func() error {
		args := slices.Concat([]string{"build"}, flags, []string{"-o", store + "/", "--"}, paths)
		if _, err := goTool(args...); err != nil {
			return err
		}
		for _, p := range packages {
			name := filepath.Base(p)
			if err := copyProgram(filepath.Join(folder, name), filepath.Join(store, name)); err != nil {
				return err
			}
		}
		return nil
	})
}

// goTool runs go, and returns what it prints.
func goTool(args ...string) (string, error) {
	command := exec.Command("go", args...)
	command.Dir = home
	out, err := command.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, exit.Stderr)
	}
	return string(out), err
}

// storeOf makes the folder of the programs built from a checkout with flags, and removes ones that were not used for
// days.
func storeOf(root string, flags []string) (string, error) {
	cache := os.Getenv("ROCELAB_PROGRAMS")
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			user = os.TempDir()
		}
		cache = filepath.Join(user, fmt.Sprintf("rocelab-tests-%d", os.Getuid()))
	}
	key := sha256.Sum256([]byte(strings.Join(append([]string{root}, flags...), "\x00")))
	store := filepath.Join(cache, fmt.Sprintf("%x", key[:8]))
	if err := os.MkdirAll(store, 0o700); err != nil {
		return "", err
	}
	now := time.Now()
	if err := os.Chtimes(store, now, now); err != nil {
		return "", err
	}
	others, err := os.ReadDir(cache)
	for _, other := range others {
		if info, err := other.Info(); err == nil && now.Sub(info.ModTime()) > unused {
			os.RemoveAll(filepath.Join(cache, other.Name()))
		}
	}
	return store, err
}

// unused is how long unused programs are kept, as in go build's cache.
const unused = 5 * 24 * time.Hour

// locked runs f while no other process has the folder.
func locked(folder string, f func() error) error {
	lock, err := os.OpenFile(filepath.Join(folder, ".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close() // which unlocks
	for {
		if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err == nil {
			return f()
		} else if err != unix.EINTR {
			return fmt.Errorf("lock %s: %w", lock.Name(), err)
		}
	}
}

// copyProgram copies a program. Meanwhile this process starts no other: a child would hold the file open for writing
// for a moment, and a program that is being written cannot be run (ETXTBSY).
func copyProgram(to, from string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	target, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}
