package iface

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// folderName is the folder of records, in the folder of all testbeds.
const folderName = ".interfaces"

// partSuffix is the end of a file's name while it is written.
const partSuffix = ".part"

// record is what an interface was before it was taken.
type record struct {
	Interface string `json:"interface"`
	Namespace string `json:"namespace,omitempty"`
	// Inode tells the namespace from others that had its path before or after; Index and MAC the
	// interface from others that had its name.
	Inode    uint64   `json:"inode"`
	Index    int      `json:"index"`
	MAC      string   `json:"mac"`
	Pid      int      `json:"pid"`
	Settings settings `json:"settings"`
}

func (r *record) path(root string) string {
	return filepath.Join(root, folderName, fmt.Sprintf("%d-%d.json", r.Inode, r.Index))
}

// save writes the record in one step.
func (r *record) save(root string) error {
	if err := os.MkdirAll(filepath.Join(root, folderName), 0o700); err != nil {
		return err
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	path := r.path(root)
	part := path + partSuffix
	err = os.WriteFile(part, append(b, '\n'), 0o600)
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		os.Remove(part)
	}
	return err
}

// load reads a record; nil without an error says that there is none.
func load(path string) (*record, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	r := &record{}
	if err == nil {
		err = json.Unmarshal(b, r)
	}
	if err == nil && r.path(filepath.Dir(filepath.Dir(path))) != path {
		err = errors.New("it tells of another interface")
	}
	if err != nil {
		return nil, fmt.Errorf("what an interface was before a run is damaged: %s: %w; look at the interface, then remove "+
			"the file", path, err)
	}
	return r, nil
}

// forget removes the record, and the folder after the last one.
func (r *record) forget(root string) error {
	err := os.Remove(r.path(root))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	tidy(root)
	return err
}

func tidy(root string) {
	if unix.Rmdir(filepath.Join(root, folderName)) == nil {
		_ = unix.Rmdir(root) // as long as there is nothing else
	}
}

// errGone says that there is nothing to put back.
var errGone = errors.New("it is gone")

// find finds the interface that the record tells of, in this thread's namespace and whatever
// it is called by now.
func (r *record) find() (netlink.Link, error) {
	number, err := inode(here)
	if err != nil {
		return nil, err
	}
	if number != r.Inode {
		return nil, errGone
	}
	l, err := netlink.LinkByIndex(r.Index)
	if _, missing := errors.AsType[netlink.LinkNotFoundError](err); missing {
		return nil, errGone
	} else if err != nil {
		return nil, err
	}
	if l.Attrs().HardwareAddr.String() != r.MAC {
		return nil, errGone
	}
	return l, nil
}

// isGone reports whether an interface, or its namespace, is not there any more.
func isGone(err error) bool { return errors.Is(err, errGone) || errors.Is(err, fs.ErrNotExist) }

// PutBack puts back the settings of all interfaces whose holders were killed, by their records in
// the folder of all testbeds. It leaves alone those that somebody holds, and returns what it put back.
// A record that cannot be followed stays, and the error names it.
func PutBack(root string) (done []string, err error) {
	entries, err := os.ReadDir(filepath.Join(root, folderName))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(root, folderName, e.Name())
		if strings.HasSuffix(e.Name(), partSuffix) { // nothing was changed yet
			err = errors.Join(err, os.Remove(path))
			continue
		}
		r, failed := load(path)
		if r == nil {
			err = errors.Join(err, failed) // or another was faster
			continue
		}
		was, failed := r.putBack(root)
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("put interface %s back as it was (%s): %w", r.name(), path, failed))
		} else if was {
			done = append(done, r.name())
		}
	}
	tidy(root)
	return done, err
}

func (r *record) name() string { return Want{Interface: r.Interface, Namespace: r.Namespace}.String() }

// putBack follows a record whose holder is gone, and reports whether there was something
// to put back.
func (r *record) putBack(root string) (was bool, err error) {
	err = in(place(r.Namespace, r.Inode), func() error {
		l, err := r.find()
		if err != nil {
			return err
		}
		held, err := lock(r.Index)
		if _, busy := errors.AsType[*heldError](err); busy {
			return nil
		} else if err != nil {
			return err
		}
		defer unix.Close(held)
		if _, err := os.Stat(r.path(root)); err != nil {
			return nil // its holder put it back meanwhile
		}
		if err := r.Settings.revert(l); err != nil {
			return err
		}
		was = true
		return r.forget(root)
	})
	if isGone(err) {
		return false, r.forget(root)
	}
	return was, err
}
