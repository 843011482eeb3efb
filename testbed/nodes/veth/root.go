package veth

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Root is the folder of all testbeds. ROCELAB_RUN in the environment names
// another.
func Root() string {
	if dir := os.Getenv("ROCELAB_RUN"); dir != "" {
		return dir
	}
	return "/run/rocelab"
}

// CheckRoot refuses a folder of testbeds that another user could change: its content determines which processes are
// killed, what is removed, and which programs run. A folder that does not exist is judged by the folders around it.
func CheckRoot() error {
	_, err := trustedRoot()
	return err
}

// trustedRoot is the folder of all testbeds without symbolic links in its path, as
// the kernel names mounts.
func trustedRoot() (string, error) {
	root, err := filepath.Abs(Root())
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	info, err := os.Lstat(root)
	if err == nil {
		err = checkOwner(root, info)
	} else if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		err = nil // its maker says so better
	}
	for dir := root; err == nil && dir != "/"; {
		dir = filepath.Dir(dir)
		var info fs.FileInfo
		if info, err = os.Lstat(dir); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			err = nil
		} else if err == nil {
			err = checkAround(dir, info)
		}
	}
	return root, err
}

// untrustedError reports that a folder of testbeds, or one around it, is not safe from other users.
type untrustedError struct{ text string }

func (e *untrustedError) Error() string { return e.text }

// writers are the mode bits that let users other than the owner write.
const writers = 0o022

// checkOwner refuses a folder that others than this user and root may write into.
func checkOwner(path string, info fs.FileInfo) error {
	if err := checkUser(path, info); err != nil {
		return err
	}
	if info.IsDir() && info.Mode()&writers != 0 {
		return &untrustedError{fmt.Sprintf("%s can be written to by other users (mode %04o), who could make "+
			"rocelab remove other folders: check its content, then chmod go-w %[1]s, or set ROCELAB_RUN to "+
			"another folder",
			path, info.Mode().Perm())}
	}
	return nil
}

// checkAround is the same for a folder around: in one with the sticky bit, such as /tmp, others cannot replace a file
// that is not theirs.
func checkAround(path string, info fs.FileInfo) error {
	if info.Mode()&fs.ModeSticky != 0 {
		return checkUser(path, info)
	}
	return checkOwner(path, info)
}

func checkUser(path string, info fs.FileInfo) error {
	owner := info.Sys().(*syscall.Stat_t).Uid
	if owner == 0 || int(owner) == os.Geteuid() || owner == ownerOfAll() {
		return nil
	}
	name := strconv.Itoa(int(owner))
	if u, err := user.LookupId(name); err == nil {
		name = u.Username
	}
	return &untrustedError{fmt.Sprintf("%s belongs to user %s, who could make rocelab remove other folders: set "+
		"ROCELAB_RUN to a folder of your own, or check this one's content and chown it", path, name)}
}

// ownerOfAll is the owner of /: root, who has another number in a user namespace.
func ownerOfAll() uint32 {
	if info, err := os.Stat("/"); err == nil {
		return info.Sys().(*syscall.Stat_t).Uid
	}
	return 0
}

// longestSocket is the length of the longest path that a Unix socket can be
// bound to: sun_path of unix(7) without the null byte at its end.
const longestSocket = len(unix.RawSockaddrUnix{}.Path) - 1

// checkPaths refuses a testbed whose control sockets would have longer paths
// than the kernel takes.
func checkPaths(s *State) error {
	longest := ""
	for i := range s.Containers {
		for _, path := range s.Containers[i].Sockets {
			if len(path) > len(longest) {
				longest = path
			}
		}
	}
	excess := len(longest) - longestSocket
	if excess <= 0 {
		return nil
	}
	most := len(Root()) - excess
	return fmt.Errorf("the folder of testbeds, %s, has a path of %d B: allowed are %d for testbed %s, as its sockets "+
		"stand in it and the path of a socket has at most %d (unix(7)): set ROCELAB_RUN to a shorter one",
		Root(), len(Root()), most, s.Name, longestSocket)
}
