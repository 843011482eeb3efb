package iface

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// folderName is the folder of records, in the folder of all testbeds.
const folderName = ".interfaces"

// partSuffix is the end of a file's name while it is written.
const partSuffix = ".part"

// record has the settings of an interface before it was taken.
type record struct {
	Interface string `json:"interface"`
	Namespace string `json:"namespace,omitempty"`
	// Inode distinguishes the namespace from others that had its path before or after; Index and MAC the interface from
	// others that had its name. Mark is an alternative name that it has while it is taken, which identifies it if its
	// MAC was changed; "" if the kernel does not support it.
	Inode    uint64   `json:"inode"`
	Index    int      `json:"index"`
	MAC      string   `json:"mac"`
	Mark     string   `json:"mark,omitempty"`
	Pid      int      `json:"pid"`
	Settings settings `json:"settings"`
}

func (r *record) path(root string) string {
	return filepath.Join(root, folderName, fmt.Sprintf("%d-%d.json", r.Inode, r.Index))
}

// save writes the record in one step. A concurrent PutBack may take away an unfinished file, or the empty folder: it is
// written again then.
func (r *record) save(root string) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	const often = 1000
	for range often {
		if err = r.write(root, append(b, '\n')); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

func (r *record) write(root string, text []byte) error {
	if err := os.MkdirAll(filepath.Join(root, folderName), 0o700); err != nil {
		return err
	}
	path := r.path(root)
	part := path + partSuffix
	err := os.WriteFile(part, text, 0o600)
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		os.Remove(part)
	}
	return err
}

// load reads a record; nil without an error if there is none.
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
		err = errors.New("it describes another interface")
	}
	if err != nil {
		return nil, fmt.Errorf("the record of an interface's state before a run is damaged: %s: %w; look at the "+
			"interface, then remove the file", path, err)
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

// errGone means that there is nothing to put back.
var errGone = errors.New("it is gone")

// find finds the interface of the record, in this thread's namespace and under its present name.
func (r *record) find() (netlink.Link, error) {
	if err := r.atHome(); err != nil {
		return nil, err
	}
	l, err := netlink.LinkByIndex(r.Index)
	if _, missing := errors.AsType[netlink.LinkNotFoundError](err); missing {
		return nil, errGone
	} else if err != nil {
		return nil, err
	}
	return l, r.isOf(l)
}

// atHome returns errGone in any other namespace than the interface's.
func (r *record) atHome() error {
	number, err := inode(here)
	if err == nil && number != r.Inode {
		return errGone
	}
	return err
}

// isOf returns nil for the interface that was taken, be its MAC another by now, and errGone for
// another that has its index.
func (r *record) isOf(l netlink.Link) error {
	a := l.Attrs()
	switch {
	case a.HardwareAddr.String() == r.MAC || r.Mark != "" && slices.Contains(a.AltNames, r.Mark):
		return nil
	case r.Mark != "" || r.Settings.none():
		return errGone
	}
	return fmt.Errorf("its MAC was %s and is %s, so that it may be another interface: look at it (%s), then "+
		"remove %s", r.MAC, a.HardwareAddr, r.Settings.String(), filepath.Base(r.path("")))
}

// mark gives the interface its mark, if that is possible.
func (r *record) mark(root string, l netlink.Link) error {
	if r.Settings.none() {
		return nil
	}
	r.Mark = fmt.Sprintf("rocelab-edge-%d", r.Index)
	if err := r.save(root); err != nil || slices.Contains(l.Attrs().AltNames, r.Mark) {
		return err
	}
	if netlink.LinkAddAltName(l, r.Mark) == nil {
		return nil
	}
	r.Mark = ""
	return r.save(root)
}

// revert puts the interface back as it was, and takes the mark off it when that is done.
func (r *record) revert(l netlink.Link) error {
	if err := r.Settings.revert(l); err != nil || !slices.Contains(l.Attrs().AltNames, r.Mark) {
		return err
	}
	return netlink.LinkDelAltName(l, r.Mark)
}

// isGone reports whether an interface, or its namespace, is not there any more.
func isGone(err error) bool { return errors.Is(err, errGone) || errors.Is(err, fs.ErrNotExist) }

// PutBack restores the settings of all interfaces whose holders were killed, by their records in the folder of all
// testbeds. It does not touch interfaces with a holder, and returns the ones it restored. A record that cannot be
// followed stays, and the error names it: see Left.
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
			if failed := os.Remove(path); !errors.Is(failed, fs.ErrNotExist) { // or it is finished meanwhile
				err = errors.Join(err, failed)
			}
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

// Changed are the interfaces that are as a holder that was killed left them, each with what it was before, by their
// records in the folder of all testbeds. It changes nothing. A record that cannot be read is named by the error.
func Changed(root string) (list []string, err error) {
	entries, err := os.ReadDir(filepath.Join(root, folderName))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return nil, nil
	}
	for _, e := range entries {
		path := filepath.Join(root, folderName, e.Name())
		if strings.HasSuffix(path, partSuffix) { // nothing was changed yet
			continue
		}
		r, failed := load(path)
		if r == nil {
			err = errors.Join(err, failed) // or it was put back meanwhile
			continue
		}
		failed = in(place(r.Namespace, r.Inode), func() error {
			if _, err := r.find(); err != nil {
				return err
			}
			held, err := lock(r.Index)
			if _, busy := errors.AsType[*heldError](err); busy {
				return nil
			} else if err != nil {
				return err
			}
			list = append(list, r.name()+": "+r.Settings.String())
			return unix.Close(held)
		})
		if failed != nil && !isGone(failed) {
			err = errors.Join(err, fmt.Errorf("interface %s (%s): %w", r.name(), path, failed))
		}
	}
	return list, err
}

// Left are the sentences of an error of PutBack, for a run that has no need of those interfaces: Take
// refuses the one that it needs.
func Left(err error) (sentences []string) {
	if err == nil {
		return nil
	}
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range all.Unwrap() {
			sentences = append(sentences, Left(one)...)
		}
		return sentences
	}
	return []string{"not as it was before an earlier run: " + err.Error()}
}

func (r *record) name() string { return Want{Interface: r.Interface, Namespace: r.Namespace}.String() }

// putBack follows a record whose holder is gone, and reports whether there was something
// to put back.
func (r *record) putBack(root string) (was bool, err error) {
	err = in(place(r.Namespace, r.Inode), func() error {
		if err := r.atHome(); err != nil {
			return err
		}
		held, err := lock(r.Index)
		if _, busy := errors.AsType[*heldError](err); busy {
			return nil
		} else if err != nil {
			return err
		}
		defer unix.Close(held)
		now, err := load(r.path(root))
		if now == nil {
			return err // its holder put it back meanwhile
		}
		l, err := now.find()
		if err == nil {
			err = now.revert(l)
			was = err == nil
		}
		if err == nil || isGone(err) {
			err = now.forget(root)
		}
		return err
	})
	if isGone(err) { // with its namespace
		return false, r.forget(root)
	}
	return was, err
}
